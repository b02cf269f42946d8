"""Mask rows: packed bits over the vocabulary, shared and read-only, and the free-text slices that make cold ones cheap."""

from __future__ import annotations

from functools import cached_property

import numpy as np


class Row:
    """Tokens that may follow. `bits` uint32[(V + 31) // 32], read-only, bit i % 32 of word i // 32 for token i.

    chars, length: what the endings of its tokens need at most, in characters from here and in bytes of their own;
    refused: tokens left out for the budgets; short: tokens left out because they end the text below its floor.
    """

    __slots__ = ("__dict__", "bits", "size", "chars", "length", "refused", "short", "deep")

    def __init__(self, bits: np.ndarray, size: int, chars: int, length: int, refused: int, short: int, deep: int):
        bits.flags.writeable = False
        self.bits, self.size, self.chars, self.length = bits, size, chars, length
        self.refused, self.short, self.deep = refused, short, deep

    @cached_property
    def allowed(self) -> np.ndarray:
        """bool[V], read-only."""
        out = np.unpackbits(self.bits.view(np.uint8), count=self.size, bitorder="little").view(bool)
        out.flags.writeable = False
        return out

    @cached_property
    def count(self) -> int:
        return int(np.bitwise_count(self.bits).sum())


class Slices:
    def __init__(self, space):
        self.space = space

    def choose(self, point, chars, tokens, floor):
        return self.space.forest, None
