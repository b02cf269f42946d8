"""What a disclosure marks itself, as spans: steps (步骤S1，…), preferred features (优选的，…), parts with a sign (卡槽21).

Inventors mark these the same way nearly everywhere, and a mark is surer than a model's extraction: marked steps are the
features of a method, marked preferences are options beside the extracted ones.
"""

from __future__ import annotations

import dataclasses
import re

from apps.drafting.invention import Invention, Value
from apps.drafting.signs import find_signs, unsigned

_STEP = re.compile(r"^\s*(?:步骤\s*)?(?:S\s*\d+|步骤[一二三四五六七八九十\d]+)\s*[，,：:、.]\s*(.+)$", re.M)
_OPTION = re.compile(
    r"^\s*(?:优选|较佳|可选|进一步|更进一步|作为优选)(?:地|的)?(?:，|,)?\s*(?:步骤\s*S?\d+\s*中?(?:还)?[，,]?)?(?:所述)?(.+)$", re.M
)
_PROGRAM = re.compile(r"计算机程序|存储介质|电子设备")
MIN_STEPS = 2


def with_marks(invention: Invention, disclosure: str) -> Invention:
    """The invention with the disclosure's marked steps and options; a method for a computer becomes 软件方法."""
    clean, offsets = unsigned(disclosure)

    def values(pattern: re.Pattern[str]) -> list[Value]:
        found = []
        for match in pattern.finditer(clean):
            text = match[1].rstrip(" 。；;")
            start = match.start(1)
            if len(text) >= 4:
                found.append(Value(text, offsets[start], offsets[start + len(text) - 1] + 1))
        return found

    steps, options = values(_STEP), values(_OPTION)
    changes: dict[str, object] = {}
    if invention.is_method and len(steps) >= MIN_STEPS:
        changes["features"] = steps
    if options:
        inside = [old for old in invention.options if any(new.start <= old.start < new.end for new in options)]
        changes["options"] = options + [old for old in invention.options if old not in inside and len(old.text) >= 6]
    if invention.category == "方法" and _PROGRAM.search(disclosure):
        changes["category"] = "软件方法"
    signed = [name for name in find_signs(disclosure, invention.terms) if name not in invention.terms and name in clean]
    if signed:
        starts = [(name, clean.index(name)) for name in signed]
        changes["parts"] = invention.parts + [
            Value(name, offsets[at], offsets[at + len(name) - 1] + 1) for name, at in starts
        ]
    return dataclasses.replace(invention, **changes)  # type: ignore[arg-type]
