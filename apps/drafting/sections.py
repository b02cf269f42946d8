"""The headed sections of a disclosure: which line belongs to the field, the background, the effects, the figures or the body.

    for start, line, role in lines("一、技术领域\\n本发明涉及……\\n")   ->  (0, "一、技术领域", "heading"), (7, "本发明……", "field")
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_HEADING = re.compile(
    r"^(?:[（(]?[一二三四五六七八九十\d.]{1,5}[)）、.． ]*)?[【\[]?(技术领域|所属技术领域|背景技术|现有技术|发明内容|技术方案|有益效果|附图说明|"
    r"具体实施方式|实施例|技术问题|要解决的技术问题|发现问题|发明目的)[^。，]{0,12}$"
)
_ROLE = {
    "技术领域": "field", "所属技术领域": "field", "背景技术": "background", "现有技术": "background",
    "发现问题": "background", "技术问题": "background", "要解决的技术问题": "background", "有益效果": "effects",
    "附图说明": "figures",
}  # fmt: skip


def lines(text: str) -> Iterator[tuple[int, str, str]]:
    """(offset, line, role) of a plain text; the role is "" before the first heading."""
    role, start = "", 0
    for line in text.splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        heading = _HEADING.match(bare)
        if heading:
            role = _ROLE.get(heading[1], "body")
        yield start, bare, "heading" if heading else role
        start += len(line)


def outside_solution(text: str) -> list[range]:
    """Offsets of the sections that do not describe the solution: field, background, effects and figures."""
    return [range(start, start + len(line)) for start, line, role in lines(text) if role not in ("", "body")]
