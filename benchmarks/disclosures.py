"""Disclosures for measuring: the examples of this repository, and texts made from the descriptions of published patents.

`from_patent` keeps what an inventor would hand over (name, field, background, embodiments, effects) and leaves out the
claims, the summary that mirrors them, and the phrases of the drafter.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[1] / "examples"
_HEADING = re.compile(
    r"^[【\[]?(技术领域|背景技术|发明内容|实用新型内容|本实用新型内容|附图说明|具体实施方式|具体实施例|实施例|附图标记说明)[】\]]?[:：]?$"
)
_SUMMARY = ("发明内容", "实用新型内容", "本实用新型内容")
_EFFECTS = re.compile(r"有益效果|优点")
_PHRASE = re.compile(
    r"本领域|保护范围|术语|需要说明的是|最后应说明|尽管|不脱离|以上所述|以上仅|(?:下面|以下)(?:将)?结合|应当理解|为了使|诸如第一|可以理解|显然，"
)
_FIGURE = re.compile(r"^(?:具体的?地?，)?(?:请)?(?:参阅|参照|参见|如)图[\d\-–至、~～和与图 ]+(?:所示)?，")
MAX_CHARS = 2000


def examples() -> dict[str, str]:
    """File name -> text."""
    return {file.name: file.read_text("utf-8") for file in sorted(EXAMPLES.glob("*.md"))}


def records(file: Path) -> dict[str, dict[str, Any]]:
    """Id -> record of a JSON-lines corpus."""
    rows = (json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip())
    return {row["id"]: row for row in rows}


def from_patent(record: Mapping[str, Any], max_chars: int = MAX_CHARS) -> str:
    """A disclosure of at most `max_chars` characters. Raises ValueError when the description has no embodiments."""
    sections: dict[str, list[str]] = {}
    current = ""
    for line in record["description"].splitlines():
        line = line.strip()
        heading = _HEADING.match(line)
        if heading:
            current = heading[1]
            continue
        line = _FIGURE.sub("", line)
        if line and not _PHRASE.search(line):
            sections.setdefault(current, []).append(line)
    body = sections.get("具体实施方式") or sections.get("具体实施例") or sections.get("实施例") or []
    if not body:
        raise ValueError(f"{record['id']} has no embodiments")
    summary = [line for name in _SUMMARY for line in sections.get(name, [])]
    at = next((at for at, line in enumerate(summary) if _EFFECTS.search(line)), len(summary))
    parts = [
        ("技术领域", sections.get("技术领域", []), 200),
        ("背景技术", sections.get("背景技术", []), 300),
        ("有益效果", [line for line in summary[at:] if not _EFFECTS.search(line) or len(line) > 20], 300),
    ]
    text = [f"发明名称：{record['title']}"]
    for heading, lines, room in parts:
        text += [heading, *_fit(lines, room)] if lines else []
    used = sum(map(len, text))
    return "\n".join([*text, "具体实施方式", *_fit(body, max_chars - used)]) + "\n"


def _fit(lines: list[str], room: int) -> list[str]:
    """Whole sentences from the beginning, at most `room` characters."""
    kept = []
    for line in lines:
        sentences = [s for s in re.findall(r"[^。]+。?", line) if not _PHRASE.search(s)]
        while sentences and sum(map(len, sentences)) > room:
            sentences.pop()
        if not sentences:
            break
        kept.append("".join(sentences))
        room -= len(kept[-1])
    return kept
