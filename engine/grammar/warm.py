"""Compile every kernel and every shipped grammar ahead: `python -m engine.grammar.warm`. Later processes load them."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from engine.grammar import Frame, Grammar, Vocabulary
from engine.grammar.masks import apply

_RULES = """grammar warm;
text : '“' SPAN '”' ( '所述' TERM | HAN{1,40} )? LETTER{1,20} '。' HAN* ;
HAN : [\\u4E00-\\u9FFF] ;
LETTER : [a-z] ;
"""


def warm() -> None:
    """Runs every kernel once, with and without terms."""
    words = ["“", "所述", "和平", "。", "锁a", "a", *map(chr, range(0x4E00, 0x5E00))]
    tokens = [bytes([byte]) for byte in range(256)] + [word.encode() for word in words]
    vocabulary = Vocabulary([*tokens, None], [len(tokens)])
    terms = ["门锁", "锁"]
    grammar = Grammar.load(_RULES)
    for frame, text in (
        (Frame({"TERM": terms}, source="和平", terms=terms, scope=terms, forbid=["约"]), "“和平”所述锁ab。"),
        (Frame({"TERM": terms}, source="和平", forbid=["约", "大小"]), "“和平”是大的ab。是大的"),
    ):
        state = grammar.start("text", vocabulary, frame, 200, 8)
        state.space.prime()
        for byte in text.encode():
            state.mask(12)
            state.mask()
            state.forced_text()
            state.forced_run(12)
            state = state.advance(byte)
        assert state.accepting and state.distance == 0
        for pool in range(1, 7):
            state.space._grow(pool)
    apply(state.row().bits, np.zeros(vocabulary.size, np.float32))


def main() -> int:
    started = time.perf_counter()
    warm()
    for path in sorted((Path(__file__).parents[2] / "grammars").glob("*.g4")):
        grammar = Grammar.load(path)
        grammar.form(grammar.rules.start)
    print(f"Grammar engine ready ({time.perf_counter() - started:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
