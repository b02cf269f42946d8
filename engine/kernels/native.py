"""The C kernel (`native.c`) from Python: packed weights, linear layers and whole decoder layers.

`load()` gives the library, or None where it was not built or this processor lacks AVX2, FMA or F16C. Every structure
here has the layout of its namesake in C; the objects around them keep alive what they point to.
"""

from __future__ import annotations

import ctypes
import mmap
import time
from collections.abc import Collection, Sequence
from ctypes import POINTER, Structure, c_float, c_int, c_int32, c_int64, c_void_p
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
from torch import Tensor

from engine.kernels.build import VARIANTS, library
from engine.kv.cache import BLOCK

WIDE = 256
"""Inputs in a block of the K types; other types have 32."""
Q4K, Q6K, Q4, Q8 = range(4)
FLOAT32, Q4_K = 0, 12
"""GGML's numbers of types."""
ARENA = 1 << 27
"""Bytes of address space taken at once for weights; pages are used as they are filled."""


class SizeError(ValueError):
    """Matrices do not fit each other or the sizes of the model."""


class _Part(Structure):
    _fields_ = [("kind", c_int32), ("rows", c_int32), ("data", c_void_p)]


class _Linear(Structure):
    _fields_ = [
        ("parts", c_int32),
        ("rows", c_int32),
        ("width", c_int32),
        ("block", c_int32),
        ("part", POINTER(_Part)),
        ("bias", c_void_p),
    ]


class _Layer(Structure):
    _fields_ = [
        *((name, _Linear) for name in ("qkv", "output", "gate_up", "down")),
        *((name, c_void_p) for name in ("input_norm", "ffn_norm", "query_norm", "key_norm")),
        *((name, c_int32) for name in ("heads", "kv_heads", "dim", "hidden", "ffn", "index")),
        ("eps", c_float),
    ]


class _Batch(Structure):
    _fields_ = [
        ("rows", c_int32),
        *((name, c_void_p) for name in ("position", "blocks", "cosine", "sine")),
    ]


class Library:
    """The C kernel compiled for one instruction set. All of them read the same packed weights and give the same bits."""

    def __init__(self, name: str, functions: ctypes.CDLL):
        self.name, self.c = name, functions
        self.c.native_packed_bytes.restype = c_int64
        self.c.native_packed_bytes.argtypes = [c_int, c_int, c_int]
        self.c.native_pack.argtypes = [c_int, c_void_p, c_int, c_int, c_int, c_void_p, c_int]
        self.c.native_linear.argtypes = [POINTER(_Linear), c_void_p, c_int, c_void_p, c_float, c_void_p, c_int]
        self.c.native_layer.argtypes = [POINTER(_Layer), POINTER(_Batch), c_void_p, c_int]


@cache
def libraries() -> list[Library]:
    """What was built and can run on this processor."""
    found = []
    for variant in VARIANTS:
        try:
            functions = ctypes.CDLL(str(library(variant)))
        except OSError:
            continue
        if functions.native_supported() and functions.native_layer_size() == ctypes.sizeof(_Layer):
            found.append(Library(variant, functions))
    return found


@cache
def load() -> Library | None:
    """The fastest library by a short measurement of 1 and 8 rows on one thread, or None."""
    return min(libraries(), key=_seconds, default=None)


def _seconds(lib: Library) -> float:
    linear = NativeLinear([pack(np.zeros((1024, 864), np.uint8), Q4_K, Arena(), lib)], lib=lib)
    spent = 0.0
    for rows in (1, 8):
        x, runs = torch.ones(rows, linear.width), []
        for _ in range(40):
            start = time.perf_counter()
            linear(x, threads=1)
            runs.append(time.perf_counter() - start)
        spent += min(runs)
    return spent


def _library() -> Library:
    lib = load()
    if lib is None:
        raise RuntimeError("the C kernel is not available; run python -m engine.kernels.build")
    return lib


