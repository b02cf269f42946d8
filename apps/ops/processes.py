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
from collections.abc import Callable, Sequence
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


def listening(port: int, host: str = "127.0.0.1") -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((host, port)) == 0


class Processes:
    """Children by name; `with` stops them all on the way out."""

    def __init__(self) -> None:
        self.children: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Processes:
        self._previous = {number: signal.signal(number, _interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def start(self, name: str, command: Sequence[str]) -> None:
        self.children[name] = subprocess.Popen(command, start_new_session=True)

    def wait(self, until: Callable[[], bool] = lambda: False) -> str | None:
        """The name of the first child that ends, or None once `until()` holds. KeyboardInterrupt passes through."""
        while not until():
            for name, child in self.children.items():
                if child.poll() is not None:
                    return name
            time.sleep(POLL)
        return None

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
