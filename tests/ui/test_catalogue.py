"""The Chinese catalogue is complete: every string of the interface is translated, and the compiled file is current."""

import ast
import gettext
import re
import shutil
import subprocess
from pathlib import Path

import pytest

LOCALE = Path(__file__).parents[2] / "locale"
PO = LOCALE / "zh_Hans" / "LC_MESSAGES" / "django.po"


def entries() -> list[tuple[str, list[str]]]:
    """(msgid, msgstrs) of the catalogue, which is written one entry a paragraph without line breaks."""
    blocks = PO.read_text("utf-8").split("\n\n")[1:]
    return [
        (re.search(r'^msgid "(.*)"$', b, re.M)[1], re.findall(r'^msgstr(?:\[\d])? "(.*)"$', b, re.M)) for b in blocks
    ]


def test_nothing_is_untranslated_or_fuzzy():
    assert len(entries()) > 200
    assert [msgid for msgid, texts in entries() if not all(texts)] == []
    assert "#, fuzzy" not in PO.read_text("utf-8")


def test_compiled_file_is_current():
    compiled = gettext.translation("django", LOCALE, ["zh_Hans"])
    for msgid, texts in entries():
        if len(texts) == 1 and "\\" not in msgid + texts[0] and "%(n)" not in msgid:
            assert compiled.gettext(msgid) == texts[0]


def test_every_string_of_the_templates_is_in_the_catalogue():
    known = {msgid.replace('\\"', '"') for msgid, _ in entries()}
    templates = Path(__file__).parents[2] / "templates"
    for path in templates.rglob("*.html"):
        text = path.read_text("utf-8")
        for quote, msgid in re.findall(r"""{%\s*translate\s+(["'])(.*?)\1""", text):
            assert msgid in known, f"{path.name}: {quote}{msgid}{quote}"


def test_every_string_of_the_code_is_in_the_catalogue():
    known = {msgid.replace('\\"', '"') for msgid, _ in entries()}
    for path in (Path(__file__).parents[2] / "apps").rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(call, ast.Call) or not call.args:
                continue
            name = getattr(call.func, "id", getattr(call.func, "attr", ""))
            if name in {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext"} and isinstance(call.args[0], ast.Constant):
                assert call.args[0].value in known, f"{path.name}: {call.args[0].value}"


def test_placeholders_survive():
    for msgid, texts in entries():
        for text in texts:
            holes = re.findall(r"%\(\w+\)[ds]|%[ds]|\{\w+\}", msgid)
            assert sorted(holes) == sorted(re.findall(r"%\(\w+\)[ds]|%[ds]|\{\w+\}", text)), msgid


def test_catalogue_passes_its_compiler():
    if not shutil.which("msgfmt"):
        pytest.skip("gettext is not installed")
    subprocess.run(["msgfmt", "--check-format", "-o", "/dev/null", str(PO)], check=True)
