"""JSON with places: `read` gives values in which every object, array and member knows its line and column, and every
object and array its JSON Pointer (RFC 6901)."""

from __future__ import annotations

import math
import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from engine.grammar.findings import GrammarError, refused, syntax, unusable
from engine.grammar.ir import Place

MAX_NESTING = 64
_BLANK = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
_WORDS = {"true": True, "false": False, "null": None}


class Object(dict[str, Any]):
    """`at`: its opening brace. `places`: member -> place of its value; `keys_at`: of its name."""

    def __init__(self, at: Place, pointer: str = ""):
        super().__init__()
        self.at, self.pointer = at, pointer
        self.places: dict[str, Place] = {}
        self.keys_at: dict[str, Place] = {}


class Array(list[Any]):
    """`places`: of the items."""

    def __init__(self, pointer: str = "") -> None:
        super().__init__()
        self.pointer = pointer
        self.places: list[Place] = []


class _Text:
    def __init__(self, text: str):
        self.text, self.i, self.depth = text, 0, 0
        self.line_starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, at: int) -> Place:
        low, high = 0, len(self.line_starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.line_starts[middle] <= at else (low, middle)
        return Place(low + 1, at - self.line_starts[low] + 1)

    def skip(self) -> None:
        match = _BLANK.match(self.text, self.i)
        self.i = match.end() if match else self.i

    def fail(self, expected: str) -> GrammarError:
        found = self.text[self.i] if self.i < len(self.text) else None
        return unusable([syntax(self.place(self.i), found, [expected])])

    def take(self, sign: str) -> bool:
        self.skip()
        if self.text.startswith(sign, self.i):
            self.i += len(sign)
            return True
        return False

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            raise self.fail(repr(sign))

    def value(self, pointer: str = "") -> Any:
        self.skip()
        char = self.text[self.i : self.i + 1]
        if char == '"':
            return self.string()
        if char in ("{", "["):
            self.depth += 1
            if self.depth > MAX_NESTING:
                raise refused("nesting", self.place(self.i), limit=MAX_NESTING)
            out = self.object(pointer) if char == "{" else self.array(pointer)
            self.depth -= 1
            return out
        for word in _WORDS:
            if self.take(word):
                return _WORDS[word]
        return self.number()

    def number(self) -> int | float:
        number = _NUMBER.match(self.text, self.i)
        if not number:
            raise self.fail("VALUE")
        self.i = number.end()
        whole = number[2] is None and number[3] is None and len(number[0]) <= 300
        value = int(number[0]) if whole else float(number[0])
        if math.isinf(value):
            raise self.fail("SMALLER")
        return value

    def string(self) -> str:
        try:
            out, self.i = scanstring(self.text, self.i + 1, True)
        except ValueError as error:
            self.i = getattr(error, "pos", self.i)
            raise self.fail("JSON_STRING") from None
        if any("\ud800" <= char <= "\udfff" for char in out):
            raise self.fail("NO_SURROGATES")
        return out

    def object(self, pointer: str) -> Object:
        out = Object(self.place(self.i), pointer)
        self.expect("{")
        while not (not out and self.take("}")):
            self.skip()
            key_at = self.place(self.i)
            if self.text[self.i : self.i + 1] != '"':
                raise self.fail("MEMBER")
            key = self.string()
            if key in out:
                raise refused("duplicate-member", key_at, name=key)
            self.expect(":")
            self.skip()
            out.keys_at[key], out.places[key] = key_at, self.place(self.i)
            out[key] = self.value(step(pointer, key))
            if not self.take(","):
                self.expect("}")
                break
        return out

    def array(self, pointer: str) -> Array:
        out = Array(pointer)
        self.expect("[")
        while not (not out and self.take("]")):
            self.skip()
            out.places.append(self.place(self.i))
            out.append(self.value(f"{pointer}/{len(out)}"))
            if not self.take(","):
                self.expect("]")
                break
        return out


def step(pointer: str, name: str) -> str:
    """The JSON Pointer of a member."""
    return f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"


def read(text: str) -> Any:
    """Raises GrammarError at the first fault."""
    at = _Text(text)
    out = at.value()
    at.skip()
    if at.i < len(text):
        raise at.fail("END")
    return out
