"""Speculation never changes a token: every proposer, every filter, any draft at all, greedy and sampled, with and without a
grammar, switched midway. And the distribution of a text is the model's, by enumerating every draw."""

import importlib
from collections import defaultdict
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.config import EngineConfig
from engine.core import Engine
from engine.grammar import Frame, Grammar, Vocabulary
from engine.kv.cache import KVCache
from engine.request import Request, Sampling
from engine.sampling import distribution
from engine.speculation import Chain, Speculator
from engine.speculation.speculator import SOURCES
from tests.engine.tiny import tiny

CHOOSING = importlib.import_module("engine.sampling.choose")
TOKENIZER = tiny().tokenizer
VOCABULARY = Vocabulary(TOKENIZER.token_bytes, TOKENIZER.eos_ids)
TERMS = ["壳体", "锁"]
FRAME = Frame({"SUBJECT": ["门锁"], "TERM": TERMS, "WORD": [*TERMS, "，", "的", "门"]}, terms=["门锁", *TERMS])
RULES = Grammar.load("grammar Tiny; claim: SUBJECT '包括' word+ '。'; word: '所述' TERM | WORD;")
DISCLOSURE = TOKENIZER.encode("门锁包括壳体，壳体的门，锁的壳体，门的锁。" * 2)
SAMPLINGS = {
    "greedy": Sampling(),
    "sampled": Sampling(temperature=0.8, seed=5),
    "penalised": Sampling(temperature=1.1, seed=8, top_p=0.95, repetition_penalty=1.2, no_repeat_ngram=3),
}


JSON = Grammar.load(
    """grammar Json; text: '{"parts": [' part more* '], "count": ' CHAR '}'; more: ', ' part; part: '"' CHAR CHAR? '"';"""
)


@lru_cache
def start(grammar):
    if grammar == "claims":
        return RULES.start("claim", VOCABULARY, FRAME, 24)
    if grammar == "json":
        return JSON.start("text", VOCABULARY, Frame({"CHAR": ["门", "锁", "a", "bc", "0"]}), 60)
    return None


def engine(sources=SOURCES, chain=None, draft=False, **config):
    machine = Engine(tiny("fp32").model, TOKENIZER, EngineConfig(cache_tokens=1024, **{"draft_tokens": 6} | config))
    machine.speculation.sources = tuple(sources)
    machine.speculation.chain = chain or machine.speculation.chain
    if draft:
        machine.use_draft_model(tiny("w8a8").model, TOKENIZER, window=64)
    return machine


def write(machine, request):
    deltas = list(machine.generate(request))
    return (
        [i for d in deltas for i in d.token_ids],
        "".join(d.text for d in deltas),
        deltas[-1].finish_reason,
        deltas[-1].stats,
    )


def ask(grammar, sampling, speculation="auto"):
    limit = 120 if grammar else 30
    return Request(DISCLOSURE, start(grammar), sampling, max_tokens=limit, speculation=speculation)


@lru_cache
def plain(grammar, sampling):
    *text, stats = write(engine(draft_tokens=0), ask(grammar, SAMPLINGS[sampling]))
    assert stats["drafted_tokens"] == 0 and stats["exact"]
    return text


@pytest.mark.parametrize("midway", [False, True], ids=["throughout", "toggled"])
@pytest.mark.parametrize("sampling", ["greedy", "penalised"])
@pytest.mark.parametrize("grammar", [None, "json", "claims"])
@pytest.mark.parametrize("sources", [*[(source,) for source in SOURCES], SOURCES], ids="+".join)
def test_no_proposer_changes_a_token(sources, grammar, sampling, midway):
    machine = engine(sources, draft="model" in sources, prefill_chunk=16)
    ids, pieces = [], []
    for speculation in ("auto", 4):
        stream = machine.generate(ask(grammar, SAMPLINGS[sampling], speculation))  # the second time behind a prefix hit
        ids, pieces = [], []
        for count, delta in enumerate(stream):
            ids += delta.token_ids
            pieces.append(delta.text)
            if midway:
                machine.config = replace(machine.config, draft_tokens=0 if count % 5 < 2 else 6)
        assert [ids, "".join(pieces), delta.finish_reason] == plain(grammar, sampling)
    assert "model" not in sources or midway or delta.stats["drafted_tokens"] > 0


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([None, "json", "claims"]), st.sampled_from(sorted(SAMPLINGS)))
def test_no_draft_at_all_changes_a_token(seed, grammar, sampling):
    """Drafts that mix the right tokens with any others, of any length, legal or not."""
    rng, right = np.random.default_rng(seed), plain(grammar, sampling)[0]

    class Guessing(Speculator):
        def take(self, width, rows, texts):
            at = len(self._view.generated)
            guess = right[at : at + int(rng.integers(0, 7))]
            return [token if rng.random() < 0.8 else int(rng.integers(0, 256)) for token in guess][
                : max(0, self._view.left - 1)
            ]

    machine = engine()
    machine.speculation.speculator = lambda view: Guessing(view, machine.speculation)
    assert list(write(machine, ask(grammar, SAMPLINGS[sampling]))[:3]) == plain(grammar, sampling)


