"""Proposers, filters and controller by themselves: what they promise about drafts, and what they never cost."""

import itertools
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.config import EngineConfig
from engine.core import Engine
from engine.grammar import Frame, Grammar, Vocabulary
from engine.grammar.rewrite import USE
from engine.request import Request, RequestError, Sampling
from engine.speculation import (
    Chain,
    Controller,
    Draft,
    DraftMismatch,
    DraftModel,
    Forced,
    NgramProposer,
    NgramTable,
    SuffixMatch,
)
from engine.speculation import suffix as suffix_module
from engine.speculation.controller import PROBE, START, STAY, StepCost, _Chance
from engine.speculation.draft_model import require_same_vocabulary
from engine.speculation.proposer import Walk, shared_prefix
from tests.engine.tiny import tiny

TOKENIZER = tiny().tokenizer
WALK = Walk(TOKENIZER.token_bytes, TOKENIZER.encode)
FREE = np.array([data is not None for data in TOKENIZER.token_bytes])
VOCABULARY = Vocabulary(TOKENIZER.token_bytes, TOKENIZER.eos_ids)
RULES = Grammar.load("grammar Tiny; claim: SUBJECT '包括' word+ '。'; word: '所述' TERM | WORD;")
TERMS = ["壳体", "锁"]
FRAME = Frame({"SUBJECT": ["门锁"], "TERM": TERMS, "WORD": [*TERMS, "，", "的", "门"]}, terms=["门锁", *TERMS])

small = st.lists(st.integers(0, 4), max_size=40)


@dataclass
class Text:
    """A text as proposers see it."""

    tokens: list
    state: object = None
    left: int = 50
    stream: int = 0
    generated: list = field(default_factory=list)
    eos_ids: frozenset = frozenset(TOKENIZER.eos_ids)
    request: Request = field(default_factory=lambda: Request([1]))


def words(tokens):
    return b"".join(TOKENIZER.token_bytes[token] for token in tokens).decode("utf-8", "replace")


@given(small, small)
def test_shared_prefix(left, right):
    want = next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    assert shared_prefix(left, right) == want


def longest(tokens):
    """Brute force: (length, end) of the longest earlier occurrence of the end of the text, the latest of several."""
    found = []
    for end in range(1, len(tokens)):
        length = 0
        while length < end and tokens[end - 1 - length] == tokens[-1 - length]:
            length += 1
        found.append((min(length, 32), end))
    return max((pair for pair in found if pair[0] >= 2), default=None)


@settings(max_examples=200)
@given(st.lists(st.tuples(st.integers(0, 6), st.lists(st.integers(0, 4), max_size=8)), min_size=1, max_size=8))
def test_the_suffix_index_finds_the_longest_match_also_after_tokens_were_taken_back(edits):
    """Among the latest occurrences; texts here are short enough for all of them."""
    suffix_module._CANDIDATES, before = 1000, suffix_module._CANDIDATES
    try:
        proposer, tokens = SuffixMatch(WALK), []
        for back, new in edits:
            tokens = [*tokens[: max(0, len(tokens) - back)], *new]
            draft = proposer.propose(Text(tokens), 4)
            match = longest(tokens)
            assert draft.tokens == (tuple(tokens[match[1] : match[1] + 4]) if match else ())
    finally:
        suffix_module._CANDIDATES = before


def test_copying_puts_in_what_the_grammar_asks_for():
    """The source has the terms bare; 壳体 is in scope, so it is copied with 所述, and the copying goes on."""
    assert suffix_module.USE == USE
    source = TOKENIZER.encode("门锁包括壳体，壳体的门的壳体，锁的门。")
    state = RULES.start("claim", VOCABULARY, FRAME, 60)
    written = TOKENIZER.encode("门锁包括壳体，")
    for token in written:
        state = state.advance(token)
    draft = SuffixMatch(WALK).propose(Text([*source, 1, 2, *written], state), 30)
    assert words(draft.tokens).startswith("所述壳体的门的所述壳体，锁的门。")
    for token in draft.tokens:
        state = state.advance(token)
    later = TOKENIZER.encode("所述壳体的门的")
    state = RULES.start("claim", VOCABULARY, FRAME, 60)
    for token in written + later:
        state = state.advance(token)
    again = SuffixMatch(WALK).propose(Text([*source, 1, 2, *written, *later], state), 30)
    assert words(again.tokens).startswith("所述壳体，锁的门。"), "the match looks past 所述"


