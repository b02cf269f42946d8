"""Rule text in one of three languages -> the intermediate form.

    .g4    safe ANTLR 4 subset   `antlr`
    .lark  Lark dialect          `lark`
    .json  JSON Schema           `json_schema`

`read` only reads: whether the rules make a usable grammar is the business of `engine.grammar.checks`.
"""

from __future__ import annotations

from pathlib import Path

from engine.grammar.findings import refused
from engine.grammar.ir import Rules
from engine.grammar.sources import antlr, json_schema, lark

READERS = {".g4": antlr.read, ".lark": lark.read, ".json": json_schema.read}
MAX_BYTES = 1 << 18


def read(text: str, suffix: str = ".g4") -> Rules:
    """The rules of a text. Raises GrammarError with every finding of the reader."""
    reader = READERS.get(suffix)
    if reader is None:
        raise refused("suffix", suffix=suffix, known=" ".join(READERS))
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise refused("file-size", size=size, limit=MAX_BYTES)
    try:
        return reader(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except RecursionError:
        raise refused("nesting", limit=antlr.MAX_NESTING) from None


def read_file(path: Path) -> Rules:
    """The rules of a file, the language chosen by its suffix. Raises GrammarError."""
    if path.stat().st_size > MAX_BYTES:
        raise refused("file-size", size=path.stat().st_size, limit=MAX_BYTES)
    try:
        return read(path.read_bytes().decode("utf-8"), path.suffix)
    except UnicodeDecodeError as error:
        raise refused("encoding", why=f"byte {error.start}") from None
