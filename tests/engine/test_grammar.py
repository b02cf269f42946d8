"""The grammar engine: masks equal brute force, every generation ends legally inside its budgets, terms have antecedents."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.grammar import Frame, Grammar, GrammarError, Illegal, Vocabulary

GRAMMARS = Path(__file__).parents[2] / "grammars"
CLAIMS = Grammar.load(GRAMMARS / "claims_zh.g4")
PIECES = "一种 其特征在于 ，包括 所述 壳体 锁舌 包括 的 述锁 。 、 ， 锁 舌 体 内 设 设有 滑动 动连接 。2".split()
# All single bytes, so that every character is reachable, some of them twice, and one end token.
VOCABULARY = Vocabulary([bytes([i]) for i in range(256)] + [piece.encode() for piece in PIECES] + [None], [256 + len(PIECES)])
TERMS = ["门锁", "壳体", "锁", "锁舌"]
WORDS = ["壳体", "锁", "锁舌", "内", "设有", "滑动连接", "于", "和", "鍮"]
FRAME = Frame({"SUBJECT": ["门锁"], "TERM": TERMS, "WORD": WORDS, "REF": ["根据权利要求1"]}, terms=TERMS)


def start(rule="independent", frame=FRAME, max_chars=60):
    return CLAIMS.start(rule, VOCABULARY, frame, max_chars)


def feed(state, text):
    for byte in text.encode():
        state = state.advance(byte)
    return state


def legal(state, text):
    try:
        feed(state, text)
    except Illegal:
        return False
    return True


@settings(max_examples=150, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(17, 70), st.integers(0, 80))
def test_every_generation_ends_legally_within_both_budgets(random, max_chars, slack):
    state = start(max_chars=max_chars)
    left = state.distance + slack
    while not state.done:
        allowed = np.flatnonzero(state.mask(left))
        assert len(allowed), f"stuck after {state.text!r}"
        state, left = state.advance(int(random.choice(list(allowed)))), left - 1
    assert left >= 0 and len(state.text) <= max_chars and state.text.endswith("。")
    assert CLAIMS.trace("independent", state.text, FRAME)[-1]["op"] == "ACCEPT"


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=False))
def test_mask_equals_trying_every_token(random):
    state = start(max_chars=500)
    for _ in range(25):
        mask = state.mask()
        for token in range(VOCABULARY.size):
            try:
                state.advance(token)
                tried = True
            except Illegal:
                tried = False
            assert tried == mask[token], (state.text, state.partial, token)
        allowed = np.flatnonzero(mask)
        state = state.advance(int(random.choice(list(allowed))))
        if state.done:
            break


def test_a_term_needs_an_antecedent():
    assert not legal(start(), "一种门锁，其特征在于，包括所述壳体。")
    assert legal(start(), "一种门锁，其特征在于，包括壳体，所述壳体设有锁舌。")


def test_a_term_in_scope_is_not_introduced_again():
    assert not legal(start(), "一种门锁，其特征在于，包括壳体，壳体设有锁舌。")


def test_the_longest_term_is_the_one_written():
    state = feed(start(), "一种门锁，其特征在于，包括锁舌，")
    assert "锁舌" in state.introduced and "锁" not in state.introduced
    assert not legal(state, "所述锁设有壳体。")


def test_rollback_takes_introductions_with_it():
    before = feed(start(), "一种门锁，其特征在于，包括")
    after = feed(before, "壳体，")
    assert "壳体" in after.introduced and "壳体" not in before.introduced
    assert not legal(before, "所述壳体。")


def test_a_dependent_sees_its_ancestors_terms_only():
    frame = Frame(FRAME.slots, terms=TERMS, scope=["门锁", "壳体"])
    state = start("dependent", frame)
    assert state.forced_text() == "根据权利要求1所述的门锁，其特征在于，"
    assert legal(state, "根据权利要求1所述的门锁，其特征在于，所述壳体内设有锁舌。")
    assert not legal(state, "根据权利要求1所述的门锁，其特征在于，所述锁舌设有锁。")


def test_a_forbidden_word_is_never_completed():
    frame = Frame({**FRAME.slots, "WORD": [*WORDS, "大", "约"]}, terms=TERMS, forbid=["大约"])
    assert not legal(start(frame=frame), "一种门锁，其特征在于，包括大约")
    assert legal(start(frame=frame), "一种门锁，其特征在于，包括大壳体。")


def test_a_span_is_whole_words_of_one_clause():
    grammar = Grammar.load("grammar g; value : '\"' SPAN '\"' ;")
    frame = Frame({}, source="电机驱动齿轮转动。齿轮带动输出轴", terms=["输出轴"])
    state = grammar.start("value", VOCABULARY, frame, 40)
    assert legal(state, '"驱动齿轮"')
    assert legal(state, '"输出轴"')
    assert not legal(state, '"出轴"')
    assert not legal(state, '"转动。齿轮"')


def test_optional_tail_may_end_or_go_on():
    state = Grammar.load("grammar g; r : '甲' '乙'? ;").start("r", VOCABULARY, Frame({}), 9)
    state = feed(state, "甲")
    assert state.accepting and not state.done
    assert state.mask()[VOCABULARY.eos_ids[0]]
    assert feed(state, "乙").done


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("grammar g;\nr : {print(1)} 'a' ;", "action", 2),
        ("grammar g; @header {x}", "action", 1),
        ("grammar g;\nr : 'a'\n  ( ;", "syntax", 3),
        ("grammar g; r : s ;", "undefined-rule", 1),
        ("grammar g; r : 'a' r ;", "recursion", 1),
        ("grammar g; r : 'a' ; r : 'b' ;", "duplicate-rule", 1),
    ],
)
def test_bad_rule_text_is_refused_with_its_place(text, code, line):
    with pytest.raises(GrammarError) as error:
        Grammar.load(text)
    assert (error.value.code, error.value.line) == (code, line)


def test_an_empty_scope_closes_a_grammar_that_needs_one():
    grammar = Grammar.load("grammar g; r : '所述' TERM ;")
    with pytest.raises(GrammarError, match="dead-end"):
        grammar.start("r", VOCABULARY, Frame({"TERM": TERMS}, terms=TERMS), 20)


def test_trace_names_the_rules_in_order():
    text = "一种门锁，其特征在于，包括壳体和锁，所述锁设有锁舌。"
    events = CLAIMS.trace("independent", text, FRAME)
    assert "".join(str(e["text"]) for e in events if e["op"] == "SHIFT") == text
    reduced = [e["rule"] for e in events if e["op"] == "REDUCE"]
    assert reduced[-2:] == ["structure", "independent"]


def test_a_text_below_its_floor_does_not_end_while_it_can_go_on():
    state = feed(CLAIMS.start("independent", VOCABULARY, FRAME, 60, min_chars=30), "一种门锁，其特征在于，包括壳体")
    stop = "。".encode()[0]
    ends = [token for token in np.flatnonzero(state.mask()) if state.advance(int(token)).text.endswith("。")]
    assert ends == [] and state.mask().any()
    longer = feed(state, "，所述壳体内设有锁舌和鍮滑动连接于锁")
    assert longer.mask()[stop] or any(longer.advance(int(t)).text.endswith("。") for t in np.flatnonzero(longer.mask()))
    tight = feed(CLAIMS.start("independent", VOCABULARY, FRAME, 16, min_chars=30), "一种门锁，其特征在于，包括壳体")
    assert feed(tight, "。").done