def test_copying_leaves_out_reference_signs():
    source = TOKENIZER.encode("门锁包括壳体12，的门。")
    state = RULES.start("claim", VOCABULARY, FRAME, 60)
    written = TOKENIZER.encode("门锁包括壳体")
    for token in written:
        state = state.advance(token)
    draft = SuffixMatch(WALK).propose(Text([*source, 1, 2, *written], state), 8)
    assert words(draft.tokens).startswith("，的门。")


def test_forced_text_is_proposed_whole():
    state = RULES.start("claim", VOCABULARY, FRAME, 60)
    assert words(Forced(WALK).propose(Text([1], state), 32).tokens) == state.forced_text() == "门锁包括"
    assert Forced(WALK).propose(Text([1]), 32) == Draft()


def guess_of(speculator, limit):
    """What the only text of a pass verifies."""
    speculator.look(limit, 1)
    return speculator.take(speculator._shared.controller.share([speculator.draft], 1)[0], 1)


def test_a_guess_goes_on_behind_forced_text():
    source = TOKENIZER.encode("门锁包括壳体，锁的门。")
    machine = Engine(tiny().model, TOKENIZER, EngineConfig(cache_tokens=1024))
    view = Text([*source, 1, 2], RULES.start("claim", VOCABULARY, FRAME, 60))
    speculator = machine.speculation.speculator(view)
    assert words(guess_of(speculator, 9)).startswith("门锁包括壳体")
    speculator.learn([*TOKENIZER.encode("门锁包括锁")])
    drafts = speculator.stats()["drafts"]
    assert (
        drafts["forced"]["drafted"]
        == drafts["forced"]["accepted"]
        > 0
        == drafts["suffix"]["accepted"]
        < drafts["suffix"]["drafted"]
    )


@given(small, small, st.lists(st.integers(0, 4), min_size=4, max_size=6))
def test_an_n_gram_table_that_forgot_tokens_is_one_that_never_saw_them(kept, forgotten, context):
    one, other = NgramTable(), NgramTable()
    one.follow(kept + forgotten)
    one.follow(kept)
    other.follow(kept)
    assert [one.probability(context, token) for token in range(5)] == [other.probability(context, token) for token in range(5)]
    chances = [other.probability(context, token) for token in range(5)]
    assert chances == [None] * 5 or sum(chances) <= 1 + 1e-9
    best = other.best(context)
    assert best is None or 0 < best[1] <= 1


def test_the_n_gram_proposer_goes_on_while_it_is_sure():
    line = [5, 6, 7, 8, 9, 10, 11]
    draft = NgramProposer(WALK, NgramTable(), 0.5).propose(Text(line * 4 + [5, 6, 7, 8]), 5)
    assert draft.tokens == (9, 10, 11, 5, 6) and min(draft.probabilities) >= 0.5
    assert NgramProposer(WALK, NgramTable(), 0.99).propose(Text(line + [5, 6, 7, 8]), 5).tokens == ()


@given(small, st.lists(st.integers(0, 4), max_size=8), st.sampled_from([0.0, 0.1, 0.5, 0.9]))
def test_the_gram_filter_only_shortens(text, tokens, threshold):
    table = NgramTable()
    table.follow(text)
    draft = Draft(tuple(tokens), "ngram", (0,) * len(tokens))
    kept = Chain(grammar_confidence_threshold=threshold).grams(draft, text, table)
    assert kept.tokens == draft.tokens[: len(kept.tokens)] and len(kept.levels) == len(kept.tokens)
    assert threshold or kept == draft
    for source in ("forced", "suffix"):
        copied = Draft(draft.tokens, source, draft.levels)
        assert Chain(grammar_confidence_threshold=1.0).grams(copied, text, table) == copied


