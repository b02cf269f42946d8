"""A count table of 2- to 5-grams over the prompt and the text so far, as a proposer and as the evidence of the gram filter.

A trained model takes its place by having `best` and `probability`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol

from engine.speculation.proposer import Draft, View, Walk, bucket, shared_prefix

_ORDERS = (1, 2, 3, 4)
"""Tokens of context."""


class GramModel(Protocol):
    def follow(self, tokens: list[int]) -> None:
        """Learns what is new of a text, forgets what was taken back."""

    def best(self, context: Sequence[int]) -> tuple[int, float] | None:
        """The most probable next token and its probability; None without evidence."""

    def probability(self, context: Sequence[int], token: int) -> float | None:
        """None where nothing is known about the context."""


class NgramTable:
    """p_n = (count_n + p_{n-1}) / (total_n + 1): each order trusts its counts and the next shorter order as one more."""

    def __init__(self) -> None:
        self._tokens: list[int] = []
        self._next: dict[tuple[int, ...], dict[int, int]] = defaultdict(dict)

    def follow(self, tokens: list[int]) -> None:
        kept = shared_prefix(self._tokens, tokens)
        for end in range(kept, len(self._tokens)):
            self._count(self._tokens, end, -1)
        for end in range(kept, len(tokens)):
            self._count(tokens, end, 1)
        self._tokens = tokens

    def best(self, context: Sequence[int]) -> tuple[int, float] | None:
        for order in reversed(_ORDERS):
            counts = self._next.get(tuple(context[-order:])) if len(context) >= order else None
            if counts:
                token = max(reversed(counts), key=counts.__getitem__)
                return token, self._smoothed(context, token)
        return None

    def probability(self, context: Sequence[int], token: int) -> float | None:
        known = self._next.get(tuple(context[-2:])) if len(context) >= 2 else None
        return self._smoothed(context, token) if known else None

    def _smoothed(self, context: Sequence[int], token: int) -> float:
        p = 0.0
        for order in _ORDERS:
            counts = self._next.get(tuple(context[-order:])) if len(context) >= order else None
            if not counts:
                break
            p = (counts.get(token, 0) + p) / (sum(counts.values()) + 1)
        return p

    def _count(self, tokens: list[int], end: int, by: int) -> None:
        token = tokens[end]
        for order in _ORDERS:
            if end < order:
                return
            counts = self._next[tuple(tokens[end - order : end])]
            counts[token] = counts.get(token, 0) + by
            if not counts[token]:
                del counts[token]


class NgramProposer:
    """The most probable continuation, as long as its tokens stay above `floor` and inside the grammar."""

    source = "ngram"

    def __init__(self, walk: Walk, table: GramModel, floor: float):
        self._walk, self._table, self._floor = walk, table, floor

    def propose(self, view: View, k: int) -> Draft:
        tokens = view.tokens
        self._table.follow(tokens)
        context, state, chances = tokens[-max(_ORDERS) :], view.state, []
        out: list[int] = []
        while len(out) < k and (found := self._table.best(context)) is not None and found[1] >= self._floor:
            written = self._walk.copy(found[:1], state, k - len(out))
            if not written:
                break
            for token in written:
                state = state.advance(token) if state is not None else None
            out += written
            chances += [found[1]] * len(written)
            context = (context + written)[-max(_ORDERS) :]
        return Draft(tuple(out), self.source, tuple(map(bucket, chances)), tuple(chances))
