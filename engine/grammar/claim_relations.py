"""The relations between the claims of a set, read over their derivations: numbers, references, subjects, antecedents.

Which rules hold the number, the citations and the subject, and which words cut, continue or mark, is declared in the
profile's JSON (`"is": "claims"`). A claim that opens with a citation is dependent when its subject is that of a cited
claim; otherwise it is independent and only made by reference (指南 II-2-3.1.2), and exempt from what binds dependents.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engine.grammar.recogniser import Span
from engine.grammar.relations import Fault, Unit

_SIGN = re.compile(r"[（(〔\[][0-9A-Za-z,，、’'′\-～~]{1,12}[）)〕\]]|\s+")
_WORD = re.compile(r"[A-Za-z0-9\u0370-\u03ff]+|[\u3400-\u9fff]+")
_HEAD = 2  # characters of the head noun by which two subject names are compared, and of a term that must be found


@dataclass
class Citation:
    """The claims cited at text[start:end], ranges expanded, exclusions removed, in the order written."""

    start: int
    end: int
    numbers: tuple[int, ...]
    ranges: tuple[tuple[int, int], ...] = ()


@dataclass
class Claim:
    unit: Unit
    number: int
    citations: list[Citation]
    opening: Citation | None  # the citation that a dependent claim begins with
    subject: str
    kind: str = "independent"
    parents: list[Claim] = field(default_factory=list)

    @cached_property
    def words(self) -> str:
        """The text for look-up."""
        return _squeeze(self.unit.text)

    @property
    def multiple(self) -> bool:
        return self.kind == "dependent" and self.opening is not None and len(set(self.opening.numbers)) > 1


class ClaimSet:
    """The claims of a set, in order, related to each other; `rules` is the entry of the profile."""

    def __init__(self, units: Sequence[Unit], rules: Mapping[str, Any]):
        self.rules = rules
        self.claims: list[Claim] = []
        self.by_number: dict[int, Claim] = {}
        for unit in units:
            claim = self._read(unit)
            self._relate(claim)
            self.claims.append(claim)
            self.by_number.setdefault(claim.number, claim)
            unit.facts.update(
                number=claim.number,
                kind=claim.kind,
                subject=claim.subject,
                refs=tuple(dict.fromkeys(n for c in claim.citations for n in c.numbers)),
            )

    def _read(self, unit: Unit) -> Claim:
        numbers = unit.of(self.rules["number"])
        number = int(unit.read(numbers[0])) if numbers else unit.index + 1
        citations = [self._citation(unit, span, number) for span in unit.of(*self.rules["citations"])]
        subjects = unit.of(*self.rules["subjects"])
        end = subjects[0].end if subjects else 0
        marks = [s.start for s in unit.of(self.rules["mark"]) if subjects and subjects[0].start <= s.start < end]
        phrase = unit.text[subjects[0].start : min([end, *marks])] if subjects else ""
        dependent = unit.of(self.rules["dependent"])
        opening = citations[0] if dependent and citations else None
        return Claim(unit, number, citations, opening, self._name(phrase))

    def _citation(self, unit: Unit, span: Span, number: int) -> Citation:
        left_out = {
            int(unit.read(inner))
            for outer in unit.inside(span, self.rules["except"])
            for inner in unit.inside(outer, self.rules["cited"])
        }
        ranges: list[tuple[int, int]] = []
        numbers: list[int] = []
        covered = span.start
        for inner in unit.inside(span, self.rules["range"], self.rules["cited"]):
            if inner.start < covered:
                continue
            if inner.rule == self.rules["range"]:
                low, high = (int(unit.read(end)) for end in unit.inside(inner, self.rules["cited"]))
                ranges.append((low, high))
                numbers.extend(range(min(low, high), max(low, high) + 1))
                covered = inner.end
            else:
                numbers.append(int(unit.read(inner)))
        if not numbers:
            numbers = list(range(1, number))
        return Citation(span.start, span.end, tuple(n for n in numbers if n not in left_out), tuple(ranges))

    def _name(self, phrase: str) -> str:
        """The subject name without drawing signs, 一种 and what is no name any more."""
        bare = _SIGN.sub("", phrase).lstrip("的")
        bare = re.sub(r"^[一—]种", "", bare)
        cuts = [at for word in self.rules["cut"] if (at := bare.find(word, 1)) > 0 and "的" not in bare[at:]]
        return bare[: min(cuts, default=len(bare))]

    def _relate(self, claim: Claim) -> None:
        if claim.opening is None:
            found = [n for citation in claim.citations for n in citation.numbers]
        else:
            claim.kind, found = "dependent", list(claim.opening.numbers)
        claim.parents = [self.by_number[n] for n in dict.fromkeys(found) if n in self.by_number]
        if claim.kind == "dependent" and claim.parents and claim.subject:
            relations = [self.relation(claim.subject, parent.subject) for parent in claim.parents]
            if "other" in relations and not {"same", "short"} & set(relations):
                claim.kind = "independent"

    def relation(self, name: str, cited: str) -> str:
        """same; short: one is the usual short form of the other; other: made, used or worked by the cited thing, which
        makes the claim independent; differs."""
        if name == cited or not cited:
            return "same"
        use = tuple(self.rules["uses"])
        if name.endswith(use) and not cited.endswith(use):
            return "other"
        if name.startswith(cited):
            return "other" if name[len(cited)] in self.rules["goes_on"] else "same"
        if cited.endswith(name) or name.endswith(cited):
            return "short"
        for size in range(len(cited) - 1, _HEAD - 1, -1):
            tail = cited[-size:]
            if name.startswith(tail):
                return "other" if name[size] in self.rules["goes_on"] else "short"
        head = cited[-_HEAD:]
        if head in name[:-_HEAD]:
            return "other"
        return "short" if name[-_HEAD:] == head and (_spread(name, cited) or _spread(cited, name)) else "differs"

    def ancestors(self, claim: Claim) -> Iterator[Claim]:
        seen: set[int] = set()
        queue = list(claim.parents)
        while queue:
            parent = queue.pop()
            if id(parent) not in seen:
                seen.add(id(parent))
                queue.extend(parent.parents)
                yield parent

    def on_every_path(self, claim: Claim, term: str) -> bool:
        """Whether each cited claim states the term, or has it on every path of its own."""
        settled: dict[int, bool] = {}

        def states(current: Claim) -> bool:
            if id(current) not in settled:
                above = current.parents
                settled[id(current)] = term in current.words or (bool(above) and all(map(states, above)))
            return settled[id(current)]

        return bool(claim.parents) and all(map(states, claim.parents))


class _Prefixes:
    """Whether a term stands in the beginning of a text, drawing signs and white space left out, or white space alone."""

    def __init__(self, text: str):
        self._forms = [self._without(text, pattern) for pattern in (_SIGN, re.compile(r"\s+"))]
        self._first: dict[str, list[int]] = {}

    @staticmethod
    def _without(text: str, left_out: re.Pattern[str]) -> tuple[str, list[int]]:
        """The text without the matches, and the place in the whole text of each character kept."""
        gone = [False] * len(text)
        for match in left_out.finditer(text):
            gone[match.start() : match.end()] = [True] * (match.end() - match.start())
        kept = [at for at, left in enumerate(gone) if not left]
        return "".join(text[at] for at in kept), kept

    def states(self, term: str, end: int) -> bool:
        if term not in self._first:
            found = [(kept, form.find(term)) for form, kept in self._forms]
            self._first[term] = [kept[at + len(term) - 1] + 1 for kept, at in found if at >= 0]
        return any(place <= end for place in self._first[term])


def _squeeze(text: str) -> str:
    """The text without drawing signs, and once more with them: a bracket may hold an abbreviation."""
    return f"{_SIGN.sub('', text)}\n{''.join(text.split())}"


def _spread(short: str, long: str) -> bool:
    """Whether the characters of `short` stand in `long` in their order."""
    rest = iter(long)
    return all(char in rest for char in short)


def claims(units: Sequence[Unit], entry: Mapping[str, Any], context: Mapping[str, Any]) -> Iterator[tuple[int, Fault]]:
    """Numbering, references, subjects and antecedents of a claim set; `codes` names the reason of each."""
    claimset = ClaimSet(units, entry)
    for want, claim in enumerate(claimset.claims, 1):
        for fault in (
            *_numbering(claimset, claim, want),
            *_references(claimset, claim),
            *_dependency(claimset, claim),
            *_antecedents(claimset, claim),
        ):
            yield claim.unit.index, fault


def _numbering(claimset: ClaimSet, claim: Claim, want: int) -> Iterator[Fault]:
    spans = claim.unit.of(claimset.rules["number"])
    previous = claimset.claims[want - 2].number if want > 1 else 0
    if spans and claim.number != previous + 1:
        values: dict[str, object] = {"want": previous + 1, "got": claim.number}
        yield Fault(claimset.rules["codes"]["number"], spans[0].start, spans[0].end, values)
    if want == 1 and claim.opening is not None:
        yield Fault(claimset.rules["codes"]["first"], claim.opening.start, claim.opening.end)


def _references(claimset: ClaimSet, claim: Claim) -> Iterator[Fault]:
    codes = claimset.rules["codes"]
    last = max((other.number for other in claimset.claims), default=0)
    for citation in claim.citations:
        at = (citation.start, citation.end)
        for n in dict.fromkeys(citation.numbers):
            if n == claim.number:
                yield Fault(codes["self"], *at, {"n": n})
            elif n > last or n < 1 or (n < claim.number and n not in claimset.by_number):
                yield Fault(codes["missing"], *at, {"n": n})
            elif n > claim.number:
                yield Fault(codes["later"], *at, {"n": n})
            if citation.numbers.count(n) > 1:
                yield Fault(codes["repeated"], *at, {"n": n})
        for low, high in citation.ranges:
            if low >= high:
                yield Fault(codes["descending"], *at)


def _dependency(claimset: ClaimSet, claim: Claim) -> Iterator[Fault]:
    if claim.kind != "dependent" or claim.opening is None:
        return
    codes, at = claimset.rules["codes"], (claim.opening.start, claim.opening.end)
    for parent in claim.parents:
        if claim.multiple and parent.multiple:
            yield Fault(codes["multiple"], *at, {"n": parent.number})
            break
    if not claim.subject and claim.unit.of(*claimset.rules["subjects"]):
        yield Fault(codes["nameless"], *at)
    if claim.subject and claim.parents:
        relations = {claimset.relation(claim.subject, parent.subject) for parent in claim.parents}
        values: dict[str, object] = {"got": claim.subject, "want": claim.parents[0].subject}
        where = claim.unit.of(*claimset.rules["subjects"])[0]
        where_at = (where.start, where.start + max(1, len(claim.subject)))
        if not {"differs", "other"} & relations:
            if "short" in relations and not any(p.subject.endswith(claim.subject) for p in claim.parents):
                yield Fault(codes["short"], *where_at, values)
        elif {"same", "short"} & relations:
            yield Fault(codes["mixed"], *at)
        else:
            yield Fault(codes["differs"], *where_at, values)
    if not _features(claimset, claim):
        yield Fault(codes["empty"], claim.opening.end, len(claim.unit.text))


def _features(claimset: ClaimSet, claim: Claim) -> str:
    """What a dependent claim says behind its subject and 其特征在于."""
    subjects = claim.unit.of(*claimset.rules["subjects"])
    rest = claim.unit.text[subjects[0].start :] if subjects else claim.unit.text[claim.opening.end if claim.opening else 0 :]
    bare = _SIGN.sub("", rest)
    at = bare.find(claim.subject) if claim.subject else -1
    bare = bare[at + len(claim.subject) :] if at >= 0 else bare
    for mark in claim.unit.of(claimset.rules["mark"]):
        bare = bare.replace(_SIGN.sub("", claim.unit.read(mark)), "", 1)
    return bare.strip("，,；;：:。、 \n")


def _antecedents(claimset: ClaimSet, claim: Claim) -> Iterator[Fault]:
    """Terms behind 所述 that neither the claim before them nor, on every path, a cited claim states."""
    rules = claimset.rules["antecedents"]
    text, covered = claim.unit.text, [(c.start, c.end) for c in claim.citations]
    reported: set[str] = set()
    before = _Prefixes(text)
    for use in _uses_pattern(rules).finditer(text):
        at = bisect_right(covered, (use.start(), len(text))) - 1
        if at >= 0 and use.start() < covered[at][1]:
            continue
        word = _WORD.match(text, use.end())
        term = _term(word.group(), rules["particles"]) if word else ""
        if term.startswith(tuple(rules["ignore"])):
            continue
        if not term or term in reported or before.states(term, use.start()):
            continue
        if claim.kind == "dependent" and claimset.on_every_path(claim, term):
            continue
        if claim.kind == "independent" and any(term in a.words for a in claimset.ancestors(claim)):
            continue
        reported.add(term)
        yield Fault(claimset.rules["codes"]["antecedent"], use.start(), use.end() + len(term))


def _uses_pattern(rules: Mapping[str, Any]) -> re.Pattern[str]:
    marks = "|".join(map(re.escape, rules["marks"]))
    guards = "".join(f"(?<!{re.escape(guard)})" for guard in rules["not_behind"])
    skipped = "|".join(map(re.escape, sorted(rules["skip"], key=len, reverse=True)))
    return re.compile(rf"{guards}(?:{marks})(?:\s|{skipped}|第[一二三四五六七八九十\d]+)*")


def _term(run: str, particles: str) -> str:
    """The part of a noun phrase that must have been stated: two Han characters, one before a particle, or the Latin
    word; nothing of a quantity."""
    if not "\u3400" <= run[0] <= "\u9fff":
        return "" if run[0].isdigit() else run
    return run[:1] if run[1:2] in particles else run[:_HEAD]
