"""The GGUF container (versions 2 and 3, little-endian): metadata and tensors of a memory-mapped file.

Format: docs/gguf.md of github.com/ggml-org/ggml. Every offset and count is checked against the size of the file.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType

SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
"""struct formats of the metadata types; 8 is a string, 9 an array."""
STRING, ARRAY = 8, 9
MAX_DIMENSIONS = 4


@dataclass(frozen=True)
class Stored:
    """A tensor: uint8 `[..., bytes of a row]`, its type, the shape in elements (rows first), and where it is in the file."""

    data: np.ndarray
    type: GGMLQuantizationType
    shape: tuple[int, ...]
    offset: int


class GgufFile:
    """`fields` by key, `tensors` by name. Raises ValueError with what is wrong, and OSError."""

    def __init__(self, path: Path):
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._at = 0
        magic, version, tensors, fields = self._read("4sIQQ")
        if magic != b"GGUF" or version not in (2, 3):
            raise ValueError(f"it begins with {magic!r}, version {version}")
        self.fields = {self._string(): self._value(*self._read("I")) for _ in range(fields)}
        headers = [self._header() for _ in range(tensors)]
        alignment = self.fields.get("general.alignment", 32)
        if not isinstance(alignment, int) or alignment < 1:
            raise ValueError(f"alignment {alignment}")
        start = -(-self._at // alignment) * alignment
        self.tensors = {name: self._stored(name, shape, kind, start + offset) for name, shape, kind, offset in headers}

    def _read(self, form: str) -> tuple[Any, ...]:
        form = "<" + form
        end = self._at + struct.calcsize(form)
        if end > len(self._map):
            raise ValueError("it ends too early")
        values = struct.unpack_from(form, self._map, self._at)
        self._at = end
        return values

    def _string(self) -> str:
        (size,) = self._read("Q")
        if size > len(self._map) - self._at:
            raise ValueError("a text passes the end")
        self._at += size
        return self._map[self._at - size : self._at].decode("utf-8", "replace")

    def _value(self, kind: int) -> Any:
        if kind in SCALARS:
            return self._read(SCALARS[kind])[0]
        if kind == STRING:
            return self._string()
        if kind != ARRAY:
            raise ValueError(f"metadata of type {kind}")
        inner, count = self._read("IQ")
        if count > len(self._map) - self._at or inner == ARRAY:
            raise ValueError(f"an array of {count} values of type {inner}")
        return list(self._read(f"{count}{SCALARS[inner]}")) if inner in SCALARS else [self._value(inner) for _ in range(count)]

    def _header(self) -> tuple[str, tuple[int, ...], int, int]:
        name = self._string()
        (dimensions,) = self._read("I")
        if dimensions > MAX_DIMENSIONS:
            raise ValueError(f"{name} has {dimensions} dimensions")
        shape = self._read(f"{dimensions}Q")[::-1]
        kind, offset = self._read("IQ")
        return name, shape, kind, offset

    def _stored(self, name: str, shape: tuple[int, ...], kind: int, offset: int) -> Stored:
        inputs, size = GGML_QUANT_SIZES[GGMLQuantizationType(kind)]
        if not shape or shape[-1] % inputs:
            raise ValueError(f"{name} has rows of {shape[-1:]} elements, its type has blocks of {inputs}")
        rows = (*shape[:-1], shape[-1] // inputs * size)
        count = int(np.prod(rows, dtype=object))
        if offset + count > len(self._map):
            raise ValueError(f"{name} passes the end")
        data = np.frombuffer(self._map, np.uint8, count, offset).reshape(rows)
        return Stored(data, GGMLQuantizationType(kind), shape, offset)
