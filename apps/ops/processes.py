"""Child processes that start together and stop together.

Each child leads a process group of its own, so that Ctrl-C in the terminal reaches only the parent, which then
stops every child: SIGTERM first, SIGKILL for what is left after `GRACE` seconds.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from types import FrameType

GRACE = 10.0
POLL = 0.2


def free_port(first: int, host: str = "127.0.0.1", tries: int = 100) -> int:
    """The first port from `first` on that nothing listens on. Raises OSError when `tries` ports are taken."""
    for port in range(first, first + tries):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    raise OSError(f"ports {first} to {first + tries - 1} are all taken")


class Processes:
    """Children by name; `with` stops them all on the way out."""

    def __init__(self) -> None:
        self.children: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Processes:
        self._previous = signal.signal(signal.SIGTERM, _interrupt)
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()
        signal.signal(signal.SIGTERM, self._previous)

    def start(self, name: str, command: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        self.children[name] = subprocess.Popen(command, env=env, start_new_session=True)

    def wait(self) -> str:
        """Waits until one child has ended and returns its name; KeyboardInterrupt passes through."""
        while True:
            for name, child in self.children.items():
                if child.poll() is not None:
                    return name
            time.sleep(POLL)

    def stop(self) -> None:
        for child in self.children.values():
            _signal(child, signal.SIGTERM)
        end = time.monotonic() + GRACE
        for child in self.children.values():
            try:
                child.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                _signal(child, signal.SIGKILL)
                child.wait()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _signal(child: subprocess.Popen[bytes], number: signal.Signals) -> None:
    if child.poll() is None:
        os.killpg(child.pid, number)
