"""The engine: one model, one KV cache, one request at a time, tokens streamed as they are decided.

    engine = Engine.open()
    for delta in engine.generate(Request(prompt=[{"role": "user", "content": "..."}], grammar=state)):
        print(delta.text, end="")

A step commits the forced tokens of the grammar without asking the model, runs one forward pass over everything that is not
in the cache yet plus a guess (`engine.speculation`), and keeps of the guess what the model chooses anyway. The cache stays
for the next request, which starts after the longest common prefix.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch

from engine.config import EngineConfig
from engine.request import Delta, GenerationError, Request, RequestError
from engine.sequence import Sequence
from engine.speculation import DraftModel, Speculation, Speculator
from engine.speculation.draft_model import require_same_vocabulary
from engine.speculation.proposer import shared_prefix
from engine.turn import Turn

if TYPE_CHECKING:
    from engine.grammar import Vocabulary


class Engine:
    """Safe to share between threads. `exact` says that a token's logits are the same bits however many run together.

    `config.draft_tokens` and `speculation.sources` may be replaced at any time; the next step follows them.
    """

    def __init__(self, model: Any, tokenizer: Any, config: EngineConfig | None = None, info: Any = None):
        self.model, self.tokenizer, self.info = model, tokenizer, info
        self.config = config or EngineConfig()
        self.context: int = model.config.context
        self._turn = Turn()
        self._cache = model.new_cache(self.config.cache_tokens)
        self._resident: list[int] = []
        self._free = np.array([data is not None for data in tokenizer.token_bytes], dtype=bool)
        self._free[list(tokenizer.eos_ids)] = True
        self.speculation = Speculation(tokenizer.token_bytes, tokenizer.encode, self._free)
        self.exact = getattr(model, "exact", True) and self._self_test()

    def use_draft_model(self, model: Any, tokenizer: Any, window: int = 1024, temperature: float | None = None) -> None:
        """Lets a smaller model of the same vocabulary write ahead. Raises DraftMismatch, naming the first difference."""
        require_same_vocabulary(self.tokenizer, tokenizer)
        shared = self.speculation
        shared.draft = DraftModel(model, shared.walk, shared.chain, self._free, window, temperature)

    @classmethod
    def open(cls, model_name: str | None = None, kernel: str | None = None) -> Engine:
        """Loads a model, and the draft model if one is configured.

        Raises ConfigError, ModelMissing or ModelCorrupt of `engine.loading`, and DraftMismatch.
        """
        from engine.loading import load

        config = EngineConfig.from_environment(model_name, kernel)
        if config.threads:
            torch.set_num_threads(config.threads)
        loaded = load(config.model, kernel=config.kernel)
        engine = cls(loaded.model, loaded.tokenizer, config, loaded.info)
        if config.draft_model:
            draft = load(config.draft_model, kernel=config.kernel)
            engine.use_draft_model(draft.model, draft.tokenizer)
        return engine

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The tokenizer's vocabulary indexed for `Grammar.start`."""
        from engine.grammar import Vocabulary

        return Vocabulary(self.tokenizer.token_bytes, self.tokenizer.eos_ids)

    def generate(self, request: Request) -> Iterator[Delta]:
        """Deltas of one text after the other; the last of each carries the finish reason. Waits for its turn.

        Raises RequestError at once, GenerationError and the grammar's errors while iterating. Closing the iterator ends
        the request.
        """
        prompt = self._encode(request)
        room = self.context - len(prompt)
        if room < 1:
            raise RequestError(f"the prompt has {len(prompt)} tokens, the model reads {self.context}")
        return self._texts(replace(request, max_tokens=min(request.max_tokens, room)), prompt)

    def _texts(self, request: Request, prompt: list[int]) -> Iterator[Delta]:
        for stream in range(request.sampling.n):
            yield from self._run(request, prompt, stream)

    def _encode(self, request: Request) -> list[int]:
        given = request.prompt
        if isinstance(given, str):
            ids = self.tokenizer.encode(given)
        elif given and isinstance(given[0], Mapping):
            ids = self.tokenizer.chat([dict(message) for message in cast(list[Mapping[str, str]], given)])
        else:
            ids = [int(token) for token in cast(list[int], given)]
        if not ids:
            raise RequestError("the prompt is empty")
        if min(ids) < 0:
            raise RequestError("the prompt has a negative token id")
        return list(ids)

    def _run(self, request: Request, prompt: list[int], stream: int) -> Iterator[Delta]:
        tokenizer = self.tokenizer
        sequence = Sequence(request, prompt, tokenizer.token_bytes, tokenizer.eos_ids, self._free, stream)
        speculator = self.speculation.speculator(sequence)
        meter = _Meter()
        with self._turn.take(request.priority, request.cancelled) as held:
            if not held:
                sequence.cancel()
            else:
                meter.reused = self._reuse(prompt)
            while sequence.finish is None:
                with meter:
                    self._step(sequence, speculator, meter)
                if sequence.finish is None:
                    text, ids, logprobs = sequence.take()
                    if ids:
                        rate = meter.rate(len(sequence.generated))
                        yield Delta(text, ids, tokens_per_second=rate, logprobs=logprobs, index=stream)
        text, ids, logprobs = sequence.take()
        stats = meter.stats(sequence) | speculator.stats() | {"exact": self.exact, "seed": request.sampling.seed}
        yield Delta(text, ids, sequence.finish, stats["tokens_per_second"], stats, logprobs, stream)

    def _step(self, sequence: Sequence, speculator: Speculator, meter: _Meter) -> None:
        if sequence.request.cancelled():
            sequence.cancel()
            return
        sequence.commit_forced()
        if sequence.finish is not None:
            return
        before = len(sequence.tokens)
        pending = sequence.tokens[len(self._resident) :]
        if len(pending) > self.config.prefill_chunk:
            self._forward(pending[: self.config.prefill_chunk], 1)
            meter.forwards += 1
            return
        guess = speculator.propose(self.config.draft_tokens, len(pending)) if meter.first else []
        began = time.perf_counter()
        rows = self._forward(pending + guess, len(guess) + 1)
        if meter.first:
            self.speculation.controller.cost.learn(len(pending) + len(guess), time.perf_counter() - began)
        try:
            same = self._decide(sequence, rows)
        except GenerationError:
            self._rewind(0)
            raise
        self._rewind(min(same, len(sequence.prompt) + len(sequence.generated) - 1))
        speculator.learn(sequence.generated[before - len(sequence.prompt) :] if same >= before else [])
        meter.decided(len(sequence.generated))

    def _decide(self, sequence: Sequence, rows: np.ndarray) -> int:
        """Writes what the model chooses after the last positions of the cache, as long as the text goes along with them.

        Returns how many positions of the cache are those of the text. The last token of a text is never kept in the
        cache: its logits are wanted again.
        """
        prompt, generated, resident = len(sequence.prompt), sequence.generated, self._resident
        first = len(resident) - len(rows)
        same = first + 1
        while sequence.finish is None and same == prompt + len(generated) and 0 <= same - 1 - first < len(rows):
            row = rows[same - 1 - first]
            token = sequence.choose(row)
            kept = sequence.rewrite(row, self.tokenizer.encode)
            if kept is None:
                sequence.commit(token, row)
            else:
                same = min(same, prompt + kept)
            sequence.commit_forced()
            while same < min(len(resident), prompt + len(generated)) and resident[same] == generated[same - prompt]:
                same += 1
        return same

    def _reuse(self, prompt: list[int]) -> int:
        """Keeps the longest common prefix with the previous request in the cache; the last prompt token always runs."""
        return self._keep_common(prompt[:-1])

    def _keep_common(self, tokens: list[int]) -> int:
        """Rewinds the cache to its longest common prefix with `tokens` and returns its length."""
        same = shared_prefix(self._resident, tokens)
        self._rewind(same)
        return same

    def _rewind(self, length: int) -> None:
        del self._resident[length:]
        self._cache.rollback(self._cache.length - length)

    def _forward(self, ids: list[int], rows: int) -> np.ndarray:
        """Appends ids to the cache and returns the logits of the last `rows` positions, float32."""
        try:
            with torch.inference_mode():
                logits = self.model.forward(torch.tensor(ids, dtype=torch.long), self._cache, last_only=rows == 1)
            self._resident += ids
            return logits[-rows:].float().cpu().numpy()
        except BaseException:
            self._rewind(0)
            raise

    def _self_test(self) -> bool:
        """Whether four positions give the same logits in one pass and in two."""
        ids = [int(token) for token in np.resize(np.flatnonzero(self._free), 4)]
        whole = self._forward(ids, 4)
        self._rewind(0)
        parts = np.concatenate([self._forward(ids[:1], 1), self._forward(ids[1:], 3)])
        self._rewind(0)
        size = len(self._free)
        return np.array_equal(parts[:, :size], whole[:, :size])


