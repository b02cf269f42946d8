"""The seam of proposers: what they see of a text, what they give, and how a proposal follows the grammar.

`Walk.copy` writes source tokens the way the engine would come to write them: where the grammar refuses one only for a
missing 所述, it writes 所述 and goes on (`GrammarState.rewrite`); where it refuses a reference sign, it leaves it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engine.request import GrammarState, Request


@dataclass(frozen=True)
class Draft:
    """Guessed next tokens, best effort.

    levels: for each token the class of evidence behind it, small numbers that mean something to its proposer only;
    acceptance is measured by (source, level). probabilities: what the proposer gives each token, None when it gives none.
    sources: whose each token is; all of them `source` unless drafts were joined.
    """

    tokens: tuple[int, ...] = ()
    source: str = ""
    levels: tuple[int, ...] = ()
    probabilities: tuple[float, ...] | None = None
    sources: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.sources:
            object.__setattr__(self, "sources", (self.source,) * len(self.tokens))

    def cut(self, length: int) -> Draft:
        """The first `length` tokens."""
        if length >= len(self.tokens):
            return self
        kept = None if self.probabilities is None else self.probabilities[:length]
        return Draft(self.tokens[:length], self.source, self.levels[:length], kept, self.sources[:length])

    def then(self, other: Draft) -> Draft:
        """This draft and a guess of what follows it."""
        if not other.tokens:
            return self
        sources = self.sources + other.sources
        return Draft(self.tokens + other.tokens, self.source, self.levels + other.levels, None, sources)


class View(Protocol):
    """What a proposer may look at; `engine.sequence.Sequence` is the one in use."""

    request: Request
    state: GrammarState | None
    stream: int
    generated: list[int]
    eos_ids: frozenset[int]

    @property
    def tokens(self) -> list[int]:
        """Prompt and generated tokens."""

    @property
    def left(self) -> int:
        """Tokens that may still be generated."""


@dataclass
class Ahead:
    """A view of the text as if a draft had been written."""

    request: Request
    state: GrammarState | None
    stream: int
    generated: list[int]
    eos_ids: frozenset[int]
    tokens: list[int]
    left: int

    @classmethod
    def of(cls, view: View, draft: Draft) -> Ahead:
        state = view.state
        for token in draft.tokens:
            state = state.advance(token) if state is not None else None
        written = list(draft.tokens)
        return cls(
            view.request,
            state,
            view.stream,
            view.generated + written,
            view.eos_ids,
            view.tokens + written,
            view.left - len(written),
        )


class Proposer(Protocol):
    """One text's guesser; it keeps up with the view by itself, also when tokens were taken back."""

    source: str

    def propose(self, view: View, k: int) -> Draft:
        """At most k tokens that the grammar allows in a row; no tokens when there is no good guess."""


class Walk:
    """Proposals through the grammar of one vocabulary."""

    def __init__(self, token_bytes: Sequence[bytes | None], encode: Callable[[str], list[int]]):
        self._bytes, self.encode = token_bytes, encode

    def text(self, token: int) -> str:
        """Whole characters; empty for a token that is no text by itself."""
        try:
            return (self._bytes[token] or b"").decode()
        except UnicodeDecodeError:
            return ""

    def legal(self, tokens: Iterable[int], state: GrammarState | None) -> list[int]:
        """The tokens up to the first that the grammar refuses."""
        out: list[int] = []
        for token in tokens:
            if state is not None and (state := advance(state, token)) is None:
                break
            out.append(token)
        return out

    def copy(self, source: Iterable[int], state: GrammarState | None, k: int) -> list[int]:
        """At most k tokens along the source."""
        out: list[int] = []
        for token in source:
            if len(out) >= k:
                break
            written: tuple[int, ...] = (token,)
            after = state
            if state is not None and (after := advance(state, token)) is None:
                written, after = self.instead(state, token)
                if after is None:
                    break
            out += written
            state = after
        return out[:k]

    def instead(self, state: GrammarState, token: int) -> tuple[tuple[int, ...], GrammarState | None]:
        """What is written for a refused token and the state after it; None when there is nothing, or when it takes back
        what is written already."""
        text = self.text(token)
        if text.isascii() and text.isalnum():
            return (), state
        change = state.rewrite(text) if text and state.rewrite_chars else None
        if change is None or change[0]:
            return (), None
        tokens = tuple(self.encode(change[1]))
        after: GrammarState | None = state
        for each in tokens:
            after = advance(after, each) if after is not None else None
        return tokens, after


def advance(state: GrammarState, token: int) -> GrammarState | None:
    """The state after a token, None when the grammar refuses it."""
    try:
        return state.advance(token)
    except ValueError:
        return None


def shared_prefix(known: Sequence[int], tokens: Sequence[int]) -> int:
    """Length of the longest common prefix of two lists; fast when one continues the other."""
    low, high = 0, min(len(known), len(tokens))
    if known[:high] == tokens[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if known[low:middle] == tokens[low:middle]:
            low = middle
        else:
            high = middle
    return low


def bucket(probability: float) -> int:
    """The level of a token by its probability: 0 to 7, finer where it is high."""
    edges = (0.2, 0.4, 0.6, 0.75, 0.85, 0.93, 0.98)
    return int(np.searchsorted(edges, probability, side="right"))
