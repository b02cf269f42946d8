"""The DOCX keeps the claims as drafted, the office's page and fonts, and renders as pages of its own per part."""

import re
import shutil
import subprocess
from io import BytesIO
from zipfile import ZipFile

import pytest
from docx import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml.ns import qn

from apps.exports.docx import PARTS, filing_docx


def read(filing, **options):
    return Document(BytesIO(filing_docx(filing, **options)))


def claims_of(document):
    pattern = re.compile(r"(\d+)\. (.+)")
    found = [pattern.fullmatch(p.text) for p in document.paragraphs if p.style.name == "Claim"]
    return [{"number": int(m[1]), "text": m[2]} for m in found]


def test_claims_come_back_as_drafted(filing):
    assert claims_of(read(filing)) == filing["claims"]


def test_claim_numbers_are_text_and_not_a_word_list(filing):
    data = filing_docx(filing)
    assert b"<w:numPr>" not in ZipFile(BytesIO(data)).read("word/document.xml")


def test_each_part_is_a_section_with_the_office_page_and_its_own_numbers(filing):
    document = read(filing)
    assert [p.text for p in document.paragraphs if p.style.name == "Heading 1"] == list(PARTS["zh"])
    assert len(document.sections) == 4
    for section in document.sections:
        page = [section.page_width, section.page_height, section.left_margin, section.top_margin]
        page += [section.right_margin, section.bottom_margin]
        assert [round(length.mm) for length in page] == [210, 297, 25, 25, 15, 15]
        assert section._sectPr.find(qn("w:pgNumType")).get(qn("w:start")) == "1"


def test_no_drawings_no_drawing_part(filing):
    filing["drawings"] = []
    assert len(read(filing).sections) == 3


def test_east_asian_fonts_are_set_on_every_style_used(filing):
    document = read(filing)
    for name in ("Claim", "Normal", "Heading 1", "Heading 2", "Title", "Footer", "Figure"):
        fonts = document.styles[name].element.rPr.rFonts
        assert {fonts.get(qn(f"w:{script}")) for script in ("ascii", "hAnsi", "eastAsia", "cs")} == {"宋体"}
        assert fonts.get(qn("w:eastAsiaTheme")) is None
    languages = {lang.get(qn("w:eastAsia")) for lang in document.styles.element.iter(qn("w:lang"))}
    assert languages == {"zh-CN"}
    assert document.styles["Normal"].type == WD_STYLE_TYPE.PARAGRAPH


def parts_of(document) -> dict[str, list[str]]:
    """The paragraphs of each part, by the part's name."""
    parts, name = {}, ""
    for paragraph in document.paragraphs:
        if paragraph.style.name == "Heading 1":
            name = paragraph.text
        elif paragraph.text:
            parts.setdefault(name, []).append(paragraph.text)
    return parts


def test_drawings_are_explained_in_the_description_and_named_in_their_part(filing):
    parts = parts_of(read(filing))
    description = parts["说明书"]
    explained = description[description.index("附图说明") + 1 : description.index("具体实施方式")]
    assert [line[:2] for line in explained] == parts["说明书附图"] == ["图1", "图2"]
    assert explained[0] == "图1为整体结构示意图；"


def test_signs_stand_in_parentheses_in_claims_and_bare_in_the_embodiments(filing):
    parts = parts_of(read(filing))
    assert "包括壳体（1）、锁舌（2）" in parts["权利要求书"][0]
    assert parts["说明书"][-1].startswith("如图1所示，壳体1固定")


def test_paragraph_numbers_are_written_when_asked_for(filing):
    paragraphs = [p for s in filing["description"]["sections"] for p in s["paragraphs"]]
    plain, numbered = (parts_of(read(filing, numbered=asked))["说明书"] for asked in (False, True))
    assert not [text for text in plain if text.startswith("[")]
    assert [text for text in numbered if text.startswith("[")] == [f"[{n:04d}]  {text}" for n, text in enumerate(paragraphs, 1)]
    assert claims_of(read(filing, numbered=True)) == filing["claims"]


def test_english_names_the_parts_and_keeps_the_text(filing):
    document = read(filing, lang="en")
    assert [p.text for p in document.paragraphs if p.style.name == "Heading 1"] == list(PARTS["en"])
    assert claims_of(document) == filing["claims"]


def test_rendered_pages(filing, tmp_path):
    missing = [tool for tool in ("soffice", "pdftoppm", "pdftotext") if not shutil.which(tool)]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed (tools/apt.txt)")
    (tmp_path / "filing.docx").write_bytes(filing_docx(filing))
    convert = ["soffice", f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", "--convert-to", "pdf"]
    subprocess.run([*convert, "--outdir", tmp_path, tmp_path / "filing.docx"], check=True, capture_output=True, timeout=180)
    text = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "filing.pdf", "-"], check=True, capture_output=True, text=True
    ).stdout
    pages = text.rstrip("\f").split("\f")
    tops = [page.split()[0] for page in pages]
    assert [top for top in tops if top in PARTS["zh"]] == list(PARTS["zh"])
    numbers = [page.split()[-1] for page in pages]
    assert numbers == ["1", "1", "1", "2", "1"]
    for claim in filing["claims"]:
        assert claim["text"] in re.sub(r"\s", "", text)
    subprocess.run(["pdftoppm", "-r", "50", "-png", tmp_path / "filing.pdf", tmp_path / "page"], check=True)
    assert len(list(tmp_path.glob("page-*.png"))) == len(pages)
