"""Decides whether finished texts are in a profile's language, and says why not.

    verdicts = read(["1. 一种泵，其特征在于，包括壳体。", "2. 根据权利要求2所述的泵，其特征在于，还包括叶轮。"], "claims_granted_zh")

A profile is a grammar and the JSON beside it (`grammars/NAME.g4`, `grammars/NAME.json`). The JSON maps rules that the
grammar reads only to name a fault (`faults`), declares what a form cannot say (`semantics`, see `relations`), and holds
every reason with its words and its source of law. A reason of severity "refuse" takes the text out of the language;
a "note" does not, unless the texts are read strictly.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from engine.grammar.checks import load
from engine.grammar.claim_relations import claims
from engine.grammar.findings import GrammarError
from engine.grammar.ir import Alt, Node, Ref, Repeat, Rules, Seq
from engine.grammar.recogniser import Recogniser, Span
from engine.grammar.relations import DOCUMENT_RELATIONS, Fault, Unit

RELATIONS = {**DOCUMENT_RELATIONS, "claims": claims}
GRAMMARS = Path(__file__).resolve().parents[2] / "grammars"
SHOWN = 24  # characters of the text that a reason quotes


@dataclass(frozen=True)
class Reason:
    """Why a text is refused, or what is noted about it: text[start:end], in characters. `law` is the source."""

    code: str
    start: int
    end: int
    zh: str
    en: str
    law: str


@dataclass(frozen=True)
class Verdict:
    """What was read of one text. `died_at` is where the form died: len(text) when only the end is missing, None when
    the form is whole. `facts` is what the semantics read (for a claim: number, kind, refs, subject)."""

    text: str
    died_at: int | None
    reasons: tuple[Reason, ...]
    notes: tuple[Reason, ...]
    spans: tuple[Span, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def accepted(self) -> bool:
        return not self.reasons


class Profile:
    """A language for reading. `rules` are its grammar without the rules that only name a fault: what a compiler, a
    mask or an export takes. Raises GrammarError when grammar and JSON do not fit together."""

    def __init__(self, grammar: str, declared: Mapping[str, Any]):
        self.declared = declared
        self.reasons: Mapping[str, Mapping[str, str]] = declared["reasons"]
        self.faults: Mapping[str, str] = declared.get("faults", {})
        rules, start = load(grammar), declared["start"]
        self._check(set(rules))
        fatal = frozenset(rule for rule, code in self.faults.items() if self.severity(code) == "refuse")
        self.rules = without(rules, fatal)
        self.language = Recogniser(self.rules, start)
        self.everything = Recogniser(rules, start, faults=fatal)

    @classmethod
    def load(cls, name: str) -> Profile:
        """The shipped profile of this name. Raises FileNotFoundError."""
        return _load(name)

    def severity(self, code: str) -> str:
        return self.reasons[code].get("severity", "refuse")

    def _check(self, rules: set[str]) -> None:
        stuck = self.declared.get("stuck", {})
        for rule in [*self.faults, *stuck]:
            if rule not in rules:
                raise GrammarError("undefined-rule", f"the profile speaks of {rule}, which the grammar does not have")
        codes = [*self.faults.values(), *stuck.values(), "form"]
        for entry in self.declared.get("semantics", []):
            if entry["is"] not in RELATIONS:
                raise GrammarError("undefined-rule", f"there is no relation {entry['is']}")
            codes += [entry[key] for key in ("code", "none") if key in entry]
            codes += [*entry.get("codes", {}).values(), *(entry["groups"] if entry["is"] == "mentions" else ())]
            codes += entry["rules"].values() if entry["is"] == "absent" else []
        for code in codes:
            if code not in self.reasons:
                raise GrammarError("undefined-rule", f"there are no words for the reason {code}")

    def unit(self, text: str, index: int) -> tuple[Unit, int | None]:
        """The text as derived, and where its form died."""
        died_at = self.language.died_at(text)
        spans = (self.language if died_at is None else self.everything).derive(text)
        return Unit(text, index, tuple(spans or ())), died_at

    def form_faults(self, unit: Unit, died_at: int | None) -> list[Fault]:
        """Faults the derivation names; where the text has no derivation, the fault of the innermost open rule."""
        found = [
            Fault(self.faults[span.rule], span.start, span.end) for span in unit.spans if span.rule in self.faults
        ]
        fatal = any(self.severity(fault.code) == "refuse" for fault in found)
        if died_at is None or fatal:
            return found
        stuck: Mapping[str, str] = self.declared.get("stuck", {})
        stacks = self.language.open_rules(unit.text[:died_at])
        rule = next((rule for rule in stuck if any(rule in stack for stack in stacks)), None)
        return [*found, Fault(stuck[rule] if rule else "form", died_at, min(died_at + 1, len(unit.text)))]

    def reason(self, fault: Fault, text: str) -> Reason:
        words = self.reasons[fault.code]
        quoted = " ".join(text[fault.start : fault.end].split())
        after = " ".join(text[fault.end : fault.end + SHOWN].split())
        values = {"text": quoted if len(quoted) <= SHOWN else quoted[:SHOWN] + "…", "after": after, **fault.values}
        return Reason(
            fault.code,
            fault.start,
            fault.end,
            words["zh"].format(**values),
            words["en"].format(**values),
            words.get("law", ""),
        )


def without(rules: Rules, names: Set[str]) -> Rules:
    """The rules in which those named match nothing, and what cannot do without them is gone as well."""

    def cut(node: Node) -> Node | None:
        if isinstance(node, Ref):
            return None if node.name in gone else node
        if isinstance(node, Alt):
            options = tuple(kept for option in node.options if (kept := cut(option)) is not None)
            return replace(node, options=options) if options else None
        if isinstance(node, Seq):
            items = tuple(kept for item in node.items if (kept := cut(item)) is not None)
            return replace(node, items=items) if len(items) == len(node.items) else None
        if isinstance(node, Repeat):
            item = cut(node.item)
            return replace(node, item=item) if item is not None else None if node.low else Seq(())
        return node

    gone = set(names)
    while True:
        bodies = {name: cut(rules[name]) for name in rules if name not in gone}
        dead = {name for name, body in bodies.items() if body is None}
        if not dead:
            break
        gone |= dead
    kept = [replace(rules.rule(name), body=body) for name, body in bodies.items() if body is not None]
    return Rules(kept, rules.start, rules.slots)


@cache
def _load(name: str) -> Profile:
    declared = json.loads((GRAMMARS / f"{name}.json").read_text("utf-8"))
    return Profile((GRAMMARS / f"{name}.g4").read_text("utf-8"), declared)


def read(
    texts: Sequence[str],
    profile: str | Profile,
    *,
    context: Mapping[str, Any] | None = None,
    strict: bool = False,
) -> list[Verdict]:
    """One verdict a text, in order; the texts of a claim set are its claims, each with its printed number.

    context: what other documents say, for the relations that ask for it (`title`); a relation without its context is
    passed over. strict: notes refuse too.
    """
    profile = Profile.load(profile) if isinstance(profile, str) else profile
    read_units = [profile.unit(text, index) for index, text in enumerate(texts)]
    units = [unit for unit, _ in read_units]
    faults = [profile.form_faults(unit, died_at) for unit, died_at in read_units]
    for entry in profile.declared.get("semantics", []):
        for index, fault in RELATIONS[entry["is"]](units, entry, context or {}):
            faults[index].append(fault)
    verdicts = []
    for (unit, died_at), found in zip(read_units, faults, strict=True):
        found.sort(key=lambda fault: (fault.start, fault.end))
        refuse: list[Fault] = []
        note: list[Fault] = []
        for fault in found:
            (refuse if strict or profile.severity(fault.code) == "refuse" else note).append(fault)
        verdicts.append(
            Verdict(
                unit.text,
                died_at,
                tuple(profile.reason(fault, unit.text) for fault in refuse),
                tuple(profile.reason(fault, unit.text) for fault in note),
                unit.spans,
                unit.facts,
            )
        )
    return verdicts
