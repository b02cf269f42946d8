"""A traced text tells, for each token, how much of the model's distribution was allowed and which favourite was refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.config import EngineConfig
from engine.core import Engine
from engine.grammar import Frame, Grammar, Vocabulary
from engine.request import Allowed, Request
from engine.sequence import allowed
from tests.engine.tiny import tiny

LOADED = tiny()
VOCABULARY = Vocabulary(LOADED.tokenizer.token_bytes, LOADED.tokenizer.eos_ids)
GRAMMAR = Grammar.load("grammar Tiny; claim: SUBJECT '包括' TERM more* '。'; more: '，' TERM;")
FRAME = Frame({"SUBJECT": ["门锁"], "TERM": ["壳体", "锁"]})


@given(st.lists(st.tuples(st.integers(-40, 40), st.booleans()), min_size=1, max_size=12), st.integers(0, 3))
def test_mass_is_the_probability_of_the_allowed_tokens(entries, padding):
    logits, mask = (np.array(column) for column in zip(*entries, strict=True))
    found = allowed(np.append(logits, [np.nan] * padding).astype(np.float32), mask)
    chances = np.exp(logits.astype(float)) / np.exp(logits.astype(float)).sum()
    assert found.mass == pytest.approx(chances[mask].sum())
    favourite = int(logits.argmax())
    assert found.refused == (None if mask[favourite] else favourite)


@pytest.mark.parametrize("speculation", ["off", 4])
def test_a_grammar_that_the_model_would_not_follow_shows_in_the_trace_and_changes_no_token(speculation):
    engine = Engine(LOADED.model, LOADED.tokenizer, EngineConfig(cache_tokens=512))

    def run(trace):
        state = GRAMMAR.start("claim", VOCABULARY, FRAME, 30)
        request = Request([65, 66, 67], state, max_tokens=60, trace=trace, speculation=speculation)
        deltas = list(engine.generate(request))
        return [token for delta in deltas for token in delta.token_ids], deltas[-1].stats

    plain, without = run(False)
    traced, stats = run(True)
    assert plain == traced and "allowed" not in without
    assert len(stats["allowed"]) == len(traced)
    assert sum(step == Allowed() for step in stats["allowed"]) >= stats["forced_tokens"]
    refused = [step for step in stats["allowed"] if step.refused is not None]
    assert refused and all(step.mass < 1 for step in refused)
    assert sum(np.log(step.mass) for step in stats["allowed"]) < np.log(0.5)
