"""What the parts of a disclosure are for: which line belongs to the field, the background, the effects, the figures or
the body, and which clause says why and not how.

    for start, line, role in lines("一、技术领域\\n本发明涉及……\\n")   ->  (0, "一、技术领域", "heading"), (7, "本发明……", "field")
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_HEADING = re.compile(
    r"^(?:[（(]?[一二三四五六七八九十\d.]{1,5}[)）、.． ]*)?[【\[]?(技术领域|所属技术领域|背景技术|现有技术|发明内容|技术方案|有益效果|附图说明|"
    r"具体实施方式|实施例|技术问题|要解决的技术问题|发现问题|发明目的)[^。，]{0,12}$"
)
# A clause that says what the invention is good for; a claim names means (指南 II-2-3.2.1).
_BENEFIT = re.compile(
    r"^(?:从而|以便|以免|进而|因此|避免|防止|有利于|便于|不需要|无需|不再|提高了?|降低了?|减少了?|改善|增大了?|保证|保障|确保|仍然|适用于|不影响|不增大|.{0,6}不会)"
)
# By having what another clause describes, to some end.
_PURPOSE = re.compile(r"^(?:通过(?:设[置有]|上述设[置计])|使得?|设置[^在有于为]{1,8}$)")
# What holds parts together.
_STRUCTURE = re.compile(r"抵[接靠]|相抵|伸[入出]|插[入接]|朝向|对[准应]|贴合|卡[入接合]|支撑|驱动|带动|推动|包括|设[有置]|连接|固定|安装|位于|套[装设接]|开[有设]|铰接|焊接|嵌|穿[过设]|啮合|配合|滑动|转动")
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


def praises(clause: str) -> bool:
    """Whether a clause tells what is gained."""
    return bool(_BENEFIT.match(clause))


def aims(clause: str) -> bool:
    """Whether a clause about a product tells what another clause's parts are for."""
    return praises(clause) or bool(_PURPOSE.match(clause))


def builds(text: str) -> bool:
    """Whether a text tells how parts are put together."""
    return bool(_STRUCTURE.search(text))


def outside_solution(text: str) -> list[range]:
    """Offsets of the sections that do not describe the solution: field, background, effects and figures."""
    return [range(start, start + len(line)) for start, line, role in lines(text) if role not in ("", "body")]
