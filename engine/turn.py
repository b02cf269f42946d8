"""One request runs at a time; interactive ones go before batch ones, otherwise first come, first served."""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_PATIENCE = 0.1  # seconds between two looks at `cancelled` while waiting
_RANK = {"interactive": 0, "batch": 1}


class Turn:
    """A fair lock with priorities that a waiting caller can give up."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._tickets = itertools.count()
        self._waiting: list[tuple[int, int]] = []
        self._owner: int | None = None

    @contextmanager
    def take(self, priority: str, cancelled: Callable[[], bool]) -> Iterator[bool]:
        """True while holding the turn, False when the caller gave up. RuntimeError instead of waiting for oneself."""
        held = self._acquire((_RANK[priority], next(self._tickets)), cancelled)
        try:
            yield held
        finally:
            if held:
                with self._changed:
                    self._owner = None
                    self._changed.notify_all()

    def _acquire(self, ticket: tuple[int, int], cancelled: Callable[[], bool]) -> bool:
        me = threading.get_ident()
        with self._changed:
            if self._owner == me:
                raise RuntimeError("this thread has not finished or closed its previous generation")
            heapq.heappush(self._waiting, ticket)
            try:
                while self._owner is not None or self._waiting[0] != ticket:
                    if cancelled():
                        return False
                    self._changed.wait(_PATIENCE)
                self._owner = me
                return True
            finally:
                self._waiting.remove(ticket)
                heapq.heapify(self._waiting)
                self._changed.notify_all()
