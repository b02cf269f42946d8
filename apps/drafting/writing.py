"""Texts written under the grammars: one engine request each, with its start rule and its semantic frame.

`GrammarWriter` is the product's way; `apps.drafting.free.FreeWriter` has the same methods without a grammar.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from apps.drafting.invention import parse_json
from apps.drafting.lexicon import bare_signs, claim_words, forbidden, introduced
from apps.drafting.plan import DEVICE, PlannedClaim
from apps.drafting.prompts import Messages

GRAMMARS = Path(__file__).resolve().parents[2] / "grammars"
# Lengths in characters: 指南 I-1-4.1.1 (title), I-1-4.5.1 (abstract).
MAX_TITLE, MAX_ABSTRACT, MAX_INVENTION = 25, 300, 1400
# A character is at most this many tokens (its UTF-8 bytes).
_TOKENS_A_CHAR = 3
# Share of the characters of its features that a claim has at least.
_SAID_SHARE = 0.8
# Room for 所述 and the joining words, as a share of the features; for the opening and the end of a claim, in characters.
_WORDED_SHARE, _FIXED_CHARS = 1.5, 50
_PROGRAM_TERMS = ("存储器", "处理器", "计算机程序")

# Characters that an abstract may add to its material.
_ABSTRACT_JOINS = 40

Generate = Callable[..., str]
# The solution and the effect that an abstract is made of.
Material = tuple[str, str]


def claim_budget(planned: PlannedClaim, subject: str, named: Sequence[str] = ()) -> int:
    """Characters for one claim: its features with 所述 in them, the list of its parts, and the fixed text around them."""
    if planned.rule not in ("independent", "dependent"):
        return 300
    features, parts = sum(map(len, planned.features)), sum(len(term) + 1 for term in named)
    return _FIXED_CHARS + len(planned.ref) + len(subject) + int(_WORDED_SHARE * features) + parts


def claim_floor(planned: PlannedClaim, subject: str) -> int:
    """Characters below which a claim cannot have said its features."""
    if planned.rule not in ("independent", "dependent"):
        return 0
    opening = len(f"{planned.ref}所述的{subject}，其特征在于，")
    return opening + int(_SAID_SHARE * sum(len(feature) for feature in planned.features))


class GrammarWriter:
    """`generate(part, messages, grammar=, max_tokens=)` runs one request and streams its text."""

    mode = "grammar"

    def __init__(self, generate: Generate, vocabulary: Any, source: str, terms: Sequence[str], subject: str, self_name: str = ""):
        self._generate, self._vocabulary, self._self_name = generate, vocabulary, self_name
        self._source, self._terms, self._subject = source, list(terms), subject

    @cached_property
    def versions(self) -> dict[str, str]:
        """SHA-256 of every grammar in use."""
        return {name: _grammar(name).version for name in ("invention_zh", "claims_zh", "title_zh", "abstract_zh")}

    def invention(self, messages: Messages) -> dict[str, Any]:
        from engine.grammar import Frame

        text = self._write("invention", messages, "invention_zh", "invention", Frame({}, source=self._source), MAX_INVENTION)
        return parse_json(text)

    def claim(self, messages: Messages, planned: PlannedClaim, scope: Sequence[str]) -> str:
        frame, floor = self.claim_frame(planned, scope), claim_floor(planned, self._subject)
        room = claim_budget(planned, self._subject, introduced(planned.features, self._terms))
        return self._write(f"claim {planned.number}", messages, "claims_zh", planned.rule, frame, room, floor)

    def title(self, messages: Messages) -> str:
        return self._write("title", messages, "title_zh", "title", self._frame({"SUBJECT": [self._subject]}), MAX_TITLE)

    def abstract(self, messages: Messages, material: Material) -> str:
        room = min(MAX_ABSTRACT, sum(len(text) for text in material) + _ABSTRACT_JOINS)
        rule = _abstract_rule(material)
        return self._write("abstract", messages, "abstract_zh", rule, self._abstract_frame(material), room)

    def claim_frame(self, planned: PlannedClaim, scope: Sequence[str]) -> Any:
        """The frame of one claim: the host's reference, the words of its own features, the terms in scope."""
        if planned.rule in ("device", "medium"):
            terms = list(dict.fromkeys([self._subject, *_PROGRAM_TERMS]))
            slots = {"SUBJECT": [self._subject], "DEVICE": [DEVICE], "LINK": [planned.link]}
            return self._frame(slots, terms, [self._subject])
        usable = self._usable_terms(planned, scope)
        slots = {"SUBJECT": [self._subject], "TERM": usable, "WORD": claim_words("\n".join(planned.features), usable)}
        if planned.ref:
            slots["REF"] = [planned.ref]
        return self._frame(slots, self._terms, scope, forbidden(self._terms, "\n".join(planned.features)))

    def _usable_terms(self, planned: PlannedClaim, scope: Sequence[str]) -> list[str]:
        """The terms of the claim's own features; those in scope too where the features name none of them."""
        named = introduced(planned.features, self._terms)
        anchored = not planned.parent or set(named).intersection(scope)
        return list(dict.fromkeys([self._subject, *named, *(() if anchored else scope)]))

    def trace(
        self, part: str, text: str, planned: PlannedClaim | None = None, scope: Sequence[str] = (), material: Material = ("", "")
    ) -> list[dict[str, Any]]:
        """SHIFT / REDUCE / ACCEPT events of a finished text; in claims with what could not stand there, and why."""
        from engine.grammar.why import with_refused

        grammar, rule, frame = self._ruled(part, planned, scope, material)
        events = grammar.trace(rule, text, frame)
        return with_refused(events, grammar, rule, frame) if planned is not None else events

    def why(
        self, part: str, text: str, token: str, planned: PlannedClaim | None = None, scope: Sequence[str] = (), material: Material = ("", "")
    ) -> dict[str, str]:
        """In zh and en, what refuses `token` (empty for the end) behind `text`; empty when the form and the words allow it."""
        from engine.grammar.why import why

        refusal = why(*self._ruled(part, planned, scope, material), text, token)
        return {language: refusal.text(language) for language in ("zh", "en")} if refusal else {}

    def _ruled(self, part: str, planned: PlannedClaim | None, scope: Sequence[str], material: Material) -> tuple[Any, str, Any]:
        if planned is not None:
            return _grammar("claims_zh"), planned.rule, self.claim_frame(planned, scope)
        if part == "abstract":
            return _grammar("abstract_zh"), _abstract_rule(material), self._abstract_frame(material)
        return _grammar(f"{part}_zh"), part, self._frame({"SUBJECT": [self._subject]})

    def _abstract_frame(self, material: Material) -> Any:
        solution, effect = material
        slots = {"SUBJECT": [self._subject], "WORD": claim_words(solution, self._terms), "EFFECT": [effect], "SELF": [self._self_name]}
        return self._frame(slots, forbid=bare_signs(self._terms, solution))

    def _frame(
        self, slots: dict[str, list[str]], terms: Sequence[str] = (), scope: Sequence[str] = (), forbid: Sequence[str] = ()
    ) -> Any:
        from engine.grammar import Frame

        return Frame(slots, source=self._source, terms=tuple(terms), scope=tuple(scope), forbid=tuple(forbid))

    def _write(self, part: str, messages: Messages, grammar: str, rule: str, frame: Any, max_chars: int, min_chars: int = 0) -> str:
        rules = _grammar(grammar)
        state = rules.start(rule, self._vocabulary, frame, max_chars, min_chars)
        tokens = _TOKENS_A_CHAR * max_chars
        return self._generate(part, messages, grammar=state, max_tokens=tokens, parser=lambda: rules.parser(rule, frame))


def _abstract_rule(material: Material) -> str:
    return "effective" if material[1] else "abstract"


def _grammar(name: str) -> Any:
    from engine.grammar import Grammar

    return Grammar.load(GRAMMARS / f"{name}.g4")
