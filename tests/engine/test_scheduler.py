"""Texts that run together: the tokens that each has alone, who goes first, what fits, and who is left unharmed."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.config import EngineConfig
from engine.core import Engine
from engine.kernels import native
from engine.kv.cache import BlockCache
from engine.kv.text import Shelf
from engine.request import GenerationError, Request, Sampling
from engine.scheduler import AGEING, Scheduler, Text
from tests.engine.test_exactness import DISCLOSURE, start
from tests.engine.tiny import tiny

KERNELS = ["fp32", pytest.param("native", marks=pytest.mark.skipif(native.load() is None, reason="the C kernel is not built"))]


def engine(kernel, **config):
    loaded = tiny(kernel)
    return Engine(loaded.model, loaded.tokenizer, EngineConfig(kernel=kernel, **{"cache_tokens": 2048} | config))


def requests(speculation):
    """Grammars, samplings and prompts that share beginnings and do not."""
    samplings = [Sampling(), Sampling(temperature=0.8, seed=5), Sampling(temperature=1.1, seed=8, repetition_penalty=1.2)]
    made = []
    for at, grammar in enumerate([None, "json", "claims"] * 3):
        prompt = DISCLOSURE[at // 3 * 5 :] + [at] * (at % 2)
        made.append(
            Request(prompt, start(grammar), samplings[at // 3], max_tokens=120 if grammar else 12, speculation=speculation)
        )
    return made


def together(machine, asked):
    streams = [machine.generate(request) for request in asked]
    ids = [[] for _ in asked]
    while any(streams):
        for at, stream in enumerate(streams):
            delta = next(stream, None) if stream else None
            if delta is None:
                streams[at] = None
            else:
                ids[at] += delta.token_ids
    return ids


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("speculation", ["off", "auto", 3])
@pytest.mark.parametrize("config", [{}, {"prefill_chunk": 16}, {"max_texts": 3}, {"cache_tokens": 600}], ids=str)
def test_texts_have_together_the_tokens_that_they_have_alone(kernel, speculation, config):
    alone = [together(engine(kernel), [request])[0] for request in requests("off")]
    machine = engine(kernel, **config)
    for _ in range(2):
        assert together(machine, requests(speculation)) == alone
    stats = machine.snapshot()
    assert (stats.running, stats.waiting, stats.finished, stats.failed) == (0, 0, 18, 0)
    assert stats.generated_tokens == 2 * sum(map(len, alone)) and stats.constraint_violations == 0
    assert stats.blocks_used * 16 <= machine.config.cache_tokens and stats.prefix_hits > 0
    machine.check_integrity()


@pytest.mark.parametrize("kernel", KERNELS)
def test_threads_share_an_engine_and_lose_nothing(kernel):
    machine, got = engine(kernel, max_texts=4), {}
    asked = requests("auto")

    def work(at):
        got[at] = [i for delta in machine.generate(asked[at]) for i in delta.token_ids]

    threads = [threading.Thread(target=work, args=(at,)) for at in range(len(asked))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [got[at] for at in range(len(asked))] == [together(engine(kernel), [request])[0] for request in asked]


@pytest.mark.parametrize("kernel", KERNELS)
def test_what_fails_for_one_text_fails_for_no_other(kernel, monkeypatch):
    machine = engine(kernel)
    alone = together(engine(kernel), [Request([5, 6, 7], max_tokens=9)])[0]
    good, bad = (machine.generate(Request(prompt, max_tokens=9)) for prompt in ([5, 6, 7], [9, 9]))
    forward = machine._forward

    def poisoned(parts):
        logits = forward(parts)
        return [rows * np.nan if held.tokens[:2] == [9, 9] else rows for (held, *_), rows in zip(parts, logits, strict=True)]

    monkeypatch.setattr(machine, "_forward", poisoned)
    first = next(good)
    with pytest.raises(GenerationError):
        list(bad)
    assert [*first.token_ids, *(i for delta in good for i in delta.token_ids)] == alone
    assert machine.snapshot().failed == 1
    machine.check_integrity()


def test_a_cache_is_never_used_for_another_firm():
    machine = engine("fp32")

    def reused(salt):
        return list(machine.generate(Request(DISCLOSURE, max_tokens=2, salt=salt)))[-1].stats["reused_tokens"]

    assert [reused("a"), reused("b"), reused("a"), reused("b")] == [0, 0, len(DISCLOSURE) - 1, len(DISCLOSURE) - 1]


def waiting(need, priority="interactive", salt="", arrived=0.0):
    sequence = SimpleNamespace(prompt=[1] * (need // 2), request=SimpleNamespace(priority=priority, salt=salt))
    return Text(sequence, None, need, arrived=arrived)


def scheduler():
    return Scheduler(Shelf(lambda capacity: BlockCache(1, 1, 16, capacity)))


def test_interactive_goes_first_firms_take_turns_and_a_batch_text_ages():
    order, texts = scheduler(), [waiting(10, "batch"), waiting(10, salt="a"), waiting(10, salt="a"), waiting(10, salt="b")]
    order.waiting = list(texts)
    order.admit(10_000, 3, now=1.0)
    assert [texts.index(text) for text in order.running] == [1, 3, 2]
    late = scheduler()
    late.waiting = [waiting(10, arrived=AGEING), waiting(10, "batch", "c")]
    oldest = min(late.waiting, key=lambda text: text.ticket)
    late.waiting.append(waiting(10, "batch"))
    late.admit(10_000, 2, now=AGEING + 1)
    assert late.running[0] is oldest and late.running[1].sequence.request.salt == "c"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 900), st.sampled_from(["interactive", "batch"]), st.sampled_from("ab")), min_size=1, max_size=12))
def test_running_and_kept_caches_stay_in_their_budget_and_everyone_gets_a_turn(given):
    order, budget = scheduler(), 1024
    order.waiting = [waiting(*each) for each in given]
    served = 0
    while order.waiting or order.running:
        order.admit(budget, 4, now=1.0)
        assert order.running and len(order.running) <= 4
        assert order.used + order.shelf.capacity <= budget or len(order.running) == 1
        order.remove(order.running[0], keep=True)
        served += 1
    assert served == len(given)
    order.shelf.check()
