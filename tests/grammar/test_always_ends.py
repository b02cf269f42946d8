"""Every text ends legally within any budget that is possible at all, drawn at random or written against its end."""

from benchmarks.always_ends import run
from engine.grammar import Vocabulary

PIECES = """一种 其特征在于 ，包括 所述 所述的 锁舌 壳体 包括 的 。 、 ， ； 设有 滑动 \",\" \"],\" 技术领域 背景技术 发明内容 附图说明 具体实施方式
图1 是 [0001] \n 申请号： 意见陈述书 权利要求1 根据权利要求 本发明 公开了一种 于上 中外 无""".split(" ")
TOKENS = [*(bytes([byte]) for byte in range(256)), *(piece.encode() for piece in PIECES), b"\xe9\x94", b"\x81\xe8", "所述".encode(), None]


def test_random_weights_and_an_adversary_write_legal_texts_only():
    figures = run(Vocabulary(TOKENS, [len(TOKENS) - 1]), 300, 11)
    assert figures["failures"] == []
    assert figures["generations"] == figures["ended"] == figures["legal"] >= 300
    assert len(figures["texts"]) >= 10


def test_what_the_checker_calls_residue_is_never_put_together_from_joining_words():
    from apps.claims.lexicons import RESIDUE
    from apps.drafting.lexicon import forbidden

    assert set(RESIDUE) - {"好的，"} <= set(forbidden(["壳体"]))
