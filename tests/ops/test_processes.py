"""Children start and stop together, and a taken port is passed over."""

import os
import signal
import socket
import sys

import pytest

from apps.ops.processes import Processes, free_port

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_taken_port_is_passed_over():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert free_port(port) > port
        with pytest.raises(OSError, match="all taken"):
            free_port(port, tries=1)


def test_wait_names_the_child_that_ended_and_the_others_stop():
    with Processes() as processes:
        processes.start("long", SLEEP)
        processes.start("short", [sys.executable, "-c", "pass"])
        assert processes.wait() == "short"
        pid = processes.children["long"].pid
        assert alive(pid)
    assert not alive(pid)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_children(number):
    with pytest.raises(KeyboardInterrupt), Processes() as processes:
        processes.start("long", SLEEP)
        pid = processes.children["long"].pid
        os.kill(os.getpid(), number)
        processes.wait()
    assert not alive(pid)
