"""Grammar-constrained decoding: rule text -> form automaton + semantics -> masks, and the SHIFT/REDUCE trace.

    grammar = Grammar.load(Path("grammars/claims_zh.g4"))
    state = grammar.start("independent", vocabulary, frame, max_chars=400)
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import jieba

from engine.grammar.automaton import FormAutomaton
from engine.grammar.findings import GrammarError
from engine.grammar.ir import Rules
from engine.grammar.semantics import Frame, Semantics
from engine.grammar.source import parse_g4
from engine.grammar.state import Illegal, Space, State, Vocabulary
from engine.grammar.trace import trace

__all__ = ["Frame", "Grammar", "GrammarError", "Illegal", "State", "Vocabulary"]

jieba.setLogLevel("WARNING")


@dataclass(frozen=True)
class Grammar:
    """A checked grammar. `version` is the SHA-256 of its text."""

    rules: Rules
    version: str

    @classmethod
    def load(cls, source: Path | str) -> Grammar:
        """From a `.g4` file (Path) or its text. Raises GrammarError."""
        text = source.read_text("utf-8") if isinstance(source, Path) else source
        return cls(parse_g4(text), hashlib.sha256(text.encode()).hexdigest())

    def start(self, rule: str, vocabulary: Vocabulary, frame: Frame, max_chars: int, min_chars: int = 0) -> State:
        """The state before the first token. The text ends before `min_chars` only when nothing else is legal. Raises GrammarError when no legal text fits into `max_chars`."""
        form = FormAutomaton(self.rules, rule, frame.slots, frame.source, _word_bounds(frame))
        at = Space(form, Semantics(frame), vocabulary).start
        if at.ending is None:
            raise GrammarError("dead-end", f"no text of rule {rule} satisfies the semantic frame")
        if len(at.ending) > max_chars:
            raise GrammarError("budget", f"a legal {rule} needs {len(at.ending)} characters, the budget is {max_chars}")
        return State(at, "", b"", max_chars, vocabulary, min_chars)

    def trace(self, rule: str, text: str, frame: Frame) -> list[dict[str, object]]:
        """SHIFT / REDUCE / ACCEPT events of a finished text."""
        return trace(self.rules, rule, text, frame.slots, frame.source)


def _word_bounds(frame: Frame) -> list[int]:
    """Offsets between the words of the source. A term is one word: cuts at its ends, none inside."""
    cuts, end = {0}, 0
    for word in jieba.cut(frame.source):
        end += len(word)
        cuts.add(end)
    for term in sorted(set(frame.terms), key=len):
        at = frame.source.find(term)
        while at >= 0:
            cuts.difference_update(range(at + 1, at + len(term)))
            cuts.update((at, at + len(term)))
            at = frame.source.find(term, at + 1)
    return sorted(cuts)
