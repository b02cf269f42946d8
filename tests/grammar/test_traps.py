"""Traps of constrained decoding, one test each. Where the others are tested:

3, 4, 5, 6, 7, 9, 10, 15, 16, 17, 19, 20, 22   test_runtime          13   test_checks, test_always_ends (an adversary that loops)
6, 21   test_checks, test_sandbox                                   25   tests/drafting/test_trace (mass and its alarm)
26   test_trace (replay, ambiguity by priority)                     14, 24   not tested
"""


import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.config import EngineConfig
from engine.core import Engine
from engine.grammar import Frame, Grammar, Illegal, Vocabulary
from engine.grammar.after import After
from engine.grammar.trace import Refused
from engine.request import Request, Sampling
from tests.engine.tiny import tiny
from tests.grammar.test_masks import CLAIMS, FORBID, INVENTION, SLOTS, SOURCE, TERMS

FREE = Frame(SLOTS)
BYTES = [bytes([byte]) for byte in range(256)]


def readable(grammar, rule, frame, text):
    """Whether some derivation begins like this, by the parser of the trace."""
    try:
        grammar.parser(rule, frame).feed(text)
    except Refused:
        return False
    return True


def crossing(grammar, rule, frame, whole, tokens, random):
    """At a random place of a legal text, tokens are allowed exactly where a derivation goes through them."""
    vocabulary = Vocabulary([*BYTES, *(token.encode() for token in tokens), None], [256 + len(tokens)])
    state = grammar.start(rule, vocabulary, frame, 1 << 20)
    at = random.randrange(len(whole))
    for byte in whole[:at].encode():
        state = state.advance(byte)
    mask = state.mask()
    for number, token in enumerate(tokens, 256):
        assert mask[number] == readable(grammar, rule, frame, whole[:at] + token), (whole[:at], token)
    return {token for number, token in enumerate(tokens, 256) if mask[number]}


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False))
def test_trap_1_a_token_may_cross_terminals_where_a_path_exists(random):
    text = "一种门锁装置，其特征在于，包括壳体、锁舌，所述锁舌设有弹簧，大所述壳体的于内。"
    tokens = ["其特征在于，包括", "装置，其", "，包括壳", "。\n2", "所述的", "所述锁", "）。", "舌，所述", "、锁舌，", "内。", "，，", "弹簧，大", "壳体、锁舌，所述锁舌设有"]
    crossing(CLAIMS, "independent", FREE, text, tokens, random)


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False))
def test_trap_2_a_token_may_leave_two_rules_and_enter_another(random):
    text = '{"subject":"门锁","category":"产品","field":"门锁","problem":"弹簧","parts":["壳体","锁舌","弹簧"],"features":["壳体","锁舌","弹簧"],"options":["壳体","锁舌"],"effects":["门锁"]}'
    tokens = ['"],"features":["', '"],"options":["壳', '","锁', '"]}', '"]', '],"', '":"门锁","', '锁","category":"产品","field":"', '"],"effects":["', '","锁舌"]']  # fmt: skip
    crossing(INVENTION, "invention", Frame({}, source=SOURCE), text, tokens, random)


def test_trap_2_a_token_that_ends_the_claim_does_not_begin_another():
    tokens = ["。", "。\n", "。2", "。2. 一种"]
    vocabulary = Vocabulary([*BYTES, *(token.encode() for token in tokens), None], [256 + len(tokens)])
    state = CLAIMS.start("independent", vocabulary, FREE, 100)
    for byte in "一种门锁装置，其特征在于，包括壳体".encode():
        state = state.advance(byte)
    assert state.mask()[256 : 256 + len(tokens)].tolist() == [True, False, False, False]


def test_trap_8_a_piece_with_a_leading_space_is_that_text():
    """Where a grammar wants a space, the pieces that write one can write it, alone or with what follows."""
    grammar = Grammar.load("grammar g; t : 'claim' ' ' 'x' ;")
    vocabulary = Vocabulary([b"claim", b" x", b"x", b" ", b"claim ", "▁x".encode(), None], [6])
    state = grammar.start("t", vocabulary, Frame({}), 20)
    assert np.flatnonzero(state.mask()).tolist() == [0, 4]
    assert np.flatnonzero(state.advance(0).mask()).tolist() == [1, 3]
    assert state.advance(4).advance(2).text == "claim x"


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.booleans())
def test_trap_11_no_text_comes_to_a_point_without_a_way_on(random, dependent):
    """With terms, scope, forbidden words and a budget: every position has a legal token, or the text may end."""
    frame = Frame(SLOTS, terms=TERMS, scope=["门锁", "壳体"] if dependent else [], forbid=FORBID)
    vocabulary = Vocabulary([*BYTES, *(word.encode() for word in SLOTS["WORD"]), "所述".encode(), "，".encode(), None], [258 + len(SLOTS["WORD"])])
    state = CLAIMS.start("dependent" if dependent else "independent", vocabulary, frame, 90)
    while not state.done:
        legal = np.flatnonzero(state.mask())
        assert len(legal)
        token = random.choice(legal.tolist())
        if token in vocabulary.eos_ids:
            assert state.accepting
            break
        state = state.advance(token)


