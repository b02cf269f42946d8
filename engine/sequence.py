"""One text while it is generated: its tokens, its grammar state, its visible characters, and when it ends.

Where the grammar may rewrite the last characters (`GrammarState.rewrite`), these are shown only when they are settled.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Tokens

import numpy as np

from engine.request import Allowed, FinishReason, GenerationError, GrammarState, Request, TokenLogprobs
from engine.sampling import choose, logprobs
from engine.text import Detokeniser, StopScanner

# Characters of the longest token that a rewrite takes back whole.
_TOKEN_CHARS = 16


class Sequence:
    """Grows by `commit`; `take` hands out what is new. `free` bool[V] marks the ids allowed where there is no grammar.

    `stream` is the number of this text among those of its request.
    """

    def __init__(
        self,
        request: Request,
        prompt: list[int],
        token_bytes: Tokens[bytes | None],
        eos_ids: Tokens[int],
        free: np.ndarray,
        stream: int = 0,
    ):
        self.request, self.prompt, self.state, self.stream = request, prompt, request.grammar, stream
        self.generated: list[int] = []
        self._logprobs: list[TokenLogprobs] = []
        self.allowed: list[Allowed] = []  # one a generated token if the request asks for a trace
        self.forced = self.rewritten = 0
        self.finish: FinishReason | None = None
        self.eos_ids, self._free = frozenset(eos_ids), free
        self._detokeniser, self._scanner = Detokeniser(token_bytes), StopScanner(request.stop)
        self._text, self._taken = "", 0
        # The grammar states before each generated token and after the last; a rewrite goes back to one of them.
        self._states = [] if self.state is None else [self.state]
        self._floor = 0
        rewrites = self.state.rewrite_chars if self.state is not None and not request.stop else 0
        self._hold = rewrites + _TOKEN_CHARS if rewrites else 0
        self._bytes = token_bytes
        self._look()

    @property
    def tokens(self) -> list[int]:
        return self.prompt + self.generated

    @property
    def left(self) -> int:
        return self.request.max_tokens - len(self.generated)

    def choose(self, logits: np.ndarray) -> int:
        """The next token from the model's logits. Raises GenerationError."""
        at = len(self.generated)
        return choose(logits, self.mask, self.generated, self.request.sampling, at, self.stream)

    def commit(self, token: int, logits: np.ndarray | None = None) -> None:
        """Appends a legal token and sets `finish` when it ends the text. `logits` is what the token was chosen from, None
        where there was no choice."""
        sampling = self.request.sampling
        if sampling.logprobs:
            certain = TokenLogprobs(token, 0.0, ((token, 0.0),))
            self._logprobs.append(
                certain if logits is None else logprobs(logits, self.mask, self.generated, sampling, token)
            )
        if self.request.trace:
            self.allowed.append(Allowed() if logits is None else allowed(logits, self.mask))
        if self.state is not None:
            self.state = self.state.advance(token)
            self._states.append(self.state)
        self.generated.append(token)
        if not self._hold and token not in self.eos_ids:
            self._text += self._scanner.push(self._detokeniser.push(token))
        if token in self.eos_ids or self._scanner.stopped:
            self._end("stop")
        else:
            self._look()

    def rewrite(self, logits: np.ndarray, encode: Callable[[str], list[int]]) -> int | None:
        """Writes what the model wanted most where the mask refused it only for a 所述, and returns how many generated
        tokens stayed; None when that is not so."""
        wanted = int(logits[: len(self.mask)].argmax())
        state = self.state
        if not self._hold or state is None or self.mask[wanted] or self._forced():
            return None
        change = state.rewrite(_text(self._bytes[wanted]))
        if change is None:
            return None
        back, text = change
        kept = len(state.text) - back
        at = len(self._states) - 1
        while len(self._states[at].text) > kept or self._states[at].partial:
            at -= 1
        base = self._states[at]
        tokens = encode(state.text[len(base.text) : kept] + text)
        if at < self._floor or len(state.text) - len(base.text) > self._hold or not self._legal(base, at, tokens):
            return None
        del self._states[at + 1 :], self.generated[at:], self._logprobs[at:], self.allowed[at:]
        self.state, self.finish = base, None
        for token in tokens:
            self.commit(token)
        self.rewritten += 1
        self._floor = len(self.generated)
        return at

    def _legal(self, state: GrammarState, at: int, tokens: list[int]) -> bool:
        for count, token in enumerate(tokens):
            if not state.mask(self.request.max_tokens - at - count)[token]:
                return False
            state = state.advance(token)
        return bool(tokens)

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

    def take(self) -> tuple[str, tuple[int, ...], tuple[TokenLogprobs, ...]]:
        """Text, token ids and their logprobs (if asked for) that are settled since the last call."""
        upto = self._settled()
        ids, wanted = tuple(self.generated[self._taken : upto]), tuple(self._logprobs[self._taken : upto])
        if self._hold:
            self._text = self._states[upto].text[len(self._states[self._taken].text) :]
        text, self._text = self._text, ""
        self._taken = upto
        return text, ids, wanted

    def _settled(self) -> int:
        upto = len(self.generated)
        if self.state is None or not self._hold or self.finish is not None:
            return upto
        shown = len(self.state.text) - self._hold
        while upto > self._taken and len(self._states[upto].text) > shown:
            upto -= 1
        return upto

    def _forced_run(self) -> list[int]:
        return [int(self.mask.argmax())] if self._forced() else []

    def _forced(self) -> bool:
        if self.state is None or self._hold and self.state.unsettled:
            return False
        return int(self.mask.sum()) == 1

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
        return int(mask.sum()) == sum(bool(mask[token]) for token in self.eos_ids)

    def _end(self, reason: FinishReason) -> None:
        self.finish = reason
        if not self._scanner.stopped:
            self._text += self._scanner.flush()


def _text(data: bytes | None) -> str:
    """Whole characters only; empty for a token that is no text by itself."""
    try:
        return (data or b"").decode()
    except UnicodeDecodeError:
        return ""


def allowed(logits: np.ndarray, mask: np.ndarray) -> Allowed:
    """What `mask` bool[V] leaves of softmax(`logits`[:V])."""
    row = logits[: len(mask)].astype(np.float64)
    best = int(row.argmax())
    weights = np.exp(row - row[best])
    return Allowed(float(weights[mask].sum() / weights.sum()), None if mask[best] else best)
