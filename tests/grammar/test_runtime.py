"""The run time under stress: registers against the oracle, budgets that always end, and the traps of constrained decoding."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.grammar import Frame, Grammar, GrammarError, Illegal, Vocabulary
from engine.grammar.masks import apply, fill
from tests.grammar import oracle
from tests.grammar.test_masks import CLAIMS, FORBID, SLOTS, SMALL, TERMS

FREE = Grammar.load(
    """grammar free;
text : '一种' run '，其特征在于，' body ( '；' body )* '。' ;
body : run | '所述' run '为' run | '当' run '时，' run ;
run  : ANY{1,12} ;
ANY  : [\\u4e00-\\u51ff\\u6800-\\u683f是的大约很长词语好当时所述特征在，a-z、] ;
"""
)
PIECES = "一种 其特征 在于 ，其特征在于， 当 时， 时，所述 大约 约 大 大约等 的大约 是大 为 ； 。 。2 好的是的 很长的一个词语 abcdefghijklmnop abc 1a a1 ；所 述为".split()
SPLIT = [b"\xe4\xb8", b"\xe6\xa0", b"\x80\xe8", b"\xe4", b"\x88\x8c\xe5\xa3", b"\xe3\x80", b"\x82", b"a\xe6\xa0", b"\xb0b", b"\xe6\x98\xaf\xe5"]
TOKENS: list[bytes | None] = [bytes([i]) for i in range(256)] + [piece.encode() for piece in PIECES] + SPLIT
TOKENS += [b"", "大约".encode(), None, None]
EOS = (len(TOKENS) - 1, len(TOKENS) - 2)
VOCABULARY, OLD = Vocabulary(TOKENS, EOS), oracle.Vocabulary(TOKENS, EOS)
WORDS = Frame({}, forbid=["大约", "时的是", "aa", "的的", "约等"])
STRICT = Frame(SLOTS, terms=TERMS, scope=["门锁", "壳体", "锁"], forbid=FORBID)
CASES = [(FREE, "text", WORDS, VOCABULARY), (CLAIMS, "dependent", STRICT, Vocabulary(*SMALL))]


def texts(state):
    """Legal tokens but the end."""
    return [int(token) for token in np.flatnonzero(state.mask()) if token not in state.vocabulary.eos_ids]


@settings(max_examples=10, deadline=None)
@given(st.randoms(use_true_random=False))
def test_registers_slices_and_forbidden_words_equal_the_oracle(random):
    new = FREE.start("text", VOCABULARY, WORDS, 150)
    old = oracle.start(FREE, "text", OLD, WORDS, 150)
    while len(new.text) < 100:
        mask = new.mask()
        assert (mask == old.mask()).all(), (new.text, new.partial)
        legal = texts(new)
        if not legal:
            break
        token = random.choice([token for token in legal if TOKENS[token] != "。".encode()] or legal)
        new, old = new.advance(token), old.advance(token)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(range(len(CASES))),
    st.integers(0, 40),
    st.integers(0, 60),
    st.sampled_from(["random", "longest loop", "single bytes"]),
    st.randoms(use_true_random=False),
)
def test_every_budget_from_the_distance_on_ends_legally(case, more_chars, more_tokens, sampler, random):
    """The sampler that never wants to end included."""
    grammar, rule, frame, vocabulary = CASES[case]
    free = grammar.start(rule, vocabulary, frame, 10_000)
    max_chars = len(free.ending) + more_chars
    state = grammar.start(rule, vocabulary, frame, max_chars)
    left = state.distance + more_tokens
    size = vocabulary.token_bytes
    while not (state.accepting and (state.done or left == 0)):
        legal = [int(token) for token in np.flatnonzero(state.mask(left)) if token not in vocabulary.eos_ids]
        if not legal:
            break
        if sampler == "random":
            token = random.choice(legal)
        elif sampler == "single bytes":
            token = min(legal, key=lambda token: (len(size[token]), random.random()))
        else:
            token = max(random.sample(legal, min(8, len(legal))), key=lambda token: len(state.advance(token).ending))
        state, left = state.advance(token), left - 1
    assert state.accepting and left >= 0 and len(state.text) <= max_chars
    assert grammar.trace(rule, state.text, frame)[-1]["op"] == "ACCEPT"
    assert not any(word in state.text for word in frame.forbid)


def test_trap_3_a_split_character_needs_a_completion_that_is_alive():
    grammar = Grammar.load("grammar g; r : '是' | '栀' ;")
    state = grammar.start("r", VOCABULARY, Frame({}), 5)
    assert state.mask()[0xE6] and not state.mask()[0xE4]
    partial = state.advance(0xE6)
    assert not partial.accepting and not partial.mask()[list(EOS)].any()
    assert set(texts(partial)) == {0x98, 0xA0}


def test_trap_4_tokens_with_equal_bytes_are_allowed_together():
    twice = Vocabulary([b"a", "约".encode(), b"a", "约".encode(), None], [4])
    mask = Grammar.load("grammar g; r : 'a' | '约' ;").start("r", twice, Frame({}), 5).mask()
    assert mask.tolist() == [True, True, True, True, False]


@pytest.mark.parametrize("data", [b"\xc0\x80", b"\xe0\x80", b"\xed\xa0", b"\xf5", b"\xf4\x90", b"\xff", b"a\xc1"])
def test_trap_5_bytes_outside_utf8_are_never_allowed(data):
    any_text = Grammar.load("grammar g; r : ANY+ ; ANY : [\\u0000-\\u{10FFFF}] ;")
    vocabulary = Vocabulary([bytes([i]) for i in range(256)] + [data, None], [257])
    state = any_text.start("r", vocabulary, Frame({}), 50)
    assert not state.mask()[256]
    state = state.advance(0xF4)
    assert state.mask()[0x8F] and not state.mask()[0x90]


def test_trap_6_a_forbidden_word_is_seen_across_tokens_and_literals():
    with pytest.raises(GrammarError, match="dead-end"):
        FREE.start("text", VOCABULARY, Frame({}, forbid=["特征"]), 80)
    start = FREE.start("text", VOCABULARY, Frame({}, forbid=["种大"]), 80).advance(TOKENS.index("一种".encode()))
    mask = start.mask()
    assert not mask[TOKENS.index("大".encode())] and not mask[TOKENS.index("大约等".encode())]
    assert mask[TOKENS.index("当".encode())]


def test_trap_7_control_and_padding_ids_are_masked():
    logits = np.zeros(VOCABULARY.size + 300, np.float32)
    state = FREE.start("text", VOCABULARY, WORDS, 80)
    apply(state.row().bits, logits)
    assert np.array_equal(np.isfinite(logits[: VOCABULARY.size]), state.mask())
    assert not np.isfinite(logits[VOCABULARY.size :]).any()
    assert not state.mask()[list(EOS)].any()


def test_trap_9_empty_tokens_are_never_allowed():
    empty = TOKENS.index(b"")
    state = FREE.start("text", VOCABULARY, WORDS, 80)
    assert not state.mask()[empty]
    with pytest.raises(Illegal):
        state.advance(empty)


def test_trap_10_every_end_token_exactly_where_the_text_may_end():
    state = Grammar.load("grammar g; r : '是' '的'? ;").start("r", VOCABULARY, Frame({}), 5)
    assert not state.mask()[list(EOS)].any()
    for byte in "是".encode():
        state = state.advance(byte)
    assert state.mask()[list(EOS)].all()
    assert not state.advance(0xE7).mask()[list(EOS)].any()
    ended = state.advance(0xE7).advance(0x9A).advance(0x84)
    assert np.flatnonzero(ended.mask()).tolist() == sorted(EOS)


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(range(len(CASES))))
def test_trap_15_an_old_state_is_as_it_was(random, case):
    """Rollback, fork and replay agree, terms included."""
    grammar, rule, frame, vocabulary = CASES[case]
    states, tokens = [grammar.start(rule, vocabulary, frame, 150)], []
    masks = [states[0].mask().copy()]
    for _ in range(25):
        legal = texts(states[-1])
        if not legal:
            break
        tokens.append(random.choice(legal))
        states.append(states[-1].advance(tokens[-1]))
        masks.append(states[-1].mask().copy())
    for state, mask in zip(states, masks, strict=True):
        assert (state.mask() == mask).all()
    again = states[0]
    for token, state in zip(tokens, states[1:], strict=True):
        again = again.advance(token)
        assert (again.text, again.partial, again.introduced) == (state.text, state.partial, state.introduced)


def test_trap_16_rows_are_shared_and_read_only():
    one, two = (FREE.start("text", VOCABULARY, WORDS, 90) for _ in range(2))
    assert one.row() is two.row()
    with pytest.raises(ValueError, match="read-only"):
        one.mask()[0] = True


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(-2, VOCABULARY.size + 5), max_size=6), st.randoms(use_true_random=False))
def test_trap_17_a_draft_of_anything_never_crashes(tail, random):
    state = FREE.start("text", VOCABULARY, WORDS, 90)
    head = state.forced_run()
    draft = [*head, *tail]
    rows = state.walk(draft)
    assert 1 <= len(rows) <= len(draft) + 1
    here = state
    for row, token in zip(rows, [*draft, None], strict=False):
        assert (row.bits == here.row().bits).all()
        if len(rows) > 1 and token is not None and 0 <= token < VOCABULARY.size and row.allowed[token] and token not in EOS:
            here = here.advance(token)


def test_trap_19_forced_text_never_ends_inside_a_character():
    grammar = Grammar.load("grammar g; r : '甲' ( '是' | '昰' ) ;")
    assert grammar.start("r", VOCABULARY, Frame({}), 5).forced_text() == "甲"


def test_trap_20_a_running_text_keeps_its_version():
    old = Grammar.load("grammar g; r : '甲' '乙' ;").start("r", VOCABULARY, Frame({}), 5)
    new = Grammar.load("grammar g; r : '甲' '丙' ;").start("r", VOCABULARY, Frame({}), 5)
    assert (old.forced_text(), new.forced_text()) == ("甲乙", "甲丙")


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_trap_22_a_ban_never_adds_a_token_and_a_rule_never_removes_one(random):
    wider = Grammar.load("grammar g; text : '一种' ANY{1,9} '。' | 'b' ; ANY : [一-龥] ;")
    plain = Grammar.load("grammar g; text : '一种' ANY{1,9} '。' ; ANY : [一-龥] ;")
    states = [
        plain.start("text", VOCABULARY, Frame({}, forbid=["大约", "的"]), 40),
        plain.start("text", VOCABULARY, Frame({}), 40),
        wider.start("text", VOCABULARY, Frame({}), 40),
    ]
    for _ in range(12):
        banned, free, more = (state.mask() for state in states)
        assert not (banned & ~free).any() and not (free & ~more).any()
        legal = texts(states[0])
        if not legal:
            break
        token = random.choice(legal)
        states = [state.advance(token) for state in states]


def test_a_batch_is_its_sequences():
    states = [FREE.start("text", VOCABULARY, WORDS, chars) for chars in (40, 90)]
    states.append(states[1].advance(TOKENS.index("一种".encode())))
    out = np.zeros((3, VOCABULARY.words), np.uint32)
    fill(states, out, [50, 60, 70])
    for row, state, left in zip(out, states, (50, 60, 70), strict=True):
        assert np.array_equal(row, state.row(left).bits)
