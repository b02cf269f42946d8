"""What is wrong with a grammar, where, and what to do about it, in English and Chinese.

    Finding              one fault: code, place, rule, and the words of `engine.grammar.wording`
    GrammarError         a grammar that cannot be used, with its findings (the first one is the message)
    StateBudgetExceeded  raised by a compiler: which rule grew past the budget, and why

`refused(code, at, ...)` makes a GrammarError out of one finding, `syntax` the finding for a text that breaks off.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.grammar.ir import NOWHERE, Place
from engine.grammar.wording import PARTS, WORDING

LANGUAGES = ("en", "zh")


@dataclass(frozen=True)
class Finding:
    """One fault of a grammar. `at` is 1-based; line 0 means the whole text. `values` fill the wording."""

    code: str
    at: Place = NOWHERE
    rule: str = ""
    values: dict[str, object] = field(default_factory=dict)

    @property
    def severity(self) -> str:
        """error: not usable; warning: usable, probably not meant; note: a figure."""
        return WORDING[self.code].severity

    def text(self, language: str = "en") -> str:
        return self._fill(getattr(WORDING[self.code], language))

    def fix(self, language: str = "en") -> str:
        return self._fill(getattr(WORDING[self.code], f"fix_{language}"))

    def _fill(self, wording: str) -> str:
        return wording.format(**{"rule": self.rule, **self.values})

    def as_json(self) -> dict[str, object]:
        return {
            "code": self.code,
            "severity": self.severity,
            "line": self.at.line,
            "column": self.at.column,
            "rule": self.rule,
            "text": {language: self.text(language) for language in LANGUAGES},
            "fix": {language: self.fix(language) for language in LANGUAGES},
        }


class GrammarError(ValueError):
    """A grammar that cannot be used; `line` and `column` are 1-based, 0 when the whole text is meant."""

    def __init__(
        self, code: str, message: str, line: int = 0, column: int = 0, findings: Sequence[Finding] = ()
    ):
        where = f" (line {line}, column {column})" if line else ""
        super().__init__(f"{code}: {message}{where}")
        self.code, self.line, self.column = code, line, column
        self.findings = list(findings)


class StateBudgetExceeded(GrammarError):
    """A rule whose automaton passed `budget` states at `states`; `why` names the part of it that grew."""

    def __init__(self, rule: str, states: int, budget: int, why: str, at: Place = NOWHERE, why_zh: str = ""):
        values = {"states": states, "budget": budget, "why": why, "why_zh": why_zh or why}
        finding = Finding("state-budget", at, rule, values)
        super().__init__(finding.code, finding.text(), *at, findings=[finding])
        self.rule, self.states, self.budget, self.why = rule, states, budget, why


def syntax(at: Place, found: str | None, expected: Sequence[str]) -> Finding:
    """`found` is the text at the place, None the end of the file; `expected` are signs or names of `wording.PARTS`."""

    def names(language: int, comma: str) -> str:
        return comma.join(dict.fromkeys(PARTS.get(part, (part, part))[language] for part in expected))

    values: dict[str, object]
    shown = PARTS["END"] if found is None else (repr(found), f" {found!r}")
    values = {"found": shown[0], "found_zh": shown[1], "expected": names(0, ", "), "expected_zh": names(1, "、")}
    return Finding("syntax", at, values=values)


def guess(name: str, known: Iterable[str]) -> dict[str, object]:
    """What else a name may have meant, as values of an undefined-rule finding."""
    near = difflib.get_close_matches(name, known, 1)
    return {"guess": f", or write {near[0]}", "guess_zh": f"，或改为 {near[0]}"} if near else {"guess": "", "guess_zh": ""}


def refused(code: str, at: Place = NOWHERE, rule: str = "", **values: object) -> GrammarError:
    return unusable([Finding(code, at, rule, values)])


def unusable(findings: Sequence[Finding]) -> GrammarError:
    """The error that carries these findings; the first error among them gives the message."""
    first = next((finding for finding in findings if finding.severity == "error"), findings[0])
    return GrammarError(first.code, first.text(), *first.at, findings=findings)
