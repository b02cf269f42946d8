"""The cache of one text, and the shelf where caches wait for a text that begins as they do.

A cache on the shelf belongs to a salt (a firm): a request with another salt never learns, not even by its speed, what was
written under it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.speculation.proposer import shared_prefix


class TextCache:
    """A model's cache and the tokens that stand in it."""

    def __init__(self, cache: Any, salt: str = ""):
        self.cache, self.salt = cache, salt
        self.tokens: list[int] = []

    def rewind(self, length: int) -> None:
        """Forgets what stands after the first `length` tokens."""
        del self.tokens[length:]
        self.cache.rollback(self.cache.length - length)


class Shelf:
    """Caches of texts that ended, the least recently used first."""

    def __init__(self, new_cache: Callable[[int], Any]):
        self._new, self._kept = new_cache, list[TextCache]()

    @property
    def capacity(self) -> int:
        """Positions that the shelved caches have memory for."""
        return sum(kept.cache.capacity for kept in self._kept)

    def take(self, tokens: list[int], salt: str, size: int) -> TextCache:
        """The cache that begins most as `tokens` do, wound back to what they share, or a new one for `size` positions."""
        best, same = None, 0
        for kept in self._kept:
            if kept.salt == salt and (common := shared_prefix(kept.tokens, tokens)) > same:
                best, same = kept, common
        if best is None:
            return TextCache(self._new(size), salt)
        self._kept.remove(best)
        best.rewind(same)
        return best

    def put(self, text: TextCache) -> None:
        self._kept.append(text)

    def shrink(self, positions: int) -> None:
        """Drops caches until those left have memory for no more than `positions`."""
        while self._kept and self.capacity > positions:
            del self._kept[0]

    def check(self) -> None:
        """Raises AssertionError when a cache does not hold what its tokens say."""
        for kept in self._kept:
            assert kept.cache.length == len(kept.tokens) <= kept.cache.capacity, "a shelved cache and its tokens differ"
