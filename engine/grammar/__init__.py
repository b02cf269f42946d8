"""Grammar-constrained decoding: rule text -> minimal automata -> masks over tokens, and the SHIFT/REDUCE trace.

    grammar = Grammar.load(Path("grammars/claims_zh.g4"))
    state = grammar.start("independent", vocabulary, frame, max_chars=400)

    sources     rule text -> `ir`; checks, sandbox          compiler, dfa   `ir` -> minimal automata, cached
    form        an automaton laid out for the run time      words, vocabulary   word lists and tokens as tries
    machine     the kernels                                 space, masks    a form under a frame, and its rows
    state       what a sequence holds                       rewrite, trace  所述 put right; SHIFT/REDUCE events
    export      the grammar for other engines               why             what refuses a token or a text
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import jieba

from engine.grammar.checks import load
from engine.grammar.compiler import compile_rule
from engine.grammar.findings import GrammarError
from engine.grammar.form import Form, layout
from engine.grammar.ir import Rules
from engine.grammar.semantics import Frame
from engine.grammar.space import MAX_POINTS, Space
from engine.grammar.state import Illegal, State
from engine.grammar.trace import Parser
from engine.grammar.vocabulary import Vocabulary
from engine.grammar.words import spans

__all__ = ["Frame", "Grammar", "GrammarError", "Illegal", "State", "Vocabulary"]

jieba.setLogLevel("WARNING")
_FORMS: OrderedDict[str, Form] = OrderedDict()
_SPACES: OrderedDict[tuple[object, ...], Space] = OrderedDict()
_KEPT_FORMS, _KEPT_SPACES = 64, 16


@dataclass(frozen=True)
class Grammar:
    """A checked grammar. `version` is the SHA-256 of its text."""

    rules: Rules
    version: str

    @classmethod
    def load(cls, source: Path | str) -> Grammar:
        """From a file (Path: .g4, .lark or JSON Schema) or the text of a `.g4`. Raises GrammarError."""
        text, suffix = (source.read_text("utf-8"), source.suffix) if isinstance(source, Path) else (source, ".g4")
        return cls(load(text, suffix), hashlib.sha256(text.encode()).hexdigest())

    def form(self, rule: str) -> Form:
        """The compiled rule. Raises GrammarError, and StateBudgetExceeded when it is too large."""
        if rule not in self.rules:
            raise GrammarError("undefined-rule", f"there is no start rule {rule}")
        key = self.rules.hash(rule)
        return _kept(_FORMS, key, _KEPT_FORMS, lambda: layout(compile_rule(self.rules, rule)))

    def start(self, rule: str, vocabulary: Vocabulary, frame: Frame, max_chars: int, min_chars: int = 0) -> State:
        """The state before the first token. The text ends before `min_chars` only when nothing else is legal.

        Raises GrammarError when no legal text fits into `max_chars`.
        """
        form = self.form(rule)
        space = _space(form, vocabulary, frame)
        point = space.start(frame.scope)
        if point < 0:
            raise GrammarError("dead-end", f"no text of rule {rule} satisfies the semantic frame")
        if space.length(point) > max_chars:
            raise GrammarError(
                "budget", f"a legal {rule} needs {space.length(point)} characters, the budget is {max_chars}"
            )
        return State(space, point, point, "", b"", max_chars, min_chars)

    def parser(self, rule: str, frame: Frame) -> Parser:
        """Tells SHIFT / REDUCE / ACCEPT while a text is written."""
        return Parser(self.rules, rule, frame.slots, lambda: spans(frame.source, span_cuts(frame)))

    def trace(self, rule: str, text: str, frame: Frame) -> list[dict[str, object]]:
        """SHIFT / REDUCE / ACCEPT events of a finished text. Raises `trace.Refused`."""
        parser = self.parser(rule, frame)
        return [*parser.feed(text), *parser.finish()]


def _space(form: Form, vocabulary: Vocabulary, frame: Frame) -> Space:
    slots = tuple((name, tuple(frame.slots[name])) for name in form.plugs if name in frame.slots)
    source = frame.source if "SPAN" in form.plugs else ""
    terms, forbid = tuple(frame.terms), tuple(frame.forbid)
    key = (id(form), id(vocabulary), slots, source, terms, forbid)
    found = _SPACES.get(key)
    if found is not None and found.points > MAX_POINTS:
        _SPACES.pop(key, None)
    cuts = span_cuts(frame) if source else (0,)
    return _kept(_SPACES, key, _KEPT_SPACES, lambda: Space(form, frame, cuts, vocabulary))


def span_cuts(frame: Frame) -> tuple[int, ...]:
    """Offsets of the source at which a span may begin or end."""
    return _word_bounds(frame.source, tuple(sorted(set(frame.terms), key=len))) if frame.source else (0,)


def _kept(cache, key, size, make):  # type: ignore[no-untyped-def]
    """The cached value, made when there is none; the last `size` used stay."""
    found = cache.get(key)
    if found is None:
        found = cache[key] = make()
        while len(cache) > size:
            cache.popitem(last=False)
    cache.move_to_end(key)
    return found


@lru_cache(maxsize=8)
def _words(source: str) -> tuple[int, ...]:
    """Offsets behind the words of the source."""
    ends, end = [0], 0
    for word in jieba.cut(source):
        end += len(word)
        ends.append(end)
    return tuple(ends)


@lru_cache(maxsize=8)
def _word_bounds(source: str, terms: tuple[str, ...]) -> tuple[int, ...]:
    """Offsets between the words of the source. A term is one word: cuts at its ends, none inside; longer terms last."""
    cuts = set(_words(source))
    for term in terms:
        at = source.find(term)
        while at >= 0:
            cuts.difference_update(range(at + 1, at + len(term)))
            cuts.update((at, at + len(term)))
            at = source.find(term, at + 1)
    return tuple(sorted(cuts))
