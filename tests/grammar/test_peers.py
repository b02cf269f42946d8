"""Masks equal those of XGrammar and llguidance, natural and exported, split characters included."""

from random import Random

import numpy as np
import pytest

from benchmarks.masks import llguidance_matchers, xgrammar_matchers
from engine.grammar import Frame, Grammar, Vocabulary
from engine.grammar.export import ebnf, regex, right_linear
from tests.grammar.test_runtime import TOKENS

GRAMMAR = Grammar.load(
    """grammar peers;
text   : '一种' name '，其特征在于，' clause ( '；' clause )* '。' ;
clause : '所述' name '为' free | '当' free '时，' free | free ( '（' number ( '，' number )? '）' )? ;
name   : HAN+ ;
free   : ANY+ ;
number : DIGIT{1,3} ;
HAN    : [\\u4e00-\\u9fff] ;
ANY    : [\\u4e00-\\u9fffa-z、，] ;
DIGIT  : [0-9] ;
"""
)
# Peers want exactly one end token, and know no empty or absent ones but special tokens.
BYTES = [*[token for token in TOKENS if token], None]
VOCABULARY = Vocabulary(BYTES, [len(BYTES) - 1])
TEXT = np.arange(VOCABULARY.size) < len(BYTES) - 1


def walk(fresh, fill, accept, seed):
    random, matcher = Random(seed), fresh()
    state = GRAMMAR.start("text", VOCABULARY, Frame({}), 1 << 20)
    for _ in range(120):
        theirs = np.unpackbits(fill(matcher).view(np.uint8), bitorder="little")[: VOCABULARY.size].astype(bool)
        differ = np.flatnonzero((theirs ^ state.mask()) & TEXT)
        assert not len(differ), (state.text, state.partial, [BYTES[token] for token in differ[:5]])
        legal = np.flatnonzero(state.mask() & TEXT)
        if not len(legal):
            return
        token = int(random.choice(legal.tolist()))
        accept(matcher, token)
        state = state.advance(token)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("form", ["natural", "exported"])
def test_masks_equal_xgrammar(form, seed):
    pytest.importorskip("xgrammar", reason="XGrammar is not installed (extra: bench)")
    text = ebnf(GRAMMAR.rules, "text") if form == "natural" else right_linear(GRAMMAR.form("text"))
    walk(*xgrammar_matchers(text, VOCABULARY), seed)


@pytest.mark.parametrize("seed", range(8))
def test_masks_equal_llguidance(seed):
    pytest.importorskip("llguidance", reason="llguidance is not installed (extra: bench)")
    encode = lambda text: list(text.encode())  # noqa: E731
    walk(*llguidance_matchers(regex(GRAMMAR.rules, "text"), VOCABULARY, encode), seed)
