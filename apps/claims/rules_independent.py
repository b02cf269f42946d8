"""Rules of independent claims: CN-IND-001, 002, 003, 005, 006, 008 (细则23, 24; 指南II-2-3)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .finding import Finding, finding
from .lexicons import BAD_HEADS
from .parse import Claim, ClaimSet

_CHARACTERISING = re.compile(r"其(?:特征|改进(?:之处)?)\s*(?:在于|是|为)")
_TWO_CATEGORIES = re.compile(
    r"(?:及其|以及其?|和其?|与其?|及)[^，。的]{0,10}(?:方法|工艺|用途|应用|设备|装置|系统)$|(?:方法|工艺)(?:及其?|以及|和|与)[^，。]{0,10}(?:装置|设备|系统|产品)$"
)
_MIXED = re.compile(r"(?:包括|包含)由?[^，；。]{1,60}组成(?!的|部分|成|单元|件)|由[^，；。]{1,60}组成(?:[^，；。]{0,6})等")
_MAINLY = re.compile(r"(?:主要|基本上?)(?:是)?由[^，；。]*组成")


def check_independent(claims: ClaimSet, two_part: bool) -> Iterator[Finding]:
    """Findings on independent claims; `two_part` asks for 其特征在于 (not where a claim cites another)."""
    for claim in claims.claims:
        for extra in list(_CHARACTERISING.finditer(claim.text))[1:]:
            yield finding("CN-IND-006", claim.number, *extra.span())
        yield from _transition(claim)
        if claim.kind == "independent":
            yield from _subject(claim)
            if two_part and not claim.by_reference and not _CHARACTERISING.search(claim.text):
                yield finding("CN-IND-005", claim.number, 0, min(len(claim.text), 20))


def _subject(claim: Claim) -> Iterator[Finding]:
    at = max(0, claim.text.find(claim.subject))
    end = at + len(claim.subject)
    if not re.match(r"\s*一种", claim.text) and not claim.by_reference:
        yield finding("CN-IND-001", claim.number, 0, max(1, end))
    if claim.subject.endswith(BAD_HEADS) or not claim.subject:
        yield finding("CN-IND-002", claim.number, at, end, text=claim.subject)
    if not claim.by_reference and _TWO_CATEGORIES.search(claim.subject) and _is_pair(claim.subject):
        yield finding("CN-IND-003", claim.number, at, end, text=claim.subject)


def _is_pair(subject: str) -> bool:
    """及其加工方法 is a second category; 和…的装置 inside one noun phrase (检测和控制装置) is not."""
    return bool(re.search(r"及其|以及其", subject)) or bool(
        re.search(r"(?:方法|工艺)(?:及|以及|和|与)[^，。]{0,10}(?:装置|设备|系统|产品)$", subject)
        or re.search(r"(?:装置|设备|系统|产品)(?:及|以及|和|与)[^，。]{0,10}(?:方法|工艺|用途)$", subject)
    )


def _transition(claim: Claim) -> Iterator[Finding]:
    for match in _MIXED.finditer(claim.text):
        if not _MAINLY.search(match.group()):
            yield finding("CN-IND-008", claim.number, *match.span(), text=match.group()[:30])