def drafting(chain=None, window=64, kernel="w8a8", temperature=None):
    return DraftModel(tiny(kernel).model, WALK, chain or Chain(0, 0.0, 0.0), FREE, window, temperature).proposer()


def test_a_draft_model_that_is_the_model_is_always_right():
    for sampling in (Sampling(), Sampling(temperature=0.9, seed=4)):
        machine = Engine(tiny().model, TOKENIZER, EngineConfig(cache_tokens=1024, draft_tokens=4))
        machine.speculation.sources, machine.speculation.chain = ("model",), Chain(0, 0.0, 0.0)
        machine.use_draft_model(tiny().model, TOKENIZER, window=256)
        stats = list(machine.generate(Request([3, 4, 5], sampling=sampling, max_tokens=21, speculation=4)))[-1].stats
        assert stats["drafts"]["model"]["accepted"] == stats["drafts"]["model"]["drafted"] > 10
        assert stats["acceptance_length"] > 3


def test_the_ring_of_a_draft_model_keeps_up_with_any_text():
    """Within the window nothing is lost; a longer text drops the oldest positions and what was taken back is forgotten."""
    rng, proposer = np.random.default_rng(1), drafting()
    tokens = rng.integers(0, 200, 20).tolist()
    for _ in range(30):
        fresh = drafting(window=256)
        got, want = proposer.propose(Text(tokens), 3), fresh.propose(Text(tokens), 3)
        if len(tokens) <= 60:
            assert got.tokens == want.tokens
        assert proposer.length <= 64 and len(got.tokens) == 3
        tokens = [*tokens[: len(tokens) - int(rng.integers(0, 4))], *rng.integers(0, 200, int(rng.integers(1, 9))).tolist()]
    assert len(tokens) > 80


def test_a_draft_model_catches_up_in_slices():
    proposer = drafting(window=256)
    tokens = list(range(120))
    assert proposer.propose(Text(tokens), 3).tokens == () and proposer.length == 64
    assert len(proposer.propose(Text(tokens), 3).tokens) == 3


def test_the_token_filter_stops_an_unsure_draft():
    tokens = list(range(30))
    sure = drafting().propose(Text(tokens), 6).tokens
    for gap in (0.5, 2.0, 100.0):
        cut = drafting(Chain(3, gap, 0.0)).propose(Text(tokens), 6).tokens
        assert cut == sure[: len(cut)]
    assert cut == ()


@pytest.mark.parametrize(
    ("change", "message"),
    [(lambda t: t.token_bytes.__setitem__(261, b"zz"), "token 261"), (lambda t: t.eos_ids.append(4), "ends texts")],
)
def test_another_vocabulary_is_refused_with_its_first_difference(change, message):
    class Other:
        token_bytes, eos_ids = list(TOKENIZER.token_bytes), list(TOKENIZER.eos_ids)

    other = Other()
    require_same_vocabulary(TOKENIZER, other)
    other.token_bytes.append(None)
    require_same_vocabulary(TOKENIZER, other)
    change(other)
    machine = Engine(tiny().model, TOKENIZER, EngineConfig(cache_tokens=1024))
    with pytest.raises(DraftMismatch, match=message):
        machine.use_draft_model(tiny().model, other)


def guesses(source, count, level=0):
    return Draft(tuple(range(count)), source, (level,) * count)


def trained(chance, shape, source="suffix", rounds=300, seed=0):
    """A controller that has seen drafts of four accepted with this chance a token, and passes of this shape."""
    rng, controller = np.random.default_rng(seed), Controller()
    for _ in range(rounds):
        for rows in range(1, 9):
            controller.cost.learn(rows, 0.05 * shape(rows))
        hits = int(np.argmin([*(rng.random(4) < chance), False]))
        controller.learn(guesses(source, 4), [0, 1, 2, 3][:hits] + [99])
    return controller


