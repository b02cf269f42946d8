"""What a form cannot say, read over finished and derived texts: the relations that a profile's JSON may declare.

    words      no word of a lexicon, guards excepted          count      at most so many characters
    sequence   numbers without gap or repeat                  mentions   at least one word of each group
    unlike     never words of two groups                      distinct   no two spans alike
    requires   one rule asks for another                      contains   what the context says stands in the text
    alike      the same in all spans of one outer span        known      every number mentioned was declared
    absent     rules that free text also covers are not there one_of     spans of one rule only
    each       what the context lists is said once            later      a date is not before another
    check_digit of an application number                      claims     see `claim_relations`

A relation takes the texts, its own entry of the JSON and the context, and yields (index of the text, fault).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from engine.grammar.recogniser import Span


@dataclass(frozen=True)
class Fault:
    """A reason by its code, at text[start:end]; `values` fill its words."""

    code: str
    start: int
    end: int
    values: dict[str, object] = field(default_factory=dict)


@dataclass
class Unit:
    """One text with the spans of its derivation, outer before inner; `facts` is filled by the relations."""

    text: str
    index: int
    spans: tuple[Span, ...]
    facts: dict[str, Any] = field(default_factory=dict)

    def of(self, *rules: str) -> list[Span]:
        return [span for span in self.spans if span.rule in rules]

    @cached_property
    def _starts(self) -> list[int]:
        return [span.start for span in self.spans]

    def inside(self, outer: Span, *rules: str) -> list[Span]:
        first, behind = bisect_left(self._starts, outer.start), bisect_right(self._starts, outer.end)
        return [span for span in self.spans[first:behind] if span.rule in rules and span.end <= outer.end]

    def read(self, span: Span) -> str:
        return self.text[span.start : span.end]


Relation = Callable[[Sequence[Unit], Mapping[str, Any], Mapping[str, Any]], Iterator[tuple[int, Fault]]]


def words(units: Sequence[Unit], entry: Mapping[str, Any], context: Mapping[str, Any]) -> Iterator[tuple[int, Fault]]:
    """Words of the lexicon outside its guards; `followed_by`: only before one of these characters, blanks between.
    `whole`: only when the word is the whole text behind 一种."""
    for unit in units:
        if entry.get("whole"):
            if unit.text.strip().removeprefix("一种") in entry["words"]:
                yield unit.index, Fault(entry["code"], 0, len(unit.text))
            continue
        for start, end in _hits(unit.text, tuple(entry["words"]), tuple(entry.get("guards", ()))):
            tail = unit.text[end:].lstrip()[:1]
            if "followed_by" not in entry or (tail and tail in entry["followed_by"]):
                yield unit.index, Fault(entry["code"], start, end)


def _hits(text: str, lexicon: tuple[str, ...], guards: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    covered = [match.span() for match in _pattern(guards).finditer(text)] if guards else []
    for match in _pattern(lexicon).finditer(text):
        if not any(start <= match.start() and match.end() <= end for start, end in covered):
            yield match.span()


@lru_cache(maxsize=256)
def _pattern(lexicon: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the words, the longest first."""
    return re.compile("|".join(re.escape(word) for word in sorted(lexicon, key=len, reverse=True)))


def count(units: Sequence[Unit], entry: Mapping[str, Any], context: Mapping[str, Any]) -> Iterator[tuple[int, Fault]]:
    """At most `most` characters in each span of `rule`, white space left out."""
    for unit in units:
        for span in unit.of(entry["rule"]):
            size = len("".join(unit.read(span).split()))
            if size > entry["most"]:
                yield unit.index, Fault(entry["code"], span.start, span.end, {"n": size, "most": entry["most"]})


_NUMERALS = {name: n for n, name in enumerate("一二三四五六七八九", 1)}


def _number(text: str) -> int:
    """The number that a label holds, Arabic or Chinese up to 九十九."""
    digits = re.search(r"\d+", text)
    if digits:
        return int(digits.group())
    tens, ten, ones = "".join(c for c in text if c in "一二三四五六七八九十").partition("十")
    return (_NUMERALS.get(tens, 1) * 10 if ten else _NUMERALS.get(tens, 0)) + _NUMERALS.get(ones, 0)