class Table:
    """A model of three letters and an end whose logits are a table of the whole prefix."""

    exact = True

    def __init__(self):
        self.config, self.ids = tiny().model.config, []

    def new_cache(self, capacity):
        return KVCache(1, 1, 1)

    def row(self, ids):
        return np.random.default_rng([len(ids), *ids]).normal(size=4).astype(np.float32) * 1.5

    def forward(self, ids, cache, last_only=False):
        before = cache.length
        self.ids = self.ids[:before] + ids.tolist()
        cache.reserve(len(self.ids))
        cache.length = len(self.ids)
        rows = [torch.tensor(self.row(self.ids[: at + 1])) for at in range(before, len(self.ids))]
        return torch.stack(rows[-1:] if last_only else rows)


class Letters:
    token_bytes, eos_ids = [b"a", b"b", b"c", None], (3,)

    def encode(self, text):
        return [ord(char) - 97 for char in text]


def cells(model, sampling, text=(), draws=(), size=1.0):
    """(text, a draw for each position, probability) of all texts of at most four tokens."""
    if len(text) == 4 or 3 in text:
        yield text, draws, size
        return
    ids, p = distribution(model.row([0, *text]), None, text, sampling)
    for token, low, mass in zip(ids.tolist(), [0.0, *np.cumsum(p)[:-1].tolist()], p.tolist(), strict=True):
        yield from cells(model, sampling, (*text, token), (*draws, low + 0.37 * mass), size * mass)


@pytest.mark.parametrize("draft", [(), (0, 1, 2), (3, 3), (2, 2, 0), "likely"], ids=str)
@pytest.mark.parametrize("sampling", [Sampling(temperature=1.0), Sampling(temperature=0.7, top_p=0.9, repetition_penalty=1.3)])
def test_the_distribution_of_a_text_is_the_models_by_enumeration(draft, sampling, monkeypatch):
    """The draws that make the model write a text make the engine write it, whatever is guessed; so every text has exactly the
    probability that the model gives it."""
    model = Table()

    class Guessing(Speculator):
        def take(self, width, rows, texts):
            room = max(0, self._view.left - 1)
            return [int(model.row(self._view.tokens).argmax())][:room] if draft == "likely" else list(draft)[:room]

    machine = Engine(model, Letters(), EngineConfig())
    machine.speculation.speculator = lambda view: Guessing(view, machine.speculation)
    measured = defaultdict(float)
    for text, draws, size in cells(model, sampling):
        monkeypatch.setattr(CHOOSING, "uniform", lambda seed, at, purpose, stream, d=draws: d[at])
        deltas = machine.generate(Request([0], sampling=sampling, max_tokens=4))
        assert tuple(i for delta in deltas for i in delta.token_ids) == text
        measured[text] += size
    assert sum(measured.values()) == pytest.approx(1.0)


def test_the_rejection_rule_would_keep_the_distribution_but_not_the_text():
    """Why there is one rule only. p and q on a grid of draws: u decides acceptance, v the residual or the plain choice."""
    p, q = np.array([0.5, 0.2, 0.3]), np.array([0.2, 0.2, 0.6])
    accept = np.minimum(1.0, p / q)
    residual = np.maximum(p - q, 0) / np.maximum(p - q, 0).sum()
    assert q * accept + (q * (1 - accept)).sum() * residual == pytest.approx(p)
    written = {d: [d if u < accept[d] else int(residual.cumsum().searchsorted(u)) for u in (0.1, 0.9)] for d in range(3)}
    assert written[0] != written[2], "the same draws, another draft, another text"


def test_filters_only_shorten():
    strict = Chain(draft_model_top_k=1, logit_gap=4.0, grammar_confidence_threshold=0.9)
    for chain in (Chain(0, 0.0, 0.0), Chain(), strict):
        machine = engine(SOURCES, chain, draft=True)
        assert list(write(machine, ask("claims", Sampling(), 5))[:3]) == plain("claims", "greedy")


@pytest.mark.parametrize("speculation", ["off", 0])
def test_a_request_without_speculation_takes_the_plain_path(speculation):
    machine = engine(draft=True)
    *text, stats = write(machine, ask("claims", Sampling(), speculation))
    assert text == plain("claims", "greedy")
    assert stats["drafted_tokens"] == stats["guessed_steps"] == 0 and stats["acceptance_length"] == 1.0