@pytest.mark.parametrize(
    "shape", [lambda m: 1.0, lambda m: 1 + 0.1 * (m - 1), lambda m: 1 + 0.6 * (m - 1), lambda m: float(m)]
)
@pytest.mark.parametrize("chance", [0.05, 0.5, 0.95])
def test_the_controller_widens_only_where_that_is_faster(chance, shape):
    controller = trained(chance, shape)
    width = controller.share([guesses("suffix", 7)], 1)[0]

    def rate(k):
        return sum(chance**i for i in range(k + 1)) / shape(1 + k)

    assert rate(width) >= 0.98 * rate(0)
    assert rate(width) >= 0.93 * max(rate(k) for k in range(8))


def test_a_controller_that_is_off_comes_back_by_probing():
    controller = trained(0.02, lambda m: 1 + 0.3 * (m - 1))
    widths = [controller.share([guesses("suffix", 5)], 1)[0] for _ in range(3 * PROBE)]
    assert sum(width > 0 for width in widths) == 3 and max(widths) == 2
    assert controller.share([Draft()], 1) == [0]


def test_hysteresis_asks_more_of_starting_than_of_going_on():
    controller = trained(0.5, lambda m: 1 + 0.5 * (m - 1))
    controller._chances["suffix", 0].hits = 0.55 * controller._chances["suffix", 0].trials
    assert STAY < controller.gain(guesses("suffix", 1), 1) < START
    controller._on["pass"] = False
    assert controller.share([guesses("suffix", 1)], 1) == [0]
    controller._on["pass"] = True
    assert controller.share([guesses("suffix", 1)], 1) == [1]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.floats(0.02, 0.98), max_size=5), min_size=1, max_size=6),
    st.sampled_from(
        [lambda m: 1.0, lambda m: 1 + 0.05 * (m - 1), lambda m: float(m), lambda m: 1.0 if m < 9 else 1.75 + 0.1 * (m - 9)]
    ),
)
def test_texts_share_the_rows_of_a_pass_as_well_as_any_plan(chances, shape):
    """Against every plan: the rate is at most a few percent under the best, and never under that of the plain pass."""
    controller, texts = Controller(), len(chances)
    controller.cost._shape = {rows: shape(rows) for rows in range(1, 40)}
    drafts = []
    for text, each in enumerate(chances):
        for level, chance in enumerate(each):
            controller._chances[str(text), level] = _Chance(100 * chance, 100.0)
        drafts.append(Draft(tuple(range(len(each))), str(text), tuple(range(len(each)))))

    def rate(widths):
        gained = sum(sum(np.cumprod(each[:width])) for each, width in zip(chances, widths, strict=True))
        return (texts + gained) / shape(texts + sum(widths))

    widths = controller.share(drafts, texts)
    best = max(rate(plan) for plan in itertools.islice(itertools.product(*(range(len(each) + 1) for each in chances)), 8000))
    assert rate(widths) >= rate([0] * texts) and rate(widths) >= best / (START + 0.001)


def test_looking_for_drafts_rests_where_it_costs_more_than_it_gives():
    controller = trained(0.05, lambda m: float(m))
    looked = 0
    for _ in range(20 * PROBE):
        if controller.looks():
            looked += 1
            controller.share([guesses("suffix", 3)] * 8, 8, seconds=0.004)
    assert 0 < looked < 4 * PROBE
    good = trained(0.9, lambda m: 1.0)
    assert all(good.looks() and any(good.share([guesses("suffix", 3)] * 8, 8, seconds=0.004)) for _ in range(5 * PROBE))


