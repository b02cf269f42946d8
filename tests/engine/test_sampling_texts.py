"""Several texts of one request, and logprobs, as a caller of the engine gets them: the same with and without speculation."""

from itertools import groupby

import numpy as np
import pytest

from engine.config import EngineConfig
from engine.core import Engine
from engine.request import Request, Sampling
from tests.engine.tiny import tiny

PROMPT = [7, 8, 9, 7, 8, 9, 7, 8]


def texts(request, **config):
    machine = Engine(tiny().model, tiny().tokenizer, EngineConfig(cache_tokens=64, **config))
    by_text = [(index, list(deltas)) for index, deltas in groupby(machine.generate(request), lambda delta: delta.index)]
    assert [index for index, _ in by_text] == list(range(request.sampling.n))
    assert all([d.finish_reason is not None for d in deltas].index(True) == len(deltas) - 1 for _, deltas in by_text)
    return [[(i, p) for d in deltas for i, p in zip(d.token_ids, d.logprobs or [None] * 99, strict=False)] for _, deltas in by_text]


def test_texts_of_one_request_are_independent_and_repeatable():
    sampling = Sampling(temperature=1.5, seed=3, n=3)
    first, second, third = texts(Request(PROMPT, sampling=sampling, max_tokens=12))
    assert first != second != third != first
    assert texts(Request(PROMPT, sampling=Sampling(temperature=1.5, seed=3), max_tokens=12)) == [first]
    assert texts(Request(PROMPT, sampling=sampling, max_tokens=12), draft_tokens=0) == [first, second, third]
    assert len({str(text) for text in texts(Request(PROMPT, sampling=Sampling(n=2), max_tokens=12))}) == 1, "greedy is one text"


@pytest.mark.parametrize("sampling", [Sampling(logprobs=3), Sampling(temperature=0.8, top_k=5, seed=4, logprobs=3)])
def test_every_token_has_its_logprobs(sampling):
    (text,) = texts(Request(PROMPT, sampling=sampling, max_tokens=10))
    assert text == texts(Request(PROMPT, sampling=sampling, max_tokens=10), draft_tokens=0)[0]
    for token, shown in text:
        assert shown.token == token and shown.logprob <= 0 and len(shown.top) == 3
        assert [p for _, p in shown.top] == sorted((p for _, p in shown.top), reverse=True)
        assert np.exp([p for _, p in shown.top]).sum() <= 1 + 1e-9
        if sampling.temperature == 0:
            assert shown.top[0] == (token, shown.logprob)
    (silent,) = texts(Request(PROMPT, max_tokens=10))
    assert all(shown is None for _, shown in silent)