class _Meter:
    """Seconds spent inside steps (never the caller's), split at the first token that the model decided."""

    def __init__(self) -> None:
        self.reused = self.forwards = 0
        self.first = 0
        self.prefill = self.decode = 0.0

    def __enter__(self) -> None:
        self._started, self._decoding = time.perf_counter(), self.first > 0

    def __exit__(self, *exc: object) -> None:
        spent = time.perf_counter() - self._started
        if self._decoding:
            self.decode += spent
        else:
            self.prefill += spent

    def decided(self, generated: int) -> None:
        self.forwards += 1
        self.first = self.first or generated

    def rate(self, generated: int) -> float:
        """Tokens per second after the first decided one; 0 before there is anything to measure."""
        return (generated - self.first) / self.decode if self.decode > 0 else 0.0

    def stats(self, sequence: Sequence) -> dict[str, Any]:
        count = len(sequence.generated)
        return {
            **({"allowed": tuple(sequence.allowed)} if sequence.request.trace else {}),
            "prompt_tokens": len(sequence.prompt),
            "reused_tokens": self.reused,
            "output_tokens": count,
            "forced_tokens": sequence.forced,
            "rewritten": sequence.rewritten,
            "forced_share": sequence.forced / count if count else 0.0,
            "forward_passes": self.forwards,
            "prefill_seconds": self.prefill,
            "decode_seconds": self.decode,
            "tokens_per_second": self.rate(count),
        }
