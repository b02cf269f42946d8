"""Guesses of the next tokens, checked by the model in one forward pass: they change the speed, never the text.

A guess is the forced text of the grammar, else what followed the last tokens when they occurred before (in the
disclosure of the prompt or in the text written so far). Guesses are cut where the grammar refuses them.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.request import GrammarState
from engine.sequence import Sequence

_MATCH = 3  # tokens that must have occurred before
_FORCED_TOKENS = 32


class Drafter:
    """Guesses for one sequence. `limit` bounds a guess from earlier text; its width follows recent success."""

    def __init__(self, sequence: Sequence, encode: Callable[[str], list[int]], limit: int):
        self._sequence, self._encode, self._limit = sequence, encode, limit
        self._width = min(2, limit)
        self._indexed = _MATCH
        self._after: dict[tuple[int, ...], int] = {}
        self._guessed_text = False
        self.drafted = self.accepted = 0

    def propose(self) -> list[int]:
        """Up to the tokens left minus one; empty when there is no good guess."""
        if self._limit == 0:
            return []
        state = self._sequence.state
        text = state.forced_text() if state is not None else ""
        self._guessed_text = bool(text)
        guess = self._encode(text)[:_FORCED_TOKENS] if text else self._lookup()
        guess = _legal(guess, state)[: max(0, self._sequence.left - 1)]
        self.drafted += len(guess)
        return guess

    def learn(self, proposed: int, accepted: int) -> None:
        """Takes note of how many of the proposed tokens the model chose itself."""
        self.accepted += accepted
        if self._guessed_text or proposed == 0:
            return
        if accepted == proposed:
            self._width = min(self._limit, self._width * 2)
        elif accepted == 0:
            self._width = max(1, self._width // 2)

    def _lookup(self) -> list[int]:
        tokens = self._sequence.tokens
        for end in range(self._indexed, len(tokens)):
            self._after[tuple(tokens[end - _MATCH : end])] = end
        self._indexed = max(_MATCH, len(tokens))
        at = self._after.get(tuple(tokens[-_MATCH:])) if len(tokens) > _MATCH else None
        return tokens[at : at + self._width] if at is not None else []


def _legal(guess: list[int], state: GrammarState | None) -> list[int]:
    if state is None:
        return guess
    for count, token in enumerate(guess):
        try:
            state = state.advance(token)
        except ValueError:
            return guess[:count]
    return guess
