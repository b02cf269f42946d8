"""A filing as a DOCX in the layout of the Chinese office.

Parts in order, each a Word section of its own whose pages count from 1 (指南 I-1-4, 细则 20-26):
说明书摘要, 权利要求书, 说明书, and 说明书附图 when the filing has drawings. A4, margins left and top 25 mm,
right and bottom 15 mm; 宋体 throughout (指南 V-1-5.2 names 宋体, 仿宋 and 楷体), body 12 pt (4.2 mm high) on lines of at
least 20 pt (gap 2.8 mm). Claim and paragraph numbers are literal text, so that no reader renumbers them; 附图说明 stays
inside 说明书 (细则 20).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from io import BytesIO
from typing import Any

from docx import Document
from docx.document import Document as WordDocument
from docx.enum.section import WD_SECTION
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_LINE_SPACING
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm, Pt, RGBColor
from docx.styles.style import ParagraphStyle
from docx.text.paragraph import Paragraph

Filing = Mapping[str, Any]

PARTS = {
    "zh": ("说明书摘要", "权利要求书", "说明书", "说明书附图"),
    "en": ("Abstract", "Claims", "Description", "Drawings"),
}
FONT = "宋体"
BODY_SIZE, LINE_HEIGHT = Pt(12), Pt(20)
SIZES = {"Title": Pt(16), "Heading 1": Pt(18), "Heading 2": Pt(14)}


def filing_docx(filing: Filing, lang: str = "zh", *, numbered: bool = False) -> bytes:
    """The DOCX file of `filing`; `lang` ("zh" or "en") names the parts, the text stays as drafted.

    `numbered` writes [0001], [0002] … before the paragraphs of the description, as the office's Word template has them;
    the e-filing system makes them itself when they are absent.
    """
    abstract, claims, description, drawings = PARTS[lang]
    title = str(filing["title"])
    document = Document()
    _style(document)
    document.core_properties.title = title
    document.core_properties.language = "zh-CN"
    document.core_properties.author = ""
    document.core_properties.comments = ""

    _part(document, abstract, first=True)
    document.add_paragraph(str(filing["abstract"]))

    _part(document, claims)
    for claim in filing["claims"]:
        document.add_paragraph(f"{claim['number']}. {claim['text']}", style="Claim")

    _part(document, description)
    document.add_paragraph(title, style="Title")
    count = itertools.count(1)
    for section in filing["description"]["sections"]:
        document.add_paragraph(section["heading"], style="Heading 2")
        for text in section["paragraphs"]:
            document.add_paragraph(f"[{next(count):04d}]  {text}" if numbered else text)

    if filing.get("drawings"):
        _part(document, drawings)
        for drawing in filing["drawings"]:
            document.add_paragraph(figure_name(drawing), style="Figure")

    out = BytesIO()
    document.save(out)
    return out.getvalue()


def figure_name(drawing: Mapping[str, Any]) -> str:
    """What stands under a figure: its number alone (指南 I-1-4.3: a drawing carries only necessary words)."""
    return f"图{drawing['number']}"


def _part(document: WordDocument, name: str, first: bool = False) -> None:
    """Begins a part on a new page, with its name on top and its own page numbers at the bottom centre."""
    section = document.sections[0] if first else document.add_section(WD_SECTION.NEW_PAGE)
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.top_margin = Mm(25)
    section.right_margin = section.bottom_margin = Mm(15)
    section.header_distance = section.footer_distance = Mm(7)
    numbering = section._sectPr.find(qn("w:pgNumType"))
    if numbering is None:
        numbering = OxmlElement("w:pgNumType")
        section._sectPr.find(qn("w:cols")).addprevious(numbering)
    numbering.set(qn("w:start"), "1")
    if first:
        _page_number(section.footer.paragraphs[0])
    document.add_paragraph(name, style="Heading 1")


def _page_number(paragraph: Paragraph) -> None:
    paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
    paragraph.paragraph_format.first_line_indent = Pt(0)
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), "PAGE")
    run = OxmlElement("w:r")
    text = OxmlElement("w:t")
    text.text = "1"
    run.append(text)
    field.append(run)
    paragraph._p.append(field)


def _style(document: WordDocument) -> None:
    styles = document.styles
    for name in ("Claim", "Figure"):
        styles.add_style(name, 1).base_style = styles["Normal"]
    for name in ("Normal", "Header", "Footer", "Claim", "Figure"):
        _font(styles[name], BODY_SIZE)
    for name, size in SIZES.items():
        _font(styles[name], size, bold=True)

    body = styles["Normal"].paragraph_format
    body.line_spacing_rule, body.line_spacing = WD_LINE_SPACING.AT_LEAST, LINE_HEIGHT
    body.space_before = body.space_after = Pt(0)
    body.first_line_indent = 2 * BODY_SIZE
    body.widow_control = True
    for name in SIZES:
        heading = styles[name].paragraph_format
        heading.first_line_indent = Pt(0)
        heading.space_before, heading.space_after = Pt(6), Pt(6)
        heading.keep_with_next = True
        if name != "Heading 2":
            heading.alignment = WD_ALIGN_PARAGRAPH.CENTER
            heading.space_after = Pt(14)
    border = styles["Title"].element.pPr.find(qn("w:pBdr"))
    if border is not None:
        styles["Title"].element.pPr.remove(border)
    figure = styles["Figure"].paragraph_format
    figure.first_line_indent, figure.alignment = Pt(0), WD_ALIGN_PARAGRAPH.CENTER
    figure.space_before = Mm(60)

    for lang in document.styles.element.iter(qn("w:lang")):
        lang.set(qn("w:val"), "zh-CN")
        lang.set(qn("w:eastAsia"), "zh-CN")


def _font(style: ParagraphStyle, size: Pt, bold: bool = False) -> None:
    """Sets one face for every script; `font.name` alone leaves w:eastAsia to the theme."""
    style.font.size, style.font.bold, style.font.italic = size, bold, False
    style.font.color.rgb = RGBColor(0, 0, 0)
    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    fonts.attrib.clear()
    for script in ("ascii", "hAnsi", "eastAsia", "cs"):
        fonts.set(qn(f"w:{script}"), FONT)
    lang = OxmlElement("w:lang")
    lang.set(qn("w:val"), "zh-CN")
    lang.set(qn("w:eastAsia"), "zh-CN")
    properties = style.element.rPr
    for old in properties.findall(qn("w:lang")):
        properties.remove(old)
    properties.append(lang)
