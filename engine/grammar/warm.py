"""Compile every kernel and every shipped grammar ahead: `python -m engine.grammar.warm`. Later processes load them."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from engine.grammar import Frame, Grammar, Vocabulary

_RULES = """grammar warm;
text : '“' SPAN '”' ( '所述' TERM | HAN{1,40} )? LETTER{1,20} '。' ;
HAN : [\u4E00-\u9FFF] ;
LETTER : [a-z] ;
"""


def warm() -> None:
    """Runs every kernel once."""
    words = ["“", "所述", "和平", "。", "锁a", "a"]
    tokens = [bytes([byte]) for byte in range(256)] + [word.encode() for word in words]
    terms = ["门锁", "锁"]
    frame = Frame({"TERM": terms}, source="和平", terms=terms, scope=terms, forbid=["约"])
    state = Grammar.load(_RULES).start("text", Vocabulary([*tokens, None], [len(tokens)]), frame, 60, 8)
    for byte in "“和平”所述锁ab。".encode():
        state.mask(12)
        state.mask()
        state.forced_text()
        state.forced_run(12)
        state = state.advance(byte)
    assert state.done and state.distance == 0


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
