"""Sampling: the fixed order, exact distributions by enumeration, and draws addressed by (seed, position, purpose)."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.request import GenerationError, RequestError, Sampling
from engine.sampling import Purpose, choose, distribution, logprobs, uniform

rows = st.lists(st.integers(-40, 40), min_size=1, max_size=8).map(lambda xs: np.array(xs, dtype=np.float32) / 8)
samplings = st.builds(
    Sampling,
    temperature=st.sampled_from([0.0, 0.3, 1.0, 2.5]),
    top_k=st.integers(0, 9),
    top_p=st.sampled_from([0.05, 0.47, 0.91, 1.0]),
    min_p=st.sampled_from([0.0, 0.1, 0.9, 1.0]),
    seed=st.integers(-5, 2**70),
    repetition_penalty=st.sampled_from([1.0, 1.3, 0.8]),
    no_repeat_ngram=st.integers(0, 3),
)


def expected(logits, mask, generated, s):
    """The documented order, written out over Python floats."""
    kept = {i: float(v) for i, v in enumerate(logits) if mask[i]}
    for i in set(generated) & set(kept) if s.repetition_penalty != 1 else ():
        kept[i] = kept[i] / s.repetition_penalty if kept[i] > 0 else kept[i] * s.repetition_penalty
    if (n := s.no_repeat_ngram) and len(generated) >= n:
        grams = {tuple(generated[i : i + n]) for i in range(len(generated) - n + 1)}
        fresh = {i: v for i, v in kept.items() if (*generated[len(generated) - n + 1 :], i) not in grams}
        kept = fresh or kept
    ranked = sorted(kept, key=lambda i: (-kept[i], i))
    if s.temperature == 0:
        return {ranked[0]: 1.0}
    if s.top_k:
        ranked = ranked[: s.top_k]
    weight = {i: np.exp((kept[i] - kept[ranked[0]]) / s.temperature) for i in ranked}
    total, mass, nucleus = sum(weight.values()), 0.0, []
    for i in ranked:
        nucleus.append(i)
        mass += weight[i] / total
        if mass >= s.top_p and s.top_p < 1:
            break
    final = {i: weight[i] for i in nucleus if weight[i] >= s.min_p * weight[ranked[0]] * (1 - 1e-12)}
    return {i: w / sum(final.values()) for i, w in final.items()}


@settings(max_examples=400, deadline=None)
@given(st.data(), rows, samplings)
def test_the_distribution_is_the_documented_order_written_out(data, logits, sampling):
    size = len(logits)
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    assume(mask.any())
    generated = data.draw(st.lists(st.integers(0, size - 1), max_size=6))
    ids, probabilities = distribution(logits, mask, generated, sampling)
    want = expected(logits, mask, generated, sampling)
    assert list(ids) == sorted(want)
    assert probabilities == pytest.approx([want[i] for i in sorted(want)])


@settings(max_examples=200, deadline=None)
@given(st.data(), rows, samplings, st.integers(0, 1000))
def test_a_choice_is_legal_and_repeatable(data, logits, sampling, position):
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(logits), max_size=len(logits))))
    assume(mask.any())
    token = choose(logits, mask, [], sampling, position)
    assert mask[token]
    assert token == choose(logits.copy(), mask, [], sampling, position)
    assert token == choose(np.append(logits, np.float32(99)), mask, [], sampling, position), "padding beyond the vocabulary"


def test_drawn_frequencies_follow_the_enumerated_distribution():
    logits = np.array([2.0, 1.0, 0.5, 0.0, -1.0, 3.0, 1.5, -9.0], dtype=np.float32)
    mask = np.array([1, 1, 1, 1, 1, 0, 1, 1], dtype=bool)
    sampling = Sampling(temperature=0.8, top_k=6, top_p=0.95, seed=11)
    ids, probabilities = distribution(logits, mask, [], sampling)
    draws = 20_000
    counts = np.bincount([choose(logits, mask, [], sampling, i) for i in range(draws)], minlength=8)
    assert counts.sum() == counts[ids].sum() and 5 not in ids
    chi2 = ((counts[ids] - draws * probabilities) ** 2 / (draws * probabilities)).sum()
    assert chi2 < 25, f"{len(ids)} cells, chi-squared {chi2:.1f}"


def test_greedy_ties_go_to_the_lowest_id():
    logits = np.array([0.0, 7.0, 7.0, 7.0], dtype=np.float32)
    assert choose(logits, None, [], Sampling(), 0) == 1
    assert choose(logits, np.array([True, False, True, True]), [], Sampling(), 0) == 2
    assert list(distribution(logits, None, [], Sampling(temperature=1, top_k=2))[0]) == [1, 2]


def test_the_mask_comes_before_truncation():
    logits = np.array([9.0, 8.0, 1.0, 0.0], dtype=np.float32)
    mask = np.array([False, False, True, True])
    ids, _ = distribution(logits, mask, [], Sampling(temperature=1, top_k=2))
    assert list(ids) == [2, 3]


def test_a_ngram_ban_never_leaves_nothing():
    ids, _ = distribution(np.ones(3, dtype=np.float32), np.array([True, False, False]), [0, 0], Sampling(no_repeat_ngram=1))
    assert list(ids) == [0]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_logits_that_are_not_numbers_are_refused(bad):
    logits = np.array([0.0, bad, 1.0], dtype=np.float32)
    with pytest.raises(GenerationError):
        choose(logits, np.array([True, False, True]), [], Sampling(), 0)
    with pytest.raises(GenerationError):
        choose(np.full(3, -np.inf, dtype=np.float32), None, [], Sampling(), 0)


@given(st.integers(-(2**64), 2**140), st.integers(0, 2**40), st.sampled_from(Purpose))
def test_a_draw_depends_on_its_address_only(seed, position, purpose):
    value = uniform(seed, position, purpose)
    assert 0.0 <= value < 1.0 and value == uniform(seed, position, purpose)
    assert len({value, uniform(seed + 1, position, purpose), uniform(seed, position + 1, purpose)}) == 3
    assert len({uniform(seed, position, each) for each in Purpose}) == len(Purpose)


@given(st.integers(0, 2**64), st.integers(0, 2**20))
def test_texts_of_one_request_draw_independently(seed, position):
    streams = [uniform(seed, position, stream=stream) for stream in range(4)]
    assert len(set(streams)) == 4 and streams[0] == uniform(seed, position)


@settings(max_examples=100, deadline=None)
@given(rows, samplings)
def test_a_choice_is_the_inverse_of_the_distribution_function(logits, sampling):
    """So the probability of a token over all draws is its probability in the distribution, exactly."""
    ids, probabilities = distribution(logits, None, [], sampling)
    edges = np.cumsum(probabilities)
    for position in range(20):
        drawn = uniform(sampling.seed, position) * edges[-1]
        at = list(ids).index(choose(logits, None, [], sampling, position))
        assert (edges[at - 1] if at else 0.0) <= drawn < edges[at] or len(ids) == 1


@settings(max_examples=200, deadline=None)
@given(st.data(), rows, samplings, st.integers(1, 9))
def test_logprobs_are_those_of_the_distribution_a_token_came_from(data, logits, sampling, top):
    sampling = replace(sampling, logprobs=top)
    generated = data.draw(st.lists(st.integers(0, len(logits) - 1), max_size=4))
    token = choose(logits, None, generated, sampling, 0)
    shown = logprobs(logits, None, generated, sampling, token)
    soft = sampling if sampling.temperature else replace(sampling, temperature=1.0, top_k=0, top_p=1.0, min_p=0.0)
    want = {i: float(np.log(p)) for i, p in zip(*distribution(logits, None, generated, soft), strict=True)}
    assert shown.token == token and shown.logprob == pytest.approx(want[token])
    assert dict(shown.top) == pytest.approx(dict(sorted(want.items(), key=lambda pair: (-pair[1], pair[0]))[:top]))
    if sampling.temperature == 0:
        assert shown.logprob == pytest.approx(max(want.values()))


DISTINCT = st.lists(st.integers(-60, 60), min_size=2, max_size=12, unique=True)


@settings(max_examples=150, deadline=None)
@given(
    DISTINCT,
    st.lists(st.integers(0, 30), max_size=8),
    st.sampled_from([0.4, 1.0, 2.0]),
    st.integers(0, 12),
    st.sampled_from([0.3, 0.8, 1.0]),
    st.sampled_from([0.0, 0.2]),
    st.sampled_from([1.0, 1.3]),
    st.integers(0, 3),
)
def test_processors_agree_with_those_of_transformers(logits, seen, temperature, top_k, top_p, min_p, penalty, ngram):
    """In our order, on logits without ties: there the two cut ties differently, and an n-gram ban may leave nothing."""
    import torch
    import transformers as peer

    seen = [token % len(logits) for token in seen]
    asked = Sampling(temperature, top_k, top_p, min_p, 0, penalty, ngram)
    chain = [peer.RepetitionPenaltyLogitsProcessor(penalty)] if penalty != 1.0 and seen else []
    chain += [peer.NoRepeatNGramLogitsProcessor(ngram)] if ngram and seen else []
    chain += [peer.TemperatureLogitsWarper(temperature)]
    chain += [peer.TopKLogitsWarper(top_k)] if top_k else []
    chain += [peer.TopPLogitsWarper(top_p)] if top_p < 1 else []
    chain += [peer.MinPLogitsWarper(min_p)] if min_p else []
    row = torch.tensor([logits], dtype=torch.float64) / 8 + 0.01
    scores = peer.LogitsProcessorList(chain)(torch.tensor([seen], dtype=torch.long), row.clone())
    assume(torch.isfinite(scores).any() and len(set(row[0].tolist())) == len(logits))
    kept = np.flatnonzero(torch.isfinite(scores[0]).numpy())
    ids, probabilities = distribution(row[0].numpy(), None, seen, asked)
    edge = _near_a_cut(scores, top_p, min_p, row, chain, seen)
    assume(not edge)
    assert list(ids) == list(kept)
    assert probabilities == pytest.approx(scores[0].softmax(-1).numpy()[kept])


def _near_a_cut(scores, top_p, min_p, row, chain, seen):
    """Whether rounding may decide what a cumulative or a relative threshold keeps."""
    import torch
    import transformers as peer

    before = peer.LogitsProcessorList([p for p in chain if not isinstance(p, (peer.TopPLogitsWarper, peer.MinPLogitsWarper))])
    p = before(torch.tensor([seen], dtype=torch.long), row.clone())[0].softmax(-1)
    mass = p.sort(descending=True).values.cumsum(0)
    close = bool((mass - top_p).abs().min() < 1e-9)
    return close or bool(min_p and ((p / p.max() - min_p).abs() < 1e-9).any())


def test_draws_are_uniform():
    counts, _ = np.histogram([uniform(3, i) for i in range(10_000)], bins=20, range=(0, 1))
    assert ((counts - 500) ** 2 / 500).sum() < 45


@pytest.mark.parametrize(
    "field", [{"temperature": -1}, {"temperature": float("nan")}, {"top_p": 0}, {"top_p": 1.1}, {"top_k": -1}, {"min_p": 2}, {"repetition_penalty": 0}]
)
def test_impossible_settings_are_refused(field):
    with pytest.raises(RequestError):
        Sampling(**field)
