"""Mask rows: packed bits over the vocabulary, shared and read-only, and the free-text slices that make cold ones cheap."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from weakref import proxy

import numpy as np
from numba import njit

from engine.grammar.arrays import Arrays
from engine.grammar.machine import FAR
from engine.grammar.vocabulary import ENOUGH
from engine.grammar.words import Words

if TYPE_CHECKING:
    from engine.grammar.space import Space
    from engine.grammar.state import State


class Row:
    """Tokens that may follow. `bits` uint32[(V + 31) // 32], read-only, bit i % 32 of word i // 32 for token i.

    chars, length: what its tokens and their endings need at most, in characters from here and in bytes of the ending;
    whole: this row with the end tokens, where the text may end; else None;
    refused: tokens left out for the budgets; short: tokens left out because they end the text below its floor.
    """

    def __init__(self, bits: np.ndarray, size: int, chars: int, length: int, refused: int = 0, short: int = 0):
        bits.flags.writeable = False
        self.bits, self.size, self.chars, self.length = bits, size, chars, length
        self.refused, self.short = refused, short
        self.whole: Row | None = None

    @cached_property
    def allowed(self) -> np.ndarray:
        """bool[V], read-only."""
        out = np.unpackbits(self.bits.view(np.uint8), count=self.size, bitorder="little").view(bool)
        out.flags.writeable = False
        return out

    @cached_property
    def count(self) -> int:
        """Tokens in the row."""
        return int(np.bitwise_count(self.bits).sum())

    def ended(self, eos_ids: Sequence[int]) -> Row:
        """The row with the end tokens, for a place where the text may end."""
        bits = self.bits.copy()
        for token in eos_ids:
            bits[token >> 5] |= np.uint32(1 << (token & 31))
        return Row(bits, self.size, self.chars, self.length, self.refused, self.short)


@njit(cache=True)
def apply(bits, logits):
    """Sets logits float32[tokens] (a row of the model, maybe longer than the vocabulary) to -inf where the bit is clear."""
    size = len(logits)
    for word in range((size + 31) // 32):
        held = bits[word] if word < len(bits) else np.uint32(0)
        if held == np.uint32(0xFFFFFFFF):
            continue
        for token in range(32 * word, min(32 * word + 32, size)):
            if held >> np.uint32(token & 31) & np.uint32(1) == 0:
                logits[token] = -np.inf


def fill(states: Sequence[State], out: np.ndarray, tokens_left: Sequence[int] | None = None) -> None:
    """Rows of many sequences at once: uint32 `out[n]` becomes the row of states[n], end tokens included."""
    for index, state in enumerate(states):
        out[index] = state.row(None if tokens_left is None else tokens_left[index]).bits


class Sliced(NamedTuple):
    """The free-text part of a row: `bits`, and what its endings need at most (see `Row`)."""

    bits: np.ndarray
    chars: int
    length: int


class Slices:
    """Finds the free text of a point of one space: tokens that are legal by one configuration of its set alone.

    Free text under a form may still end a forbidden word; that depends on the state of the word automaton only, so such
    tokens are a row of their own per state. An ending is safe from every state of the words (`machine`), so there is no
    other way to be illegal. With terms in the frame there are no slices.
    """

    def __init__(self, space: Space):
        # A space holds its slices: no circle, so that a space is freed at once.
        self._space: Space = proxy(space)
        form = space.form
        distances = space.arrays["main_dist"][1]
        self._bound = np.array(
            [distances[states].max(initial=0) for states in form.slice_states], np.int64
        )
        ends = form.accepting & (np.arange(len(form.table)) < form.main)
        self._may_end = [bool((states & ends).any()) for states in form.slice_states]
        self._ranges = [form.ranges(classes) for classes in form.slices]
        self._usable = bool(form.slices) and not space.has_terms and _most_hits(space.banned) < ENOUGH
        self._bad: dict[int, np.ndarray] = {}
        self._rows: dict[tuple[int, int, int], np.ndarray] = {}

    def choose(self, point: int, chars: int, tokens: int, floor: int) -> tuple[Arrays, Sliced | None]:
        """The forest that is left to walk, and the slice that need not be."""
        space = self._space
        best = self._best(space.configurations(point), chars, tokens, floor) if self._usable else None
        if best is None:
            return space.forest, None
        index, most, bound = best
        piece = space.vocabulary.slice(self._ranges[index])
        length = piece.length(most)
        if not length:
            return space.forest, None
        banned = space.banned_state(point)
        key = index, length, banned
        if key not in self._rows:
            row = piece.row(length)
            self._rows[key] = row & ~self._refused(banned) if space.banned.texts else row
        return piece.rest(most), Sliced(self._rows[key], length + bound, 4 * bound)

    def _best(self, configurations: np.ndarray, chars: int, tokens: int, floor: int) -> tuple[int, int, int] | None:
        """(slice, characters, characters to the end behind it) of the configuration that runs the longest."""
        form, best = self._space.form, None
        for config in configurations.tolist():
            kind, back, at, left = config >> 60, config >> 40 & 0xFFFFF, config >> 16 & 0xFFFFFF, config & 0xFFFF
            if kind == 1 or form.slice_of[at] < 0:
                continue
            index = int(form.slice_of[at])
            if kind == 2:
                bound, ends = int(self._space.arrays["main_dist"][1, back]), bool(form.accepting[back])
            else:
                bound, ends, left = int(self._bound[index]), self._may_end[index], chars
            most = min(left, chars - bound)
            if bound >= FAR or most < 1 or 4 * bound > tokens - 1 or ends and floor > 0:
                continue
            if best is None or most > best[1]:
                best = index, most, bound
        return best

    def _refused(self, banned: int) -> np.ndarray:
        """Tokens that end a forbidden word when the word automaton is in this state."""
        if banned not in self._bad:
            self._bad[banned] = self._space.refused(banned)
        return self._bad[banned]


def _most_hits(words: Words) -> int:
    """Characters that end a word in one state, at most."""
    lasts = {word[-1] for word in words.texts}
    if len(lasts) < ENOUGH:
        return len(lasts)
    heads: dict[str, set[str]] = {}
    for word in words.texts:
        heads.setdefault(word[:-1], set()).add(word[-1])
    most = 0
    for head in {word[:size] for word in words.texts for size in range(len(word))}:
        hits = set().union(*(heads.get(head[at:], set()) for at in range(len(head) + 1)))
        most = max(most, len(hits))
    return most
