"""What a caller asks of the engine and what comes back: Request, Sampling, Delta, and the grammar protocol.

A request is refused early (`RequestError`) and never half-run; a request that fails while running raises
`GenerationError` to its own caller and leaves the engine usable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

FinishReason = Literal["stop", "length", "grammar", "cancelled"]
Priority = Literal["interactive", "batch"]
Message = Mapping[str, str]


class RequestError(ValueError):
    """The request cannot be run as asked; nothing was generated."""


class GenerationError(RuntimeError):
    """The model failed while it ran this request (for example logits that are not numbers)."""


class GrammarState(Protocol):
    """Immutable state of a constrained text; `engine.grammar.State` is the one in use."""

    @property
    def accepting(self) -> bool: ...

    @property
    def distance(self) -> int:
        """Tokens that suffice to reach a legal end."""

    def mask(self, tokens_left: int | None = None) -> np.ndarray:
        """bool[V]: tokens after which a legal end is still within the tokens left, this one included."""

    def advance(self, token: int) -> GrammarState: ...

    def forced_text(self) -> str:
        """Text that must come next however it is cut into tokens."""

    @property
    def text(self) -> str:
        """The whole characters written so far."""

    @property
    def partial(self) -> bytes:
        """The bytes of an unfinished character."""

    @property
    def rewrite_chars(self) -> int:
        """Characters at the end of the text that `rewrite` may still take back; 0 when it never does."""

    @property
    def unsettled(self) -> bool:
        """Whether what was just written may be taken back, so that the one legal token is no foregone conclusion."""

    def rewrite(self, wanted: str) -> tuple[int, str] | None:
        """For text that the mask refuses: characters to drop and text to write instead, or None."""


@dataclass(frozen=True)
class Sampling:
    """How a token is chosen from legal ones. `temperature` 0 is greedy; `top_k` 0, `top_p` 1 and `min_p` 0 are off.

    `repetition_penalty` (1 is off) and `no_repeat_ngram` (0 is off) look at the generated tokens only, never at the
    prompt: a claim has to repeat the terms of the disclosure. `logprobs` asks for that many most probable tokens beside
    each generated one (0: none). `n` texts of one prompt draw from independent streams.
    """

    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    seed: int = 0
    repetition_penalty: float = 1.0
    no_repeat_ngram: int = 0
    logprobs: int = 0
    n: int = 1

    def __post_init__(self) -> None:
        allowed = {
            "temperature": 0.0 <= self.temperature < float("inf"),
            "top_k": self.top_k >= 0,
            "top_p": 0.0 < self.top_p <= 1.0,
            "min_p": 0.0 <= self.min_p <= 1.0,
            "repetition_penalty": 0.0 < self.repetition_penalty < float("inf"),
            "no_repeat_ngram": self.no_repeat_ngram >= 0,
            "logprobs": self.logprobs >= 0,
            "n": self.n >= 1,
        }
        for name, good in allowed.items():
            if not good:
                raise RequestError(f"sampling: {name}={getattr(self, name)!r} is out of range")


@dataclass(frozen=True)
class Request:
    """One generation. `prompt` is token ids, plain text, or chat messages (`role`, `content`).

    `salt` names the firm: what is cached for one is never used for another, and firms share the engine equally.
    `grammar` is the state before the first token. `max_tokens` bounds the generated tokens; with a grammar it must
    leave room for a legal ending. `stop` strings end the text and are not part of it. `cancelled` is asked between steps.
    `speculation` never changes a token: `auto` guesses as far as it pays, a number is that many guessed tokens at every
    step, `off` (or 0) is the plain path. `trace` adds `allowed` to the statistics: an `Allowed` for each generated token.
    """

    prompt: Sequence[int] | str | Sequence[Message]
    grammar: GrammarState | None = None
    sampling: Sampling = field(default_factory=Sampling)
    max_tokens: int = 256
    stop: tuple[str, ...] = ()
    priority: Priority = "interactive"
    cancelled: Callable[[], bool] = lambda: False
    speculation: Literal["auto", "off"] | int = "auto"
    trace: bool = False
    salt: str = ""

    def __post_init__(self) -> None:
        if self.max_tokens < 1:
            raise RequestError(f"max_tokens={self.max_tokens} generates nothing")
        if "" in self.stop:
            raise RequestError("an empty stop string would end every text at once")
        if self.priority not in ("interactive", "batch"):
            raise RequestError(f"priority {self.priority!r} is neither interactive nor batch")
        if self.speculation not in ("auto", "off") and not (isinstance(self.speculation, int) and self.speculation >= 0):
            raise RequestError(f"speculation {self.speculation!r} is none of auto, off and a number of tokens")
        if self.grammar is not None and self.max_tokens < self.grammar.distance:
            raise RequestError(
                f"a legal text may need {self.grammar.distance} tokens, max_tokens is {self.max_tokens}"
            )


@dataclass(frozen=True)
class TokenLogprobs:
    """Natural logarithms of probabilities under the distribution that the token was chosen from; `top` from the most
    probable down. A token that the grammar or its rewriting left no choice about has 0."""

    token: int
    logprob: float
    top: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class Allowed:
    """What the mask left of the model's own distribution (softmax of the bare logits) where a token was chosen.

    `mass` in 0..1 is the probability of all allowed tokens together, `refused` the most probable token where that is not
    allowed. A token that the grammar or its rewriting left no choice about was never asked for: mass 1, nothing refused.
    """

    mass: float = 1.0
    refused: int | None = None


@dataclass(frozen=True)
class Delta:
    """New text and token ids. The last delta of a text, and only it, carries a finish reason and the statistics.

    `index` counts the texts of one request, which follow one another. `logprobs` has an entry for each token id when the
    request asked for them. `stop`: the model ended the text or a stop string did; `length`: tokens ran out; `grammar`:
    nothing may follow; `cancelled`: the caller gave up.
    """

    text: str
    token_ids: tuple[int, ...] = ()
    finish_reason: FinishReason | None = None
    tokens_per_second: float = 0.0
    stats: Mapping[str, Any] = field(default_factory=dict)
    logprobs: tuple[TokenLogprobs, ...] = ()
    index: int = 0
