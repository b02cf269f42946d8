"""How a claim cites other claims: every form of 权利要求N seen in published Chinese claim sets.

`find_citations` returns each citation outside quotation marks with the numbers it means, its span and the
way it joins several numbers (细则25.1, 25.2; 指南II-2-3.3.2).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_FULL = str.maketrans("０１２３４５６７８９\u200b\u200c\u200d\ufeff\u3000\xa0", "0123456789      ")
_ORDINAL = str.maketrans("123456789", "一二三四五六七八九")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|‘[^’]*’")

_DASH = r"至|到|-|－|—|–|~|～|〜|∼|‑"
_ITEM = rf"(?:权利要求\s*)?\d{{1,3}}(?:\s*(?:{_DASH})\s*(?:权利要求\s*)?\d{{1,3}})?"
_JOIN = r"或者|或是|或|和/或|以及|和|与|及|、|，|,"
_LIST = rf"{_ITEM}(?:\s*(?:、|，)?\s*(?:{_JOIN})\s*{_ITEM})*(?:\s*(?:或者|或)(?=[\s者]*[所的]))?"
_BEFORE = r"(?:任意一项|任一项|任何一项|任一|任意|任何)?\s*(?:前述|上述|以上|前面|在前)(?:的)?\s*(?:任意一项|任一项|任何一项|任一|任意|任何|各项)?\s*"
_EXCEPT = r"除\s*权利要求\s*(?P<except>\d{1,3})\s*(?:之外|以外|外)的?"
_ANY = (
    r"任意一项|任何一项|任一项|任意项|任一权利要求|任意一权利要求|任意权利要求|任一个|任意一个|任一种|任一权"
    r"|任一所述|之一项|之任一|之一|任一|任意|其中一项|一项|各项"
)
_TAIL = (
    rf"(?P<tail>\s*中?\s*的?\s*(?:{_EXCEPT})?\s*(?P<any>{_ANY})?\s*(?:权利要求)?\s*中?\s*"
    r"(?:所述及|所述|所限定|限定|所要求保护|所要求|所记载|记载|所说|述)?\s*的?)"
)
_CITATION = re.compile(
    rf"(?P<before>{_BEFORE})?权利要求(?!书)\s*(?P<any_before>任意一项|任一项)?\s*(?P<list>{_LIST})?{_TAIL}"
)
_ITEM_RE = re.compile(rf"(\d{{1,3}})(?:\s*({_DASH})\s*(?:权利要求\s*)?(\d{{1,3}}))?")


@dataclass(frozen=True)
class Citation:
    """One citation at `[start, end)` of the claim text; `end` is after the tail (所述的).

    `numbers` are in the order written, ranges expanded, exclusions removed; `ranges` keeps (low, high) as
    written. `numbered` is false for 前述权利要求 and a bare 权利要求所述. `any` tells 任一项 or an equivalent.
    """

    start: int
    end: int
    text: str
    numbers: tuple[int, ...]
    ranges: tuple[tuple[int, int], ...]
    numbered: bool
    any: bool
    joins: tuple[str, ...]
    list_text: str

    @property
    def alternative(self) -> bool:
        """Whether several numbers are cited in the alternative, as 细则25.2 asks."""
        if len(self.numbers) < 2 or self.any or (not self.joins and not self.ranges):
            return True
        if self.ranges and not any(join.startswith("或") for join in self.joins):
            return False
        return any(join.startswith("或") for join in self.joins) and not set(self.joins) & {"和", "与", "及", "以及"}


@lru_cache(maxsize=4096)
def normalise(text: str) -> str:
    """Same length as `text`: half-width digits, no zero-width characters, 第1 as 第一."""
    plain = text.translate(_FULL)
    return re.sub(r"(?<=第)[1-9](?![0-9])", lambda m: m.group().translate(_ORDINAL), plain)


def blank_quotes(text: str) -> str:
    """Same length as `text`, quoted passages replaced by spaces: a quoted mention is no citation."""
    return _QUOTED.sub(lambda m: " " * len(m.group()), text)


def quoted_mentions(text: str) -> list[tuple[int, int]]:
    """Spans of quoted passages that mention a claim number."""
    plain = normalise(text)
    return [m.span() for m in _QUOTED.finditer(plain) if re.search(r"权利要求\s*\d", m.group())]


def _numbers(list_text: str) -> tuple[list[int], list[tuple[int, int]]]:
    numbers: list[int] = []
    ranges: list[tuple[int, int]] = []
    for match in _ITEM_RE.finditer(list_text):
        low = int(match.group(1))
        if match.group(3) is None:
            numbers.append(low)
            continue
        high = int(match.group(3))
        ranges.append((low, high))
        numbers.extend(range(min(low, high), max(low, high) + 1))
    return numbers, ranges


def find_citations(text: str, own_number: int | None = None) -> list[Citation]:
    """All citations of `text` outside quotation marks, in order.

    A citation without numbers stands for 1..own_number-1 when `own_number` is given, else for nothing.
    """
    plain = blank_quotes(normalise(text))
    found: list[Citation] = []
    for match in _CITATION.finditer(plain):
        list_text = match.group("list") or ""
        numbers, ranges = _numbers(list_text)
        anyone = bool(match.group("any") or match.group("any_before") or "任" in (match.group("before") or ""))
        if not list_text:
            if not (match.group("before") or match.group("tail").strip()):
                continue
            numbers = list(range(1, own_number or 1))
        if match.group("except"):
            numbers = [n for n in numbers if n != int(match.group("except"))]
        joins = tuple(re.findall(_JOIN, re.sub(r"[一-龥]*要求", "", list_text)))
        found.append(
            Citation(
                start=match.start(),
                end=match.end(),
                text=text[match.start() : match.end()],
                numbers=tuple(numbers),
                ranges=tuple(ranges),
                numbered=bool(list_text),
                any=anyone,
                joins=joins,
                list_text=list_text,
            )
        )
    return found
