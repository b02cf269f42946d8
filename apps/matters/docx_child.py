"""Text of a DOCX file, run as a limited child process: file on stdin, one JSON object on stdout.

`{"text": ..., "counts": {"images": 2, ...}}` or `{"error": "zip_bomb" | "not_docx" | "broken"}`. Imports nothing of
the product. Limits: 1 GiB of address space, 20 s of processor time, 64 MiB of XML a part. Headings become
Markdown headings, table rows become lines of cells joined by " | "; insertions are kept, deletions dropped.
"""

import io
import json
import re
import resource
import sys
import zipfile
from collections import Counter

from lxml import etree

ADDRESS_SPACE = 2**30
CPU_SECONDS = 20
PART_BYTES = 64 * 2**20

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
HEADING = re.compile(r"(?:heading|标题)\s*([1-6])$", re.I)

SPACES = {W + "tab": "\t", W + "br": "\n", W + "cr": "\n", W + "noBreakHyphen": "-"}
SKIPPED = {W + "pPr", W + "rPr", W + "instrText", MC + "Fallback", W + "moveFrom"}
COUNTED = {W + "drawing": "images", W + "pict": "images", W + "object": "objects", W + "ins": "changes"}


class Refused(Exception):
    """The file cannot be read; the argument is the error code."""


def part(archive: zipfile.ZipFile, name: str) -> etree._Element | None:
    """The root element of a part, or None when there is no such part."""
    try:
        with archive.open(name) as file:
            data = file.read(PART_BYTES + 1)
    except KeyError:
        return None
    if len(data) > PART_BYTES:
        raise Refused("zip_bomb")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    root = etree.fromstring(data, parser)
    if root.getroottree().docinfo.doctype:
        raise Refused("broken")
    return root


class Reader:
    """Walks the body of a document, collecting lines and counting what text cannot hold."""

    def __init__(self, levels: dict[str, int]):
        self.levels = levels
        self.counts: Counter[str] = Counter()

    def blocks(self, parent: etree._Element) -> list[str]:
        lines: list[str] = []
        for child in parent:
            if child.tag == W + "p":
                lines.append(self.paragraph(child))
            elif child.tag == W + "tbl":
                lines += [self.row(row) for row in child.iter(W + "tr")]
            elif isinstance(child.tag, str) and child.tag not in SKIPPED | {W + "del"}:
                lines += self.blocks(child)
        return lines

    def row(self, row: etree._Element) -> str:
        cells = (" ".join(self.blocks(cell)).strip() for cell in row.findall(W + "tc"))
        return " | ".join(re.sub(r"\s+", " ", cell) for cell in cells)

    def paragraph(self, paragraph: etree._Element) -> str:
        boxes: list[str] = []
        text = self.inline(paragraph, boxes).strip()
        style = paragraph.find(f"{W}pPr/{W}pStyle")
        level = self.levels.get(style.get(W + "val"), 0) if style is not None else 0
        if paragraph.find(f"{W}pPr/{W}numPr") is not None and text and not level:
            self.counts["numbers"] += 1
        if level and text:
            text = "#" * level + " " + text
        return "\n".join([text, *boxes]) if boxes else text

    def inline(self, element: etree._Element, boxes: list[str]) -> str:
        pieces: list[str] = []
        for child in element:
            tag = child.tag
            if not isinstance(tag, str) or tag in SKIPPED:
                continue
            if tag in COUNTED:
                self.counts[COUNTED[tag]] += 1
            if tag == W + "t":
                pieces.append(child.text or "")
            elif tag in SPACES:
                pieces.append(SPACES[tag])
            elif tag == W + "del":
                self.counts["changes"] += 1
            elif tag == M + "oMath":
                self.counts["formulas"] += 1
                pieces.append("".join(child.itertext(M + "t")))
            elif tag == W + "txbxContent":
                boxes += [line for line in self.blocks(child) if line]
            elif tag == W + "commentReference":
                self.counts["comments"] += 1
            elif tag in (W + "footnoteReference", W + "endnoteReference"):
                self.counts["notes"] += 1
            else:
                pieces.append(self.inline(child, boxes))
        return "".join(pieces)


def heading_levels(styles: etree._Element | None) -> dict[str, int]:
    """Style id -> heading level, by the style's name: "heading 2" or "标题 2"."""
    levels: dict[str, int] = {}
    for style in styles.iter(W + "style") if styles is not None else ():
        name = style.find(W + "name")
        if name is not None and (match := HEADING.match(name.get(W + "val", ""))):
            levels[style.get(W + "styleId")] = int(match[1])
        elif name is not None and name.get(W + "val") == "Title":
            levels[style.get(W + "styleId")] = 1
    return levels


def read(data: bytes) -> dict:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        document = part(archive, "word/document.xml")
        if document is None or (body := document.find(W + "body")) is None:
            raise Refused("not_docx")
        reader = Reader(heading_levels(part(archive, "word/styles.xml")))
        lines = reader.blocks(body)
    return {"text": "\n".join(lines), "counts": dict(reader.counts)}


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    try:
        answer = read(sys.stdin.buffer.read())
    except Refused as refusal:
        answer = {"error": refusal.args[0]}
    except MemoryError:
        answer = {"error": "zip_bomb"}
    except (zipfile.BadZipFile, etree.XMLSyntaxError, RecursionError, NotImplementedError, RuntimeError, OSError, ValueError):
        answer = {"error": "broken"}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
