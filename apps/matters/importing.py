"""Reading a disclosure file: DOCX, Markdown or text in, plain text out, with a list of what was not kept.

Nothing is dropped in silence: pictures, formulas, tracked changes, embedded objects and the like are counted in
`Imported.losses`, and `loss_sentences` says them in the reader's language. A file that cannot be used raises `ImportProblem` with a code and a message that says what to do.
Instructions inside a disclosure are data: they are flagged, never followed.
"""

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.common.errors import ProductError

from .decoding import Undecodable, decode
from .markdown import plain

MAX_BYTES = 20 * 2**20
# Below 255, to which Django cuts the name of an upload without a word.
MAX_NAME = 200
MAX_CHARS = 300_000
MIN_CHARS = 50
MIN_HAN_SHARE = 0.15
MAX_UNPACKED = 200 * 2**20
MAX_RATIO = 200
MAX_PARTS = 5000
CHILD_SECONDS = 30
TYPES = (".docx", ".md", ".markdown", ".txt")

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0002fa1f]")
LETTER = re.compile(r"[^\W\d_]")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\u2060\ufeff]")
FIGURE = re.compile(r"图\s?(\d{1,3}[a-zA-Z]?)\s?(?:是|为|示出了?|：|:|\s)\s?([^。；;\n|]{2,80})")
ORDER = re.compile(
    r"(?:忽略|无视|忘记|不要遵守).{0,12}(?:指令|指示|提示|要求|规则|设定)"
    r"|(?:系统提示词?|你现在是|请扮演|开发者模式)"
    r"|(?:ignore|disregard|forget)\s.{0,30}(?:instruction|prompt|rule)|system prompt|<\|im_start\|>",
    re.I,
)

LOSSES = {
    "images": gettext_noop("Pictures were not read: %d. Say in words what they show."),
    "formulas": gettext_noop("Formulas were kept only as a line of symbols: %d. Check them."),
    "objects": gettext_noop("Embedded objects were not read: %d."),
    "changes": gettext_noop("Tracked changes: %d. Insertions were taken, deletions left out."),
    "comments": gettext_noop("Comments were not read: %d."),
    "notes": gettext_noop("Footnotes and endnotes were not read: %d."),
    "numbers": gettext_noop("Automatic paragraph numbers were not kept: %d."),
    "unreadable": gettext_noop("Unreadable characters: %d. They were replaced."),
    "orders": gettext_noop("Passages that read like orders to a machine: %d. They are treated as plain text."),
}
PROBLEMS = {
    "empty": gettext_noop("The file is empty. Choose another file, or paste the text."),
    "too_large": gettext_noop("The file is larger than 20 MB. Remove pictures or split it."),
    "name_too_long": gettext_noop("The file name is longer than 200 characters. Give it a shorter one."),
    "unknown_type": gettext_noop("This kind of file cannot be read. Use .docx, .md or .txt."),
    "old_word": gettext_noop("This is an old Word file (.doc). Save it as .docx and try again."),
    "encrypted": gettext_noop("The file is protected by a password. Remove the password and try again."),
    "not_docx": gettext_noop("The file is named .docx but is not a Word document. Save it again from Word."),
    "broken": gettext_noop("The Word document is damaged. Open it in Word and save it again."),
    "zip_bomb": gettext_noop("The document unpacks to far more than its size and was refused. Save it again from Word."),
    "binary": gettext_noop("The file is named as text but holds binary data. Use .docx, .md or .txt."),
    "encoding": gettext_noop("The encoding of the text is not known. Save it as UTF-8 and try again."),
    "too_short": gettext_noop("There is too little text to draft from. Describe the parts or steps and what they do."),
    "too_long": gettext_noop("The text is longer than 300,000 characters. Keep what concerns one invention."),
    "not_chinese": gettext_noop("The disclosure is not in Chinese. Claimwright drafts Chinese filings: translate the disclosure first."),
}


class ImportProblem(ProductError):
    """A file that cannot be used. `code` is a key of `PROBLEMS`."""

    status = 422

    def __init__(self, code: str, message: str | None = None):
        super().__init__(code, message or _(PROBLEMS[code]))


