"""Markdown to plain text: marks go, words stay; headings keep their #, table rows become "a | b".

Claims quote the disclosure word for word, so a stray ** or backtick would end up in a claim.
"""

import re

IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)|<img\b[^>]*>", re.I)
LINK = re.compile(r"\[([^\]]+)\]\([^)\s]+\)")
FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\w$])\$([^$\n]+?)\$(?![\w$])", re.S)
COMMENT = re.compile(r"<!--.*?-->", re.S)
FENCE = re.compile(r"^[ \t]*(?:```|~~~).*$", re.M)
STRONG = re.compile(r"(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1")
EMPHASIS = re.compile(r"(?<![*\w])\*(?=[^\s*])([^*\n]+?)(?<=\S)\*(?![*\w])")
CODE = re.compile(r"`([^`\n]+)`")
BULLET = re.compile(r"^[ \t]*(?:[-*+]|>)[ \t]+", re.M)
RULE = re.compile(r"^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*$\n?", re.M)
ROW = re.compile(r"^[ \t]*\|(.+)\|[ \t]*$", re.M)
BREAK = re.compile(r"<br\s*/?>", re.I)


def plain(text: str) -> tuple[str, dict[str, int]]:
    """The text, and counts of what it lost: "images", "formulas"."""
    text, images = IMAGE.subn(lambda match: match[1] or "", COMMENT.sub("", text))
    text, formulas = FORMULA.subn(lambda match: match[1] or match[2], text)
    text = ROW.sub(lambda match: " | ".join(cell.strip() for cell in match[1].split("|")), RULE.sub("", text))
    for pattern, kept in ((FENCE, ""), (BREAK, "\n"), (LINK, r"\1"), (STRONG, r"\2"), (EMPHASIS, r"\1"), (CODE, r"\1"), (BULLET, "")):
        text = pattern.sub(kept, text)
    return text, {"images": images, "formulas": formulas}
