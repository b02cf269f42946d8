"""Reading a Chinese claim set: numbers, parts of each claim, references, and what is not a claim.

`parse_claims` takes plain text (a whole filing is fine: the 权利要求书 is found by its heading) or the
`cn-claims` XML of the Office. It never fails on text: what it cannot place goes to `ClaimSet.residue`.
Spans are offsets into `ClaimSet.text`, and `text[start:end]` is always the claim text exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from .references import Citation, blank_quotes, find_citations, normalise

Kind = Literal["independent", "dependent"]

_OPENING = r"(?:[一—]\s*种|(?:根据|如|按照|依据|依照|基于|按)?\s*(?:任一)?(?:前述|上述)?(?:任一)?权利要求|如请求项)"
_HEAD = re.compile(
    r"(?:(?<=\n)|\A|(?<=。)|(?<=[】：:]))[ \t]*"
    r"(?P<prefix>(?P<word>权利要求|权项|第)?[ \t]*(?P<number>\d{1,3})[ \t]*(?P<sep>项?[.．、:：)）]|项|(?=\s)))\s*(?=\S)"
)
_OPENING_RE = re.compile(_OPENING)
_SECTION = re.compile(r"^[ \t#*【]*(权\s*利\s*要\s*求\s*书|说\s*明\s*书\s*附\s*图|说\s*明\s*书(?:\s*摘\s*要)?|摘\s*要)[ \t】*:：]*$", re.M)
_COMMENT = re.compile(r"\s*(?:[（(\[【][^\n]*[）)\]】]|(?:注|说明|备注|以上|以下|好的|TODO|TBD|\*\*|#|---|```|>|图\s*\d)[^\n]*|\d{1,3})\s*\Z")
_CHARACTERISING = re.compile(
    r"(?:(?:所述的?|该)[^，。；：\s]{1,20}的|其|本[^，。；]{0,8}的)?(?:特征|改进(?:之处)?)\s*(?:在于|是|为|于)|(?<=[，,])其为(?=[，,])"
)
_WHEREIN = re.compile(r"(?<=[，,。；\s])其中(?=[，,：:\s\w])")
_OPEN_WORD = re.compile(r"包括有?|包含有?|含有|具有|具备|设有|由(?=[^，。；]{1,80}组成)")
_SUBJECT_END = re.compile(r"[，,：:；;。]|其?特征\s*(?:在于|是|为)|(?<!所)其中|\n")
_LEAD = re.compile(r"\s*(?:[一—]\s*种)?\s*(?:当[^，。]{0,24}时)?\s*(?:根据|如|按照|依据|依照|基于|按|由)?\s*\Z")
_ONE = re.compile(r"\s*(?:[一—]\s*种|一(?=个|套|组)[个套组]?)\s*")
_BRACKET = re.compile(r"[（(〔\[][^）)〕\]]{0,40}[）)〕\]]")

_METHOD = ("方法", "工艺", "制法", "流程", "做法", "步骤", "过程", "算法", "法", "术")
_USE = ("用途", "应用", "使用", "运用")


def category_of(subject: str) -> str:
    """"method", "use", "product", or "" for an empty subject, told by the head noun (指南II-2-3.2.2)."""
    bare = _BRACKET.sub("", subject).strip()
    if not bare:
        return ""
    if bare.endswith(_USE):
        return "use"
    return "method" if bare.endswith(_METHOD) else "product"


@dataclass(frozen=True)
class Residue:
    """Text in the claims part that belongs to no claim; `kind` is "heading" or "comment"."""

    start: int
    end: int
    text: str
    kind: str


@dataclass
class Claim:
    """One claim. `text` excludes the printed number, which is `prefix`.

    `refs` are the claims it narrows (dependent) or uses (independent by reference, `by_reference`), ranges
    expanded. `reference` is the opening citation of a dependent claim; `citations` are all citations.
    """

    number: int
    text: str
    start: int
    end: int
    prefix: str = ""
    kind: Kind = "independent"
    subject: str = ""
    preamble: str = ""
    transition: str = ""
    body: str = ""
    body_start: int = 0
    refs: list[int] = field(default_factory=list)
    category: str = ""
    by_reference: bool = False
    reference: Citation | None = None
    citations: list[Citation] = field(default_factory=list)

    @property
    def multiple(self) -> bool:
        """Whether it is a multiple dependent claim."""
        return self.kind == "dependent" and len(set(self.refs)) > 1


@dataclass
class ClaimSet:
    """The claims in order of appearance, with the text they were read from and what was left over."""

    text: str
    claims: list[Claim]
    residue: list[Residue] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @classmethod
    def from_list(cls, items: Iterable[Mapping[str, Any]]) -> ClaimSet:
        """A set from `{number, text}` items. Raises ValueError where an item has no such fields."""
        claims: list[Claim] = []
        parts: list[str] = []
        at = 0
        for item in items:
            try:
                number, raw = int(item["number"]), item["text"]
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError("each claim needs a whole number and a text") from error
            if not isinstance(raw, str):
                raise ValueError("each claim needs a whole number and a text")
            printed = re.match(rf"\s*(?:权利要求|权项|第)?\s*{number}\s*(?:项?[.．、:：)）]|项)\s*", normalise(raw))
            prefix = raw[: printed.end()] if printed else f"{number}. "
            body = raw[printed.end() :] if printed else raw
            parts.append(f"{prefix}{body}\n")
            claims.append(Claim(number, body, at + len(prefix), at + len(prefix) + len(body), prefix))
            at += len(parts[-1])
        result = cls("".join(parts), claims)
        _analyse(result)
        return result

    def by_number(self, number: int) -> Claim | None:
        """The first claim with this number."""
        return next((claim for claim in self.claims if claim.number == number), None)

    def parents(self, claim: Claim) -> list[Claim]:
        """The cited claims that exist and stand before it, in the order cited, without repeats."""
        found = (self.by_number(n) for n in dict.fromkeys(claim.refs) if n < claim.number)
        return [parent for parent in found if parent is not None]

    def ancestors(self, claim: Claim) -> list[Claim]:
        """All claims reached through references, nearest first."""
        seen: dict[int, Claim] = {}
        queue: list[Claim] = self.parents(claim)
        while queue:
            current = queue.pop(0)
            if current.number not in seen:
                seen[current.number] = current
                queue.extend(self.parents(current))
        return list(seen.values())


def sections(text: str) -> dict[str, tuple[int, int]]:
    """Spans of the parts of a filing (权利要求书, 说明书, 说明书摘要, 说明书附图) found by their headings."""
    marks = [(re.sub(r"\s", "", m.group(1)), m.start(), m.end()) for m in _SECTION.finditer(text)]
    found: dict[str, tuple[int, int]] = {}
    for index, (name, _, end) in enumerate(marks):
        stop = marks[index + 1][1] if index + 1 < len(marks) else len(text)
        found.setdefault("说明书摘要" if name == "摘要" else name, (end, stop))
    return found


def find_support(text: str, passage: str) -> tuple[int, int] | None:
    """Where the description of a filing states `passage` literally; never a span inside the claims."""
    parts = sections(text)
    start, end = parts.get("说明书", (0, parts.get("权利要求书", (len(text), 0))[0]))
    wanted = passage.strip().rstrip("。")
    at = text.find(wanted, start, end) if wanted else -1
    return None if at < 0 else (at, at + len(wanted))


def parse_claims(text: str) -> ClaimSet:
    """The claim set of `text`, plain or `cn-claims` XML."""
    if re.match(r"\s*(?:<\?xml[^>]*>\s*)?<(?:cn-)?claims\b", text):
        return _parse_xml(text)
    claim_part = sections(text).get("权利要求书")
    low, high = claim_part or (0, len(text))
    plain = normalise(text)
    heads = _heads(plain, low, high)
    result = ClaimSet(text, [])
    if claim_part and text[:low].strip() and len(sections(text)) == 1:
        _keep_residue(result, 0, low)
    _keep_residue(result, low, heads[0].start("prefix") if heads else high)
    for index, head in enumerate(heads):
        stop = heads[index + 1].start("prefix") if index + 1 < len(heads) else high
        start, end = _trim(text, head.end(), _claim_end(text, head.end(), stop))
        _keep_residue(result, end, stop)
        prefix = text[head.start("prefix") : start]
        result.claims.append(Claim(int(head.group("number")), text[start:end], start, end, prefix))
    _analyse(result)
    return result


def _heads(plain: str, low: int, high: int) -> list[re.Match[str]]:
    """Printed claim numbers between low and high; list items inside a claim are passed over."""
    heads: list[re.Match[str]] = []
    for match in _HEAD.finditer(plain, low, high):
        opens = bool(_OPENING_RE.match(plain, match.end()))
        before = plain[low : match.start()].rstrip()
        at_line = match.start() == low or plain[match.start() - 1] == "\n" or not before
        number, sep = int(match.group("number")), match.group("sep")
        if not at_line and (not opens or (before[-1:] in "】：:" and heads)):
            continue
        if not sep and not opens:
            continue
        if heads and not opens:
            closed = before.endswith(("。", "."))  or bool(_COMMENT.match(before.rsplit("\n", 1)[-1]))
            if not closed or number != int(heads[-1].group("number")) + 1 or sep in (")", "）"):
                continue
        heads.append(match)
    return heads


def _claim_end(text: str, start: int, stop: int) -> int:
    """The end of the claim text: trailing comment lines and stray page numbers are cut off."""
    end = stop
    while True:
        kept = text[start:end].rstrip()
        cut = kept.rfind("\n")
        if cut < 0 or not _COMMENT.match(kept[cut + 1 :]) or kept[:cut].rstrip()[-1:] not in "。；":
            return end
        if kept[cut + 1 :].strip().endswith(("。", "；")) and not kept[:cut].rstrip().endswith("。"):
            return end
        end = start + cut


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    kept = text[start:end]
    return start + len(kept) - len(kept.lstrip()), max(start, end - len(kept) + len(kept.rstrip()))


def _keep_residue(result: ClaimSet, start: int, end: int) -> None:
    for line in re.finditer(r"[^\n]+", result.text[start:end]):
        low, high = _trim(result.text, start + line.start(), start + line.end())
        text = result.text[low:high]
        if not text:
            continue
        title = _SECTION.match(text) or re.fullmatch(r"【[^】]*】", text)
        result.residue.append(Residue(low, high, text, "heading" if title else "comment"))


def _parse_xml(text: str) -> ClaimSet:
    """Claims of the Office's XML; elements that are no claim are ignored with a warning."""
    from defusedxml import ElementTree

    try:
        root = ElementTree.fromstring(text.encode() if text.lstrip().startswith("<?xml") else text)
    except Exception as error:  # any malformed or hostile XML ends as an empty set with the reason
        return ClaimSet(text, [], [Residue(0, len(text), text, "comment")], [f"unreadable XML: {error}"])
    items: list[dict[str, object]] = []
    warnings: list[str] = []
    for element in root:
        words = "".join(element.itertext()).strip()
        number = element.get("num", "")
        if element.tag != "claim" or not number.isdecimal():
            warnings.append(f"ignored <{element.tag} num={number!r}>: {words[:40]}")
            continue
        items.append({"number": int(number), "text": words})
    result = ClaimSet.from_list(items)
    result.warnings.extend(warnings)
    return result


