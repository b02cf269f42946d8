"""所述 put right where the model and the rules disagree about it, keeping the model's own word.

A mask alone makes the model take its next best word: asked to refuse 预测置信度 (in scope, so it needs 所述) after it wrote
预测, it writes 预测信号. `rewrite` looks at the token that the model wanted most and was refused, and finds the one change
of 所述 that makes it legal:

    the token goes on or begins with a term in scope    ...预测 | 置信度    ->  ...所述预测置信度
    an open use site asks for something else            ...所述 | 拨片      ->  ...拨片

It depends on the text and the model's own choice only, so every way of decoding makes the same changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from engine.grammar.state import State

USE = "所述"
_WORDLESS = frozenset("，。；：、,.;: \n")


class Rewrite(NamedTuple):
    """Drop `back` characters at the end of the text and write `text` instead."""

    back: int
    text: str


def rewrite(state: State, wanted: str) -> Rewrite | None:
    """The change after which the refused text `wanted` has been written; None when 所述 is not the matter."""
    if not wanted or state.partial or not state.longest_term:
        return None
    return _drop(state, wanted) or _insert(state, wanted)


def _insert(state: State, wanted: str) -> Rewrite | None:
    whole, written = state.text + wanted, len(state.text)
    scope = state.introduced
    for start in range(max(0, written - state.longest_term), len(whole)):
        tail = whole[start:]
        if whole[:start].endswith(USE) or not any(tail.startswith(term) or term.startswith(tail) for term in scope):
            continue
        if state.rewritten(whole[:start] + USE + tail) is not None:
            kept = min(start, written)
            return Rewrite(written - kept, whole[kept:start] + USE + tail)
    return None


def _drop(state: State, wanted: str) -> Rewrite | None:
    begun = state.open_use
    if begun is None or not begun and wanted[0] in _WORDLESS:
        return None
    base = state.text[: len(state.text) - len(begun)].removesuffix(USE)
    if base + USE + begun != state.text:
        return None
    if state.rewritten(base + begun + wanted) is None:
        return None
    return Rewrite(len(USE) + len(begun), begun + wanted)
