"""Reading a claim set from a file: .json list of {number, text}, .txt, .md, .xml or .docx.

Raises `Unreadable`, which names the file and the reason.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .parse import ClaimSet, parse_claims

SUFFIXES = (".json", ".txt", ".md", ".xml", ".docx")


class Unreadable(Exception):
    """The file cannot be read as a claim set. `code` is "kind", "data", "word" or "no_claims"; `detail` may say more."""

    def __init__(self, path: Path, code: str, detail: str):
        super().__init__(f"{path.name}: {detail}")
        self.code, self.detail = code, detail


def read_claims(path: Path) -> ClaimSet:
    """The claim set in `path`."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise Unreadable(path, "kind", f"unknown kind of file, expected one of {', '.join(SUFFIXES)}")
    try:
        if suffix == ".docx":
            claims = parse_claims(_docx_text(path))
        elif suffix == ".json":
            claims = _from_json(json.loads(_decode(path.read_bytes())))
        else:
            claims = parse_claims(_decode(path.read_bytes()))
    except Unreadable:
        raise
    except (OSError, ValueError, KeyError) as error:
        raise Unreadable(path, "data", str(error)) from error
    if not claims.claims:
        raise Unreadable(path, "no_claims", "no claims found")
    return claims


def _from_json(data: Any) -> ClaimSet:
    items = data.get("claims") if isinstance(data, dict) else data
    if not isinstance(items, list):
        raise ValueError("expected a list of {number, text}")
    return ClaimSet.from_list(items)


def _decode(data: bytes) -> str:
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError:
            continue
    raise ValueError("the text is neither UTF-8 nor GB18030")


def _docx_text(path: Path) -> str:
    """Paragraph text; Word's automatic numbers, which are not in the text, are written out as "N. "."""
    import docx
    from docx.opc.exceptions import PackageNotFoundError

    try:
        document = docx.Document(str(path))
    except (PackageNotFoundError, KeyError, ValueError) as error:
        raise Unreadable(path, "word", "not a Word document") from error
    counters: dict[str, int] = {}
    lines = []
    for paragraph in document.paragraphs:
        properties = paragraph._p.pPr
        numbering: Any = properties.numPr if properties is not None else None
        prefix = ""
        if numbering is not None and numbering.numId is not None and paragraph.text.strip():
            level = numbering.ilvl.val if numbering.ilvl is not None else 0
            if level == 0:
                key = str(numbering.numId.val)
                counters[key] = counters.get(key, 0) + 1
                prefix = f"{counters[key]}. "
        lines.append(prefix + paragraph.text)
    return "\n".join(lines)