def _analyse(result: ClaimSet) -> None:
    """Fills subject, references and parts of every claim; earlier claims first, since a subject is inherited."""
    by_number: dict[int, Claim] = {}
    for claim in result.claims:
        claim.citations = find_citations(claim.text, claim.number)
        _set_reference(claim, by_number)
        _set_parts(claim)
        by_number.setdefault(claim.number, claim)


def _phrase(text: str, start: int) -> str:
    """The noun phrase from `start` to the first punctuation, without signs and leading 一种."""
    end = _SUBJECT_END.search(text, start)
    phrase = text[start : end.start() if end else len(text)]
    bare = re.sub(r"\s+", "", _BRACKET.sub("", phrase))
    one = _ONE.match(bare)
    return bare[one.end() :] if one else bare


def _set_reference(claim: Claim, earlier: Mapping[int, Claim]) -> None:
    cited = list(dict.fromkeys(n for citation in claim.citations for n in citation.numbers))
    opening = next((c for c in claim.citations if _LEAD.match(claim.text[: c.start])), None)
    if opening is None:
        claim.by_reference = bool(cited)
        claim.refs = cited
        claim.subject = _independent_subject(claim.text)
        claim.category = category_of(claim.subject)
        return
    claim.subject = _cut_predicate(_phrase(claim.text, opening.end))
    claim.category = category_of(claim.subject)
    parents = [earlier[n].subject for n in opening.numbers if n in earlier]
    if parents and not narrows(claim.subject, parents):
        claim.by_reference = True
        claim.refs = cited
        return
    claim.kind = "dependent"
    claim.reference = opening
    claim.refs = list(opening.numbers)


