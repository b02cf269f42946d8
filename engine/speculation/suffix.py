"""What followed the longest earlier occurrence of the last tokens: in the prompt (disclosure, earlier claims) or the text.

Claims are mostly the disclosure's clauses with 所述 put in. Under a grammar that puts 所述 right, occurrences are therefore
compared without it, and copying leaves it to the grammar (`Walk.copy`).
"""

from __future__ import annotations

import itertools
from collections import defaultdict

from engine.speculation.proposer import Draft, View, Walk, shared_prefix

USE = "所述"  # engine.grammar.rewrite.USE
_ORDERS = (8, 4, 3, 2)
_CANDIDATES = 12
_LONGEST = 32


class SuffixMatch:
    """An index by n-grams of several orders over the tokens that have a successor; taking tokens back pops entries."""

    source = "suffix"

    def __init__(self, walk: Walk):
        self._walk = walk
        use = walk.encode(USE)
        self._use = use[0] if len(use) == 1 else -1
        self._tokens: list[int] = []
        self._bare: list[int] = []
        self._ends: dict[tuple[int, ...], list[int]] = defaultdict(list)

    def propose(self, view: View, k: int) -> Draft:
        state = view.state
        dropped = self._use if state is not None and state.rewrite_chars else -1
        self._follow(view.tokens, dropped)
        for length, end in self._matches():
            source = itertools.islice(self._bare, end, end + 2 * k)
            tokens = tuple(self._walk.copy(source, state, k))
            if tokens:
                levels = tuple(min(length + at, 16).bit_length() for at in range(len(tokens)))
                return Draft(tokens, self.source, levels)
        return Draft()

    def _matches(self) -> list[tuple[int, int]]:
        """(length of the match, index of its successor), longest first, of two the later."""
        bare = self._bare
        for order in _ORDERS:
            ends = self._ends.get(tuple(bare[-order:])) if len(bare) > order else None
            if ends:
                found = [(self._length(end, order), end) for end in ends[-_CANDIDATES:]]
                return sorted(found, reverse=True)
        return []

    def _length(self, end: int, known: int) -> int:
        bare = self._bare
        limit = min(_LONGEST, end)
        length = known
        while length < limit and bare[end - 1 - length] == bare[-1 - length]:
            length += 1
        return length

    def _follow(self, tokens: list[int], dropped: int) -> None:
        kept = shared_prefix(self._tokens, tokens)
        for token in self._tokens[kept:]:
            if token != dropped:
                self._forget()
        for token in tokens[kept:]:
            if token != dropped:
                self._add(token)
        self._tokens = tokens

    def _add(self, token: int) -> None:
        end = len(self._bare)
        for order in _ORDERS:
            if end >= order:
                self._ends[tuple(self._bare[end - order :])].append(end)
        self._bare.append(token)

    def _forget(self) -> None:
        self._bare.pop()
        for order in _ORDERS:
            if len(self._bare) >= order:
                self._ends[tuple(self._bare[len(self._bare) - order :])].pop()
