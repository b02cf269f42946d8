"""One text while it is generated: its tokens, its grammar state, its visible characters, and when it ends."""

from __future__ import annotations

from collections.abc import Sequence as Tokens

import numpy as np

from engine.request import FinishReason, GenerationError, Request
from engine.sampling import choose
from engine.text import Detokeniser, StopScanner


class Sequence:
    """Grows by `commit`; `take` hands out what is new. `free` bool[V] marks the ids allowed where there is no grammar."""

    def __init__(self, request: Request, prompt: list[int], token_bytes: Tokens[bytes | None], eos_ids: Tokens[int], free: np.ndarray):
        self.request, self.prompt, self.state = request, prompt, request.grammar
        self.generated: list[int] = []
        self.forced = 0
        self.finish: FinishReason | None = None
        self._eos_ids, self._free = frozenset(eos_ids), free
        self._detokeniser, self._scanner = Detokeniser(token_bytes), StopScanner(request.stop)
        self._text, self._taken = "", 0
        self._look()

    @property
    def tokens(self) -> list[int]:
        return self.prompt + self.generated

    @property
    def left(self) -> int:
        return self.request.max_tokens - len(self.generated)

    def choose(self, logits: np.ndarray) -> int:
        """The next token from the model's logits. Raises GenerationError."""
        return choose(logits, self.mask, self.generated, self.request.sampling, len(self.generated))

    def commit(self, token: int) -> None:
        """Appends a legal token and sets `finish` when it ends the text."""
        if self.state is not None:
            self.state = self.state.advance(token)
        self.generated.append(token)
        if token in self._eos_ids:
            self._end("stop")
            return
        self._text += self._scanner.push(self._detokeniser.push(token))
        if self._scanner.stopped:
            self._end("stop")
        else:
            self._look()

    def commit_forced(self) -> None:
        """Appends every token that the grammar leaves no choice about."""
        while self.finish is None and (run := self._forced_run()):
            for token in run:
                self.commit(token)
                self.forced += 1
                if self.finish is not None:
                    break

    def cancel(self) -> None:
        self._end("cancelled")

    def take(self) -> tuple[str, tuple[int, ...]]:
        """Text and token ids since the last call."""
        text, self._text = self._text, ""
        ids, self._taken = tuple(self.generated[self._taken :]), len(self.generated)
        return text, ids

    def _forced_run(self) -> list[int]:
        if self.state is None:
            return []
        if run := self.state.forced():
            return run
        return [int(self.mask.argmax())] if int(self.mask.sum()) == 1 else []

    def _look(self) -> None:
        """Computes the mask of the next position, or ends the text when there is none."""
        if self.left <= 0:
            self._end("length" if self.state is None or not self._exhausted(self.state.mask()) else "grammar")
        elif self.state is None:
            self.mask = self._free
        else:
            self.mask = self.state.mask(self.left)
            if self._exhausted(self.mask):
                if not self.state.accepting:
                    raise GenerationError("the grammar allows no token and no end here")
                self._end("grammar")

    def _exhausted(self, mask: np.ndarray) -> bool:
        """Nothing but an end token is legal."""
        return int(mask.sum()) == sum(bool(mask[token]) for token in self._eos_ids)

    def _end(self, reason: FinishReason) -> None:
        self.finish = reason
        if not self._scanner.stopped:
            self._text += self._scanner.flush()