def narrows(subject: str, parents: Sequence[str]) -> bool:
    """Whether a claim opening with a citation has the type of a cited claim (CN-DEP-010)."""
    if not subject:
        return True
    bare = subject.removeprefix("的")
    for parent in parents:
        if bare == parent or parent.endswith(bare) or bare.endswith(parent):
            return True
        size = next((n for n in range(len(parent), 0, -1) if bare.startswith(parent[-n:])), 0)
        inside = bare.find(parent[-2:]) + 2 if parent[-2:] in bare else 0
        rest = bare[max(size, inside) :] if size or inside else ""
        if re.search(r"的|中|用|得到|制", rest):
            return False
    return True


def _cut_predicate(phrase: str) -> str:
    found = _OPEN_WORD.search(phrase)
    if found and found.start() >= 2 and "的" not in phrase[found.end() :]:
        phrase = phrase[: found.start()]
    return re.sub(r"(?:还|进一步|更|，)+$", "", phrase)


def _independent_subject(text: str) -> str:
    one = _ONE.match(text)
    return _cut_predicate(_phrase(text, one.end() if one else 0))


def _set_parts(claim: Claim) -> None:
    text = blank_quotes(claim.text)
    head_end = claim.reference.end if claim.reference else 0
    subject_end = _SUBJECT_END.search(text, head_end)
    after = subject_end.start() if subject_end else len(text)
    mark = _CHARACTERISING.search(text, head_end)
    if mark is None and claim.kind == "dependent":
        mark = _WHEREIN.search(text, head_end)
    if mark is None:
        mark = _OPEN_WORD.search(text, min(after, head_end + len(claim.subject)))
    if mark is None:
        claim.body_start = after
        claim.body = claim.text[after:].strip("，,：: \n")
        return
    claim.transition = claim.text[mark.start() : mark.end()]
    claim.preamble = claim.text[min(after, mark.start()) : mark.start()].strip("，,：:； \n")
    claim.body_start = mark.end()
    claim.body = claim.text[mark.end() :].lstrip("，,：: \n")
