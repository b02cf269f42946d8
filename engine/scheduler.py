"""Which texts run together: admission by whole need, interactive before batch, and an equal share for every firm.

A text is admitted only when all the cache it may ever need fits beside the others, so nothing that runs is ever put aside
and at least one text always runs. Among those that wait, interactive ones go before batch ones, but a batch text that has
waited `AGEING` seconds counts as interactive; then the firm with the fewest running texts; then the first come. The text
that is next is waited for: a smaller one behind it does not slip past it.
"""

from __future__ import annotations

import itertools
import time
from collections import deque
from dataclasses import dataclass, field

from engine.kv.cache import BUCKET
from engine.kv.text import Shelf, TextCache
from engine.request import Delta
from engine.sequence import Sequence
from engine.speculation import Speculator

AGEING = 30.0
_tickets = itertools.count()


@dataclass(eq=False)
class Text:
    """A text from its arrival to its last delta. `need` is the cache positions that it may come to fill, in the whole buckets
    that caches have; `outbox` holds what
    its caller has not fetched yet; `left` says that the caller went away."""

    sequence: Sequence
    speculator: Speculator
    need: int
    held: TextCache | None = None
    outbox: deque[Delta | BaseException] = field(default_factory=deque)
    left: bool = False
    ticket: int = field(default_factory=lambda: next(_tickets))
    arrived: float = field(default_factory=time.perf_counter)
    queued: float = 0.0
    waited: float = 0.0
    """Seconds before it was admitted, and before the model decided its first token."""
    reused: int = 0
    forwards: int = 0
    first: int = 0
    """Tokens that stood when the model had decided the first."""
    prefill: float = 0.0
    decode: float = 0.0
    """Seconds of the steps that it took part in, before and after the first decided token."""

    def __post_init__(self) -> None:
        self.need = -(-self.need // BUCKET) * BUCKET

    def rate(self) -> float:
        """Tokens per second after the first decided one; 0 before there is anything to measure."""
        return (len(self.sequence.generated) - self.first) / self.decode if self.decode > 0 else 0.0


class Scheduler:
    """Not thread-safe; the engine calls it from one thread at a time."""

    def __init__(self, shelf: Shelf):
        self.shelf = shelf
        self.waiting: list[Text] = []
        self.running: list[Text] = []
        self._positions = 0

    def admit(self, positions: int, texts: int, now: float) -> None:
        """Lets waiting texts run while there are fewer than `texts` and their caches fit into `positions`."""
        self._positions = positions
        while self.waiting and len(self.running) < texts:
            text = min(self.waiting, key=lambda text: self._order(text, now))
            free = positions - self.used - text.need
            if free < 0 and self.running:
                return
            sequence = text.sequence
            self.waiting.remove(text)
            text.held = self.shelf.take(sequence.prompt[:-1], sequence.request.salt, text.need)
            text.held.cache.reserve(text.need)
            text.reused, text.queued = len(text.held.tokens), now - text.arrived
            self.running.append(text)
            self.shelf.shrink(positions - self.used)

    @property
    def used(self) -> int:
        """Cache positions set aside for the running texts."""
        return sum(max(text.need, text.held.cache.capacity) for text in self.running if text.held is not None)

    def remove(self, text: Text, keep: bool) -> None:
        """Takes a text out; its cache goes to the shelf if it can be trusted."""
        if text in self.waiting:
            self.waiting.remove(text)
        if text in self.running:
            self.running.remove(text)
            if keep and text.held is not None:
                self.shelf.put(text.held)
                self.shelf.shrink(self._positions - self.used)
        text.held = None

    def _order(self, text: Text, now: float) -> tuple[bool, int, int]:
        request = text.sequence.request
        late = request.priority == "batch" and now - text.arrived < AGEING
        return late, sum(other.sequence.request.salt == request.salt for other in self.running), text.ticket
