"""How long taking back rejected positions takes: the model's cache, the draft model's ring, and the grammar state.

    python -m benchmarks.rollback --json [--tokens 8] [--runs 2000]

A text of a prompt of 2,000 tokens stands before `tokens` rejected positions, in caches of the default model's size; what is
measured is all that a step does about them: the engine moves the pointer of the model's cache, the draft model finds where
it still agrees with the text and moves its own, and the grammar goes on from the state that the sequence kept. No model
computes anything. Figures: rollback_p50_ms, rollback_p99_ms.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

from benchmarks.decode import _commit, _machine

LAYERS, KV_HEADS, HEAD_DIM = 28, 2, 128
PROMPT = 2000


class Bytes:
    """A tokenizer of bytes."""

    token_bytes, eos_ids = [*(bytes([byte]) for byte in range(256)), None], (256,)

    def encode(self, text: str) -> list[int]:
        return list(text.encode())


class Still:
    """A model of the default size that computes nothing."""

    exact, config = True, SimpleNamespace(context=32768)

    def new_cache(self, capacity: int) -> Any:
        from engine.kv.cache import BlockCache

        return BlockCache(LAYERS, KV_HEADS, HEAD_DIM, capacity)

    def forward(self, ids: torch.Tensor, cache: Any, last_only: bool = False) -> torch.Tensor:
        cache.reserve(cache.length + len(ids))
        cache.length += len(ids)
        return torch.zeros(1 if last_only else len(ids), 257)


def measure(tokens: int, runs: int) -> dict[str, Any]:
    from engine.core import Engine
    from engine.grammar import Frame, Grammar, Vocabulary
    from engine.kv.text import TextCache
    from engine.request import Request
    from engine.sequence import Sequence

    tokenizer = Bytes()
    engine = Engine(Still(), tokenizer)
    engine.use_draft_model(Still(), tokenizer)
    draft = engine.speculation.draft.proposer()  # type: ignore[union-attr]
    rules = Grammar.load("grammar Word; text: word+ '.'; word: 'b' | 'c';")
    state = rules.start("text", Vocabulary(tokenizer.token_bytes, tokenizer.eos_ids), Frame({}), 4000)
    prompt = np.random.default_rng(1).integers(97, 122, PROMPT).tolist()
    sequence = Sequence(Request(prompt, state, max_tokens=3000), prompt, tokenizer.token_bytes, tokenizer.eos_ids, engine._free)
    sequence.commit(98)
    guess = [98, 99] * (tokens // 2) + [98] * (tokens % 2)
    held = TextCache(engine.model.new_cache(PROMPT))
    draft.catch_up(sequence.tokens, tokens)
    seconds = []
    gc.disable()
    for _ in range(runs + 50):
        engine._forward([(held, (sequence.tokens + guess)[len(held.tokens) :], len(guess) + 1)])
        draft._forward((sequence.tokens + guess)[draft.start + draft.length :])
        walked = sequence.state
        for token in guess:
            walked = walked.advance(token)  # type: ignore[union-attr]
        text = sequence.tokens
        began = time.perf_counter()
        held.rewind(len(text) - 1)
        draft.agree(text)
        walked = sequence.state
        seconds.append(time.perf_counter() - began)
        assert held.cache.length == len(text) - 1 == draft.start + draft.length and walked is sequence.state
    gc.enable()
    spent = sorted(1e3 * each for each in seconds[50:])
    figures = {
        "rollback_p50_ms": round(statistics.median(spent), 5),
        "rollback_p99_ms": round(spent[int(0.99 * len(spent))], 5),
    }
    return {"figures": figures, "runs": runs, "machine": _machine(), "commit": _commit(), "notes": {"tokens": tokens}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    parser.add_argument("--tokens", type=int, default=8)
    parser.add_argument("--runs", type=int, default=2000)
    options = parser.parse_args()
    report = measure(options.tokens, options.runs)
    print(json.dumps(report, ensure_ascii=False) if options.json else json.dumps(report["figures"], indent=2))


if __name__ == "__main__":
    main()