@dataclass(frozen=True)
class Imported:
    """The text of a disclosure. `losses` counts by a key of `LOSSES`; `figures` are like "图1 锁体的示意图"."""

    text: str
    losses: dict[str, int] = field(default_factory=dict)
    figures: list[str] = field(default_factory=list)


def read_disclosure(name: str, data: bytes) -> Imported:
    """Read a file by its name's ending and its content. Raises `ImportProblem`."""
    if len(name) > MAX_NAME:
        raise ImportProblem("name_too_long")
    if len(data) > MAX_BYTES:
        raise ImportProblem("too_large")
    ending = Path(name).suffix.lower()
    if data.startswith(OLE):
        raise ImportProblem("encrypted" if "EncryptedPackage".encode("utf-16-le") in data else "old_word")
    if ending not in TYPES:
        raise ImportProblem("unknown_type")
    if not data.strip():
        raise ImportProblem("empty")
    text, counts = _docx(data) if ending == ".docx" else _text(data, markdown=ending != ".txt")
    text = _tidy(text)
    _refuse_unusable(text)
    counts["orders"] = len(ORDER.findall(text))
    losses = {kind: counts[kind] for kind in LOSSES if counts.get(kind)}
    return Imported(text, losses, figures(text))


def loss_sentences(losses: Mapping[str, int]) -> list[str]:
    """What was not kept, a sentence each, in the language of the reader."""
    return [_(LOSSES[kind]) % count for kind, count in losses.items() if kind in LOSSES]


def figures(text: str) -> list[str]:
    """Figures the text names, each once, with the first caption found."""
    found: dict[str, str] = {}
    for number, caption in FIGURE.findall(text):
        found.setdefault(number, caption.strip())
    return [f"图{number} {caption}" for number, caption in found.items()]


def _text(data: bytes, *, markdown: bool) -> tuple[str, dict[str, int]]:
    if data.startswith((b"PK\x03\x04", b"%PDF-")):
        raise ImportProblem("binary")
    try:
        text, unreadable = decode(data)
    except Undecodable as problem:
        raise ImportProblem(problem.args[0]) from problem
    if len(text) > 2 * MAX_CHARS:
        raise ImportProblem("too_long")
    text, counts = plain(text) if markdown else (text, {})
    return text, {**counts, "unreadable": unreadable}


def _docx(data: bytes) -> tuple[str, dict[str, int]]:
    """Check the archive, then let a limited child process read it."""
    _refuse_archive(data)
    script = Path(__file__).with_name("docx_child.py")
    try:
        child = subprocess.run(
            [sys.executable, "-I", str(script)], input=data, capture_output=True, timeout=CHILD_SECONDS, env={}
        )
        answer = json.loads(child.stdout)
    except (subprocess.TimeoutExpired, ValueError) as error:
        raise ImportProblem("broken") from error
    if "error" in answer:
        raise ImportProblem(answer["error"])
    return answer["text"], answer["counts"]


def _refuse_archive(data: bytes) -> None:
    """The checks that need no unpacking: is it a Word archive, locked, or a bomb by its own account."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise ImportProblem("broken" if data.startswith(b"PK\x03\x04") else "not_docx") from error
    if any(part.flag_bits & 1 for part in parts):
        raise ImportProblem("encrypted")
    unpacked = sum(part.file_size for part in parts)
    if len(parts) > MAX_PARTS or unpacked > MAX_UNPACKED or (unpacked > 10 * 2**20 and unpacked > MAX_RATIO * len(data)):
        raise ImportProblem("zip_bomb")
    if not any(part.filename == "word/document.xml" for part in parts):
        raise ImportProblem("not_docx")


def _tidy(text: str) -> str:
    """One kind of line end, no invisible characters, no runs of blank lines."""
    text = CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).replace("\u3000", " ").replace("\xa0", " ")
    lines = (line.strip() for line in text.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _refuse_unusable(text: str) -> None:
    if not text:
        raise ImportProblem("empty")
    if len(text) > MAX_CHARS:
        raise ImportProblem("too_long")
    letters, han = len(LETTER.findall(text)), len(HAN.findall(text))
    if letters >= MIN_CHARS and han < MIN_HAN_SHARE * letters:
        raise ImportProblem("not_chinese")
    if han < MIN_CHARS:
        raise ImportProblem("too_short")
