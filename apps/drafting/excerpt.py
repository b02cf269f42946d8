"""The part of a disclosure that the model reads: plain sentences, at most a few thousand characters.

Markup is removed. A longer text keeps, in its own order, the paragraphs that describe the solution.
"""

from __future__ import annotations

import re

MAX_CHARS = 2000
_MARKUP = re.compile(r"^[ \t]*(#{1,6}[ \t]*|[-*+>][ \t]+)|\*\*|__|`", re.M)
_TABLE = re.compile(r"^[ \t]*\|?[ \t:|-]+\|?[ \t]*$", re.M)
_ASIDE = re.compile(r"^(技术|专利)?交底书$|^图\s*\d+\s*[为是:：]|附图标记|附图说明$|联系人|电话|邮箱|E-mail|撰写指导")
_WEIGHTS = (
    (re.compile(r"发明名称|一种"), 4),
    (re.compile(r"包括|设有|设置|步骤|固定|连接|安装|获取|计算|得到"), 3),
    (re.compile(r"优选|可选|进一步|还可以|实施例"), 3),
    (re.compile(r"技术领域|要解决|问题|效果|优点"), 2),
)


def plain(text: str) -> str:
    """Without Markdown marks, table rules and empty lines; table cells are joined by a colon."""
    text = _MARKUP.sub("", _TABLE.sub("", text.replace("\r\n", "\n").replace("\ufeff", "")))
    lines = (re.sub(r"[ \t]*\|[ \t]*", "：", line.strip().strip("|").strip()) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def readable(text: str) -> str:
    """The lines of a plain text that say something about the invention: no notes on figures and signs."""
    return "\n".join(line for line in text.splitlines() if not _ASIDE.search(line))


def excerpt(text: str, max_chars: int = MAX_CHARS) -> tuple[str, int]:
    """What the model reads of a plain text, and how many characters of it are left out."""
    if len(text) <= max_chars:
        return text, 0
    lines = [line[:max_chars] for line in text.splitlines()]
    weight = {at: sum(points for pattern, points in _WEIGHTS if pattern.search(line)) for at, line in enumerate(lines)}
    weight[0] += 9
    chosen, room = set[int](), max_chars
    for at in sorted(weight, key=lambda at: (-weight[at], at)):
        if len(lines[at]) + 1 <= room:
            chosen.add(at)
            room -= len(lines[at]) + 1
    kept = "\n".join(lines[at] for at in sorted(chosen))
    return kept, len(text) - len(kept)
