"""Linear layers for a kernel, built from a weights source.

The C kernel takes the quantised blocks of a GGUF file as they are, and rounds everything else to 8 bits. The int8 weights
of W8A8 are kept in a cache folder between starts, because quantising a model takes longer than reading it back: one `.npy`
pair per layer is written whole or not at all; a cache that cannot be written is done without.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from engine.kernels import native
from engine.kernels.linear import AnchoredInt8Linear, Linear, OneDnnLinear, quantise_rows
from engine.kernels.native import FLOAT32, Arena, NativeLinear, Packed, pack, packs
from engine.kernels.registry import KERNELS, Probe, choose
from engine.models.layer import DecoderConfig, Weights

BLOCK = 16384
"""Rows of a vocabulary-sized matrix that are held in float32 at once."""


class Packing:
    """Makes the decoder's linear layers. Raises KeyError for a tensor that the source does not have."""

    def __init__(self, weights: Weights, vocab: int, kernel: str, cache: Path | None = None):
        if kernel not in KERNELS:
            raise ValueError(f"kernel {kernel!r} is not one of {', '.join(KERNELS)}")
        self.weights, self.vocab, self.kernel, self.cache = weights, vocab, kernel, cache
        self.arena = Arena()

    def __call__(self, *names: str, fine: bool = False) -> Linear:
        parts = [self.weights.optional(f"{name}.bias") for name in names]
        present = [part for part in parts if part is not None]
        if len(present) not in (0, len(names)):
            raise KeyError(f"{names[0]}.bias")
        bias = torch.cat(present) if present else None
        if self.kernel == "native":
            return NativeLinear([part for name in names for part in self._packed(name)], bias)
        if self.kernel == "fp32":
            return OneDnnLinear(torch.cat(list(self._floats(names))), bias)
        integers, scale = self._quantised(names)
        return AnchoredInt8Linear(integers, scale, bias, fine)

    def _packed(self, name: str) -> list[Packed]:
        stored = self.weights.blocks(f"{name}.weight")
        if stored is not None and packs(stored[1]):
            return [pack(*stored, self.arena)]
        return [pack(floats.numpy().view(np.uint8), FLOAT32, self.arena) for floats in self._floats((name,))]

    def _floats(self, names: tuple[str, ...]) -> Iterator[Tensor]:
        for name in names:
            if name in ("lm_head", "model.embed_tokens"):
                for start in range(0, self.vocab, BLOCK):
                    yield self.weights.rows(
                        f"{name}.weight", torch.arange(start, min(start + BLOCK, self.vocab))
                    )
            else:
                yield self.weights.tensor(f"{name}.weight")

    def _quantised(self, names: tuple[str, ...]) -> tuple[Tensor, Tensor]:
        stored = [self.cache / f"{names[0]}.{part}.npy" for part in ("int8", "scale")] if self.cache else []
        try:
            integers, scale = (torch.from_numpy(np.load(file)) for file in stored)
            return integers, scale
        except (OSError, ValueError):
            integers, scale = quantise_rows(self._floats(names))
        for file, tensor in zip(stored, (integers, scale), strict=False):
            _write(file, tensor.numpy())
        return integers, scale


def _write(file: Path, array: np.ndarray) -> None:
    partial = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as out:
            np.save(out, array)
        partial.replace(file)
    except OSError:
        partial.unlink(missing_ok=True)


def cache_folder(model: Path, store: Path) -> Path:
    """Where the int8 weights of a model file are kept; another size or time of the file gives another folder."""
    status = model.stat()
    return store / "int8" / f"{model.stem}-{status.st_size:x}-{status.st_mtime_ns:x}"


def unfit(kernel: str, config: DecoderConfig) -> str:
    """Why a kernel cannot run a model here, or nothing."""
    widths = (config.hidden, config.ffn, config.heads * config.head_dim)
    return native.unfit(widths, config.head_dim) if kernel == "native" else ""


def fastest(weights: Weights, config: DecoderConfig) -> tuple[str, list[Probe]]:
    """The kernel to run a model on, measured on the first layer's gate matrix."""

    def gate(kernel: str) -> Linear:
        return Packing(weights, config.vocab, kernel)("model.layers.0.mlp.gate_proj")

    return choose(gate, config.hidden, {"native": unfit("native", config)})
