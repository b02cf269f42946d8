"""Drawing signs in claims: bracketed signs with the component they follow, and bare numerals.

A sign is a bracketed numeral such as （12） or (E1) after a component name. Crystal planes, formula names
such as 式（I）, sub-paragraph ordinals and quantities are no signs (细则22.4; 指南II-2-3.3).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from .references import normalise

_BRACKETED = re.compile(r"(?<=[一-龥A-Za-z0-9])[（(〔](\d{1,4}[a-zA-Z]?['’′]?|[A-Z]{1,2}\d{1,3})[）)〕]")
_PLANE_AFTER = re.compile(r"\s*(?:晶面|晶向|面(?!板|罩|壳|盖|料)|方向|取向|峰)")
_NOT_SIGN_BEFORE = re.compile(r"(?:式|公式|步骤|权利要求|图|表|实施例|沿|[A-Z][a-z]?)\Z")
_BARE = re.compile(r"(?<=[一-龥])([A-Z]?\d{1,3}[a-z]?)(?=[一-龥，；。、]|\Z)")
_BARE_BEFORE = re.compile(
    r"(?:第|要求|步骤|步|为|于|是|约|到|至|取|在|从|每|有|共|达|式|图|例|号|含|和|或|与|及|以|隔|比|加|减|乘|除|的|过|间|少|多|超|成|经|用|呈|分|温|长|宽|高|厚|速|率|度|量|值|径|距|级|型|类|层|代|反应|模块|单元|区|组|氧|碳|氢|氮)\Z"
)
_UNIT = re.compile(
    r"\s*(?:个|度|米|次|毫|厘|微|纳|千|公|克|份|分|秒|小时|天|日|月|年|周|倍|种|对|组|层|条|块|根|只|片|段|级|位|号|项|步|行|列|点|圈|转|吨|升|帕|瓦|伏|安|赫|重量|质量|摩尔|体积|以上|以下|以内|至|到|或|元|世|代|型|类|中任|所述|套|台|道|边|角|维|阶|轮|端|侧|斤|两|亩|目|路|万|千|百|亿|寸|尺|粒|颗|瓶|杯|勺|人|字节|比特)"
)
_COUNTED = re.compile(r"\s*[个只根块条片组套台种对]")
_ORDINAL = re.compile(r"第[一二三四五六七八九十]+\Z")
_NAME = re.compile(r"[一-龥A-Za-z]{1,12}\Z")
_CUT = re.compile(r".*(?:所述|该|一个|一种|(?<!第)一|内设有|设有|包括|连接有?|安装有?|与|和|及|的|踩踏|在|将|于|为)")


@dataclass(frozen=True)
class Sign:
    """A sign at `[start, end)` (brackets included) with the Han text just before it."""

    start: int
    end: int
    sign: str
    before: str


def find_signs(text: str) -> list[Sign]:
    """Bracketed signs of a text."""
    plain = normalise(text)
    found = []
    for match in _BRACKETED.finditer(plain):
        before = plain[max(0, match.start() - 14) : match.start()]
        if _PLANE_AFTER.match(plain, match.end()) or _NOT_SIGN_BEFORE.search(before):
            continue
        name = _NAME.search(before)
        found.append(Sign(match.start(), match.end(), match.group(1), name.group() if name else ""))
    return found


def find_bare(text: str, signs: Mapping[str, str] | None = None) -> list[Sign]:
    """Numerals that stand for a component without brackets: 壳体1内.

    With a sign table only its names count (longest name before the numeral); without one, a numeral glued
    to a noun that is neither a quantity nor a label.
    """
    plain = normalise(text)
    names = sorted((signs or {}).values(), key=len, reverse=True)
    found = []
    for match in _BARE.finditer(plain):
        before = plain[max(0, match.start() - 14) : match.start()]
        if signs:
            named = any(before.endswith(name) for name in names) and match.group(1) in signs
            if named and not _COUNTED.match(plain, match.end()):
                found.append(Sign(match.start(), match.end(), match.group(1), before))
            continue
        if _BARE_BEFORE.search(before) or _UNIT.match(plain, match.end()):
            continue
        name = _NAME.search(before)
        found.append(Sign(match.start(), match.end(), match.group(1), name.group() if name else ""))
    return found


def sure_bare(text: str, signs: Mapping[str, str] | None = None) -> list[Sign]:
    """Bare numerals that are drawing signs beyond doubt, for findings: those of the sign table, or without a table plain
    numbers with at most a letter a to f. P1, H2 and 20g may be quantities, symbols or formulas.
    """
    return [found for found in find_bare(text, signs) if signs or re.fullmatch(r"\d+[a-f]?", found.sign)]


def common_tail(names: list[str]) -> str:
    """The longest text all names end with: the component name whatever clause stands before it."""
    tail = names[0]
    for name in names[1:]:
        size = 0
        while size < min(len(tail), len(name)) and tail[-1 - size] == name[-1 - size]:
            size += 1
        tail = tail[len(tail) - size :]
    return tail


def component(before: str) -> str:
    """The component name at the end of the text before a sign."""
    return _CUT.sub("", before) or before


def sign_table(found: list[Sign]) -> dict[str, set[str]]:
    """Sign to component names; one name where all occurrences end alike and no ordinal tells them apart."""
    grouped: dict[str, list[str]] = defaultdict(list)
    for item in found:
        if item.before:
            grouped[item.sign].append(item.before)
    table: dict[str, set[str]] = {}
    for sign, befores in grouped.items():
        tail = common_tail(befores)
        ordinals = {told.group() for name in befores if (told := _ORDINAL.search(name.removesuffix(tail)))}
        one = tail and len(ordinals) < 2
        table[sign] = {component(tail)} if one else {component(name) for name in befores}
    return table
