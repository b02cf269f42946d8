"""Markdown to plain text: marks go, words stay; headings keep their #, table rows become "a | b".

Claims quote the disclosure word for word, so a stray ** or backtick would end up in a claim. Every pattern is
bounded or cannot overlap itself, so that hostile text costs linear time.
"""

import re

IMAGE = re.compile(r"!\[([^\[\]\n]{0,300})\]\([^()\n]{0,2000}\)|<img\b[^<>\n]{0,2000}>", re.I)
LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\([^()\s]{1,2000}\)")
FORMULA = re.compile(r"\$\$([^$]+)\$\$|(?<![A-Za-z0-9$])\$([^$\n]+)\$(?![A-Za-z0-9$])")
COMMENT = re.compile(r"<!--(?:(?!<!--).)*?-->", re.S)
FENCE = re.compile(r"^[ \t]*(?:```|~~~).*$", re.M)
STRONG = re.compile(r"(\*\*|__|~~)(?=\S)([^\n]{1,300}?)(?<=\S)\1")
EMPHASIS = re.compile(r"(?<![*\w])\*(?=[^\s*])([^*\n]+)(?<=\S)\*(?![*\w])")
CODE = re.compile(r"`([^`\n]+)`")
BULLET = re.compile(r"^[ \t]*(?:[-*+]|>)[ \t]+", re.M)
BREAK = re.compile(r"<br\s{0,4}/?>", re.I)

KEPT = ((FENCE, ""), (BREAK, "\n"), (LINK, r"\1"), (STRONG, r"\2"), (EMPHASIS, r"\1"), (CODE, r"\1"), (BULLET, ""))


def plain(text: str) -> tuple[str, dict[str, int]]:
    """The text, and counts of what it lost: "images", "formulas"."""
    text, images = IMAGE.subn(lambda match: match[1] or "", COMMENT.sub("", text))
    text, formulas = FORMULA.subn(lambda match: match[1] or match[2], text)
    text = "\n".join(_row(line) for line in text.split("\n") if not _is_rule(line))
    for pattern, kept in KEPT:
        text = pattern.sub(kept, text)
    return text, {"images": images, "formulas": formulas}


def _is_rule(line: str) -> bool:
    """A line under a table's head, or across the page."""
    return "--" in line and not line.strip("|-: \t\r")


def _row(line: str) -> str:
    stripped = line.strip()
    if len(stripped) < 2 or not (stripped.startswith("|") and stripped.endswith("|")):
        return line
    return " | ".join(cell.strip() for cell in stripped[1:-1].split("|"))
