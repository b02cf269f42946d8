"""Masks: equal to the slow oracle everywhere, with terms, forbidden words, spans and split characters."""

import os
from pathlib import Path
from random import Random

import jieba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.grammar import Frame, Grammar, Vocabulary
from tests.grammar import oracle

GRAMMARS = Path(__file__).parents[2] / "grammars"
CLAIMS = Grammar.load(GRAMMARS / "claims_zh.g4")
INVENTION = Grammar.load(GRAMMARS / "invention_zh.g4")
TERMS = ["门锁", "壳体", "锁", "锁舌", "弹簧", "阻尼器", "旋转式阻尼器", "所述部", "述件"]
WORDS = [*TERMS, "内", "设有", "滑动连接", "于", "和", "鍮", "大", "约", "大约", "所", "述", "旋转", "式", "的"]
SLOTS = {"SUBJECT": ["门锁装置"], "TERM": TERMS, "WORD": WORDS, "REF": ["根据权利要求1", "根据权利要求1或2"]}
FORBID = ["大约", "和和", "壳体1", "于设有"]
SOURCE = (
    "本发明公开一种门锁，包括壳体和锁舌。锁舌滑动连接于壳体内；弹簧抵接锁舌，弹簧抵接壳体。阻尼器为旋转式阻尼器，门锁安装于门。"
)
FRAMES = [
    (CLAIMS, "independent", Frame(SLOTS, terms=TERMS, forbid=FORBID), 200),
    (CLAIMS, "dependent", Frame(SLOTS, terms=TERMS, scope=["门锁", "壳体", "锁"], forbid=FORBID), 200),
    (CLAIMS, "dependent", Frame(SLOTS), 200),
    (INVENTION, "invention", Frame({}, source=SOURCE), 1400),
    (INVENTION, "invention", Frame({}, source=SOURCE, terms=TERMS), 1400),
]
PIECES = "一种 其特征在于 ，包括 所述 所述的 述锁 锁舌 锁，所 壳体 包括 的 。 、 ， ； 舌 体 内设 设有 滑动 动连接 。2 1所述 ，弹簧 \",\" 大".split()
SPLIT = [b"\xe9\x94", b"\x81\xe8", b"\x88\x8c\xe5\xa3", b"\xe3\x80", b"\x82", b"\x95\xaa\xe2"]
TOKENS: list[bytes | None] = [bytes([i]) for i in range(256)]
TOKENS += [piece.encode() for piece in PIECES] + SPLIT + [b"", "锁舌".encode(), None, None]
SMALL = TOKENS, (len(TOKENS) - 1, len(TOKENS) - 2)


def bounds(frame):
    if not frame.source:
        return ()
    cuts, end = {0}, 0
    for word in jieba.cut(frame.source):
        end += len(word)
        cuts.add(end)
    for term in sorted(frame.terms, key=len):
        at = frame.source.find(term)
        while at >= 0:
            cuts.difference_update(range(at + 1, at + len(term)))
            cuts.update((at, at + len(term)))
            at = frame.source.find(term, at + 1)
    return sorted(cuts)


def compare(random: Random, case: int, tokens, eos, positions: int) -> None:
    """Walks a random legal text in both engines side by side."""
    grammar, rule, frame, max_chars = FRAMES[case]
    new = grammar.start(rule, Vocabulary(tokens, eos), frame, max_chars)
    old = oracle.start(grammar, rule, oracle.Vocabulary(tokens, eos), frame, max_chars, 0, bounds(frame))
    for _ in range(positions):
        mask = new.mask()
        assert (mask == old.mask()).all(), (new.text, new.partial, np.flatnonzero(mask != old.mask())[:5])
        assert (new.accepting, new.done, new.open_use) == (old.accepting, old.done, old.open_use)
        assert sorted(new.introduced) == sorted(old.introduced)
        assert new.forced_text() == old.forced_text()
        legal = [int(token) for token in np.flatnonzero(mask) if token not in eos]
        if not legal:
            break
        token = random.choice(legal)
        new, old = new.advance(token), old.advance(token)


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(range(len(FRAMES))))
def test_masks_equal_the_oracle(random, case):
    compare(random, case, *SMALL, positions=40)


@pytest.mark.model
@pytest.mark.parametrize("case", range(len(FRAMES)))
def test_masks_equal_the_oracle_on_a_real_tokenizer(case):
    folder = os.environ.get("CLAIMWRIGHT_MODELS") or Path.home() / ".cache" / "claimwright" / "models"
    models = sorted(Path(folder).glob("qwen*.gguf"))
    if not models:
        pytest.skip("the default language model is not on disk")
    tokenizer = _tokenizer(models[0])
    compare(Random(case), case, tokenizer.token_bytes, tokenizer.eos_ids, positions=60)


def _tokenizer(path):
    from engine.loading.gguf_file import GgufWeights
    from engine.loading.tokenizer import from_gguf

    return from_gguf(GgufWeights(path))