def _numbers(unit: Unit, entry: Mapping[str, Any], rule: str, outer: Span) -> Iterator[tuple[Span, int]]:
    """The numbers of the `rule` spans inside `outer`; a span of the entry's `range` gives all from low to high."""
    end = outer.start
    for span in unit.inside(outer, rule, *([entry["range"]] if "range" in entry else [])):
        if span.start < end:
            continue
        end = span.end
        numbers = [_number(unit.read(inner)) for inner in unit.inside(span, rule)]
        for n in range(numbers[0], max(numbers[-1], numbers[0]) + 1):
            yield span, n


def sequence(
    units: Sequence[Unit], entry: Mapping[str, Any], context: Mapping[str, Any]
) -> Iterator[tuple[int, Fault]]:
    """The numbers of `rule` run from 1 without gap. `per`: anew in each span of that rule. `repeats`: a number may be
    followed by itself (图2a, 图2b). `free_start`: the first number is free."""
    for unit in units:
        outers = unit.of(entry["per"]) if "per" in entry else [Span("", 0, len(unit.text))]
        for outer in outers:
            want = 0 if entry.get("free_start") else 1
            for span, got in _numbers(unit, entry, entry["rule"], outer):
                want = want or got
                if got != want and not (entry.get("repeats") and got == want - 1):
                    yield unit.index, Fault(entry["code"], span.start, span.end, {"want": want, "got": got})
                want = got + 1


def mentions(
    units: Sequence[Unit], entry: Mapping[str, Any], context: Mapping[str, Any]
) -> Iterator[tuple[int, Fault]]:
    """Every span of `rule` holds a word of each group: `groups` maps a code to its words."""
    for unit in units:
        for span in unit.of(entry["rule"]):
            text = unit.read(span)
            for code, group in entry["groups"].items():
                if not any(word in text for word in group):
                    yield unit.index, Fault(code, span.start, span.end, {"words": "、".join(group[:4])})


def unlike(units: Sequence[Unit], entry: Mapping[str, Any], context: Mapping[str, Any]) -> Iterator[tuple[int, Fault]]:
    """A text uses the words of one group only; the group of its first word counts."""
    for unit in units:
        first = -1
        for start, end in _hits(unit.text, tuple(word for group in entry["groups"] for word in group), ()):
            group = next(at for at, group in enumerate(entry["groups"]) if unit.text[start:end] in group)
            first = group if first < 0 else first
            if group != first:
                yield unit.index, Fault(entry["code"], start, end)


def distinct(
    units: Sequence[Unit], entry: Mapping[str, Any], context: Mapping[str, Any]
) -> Iterator[tuple[int, Fault]]:
    """No two spans of `rule` read alike."""
    for unit in units:
        seen: set[str] = set()
        for span in unit.of(entry["rule"]):
            text = unit.read(span)
            if text in seen:
                yield unit.index, Fault(entry["code"], span.start, span.end)
            seen.add(text)


def requires(
    units: Sequence[Unit], entry: Mapping[str, Any], context: Mapping[str, Any]
) -> Iterator[tuple[int, Fault]]:
    """A text with a span of `when` has one of `rule`, or none of it when `absent`."""
    for unit in units:
        asks = unit.of(entry["when"])
        if asks and bool(unit.of(entry["rule"])) == bool(entry.get("absent")):
            yield unit.index, Fault(entry["code"], asks[0].start, asks[0].end)


def contains(
    units: Sequence[Unit], entry: Mapping[str, Any], context: Mapping[str, Any]
) -> Iterator[tuple[int, Fault]]:
    """What the context gives under `from` stands in the text, or is each span of `rule`; 一种 does not count."""
    wanted = "".join(str(context.get(entry["from"]) or "").split()).removeprefix("一种").rstrip("。")
    if not wanted:
        return
    for unit in units:
        if "rule" not in entry:
            if wanted not in "".join(unit.text.split()):
                yield unit.index, Fault(entry["code"], 0, len(unit.text), {"want": wanted})
            continue
        for span in unit.of(entry["rule"]):
            if "".join(unit.read(span).split()).removeprefix("一种") != wanted:
                yield unit.index, Fault(entry["code"], span.start, span.end, {"want": wanted})