def test_trap_11_without_a_term_in_scope_there_is_no_use():
    frame = Frame({**SLOTS, "WORD": ["内"]}, terms=["壳体"], scope=[])
    state = CLAIMS.start("independent", Vocabulary([*BYTES, "所述".encode(), None], [257]), frame, 100)
    for byte in "一种门锁装置，其特征在于，包括".encode():
        state = state.advance(byte)
    assert not state.mask()[256] and not state.mask()["所".encode()[0]] or state.rewritten(state.text + "所述") is None


@pytest.mark.parametrize("cut", range(7))
def test_trap_12_the_last_tokens_end_the_text_also_inside_a_character(cut):
    vocabulary = Vocabulary([*BYTES, None], [256])
    state = CLAIMS.start("independent", vocabulary, FREE, 100)
    for byte in "一种门锁装置，其特征在于，包括壳体，锁舌".encode()[: 60 - cut]:
        state = state.advance(byte)
    left = state.distance
    assert state.mask(left).any()
    while not state.accepting:
        legal = np.flatnonzero(state.mask(left))
        state, left = state.advance(int(legal[-1])), left - 1
    assert left >= 0 and state.text.endswith("。")


def small(**config):
    loaded = tiny()
    return Engine(loaded.model, loaded.tokenizer, EngineConfig(**config))


@pytest.mark.parametrize("marker", ["</think>", "锁。"])
@pytest.mark.parametrize("seed", range(4))
def test_trap_18_the_grammar_begins_behind_the_marker_also_inside_a_draft(marker, seed):
    engine = small()

    def write(speculation):
        inner = CLAIMS.start("independent", engine.vocabulary, Frame(SLOTS), 40)
        request = Request([5, 6, seed], After(inner, marker), Sampling(1.0, seed=seed), max_tokens=170, speculation=speculation)
        deltas = list(engine.generate(request))
        return "".join(delta.text for delta in deltas), [token for delta in deltas for token in delta.token_ids]

    text, tokens = write("off")
    free, mark, claim = text.partition(marker)
    assert mark and free and claim.startswith("一种门锁装置，其特征在于，包括") and claim.endswith("。")
    assert write(8) == (text, tokens)


def test_trap_18_a_token_may_hold_the_end_of_the_marker_and_a_legal_beginning():
    vocabulary = Vocabulary([*BYTES, "k>一种".encode(), "k>两种".encode(), b"</think>", b"x</think>", b"</think>\n", None], [261])
    state = After(CLAIMS.start("independent", vocabulary, FREE, 40), "</think>")
    assert state.mask()[[256, 257, 258, 259, 260, 261]].tolist() == [True, True, True, True, False, False]
    begun = state.advance(ord("a"))
    for byte in b"</thin":
        begun = begun.advance(byte)
    assert begun.mask()[[256, 257]].tolist() == [True, False]
    assert begun.advance(256).text == "一种"
    with pytest.raises(Illegal):
        begun.advance(257)
    # With room for no more than the marker and a text, only what goes on with the marker or completes one is left.
    assert np.flatnonzero(begun.mask(begun.distance)).tolist() == [ord("k"), 256, 258, 259]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.sampled_from([0.0, 1.0]))
def test_trap_23_a_text_that_is_legal_anyway_is_not_changed(seed, temperature):
    """What the model writes freely, it writes under every grammar that allows it."""
    engine = small()
    sampling, prompt = Sampling(temperature, seed=seed), [seed % 200, 7, 9]

    def write(state):
        deltas = engine.generate(Request(prompt, state, sampling, max_tokens=24))
        return [token for delta in deltas for token in delta.token_ids]

    free = write(None)
    data = b"".join(engine.tokenizer.token_bytes[token] or b"" for token in free)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return
    letters = "".join(f"\\u{{{ord(char):X}}}" for char in sorted({*text, "z"}))
    loose = Grammar.load(f"grammar g; t : [{letters}]* ;")
    ends = free and free[-1] in engine.tokenizer.eos_ids
    written = write(loose.start("t", engine.vocabulary, Frame({}), 1 << 20))
    if ends or len(written) == len(free) == 24:
        assert written == free