@pytest.mark.parametrize("each", [0.001, 0.2])
def test_a_draft_that_takes_longer_than_it_saves_is_not_asked_for(each):
    controller = trained(0.8, lambda m: 1.0, source="model")
    for _ in range(20):
        controller.drafted("model", 4, 4 * each)
    wanted = [controller.wants("model", 6, 1) for _ in range(40)]
    assert min(wanted) > 0 if each < 0.05 else max(wanted) == 0


def test_reading_a_prompt_must_pay_before_the_draft_model_reads_it():
    controller = trained(0.8, lambda m: 1.0, source="model")
    controller.drafted("model", 40, 0.2)
    controller.drafted("model read", 64, 0.64)
    assert controller.wants("model", 6, 1, behind=0, steps=60) > 0
    assert controller.wants("model", 6, 1, behind=100, steps=60) > 0
    assert controller.wants("model", 6, 1, behind=3000, steps=60) == 0


@given(st.floats(0.5, 4.0))
def test_a_machine_that_slows_down_changes_no_shape(factor):
    cost = StepCost()
    for load in (1.0, factor):
        for _ in range(60):
            for rows, seconds in ((1, 0.1), (5, 0.12), (2, 0.1)):
                cost.learn(rows, load * seconds)
    assert cost.shape(5) == pytest.approx(1.2, rel=0.05) and cost.shape(2) == pytest.approx(1.0, rel=0.05)
    assert cost.scale == pytest.approx(0.1 * factor, rel=0.05)


def test_a_disturbed_measurement_of_a_width_does_not_stand_against_a_wider_one():
    cost = StepCost()
    for rows, seconds in ((1, 0.1), (4, 0.5), (6, 0.13), (1, 0.1)):
        cost.learn(rows, seconds)
    assert cost.shape(4) <= cost.shape(6) < 1.6 and cost.shape(1) == 1.0


@pytest.mark.parametrize("bad", [-1, "on", 1.5])
def test_an_unknown_wish_for_speculation_is_refused(bad):
    with pytest.raises(RequestError, match="speculation"):
        Request([1], speculation=bad)


def test_a_claim_copied_from_its_disclosure_takes_few_passes():
    """A replay of what a model would write; the figure may rise, not fall."""
    source = TOKENIZER.encode("门锁包括壳体，壳体的门的壳体，锁的壳体，锁的门，门的锁，壳体的锁。")
    claim = TOKENIZER.encode("门锁包括壳体，所述壳体的门的所述壳体，锁的所述壳体，所述锁的门，门的所述锁，所述壳体的所述锁。")
    state = RULES.start("claim", VOCABULARY, FRAME, 80)
    machine = Engine(tiny().model, TOKENIZER, EngineConfig(cache_tokens=1024))
    view = Text([*source, 1, 2], state)
    speculator = machine.speculation.speculator(view)
    at = passes = 0
    while at < len(claim):
        guess = guess_of(speculator, 16)
        hits = shared_prefix(guess, claim[at:])
        written = claim[at : at + hits + 1]
        speculator.learn(written)
        for token in written:
            view.state = view.state.advance(token)
        view.tokens, view.generated = view.tokens + written, view.generated + written
        at, passes = at + len(written), passes + 1
    assert len(claim) / passes >= 5.5


def test_statistics_tell_what_was_drafted_and_accepted_by_source():
    machine = Engine(tiny().model, TOKENIZER, EngineConfig(cache_tokens=1024, draft_tokens=4))
    stats = list(machine.generate(Request([7, 8, 9] * 6, max_tokens=30, speculation=3)))[-1].stats
    assert stats["drafted_tokens"] == sum(each["drafted"] for each in stats["drafts"].values())
    assert stats["accepted_tokens"] == sum(each["accepted"] for each in stats["drafts"].values()) <= stats["drafted_tokens"]
    assert stats["acceptance_length"] == pytest.approx(1 + stats["accepted_tokens"] / max(1, stats["guessed_steps"]))
    assert stats["forward_passes"] + stats["accepted_tokens"] >= stats["output_tokens"]