class Arena:
    """Memory for weights in large pages: a decode step reads all of it, and small pages cost address translations."""

    def __init__(self) -> None:
        self.region, self.used = np.empty(0, np.uint8), 0

    def take(self, size: int) -> np.ndarray:
        self.used = -(-self.used // 64) * 64
        if self.used + size > len(self.region):
            region = mmap.mmap(-1, max(size, ARENA), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            if hasattr(mmap, "MADV_HUGEPAGE"):
                region.madvise(mmap.MADV_HUGEPAGE)
            self.region, self.used = np.frombuffer(region, np.uint8), 0
        self.used += size
        return self.region[self.used - size : self.used]


@dataclass(frozen=True)
class Packed:
    """A weight `[rows, width]` in panels; `kind` says how values are stored."""

    kind: int
    rows: int
    width: int
    data: np.ndarray


def unfit(widths: Collection[int], head_dim: int) -> str:
    """Why the C kernel cannot run a model whose linear layers have inputs of these widths, or nothing."""
    if load() is None:
        return "it was not built (python -m engine.kernels.build) or this processor lacks AVX2"
    if any(width % 32 for width in widths) or head_dim % 16:
        return f"inputs of {sorted(set(widths))} and heads of {head_dim} are not whole blocks of 32 and 16"
    return ""


def packs(ggml_type: int) -> bool:
    """Whether blocks of this GGML type keep their values."""
    return _library().c.native_kind(ggml_type) >= 0


def pack(blocks: np.ndarray, ggml_type: int, arena: Arena, lib: Library | None = None) -> Packed:
    """GGUF blocks `[rows, bytes of a row]` of a type for which `packs` is true; FLOAT32 is rounded to 8 bits."""
    from gguf import GGML_QUANT_SIZES, GGMLQuantizationType

    c, blocks = (lib or _library()).c, np.ascontiguousarray(blocks)
    inputs, size = (32, 128) if ggml_type == FLOAT32 else GGML_QUANT_SIZES[GGMLQuantizationType(ggml_type)]
    if blocks.shape[1] % size:
        raise ValueError(f"a row of {blocks.shape[1]} bytes is not whole blocks of {inputs} inputs")
    rows, width = blocks.shape[0], blocks.shape[1] // size * inputs
    kind = c.native_kind(ggml_type)
    if kind < 0:
        raise ValueError(f"the C kernel does not store GGML type {ggml_type}")
    data = arena.take(c.native_packed_bytes(kind, rows, width))
    c.native_pack(ggml_type, blocks.ctypes.data, size, rows, width, data.ctypes.data, torch.get_num_threads())
    return Packed(kind, rows, width, data)


class NativeLinear:
    """Stacked weights of 4, 6 or 8 bits; activations are rounded to 8 bits per row and block of inputs."""

    def __init__(self, parts: Sequence[Packed], bias: Tensor | None = None, lib: Library | None = None):
        self.lib, self.parts = lib or _library(), parts
        self.bias = None if bias is None else bias.contiguous()
        self.rows, self.width = sum(part.rows for part in parts), parts[0].width
        if any(part.width != self.width for part in parts) or self.bias is not None and self.bias.shape != (self.rows,):
            raise SizeError("stacked matrices, or a matrix and its bias, differ in size")
        self._array = (_Part * len(parts))(*(_Part(p.kind, p.rows, p.data.ctypes.data) for p in parts))
        block = WIDE if any(part.kind in (Q4K, Q6K) for part in parts) else 32
        self.struct = _Linear(len(parts), self.rows, self.width, block, self._array, _address(self.bias))

    @property
    def nbytes(self) -> int:
        return sum(part.data.nbytes for part in self.parts)

    def __call__(self, x: Tensor, norm: Tensor | None = None, eps: float = 0.0, threads: int = 0) -> Tensor:
        """With the weight `[width]` of a norm, each row is divided by its root mean square and multiplied by it first."""
        x = x.float().contiguous()
        if x.dim() != 2 or x.shape[1] != self.width:
            raise ValueError(f"the layer takes [rows, {self.width}], not {list(x.shape)}")
        if norm is not None and norm.shape != (self.width,):
            raise ValueError(f"the norm has {list(norm.shape)} weights, not {self.width}")
        out = torch.empty(x.shape[0], self.rows)
        threads = threads or torch.get_num_threads()
        c = self.lib.c
        c.native_linear(self.struct, x.data_ptr(), x.shape[0], _address(norm), eps, out.data_ptr(), threads)
        return out


class NativeBatch:
    """Rows of one or more texts. `runs` are (first position, rows, table of the text's `BlockCache` with room for them);
    `rotation` is the rotary cosine and sine of all rows `[rows, 1, dim]`."""

    def __init__(self, runs: Sequence[tuple[int, int, Tensor]], rotation: tuple[Tensor, Tensor]):
        for start, count, table in runs:
            if start + count > len(table) * BLOCK:
                raise ValueError(f"the cache has no room for position {start + count - 1}")
        position = torch.cat([torch.arange(start, start + count, dtype=torch.int32) for start, count, _ in runs])
        tables = torch.cat([torch.full((count,), table.data_ptr(), dtype=torch.int64) for _, count, table in runs])
        arrays = (position, tables, *(part.contiguous() for part in rotation))
        self.kept = arrays, runs
        self.struct = _Batch(len(position), *(array.data_ptr() for array in arrays))


class NativeLayer:
    """A decoder layer in one call; the same function as `engine.models.layer.Layer` with these linear layers."""

    def __init__(
        self, linears: dict[str, NativeLinear], norms: dict[str, Tensor | None], sizes: dict[str, int], eps: float
    ):
        self.lib, self.kept = linears["qkv"].lib, (linears, norms)
        hidden, ffn, dim, kv = sizes["hidden"], sizes["ffn"], sizes["dim"], sizes["kv_heads"]
        seen = sizes["heads"] * dim
        wanted: dict[str, tuple[int, ...]] = {"qkv": (seen + 2 * kv * dim, hidden), "output": (hidden, seen)}
        wanted |= {"gate_up": (2 * ffn, hidden), "down": (hidden, ffn), "input_norm": (hidden,), "ffn_norm": (hidden,)}
        wanted |= {"query_norm": (dim,), "key_norm": (dim,)}
        found: dict[str, tuple[int, ...]] = {name: (linear.rows, linear.width) for name, linear in linears.items()}
        found |= {name: tuple(norm.shape) for name, norm in norms.items() if norm is not None}
        for name, shape in found.items():
            if shape != wanted[name]:
                raise SizeError(f"{name} of layer {sizes['index']} is {list(shape)}, not {list(wanted[name])}")
        self.hidden = sizes["hidden"]
        self.struct = _Layer(
            **{name: linear.struct for name, linear in linears.items()},
            **{name: _address(norm) for name, norm in norms.items()},
            **sizes,
            eps=eps,
        )

    @property
    def kinds(self) -> tuple[tuple[int, ...], ...]:
        """How the weights are stored; layers of the same kinds run the same code."""
        return tuple(tuple(part.kind for part in linear.parts) for linear in self.kept[0].values())

    def __call__(self, x: Tensor, batch: NativeBatch) -> None:
        """Changes `x` float32 `[rows, hidden]` in place."""
        if x.shape != (batch.struct.rows, self.hidden) or x.dtype != torch.float32 or not x.is_contiguous():
            raise ValueError(f"the layer takes contiguous float32 [{batch.struct.rows}, {self.hidden}]")
        self.lib.c.native_layer(self.struct, batch.struct, x.data_ptr(), torch.get_num_threads())


def _address(tensor: Tensor | None) -> int | None:
    return None if tensor is None else tensor.data_ptr()
