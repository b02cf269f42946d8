"""Why a continuation is refused: the witness, its place, and words in two languages; never at odds with the mask."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.grammar import Frame, Grammar, Illegal
from engine.grammar.ir import Ref
from engine.grammar.why import WORDING, bytes_vocabulary, recheck, why
from tests.grammar.test_export import mutated
from tests.grammar.test_trace import CLAIMS, SLOTS, sentence

FORBID = ["大约", "连接于"]
FRAME = Frame({**SLOTS, "WORD": [*SLOTS["WORD"], "大", "约"]}, terms=SLOTS["TERM"], forbid=FORBID)
OPENING = "一种门锁，其特征在于，包括"
COUNTED = Grammar.load("grammar g; r : '壳'{1,3} '。' | 'a'{2,9} '。' ;")


@pytest.mark.parametrize(
    ("text", "token", "code", "quoted"),
    [
        ("一种", "门窗", "form", "窗"),
        (OPENING + "大", "约", "word", "大约"),
        (OPENING + "壳体，所述", "锁舌", "not-introduced", "锁"),
        (OPENING + "壳体，", "壳体", "unmarked-term", "壳"),
        (OPENING + "壳体", "", "end", ""),
        (OPENING, "。", "form", "。"),
    ],
)
def test_the_witness_is_named_with_its_place(text, token, code, quoted):
    refusal = why(CLAIMS, "independent", FRAME, text, token)
    assert refusal is not None and (refusal.code, (text + token)[refusal.start : refusal.end]) == (code, quoted)
    assert refusal.text("zh") != refusal.text("en") and "{" not in refusal.text("zh") + refusal.text("en")
    assert refusal.as_json()["text"] == {"zh": refusal.text("zh"), "en": refusal.text("en")}


def test_a_dead_item_set_is_told_with_its_rules():
    refusal = why(CLAIMS, "independent", FRAME, OPENING + "壳体，所述", "窗")
    assert refusal is not None
    assert refusal.items[0] == (("independent", "structure", "clause", "phrase", "piece"), "TERM")
    assert "piece 处须为 TERM" in refusal.text("zh") and "expects TERM" in refusal.text("en")


def test_registers_are_told():
    full = why(COUNTED, "r", Frame({}), "a" * 9, "a")
    assert full is not None and (full.code, full.values["rule"]) == ("count", "r")
    short = why(CLAIMS, "independent", FRAME, OPENING + "壳体", "，", max_chars=17)
    assert short is not None and short.code == "budget" and short.values["needed"] == 2
    assert why(CLAIMS, "independent", FRAME, OPENING + "壳体", "，", max_chars=18) is None


def test_every_code_has_words():
    assert all(words.zh and words.en for words in WORDING.values())


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_why_agrees_with_the_mask(random):
    """A character is refused exactly when the decoder refuses its bytes."""
    state = CLAIMS.start("independent", bytes_vocabulary(), FRAME, 60)
    for _ in range(random.randint(0, 90)):
        allowed = [token for token in np.flatnonzero(state.mask()) if token < 256]
        if not allowed:
            break
        state = state.advance(int(random.choice(allowed)))
    while state.partial:
        state = state.advance(int(np.flatnonzero(state.mask())[0]))
    for char in random.sample("一种门锁壳体，。、；所述大约舌连接于窗", 8):
        refusal = why(CLAIMS, "independent", FRAME, state.text, char, max_chars=60)
        assert (refusal is None) == legal(state, char), (state.text, char, refusal)
    refusal = why(CLAIMS, "independent", FRAME, state.text, "")
    assert (refusal is None) == state.accepting


def legal(state, text):
    try:
        for byte in text.encode():
            if not state.mask()[byte]:
                return False
            state = state.advance(byte)
    except Illegal:
        return False
    return True


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False))
def test_recheck_finds_nothing_exactly_in_legal_texts(random):
    text = sentence(CLAIMS.rules, Ref("independent"), random)
    if random.random() < 0.5:
        text = mutated(text, random)
    found = recheck(text, CLAIMS, "independent", FRAME)
    state = CLAIMS.start("independent", bytes_vocabulary(), FRAME, 1 << 20).rewritten(text)
    assert (found == []) == (state is not None and state.accepting)
    assert all(0 <= refusal.start <= refusal.end <= len(text) for refusal in found)
