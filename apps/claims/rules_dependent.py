"""Rules of dependent claims and their references: all CN-DEP (细则25; 指南II-2-3.3.2).

Independent claims written by reference (CN-DEP-010) are exempt from subject and multiple rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .finding import Finding, finding
from .parse import Claim, ClaimSet, category_of
from .references import Citation, quoted_mentions
from .terms import squeeze

_MARK = re.compile(r"其?(?:特征|改进(?:之处)?)\s*(?:在于|是|为|于)|其中|其为|的特征")
_REMOVES = re.compile(
    r"(?:不包括|不含有?|不具有|不设置?|省略|取消|去除|去掉|删除)了?所述[^，；。]{1,16}|(?:代替|替换|取代|替代)所述[^，；。]{1,16}|用[^，；。]{1,16}(?:代替|替换|取代|替代)[^，；。]{1,16}"
)
_RANGE = re.compile(
    r"(?P<name>[一-龥]{2,12}?)(?:为|是|在|：)?\s*(?P<low>\d+(?:\.\d+)?)\s*(?P<u1>[℃%a-zA-Zμ°一-龥]{0,4}?)\s*(?:～|~|至|-|–|—)\s*"
    r"(?P<high>\d+(?:\.\d+)?)\s*(?P<unit>℃|%|[a-zA-Zμ°/]{1,8}|毫米|厘米|米|小时|分钟|秒|份)"
)
_CLOSED = re.compile(r"(?<!主要)(?<!基本上)(?<!基本)由[^，；。]{1,60}组成")
_ADDS = re.compile(r"还(?:含有|包括|包含|添加有?|加入)")


def check_dependent(claims: ClaimSet, strict: bool) -> Iterator[Finding]:
    """Findings on every reference; `strict` adds the house rules on form and the closed-claim rule."""
    for claim in claims.claims:
        for start, end in quoted_mentions(claim.text):
            yield finding(
                "CN-DEP-010", claim.number, start, end,
                why="引号内提及权利要求，不作引用", why_en="a claim mentioned in quotation marks is no reference",
            )  # fmt: skip
        for citation in claim.citations:
            yield from _numbers(claims, claim, citation)
        if claim.kind == "dependent" and claim.reference:
            yield from _form(claim, claim.reference, strict)
            yield from _parents(claims, claim, claim.reference)
            yield from _limits(claims, claim, claim.reference)
    yield from _roots(claims)


def _numbers(claims: ClaimSet, claim: Claim, citation: Citation) -> Iterator[Finding]:
    span = (citation.start, citation.end)
    if not citation.numbered:
        yield finding("CN-DEP-008", claim.number, *span)
        return
    if re.search(r"当[^，。]{0,20}引用\Z", claim.text[: citation.start]):
        return
    repeated = {n for n in citation.numbers if citation.numbers.count(n) > 1}
    for n in sorted({*repeated, *({claim.number} & set(citation.numbers))}):
        yield finding("CN-DEP-003", claim.number, *span, n=n)
    for n in dict.fromkeys(citation.numbers):
        if claims.by_number(n) is None:
            yield finding("CN-DEP-002", claim.number, *span, n=n, why="不存在", why_en="does not exist")
        elif n > claim.number:
            yield finding("CN-DEP-002", claim.number, *span, n=n, why="在后", why_en="comes later")
    for low, high in citation.ranges:
        if low >= high or not citation.any:
            severity = "error" if low >= high else None
            yield finding("CN-DEP-007", claim.number, *span, severity=severity, text=citation.list_text)
    if not citation.alternative:
        yield finding("CN-DEP-005", claim.number, *span)


def _form(claim: Claim, reference: Citation, strict: bool) -> Iterator[Finding]:
    if not claim.subject:
        yield finding("CN-DEP-001", claim.number, reference.start, reference.end)
    marks = list(_MARK.finditer(claim.text, reference.end))
    if strict and not marks:
        yield finding("CN-DEP-015", claim.number, reference.start, reference.end)


def same_subject(one: str, other: str) -> bool:
    """Whether two subject names agree after 一种, with the head noun allowed for a longer name."""
    a, b = (re.sub(r"^(?:的|一种)", "", squeeze(name)) for name in (one, other))
    return a == b


def short_form(got: str, want: str) -> bool:
    """Whether `got` is a usual short form of `want` (or the other way round): same tail of 2 or more characters."""
    a, b = (re.sub(r"^(?:的|一种)", "", squeeze(name)) for name in (got, want))
    return len(a) >= 1 and len(b) >= 1 and (b.endswith(a) or a.endswith(b) or a in b or b in a)


def _parents(claims: ClaimSet, claim: Claim, reference: Citation) -> Iterator[Finding]:
    span = (reference.start, min(len(claim.text), reference.end + len(claim.subject)))
    parents = [p for p in claims.parents(claim) if p.subject]
    categories = {category_of(p.subject) for p in parents}
    subjects = {squeeze(p.subject) for p in parents}
    if reference.numbered and len(parents) > 1 and (
        len(categories) > 1 or not all(short_form(a, b) for a in subjects for b in subjects)
    ):
        yield finding("CN-DEP-009", claim.number, *span)
    elif claim.subject and parents and not same_subject(claim.subject, parents[0].subject):
        severity = "warning" if short_form(claim.subject, parents[0].subject) else None
        yield finding(
            "CN-DEP-004", claim.number, *span, severity=severity, got=claim.subject, want=parents[0].subject
        )
    if claim.multiple:
        for parent in claims.parents(claim):
            if parent.multiple:
                yield finding("CN-DEP-006", claim.number, reference.start, reference.end, n=parent.number)


def _limits(claims: ClaimSet, claim: Claim, reference: Citation) -> Iterator[Finding]:
    limiting = re.sub(r"^[，,：:\s]*(?:其?特征\s*(?:在于|是|为|于)|其中)?[，,：:\s]*", "", claim.text[reference.end :][len(claim.subject) :])
    bare = re.sub(r"^(?:还|进一步)?(?:包括|设有|具有)?(?:所述|该)?", "", squeeze(limiting)).strip("。，；：")
    ancestors = claims.ancestors(claim)
    if len(bare) < 2 or any(bare in squeeze(parent.text) for parent in ancestors if parent.number != claim.number):
        yield finding("CN-DEP-011", claim.number, reference.end, len(claim.text))
    for match in _REMOVES.finditer(claim.text, reference.end):
        yield finding("CN-DEP-012", claim.number, *match.span(), text=match.group())
    own = {(m["name"][-4:], m["unit"]): m for m in _RANGE.finditer(claim.text, reference.end)}
    for parent in ancestors:
        for outer in _RANGE.finditer(parent.text):
            inner = own.get((outer["name"][-4:], outer["unit"]))
            if inner and not (
                float(outer["low"]) <= float(inner["low"]) and float(inner["high"]) <= float(outer["high"])
            ):
                yield finding("CN-DEP-013", claim.number, *inner.span(), got=inner.group(), want=outer.group())
    added = _ADDS.search(claim.text, reference.end)
    composition = re.search(r"组合物|合金|组分|制剂|药物|涂料|材料$", claim.subject)
    if added and composition and any(_CLOSED.search(parent.text) for parent in claims.parents(claim)):
        yield finding("CN-DEP-016", claim.number, *added.span())


def _roots(claims: ClaimSet) -> Iterator[Finding]:
    for claim in claims.claims:
        if claim.kind == "dependent" and not any(a.kind == "independent" for a in claims.ancestors(claim)):
            yield finding("CN-DEP-014", claim.number, 0, min(len(claim.text), 20))
