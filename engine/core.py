"""The engine: one model, many texts at once, tokens streamed as they are decided.

    engine = Engine.open()
    for delta in engine.generate(Request(prompt=[{"role": "user", "content": "..."}], grammar=state)):
        print(delta.text, end="")

A step takes every running text along (`engine.scheduler`): it commits the forced tokens of the grammar without asking the
model, runs one forward pass over everything that is not in the cache yet plus a guess (`engine.speculation`), and keeps of
the guess what the model chooses anyway. Steps run in the thread of a caller that has nothing to fetch, so an engine has no
thread of its own to start, stop or fork. A cache is kept for a later request that begins alike.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch

from engine.config import EngineConfig
from engine.kv.cache import BLOCK
from engine.kv.text import Shelf, TextCache
from engine.request import Delta, GenerationError, Request, RequestError
from engine.scheduler import Scheduler, Text
from engine.sequence import Sequence
from engine.speculation import DraftModel, Speculation
from engine.speculation.draft_model import require_same_vocabulary
from engine.stats import EngineStats

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
        self._changed, self._busy = threading.Condition(), False
        self._scheduler = Scheduler(Shelf(model.new_cache))
        self._count: Counter[str] = Counter()
        self._busy_seconds = 0.0
        self._batched = bool(getattr(model, "native", None))
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
        """Deltas of one text after the other; the last of each carries the finish reason. Waits until its text may run.

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
        need = min(self.context, len(prompt) + request.max_tokens)
        text = Text(sequence, self.speculation.speculator(sequence), need)
        with self._changed:
            self._scheduler.waiting.append(text)
        try:
            while True:
                item = self._next(text)
                if isinstance(item, BaseException):
                    raise item
                yield item
                if item.finish_reason is not None:
                    return
        finally:
            self._leave(text)

    def _next(self, text: Text) -> Delta | BaseException:
        """What comes next for a text. The first caller that finds nothing runs a step for all; the others wait for it."""
        while True:
            with self._changed:
                while self._busy and not text.outbox:
                    self._changed.wait()
                if text.outbox:
                    return text.outbox.popleft()
                self._busy = True
            try:
                self._step()
            finally:
                with self._changed:
                    self._busy = False
                    self._changed.notify_all()

    def _leave(self, text: Text) -> None:
        with self._changed:
            text.left = True
            if not self._busy:
                self._sweep()

    def _sweep(self) -> None:
        for text in [*self._scheduler.waiting, *self._scheduler.running]:
            if text.left:
                text.sequence.cancel()
                self._end(text)

    def _step(self) -> None:
        """One pass for every running text: one together where the model can, otherwise one each."""
        began, scheduler = time.perf_counter(), self._scheduler
        try:
            with self._changed:
                self._sweep()
                scheduler.admit(self.config.cache_tokens, self.config.max_texts, began)
                waiting = list(scheduler.waiting)
            for text in waiting:
                if self._cancelled(text) and text in scheduler.waiting:
                    self._emit(text)
            texts = list(scheduler.running)
            decoding = [text.first > 0 for text in texts]
            for group in [texts] if self._batched else [[text] for text in texts]:
                self._pass(group)
            spent = time.perf_counter() - began
            self._busy_seconds += spent
            for text, late in zip(texts, decoding, strict=True):
                if late:
                    text.decode += spent
                else:
                    text.prefill += spent
                if text.held is not None:
                    self._emit(text)
        except BaseException as error:
            for text in [*scheduler.running]:
                self._fail(text, GenerationError(f"the step failed: {error!r}"))
            if not isinstance(error, Exception):
                raise

    def _cancelled(self, text: Text) -> bool:
        try:
            if text.sequence.request.cancelled():
                text.sequence.cancel()
        except Exception as error:
            self._fail(text, error)
            return True
        return text.sequence.finish is not None

    def _emit(self, text: Text) -> None:
        """Puts what is settled into the outbox."""
        sequence = text.sequence
        new, ids, logprobs = sequence.take()
        if sequence.finish is None:
            if ids:
                text.outbox.append(Delta(new, ids, tokens_per_second=text.rate(), logprobs=logprobs, index=sequence.stream))
            return
        stats = self._stats(text)
        self._end(text)
        rate = stats["tokens_per_second"]
        text.outbox.append(Delta(new, ids, sequence.finish, rate, stats, logprobs, sequence.stream))

    def _fail(self, text: Text, error: BaseException) -> None:
        text.outbox.append(error)
        self._end(text, failed=True)

    def _end(self, text: Text, failed: bool = False) -> None:
        sequence, stats = text.sequence, text.speculator
        with self._changed:
            if text not in self._scheduler.waiting and text not in self._scheduler.running:
                return
            self._scheduler.remove(text, keep=not failed)
        self._count.update(
            failed=failed, cancelled=sequence.finish == "cancelled" and not failed, finished=1,
            prompt_tokens=len(sequence.prompt), prefix_queries=len(sequence.prompt), prefix_hits=text.reused,
            generated_tokens=len(sequence.generated), forced_tokens=sequence.forced, drafts=stats.steps,
            drafted_tokens=sum(stats.proposed.values()), accepted_tokens=sum(stats.accepted.values()),
        )  # fmt: skip

    def _pass(self, texts: list[Text]) -> None:
        """Plans, runs and decides one forward pass over several texts. What fails for one is its own failure."""
        planned: list[tuple[Text, list[int], bool]] = []
        room = self.config.prefill_chunk
        for text in texts:
            try:
                plan = self._plan(text, room)
            except Exception as error:
                self._fail(text, error)
                continue
            if plan is not None:
                planned.append((text, *plan))
                room -= 0 if text.first else len(plan[0])
        guesses = self._guess(planned)
        planned = [each for each in planned if each[0].held is not None]
        if not planned:
            return
        began = time.perf_counter()
        run = [ids + guesses.get(text, []) for text, ids, _ in planned]
        logits = self._forward(
            [
                (text.held, ids, len(guesses.get(text, [])) + 1)
                for (text, *_), ids in zip(planned, run, strict=True)
                if text.held
            ]
        )
        if all(text.first for text, *_ in planned):
            self.speculation.controller.cost.learn(sum(map(len, run)), time.perf_counter() - began)
        for (text, _, whole), part in zip(planned, logits, strict=True):
            text.forwards += 1
            if whole:
                try:
                    self._settle(text, part)
                except Exception as error:
                    self._fail(text, error)

    def _plan(self, text: Text, room: int) -> tuple[list[int], bool] | None:
        """Pending tokens to run, and whether a token is decided then; None for no pass.

        A prompt is cut where its position is a multiple of the chunk, whatever of it was found in the cache.
        """
        sequence, held, chunk = text.sequence, text.held, self.config.prefill_chunk
        assert held is not None
        if self._cancelled(text):
            return None
        sequence.commit_forced()
        if sequence.finish is not None:
            return None
        pending = sequence.tokens[len(held.tokens) :]
        cut = min(len(pending), chunk - len(held.tokens) % chunk) if len(pending) > chunk else len(pending)
        if not text.first and cut > room and room < chunk:
            return None
        return pending[:cut], cut == len(pending)

    def _guess(self, planned: list[tuple[Text, list[int], bool]]) -> dict[Text, list[int]]:
        """What every text that a token is decided for runs after its pending tokens, the rows of the pass shared among them."""
        shared, began = self.speculation, time.perf_counter()
        rows = sum(len(ids) for _, ids, _ in planned)
        deciding = [text for text, _, whole in planned if whole]
        looks = shared.controller.looks()
        for text in deciding:
            try:
                text.speculator.look(self.config.draft_tokens, rows, looks)
            except Exception as error:
                self._fail(text, error)
        deciding = [text for text in deciding if text.held is not None]
        sharing = [text for text in deciding if not text.speculator.fixed]
        widths = dict.fromkeys(deciding, 0)
        if looks and sharing:
            drafts = [text.speculator.draft for text in sharing]
            widths.update(zip(sharing, shared.controller.share(drafts, rows, time.perf_counter() - began), strict=True))
        guesses: dict[Text, list[int]] = {}
        for text, width in widths.items():
            try:
                guesses[text] = text.speculator.take(width, rows, len(deciding))
            except Exception as error:
                self._fail(text, error)
        return guesses

    def _settle(self, text: Text, rows: np.ndarray) -> None:
        sequence, held = text.sequence, text.held
        assert held is not None
        ran = len(rows) - 1
        before = len(held.tokens) - ran
        same = self._decide(sequence, held.tokens, rows)
        held.rewind(min(same, len(sequence.tokens) - 1))
        text.speculator.learn(sequence.generated[before - len(sequence.prompt) :] if same >= before else [])
        if not text.first:
            text.first, text.waited = len(sequence.generated), time.perf_counter() - text.arrived

    def _decide(self, sequence: Sequence, resident: list[int], rows: np.ndarray) -> int:
        """Writes what the model chooses after the last positions of the cache, as long as the text goes along with them.

        Returns how many positions of the cache are those of the text. The last token of a text is never kept in the
        cache: its logits are wanted again.
        """
        prompt, generated = len(sequence.prompt), sequence.generated
        first = len(resident) - len(rows)
        same = first + 1
        while sequence.finish is None and same == prompt + len(generated) and 0 <= same - 1 - first < len(rows):
            row = rows[same - 1 - first]
            token = sequence.choose(row)
            self._count["constraint_violations"] += not sequence.mask[token]
            kept = sequence.rewrite(row, self.tokenizer.encode)
            if kept is None:
                sequence.commit(token, row)
            else:
                same = min(same, prompt + kept)
            sequence.commit_forced()
            while same < min(len(resident), prompt + len(generated)) and resident[same] == generated[same - prompt]:
                same += 1
        return same

    def _forward(self, parts: list[tuple[TextCache, list[int], int]]) -> list[np.ndarray]:
        """Appends ids to caches and returns the logits of the last `rows` positions of each `[rows, V]`, float32."""
        with torch.inference_mode():
            given = [(torch.tensor(ids, dtype=torch.long), held.cache, rows) for held, ids, rows in parts]
            if self._batched:
                logits = self.model.forward_texts(given).split([rows for *_, rows in parts])
            else:
                logits = [self.model.forward(ids, cache, last_only=rows == 1)[-rows:] for ids, cache, rows in given]
        for held, ids, _ in parts:
            held.tokens += ids
        return [part.float().cpu().numpy() for part in logits]

    def snapshot(self) -> EngineStats:
        """What the engine does now and has done since it was opened."""
        with self._changed:
            used, total = self._scheduler.used + self._scheduler.shelf.capacity, self.config.cache_tokens
            return EngineStats(
                running=len(self._scheduler.running), waiting=len(self._scheduler.waiting), blocks_used=-(-used // BLOCK),
                blocks_free=max(0, total - used) // BLOCK, busy_seconds=self._busy_seconds, exact=self.exact,
                **cast(dict[str, Any], dict(self._count)),
            )  # fmt: skip

    def check_integrity(self) -> None:
        """Raises AssertionError when a cache does not hold what its text says."""
        with self._changed:
            self._scheduler.shelf.check()
            for text in self._scheduler.running if not self._busy else []:
                assert text.held is not None and text.held.cache.length == len(text.held.tokens)
                assert text.sequence.tokens[: len(text.held.tokens)] == text.held.tokens

    def _stats(self, text: Text) -> dict[str, Any]:
        sequence = text.sequence
        count = len(sequence.generated)
        return {
            **({"allowed": tuple(sequence.allowed)} if sequence.request.trace else {}),
            "prompt_tokens": len(sequence.prompt),
            "reused_tokens": text.reused,
            "output_tokens": count,
            "forced_tokens": sequence.forced,
            "rewritten": sequence.rewritten,
            "forced_share": sequence.forced / count if count else 0.0,
            "forward_passes": text.forwards,
            "queue_seconds": text.queued,
            "first_token_seconds": text.waited,
            "prefill_seconds": text.prefill,
            "decode_seconds": text.decode,
            "tokens_per_second": text.rate(),
            **text.speculator.stats(),
            "exact": self.exact,
            "seed": sequence.request.sampling.seed,
        }

    def _self_test(self) -> bool:
        """Whether four positions give the same logits in one pass and in two."""
        ids = [int(token) for token in np.resize(np.flatnonzero(self._free), 4)]
        whole, parts = (TextCache(self.model.new_cache(BLOCK)) for _ in range(2))
        together = self._forward([(whole, ids, 4)])[0]
        apart = np.concatenate([self._forward([(parts, ids[:1], 1)])[0], self._forward([(parts, ids[1:], 3)])[0]])
        size = len(self._free)
        return np.array_equal(apart[:, :size], together[:, :size])