def alike(units: Sequence[Unit], entry: Mapping[str, Any], context: Mapping[str, Any]) -> Iterator[tuple[int, Fault]]:
    """All spans of `rule` inside one span of `per` give the same number."""
    for unit in units:
        for outer in unit.of(entry["per"]):
            inner = unit.inside(outer, entry["rule"])
            for span in inner[1:]:
                if _number(unit.read(span)) != _number(unit.read(inner[0])):
                    values: dict[str, object] = {"first": unit.read(inner[0])}
                    yield unit.index, Fault(entry["code"], span.start, span.end, values)
                    break


def known(units: Sequence[Unit], entry: Mapping[str, Any], context: Mapping[str, Any]) -> Iterator[tuple[int, Fault]]:
    """Every number of a `rule` span stands among the numbers of the `declared` spans; `within`: only inside that rule.
    Where nothing is declared, the first mention is named with `none`. `from`: the context declares the numbers."""
    if "from" in entry and entry["from"] not in context:
        return
    for unit in units:
        whole = Span("", 0, len(unit.text))
        if "from" in entry:
            declared = set(context[entry["from"]])
        else:
            declared = {n for _, n in _numbers(unit, entry, entry["declared"], whole)}
        areas = unit.of(entry["within"]) if "within" in entry else [whole]
        for span in (span for area in areas for span in unit.inside(area, entry["rule"])):
            if not declared and "none" in entry:
                yield unit.index, Fault(entry["none"], span.start, span.end)
                break
            if _number(unit.read(span)) not in declared:
                yield unit.index, Fault(entry["code"], span.start, span.end)


def absent(units: Sequence[Unit], entry: Mapping[str, Any], context: Mapping[str, Any]) -> Iterator[tuple[int, Fault]]:
    """No span of the rules that `rules` maps to a code: for what the form cannot leave out, because free text has it."""
    for unit in units:
        for span in unit.of(*entry["rules"]):
            yield unit.index, Fault(entry["rules"][span.rule], span.start, span.end)


def one_of(units: Sequence[Unit], entry: Mapping[str, Any], context: Mapping[str, Any]) -> Iterator[tuple[int, Fault]]:
    """A text has spans of one of `rules` only; the first span of another is named."""
    for unit in units:
        spans = unit.of(*entry["rules"])
        other = next((span for span in spans if span.rule != spans[0].rule), None)
        if other is not None:
            yield unit.index, Fault(entry["code"], other.start, other.end)


def each(units: Sequence[Unit], entry: Mapping[str, Any], context: Mapping[str, Any]) -> Iterator[tuple[int, Fault]]:
    """What the context lists under `from` is read by exactly one span of `rules` each."""
    for unit in units:
        said = [unit.read(span) for span in unit.of(*entry["rules"])]
        for want in context.get(entry["from"], ()):
            if said.count(want) != 1:
                yield unit.index, Fault(entry["code"], 0, 0, {"want": want})


def later(units: Sequence[Unit], entry: Mapping[str, Any], context: Mapping[str, Any]) -> Iterator[tuple[int, Fault]]:
    """The date of `then` is not before the date of `first`; a date holds year, month and day in that order."""
    for unit in units:
        first, then = (
            [[int(n) for n in re.findall(r"\d+", unit.read(span))] for span in unit.of(entry[key])] for key in ("first", "then")
        )
        if first and then and then[0] < first[0]:
            span = unit.of(entry["then"])[0]
            yield unit.index, Fault(entry["code"], span.start, span.end)


def check_digit(
    units: Sequence[Unit], entry: Mapping[str, Any], context: Mapping[str, Any]
) -> Iterator[tuple[int, Fault]]:
    """The check digit of a Chinese application number: weights 2-9, 2-5, modulo 11, ten written X (ZC 0006-2003)."""
    for unit in units:
        for span in unit.of(entry["rule"]):
            digits, _, check = unit.read(span).removeprefix("CN").partition(".")
            rest = sum(int(digit) * (2 + at % 8) for at, digit in enumerate(digits)) % 11
            want = "X" if rest == 10 else str(rest)
            if check.upper() != want:
                yield unit.index, Fault(entry["code"], span.start, span.end, {"want": want})


DOCUMENT_RELATIONS: dict[str, Relation] = {
    relation.__name__: relation
    for relation in (
        words, count, sequence, mentions, unlike, distinct, requires, contains, alike, known, one_of,
        absent, each, later, check_digit,
    )
}  # fmt: skip
