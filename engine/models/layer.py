"""One transformer block of the Llama family, and what it is made of: sizes, weights, linear layers, norms, rotary positions.

Qwen2 adds biases to the query, key and value projections, Qwen3 normalises each query and key head. Around linear layers
of the C kernel, the whole block runs in C (`native_layer`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from engine.kernels.attention import rowwise_attention
from engine.kernels.linear import Linear
from engine.kernels.native import NativeLayer
from engine.kv.cache import KVCache


@dataclass(frozen=True)
class DecoderConfig:
    """Sizes in elements; `context` in positions; `tied` means that the output layer is the embedding table."""

    architecture: str
    layers: int
    hidden: int
    ffn: int
    heads: int
    kv_heads: int
    head_dim: int
    vocab: int
    context: int
    rope_theta: float
    eps: float
    tied: bool


class Weights(Protocol):
    """Tensors by their Hugging Face names."""

    def tensor(self, name: str) -> Tensor:
        """Float32. Raises KeyError when the file has no such tensor."""

    def optional(self, name: str) -> Tensor | None: ...

    def rows(self, name: str, ids: Tensor) -> Tensor:
        """Some rows of a matrix in float32, without holding the matrix in float32."""

    def blocks(self, name: str) -> tuple[np.ndarray, int] | None:
        """A matrix as it is stored in GGUF blocks, uint8 `[rows, bytes of a row]`, and its GGML type; None for other formats."""


class Linears(Protocol):
    def __call__(self, *names: str, fine: bool = False) -> Linear:
        """The layers of these names stacked into one. `fine` asks for finer activations where a kernel rounds them."""


class Layer:
    """One transformer block; `__call__` maps `[n, hidden]` to `[n, hidden]`."""

    def __init__(self, weights: Weights, linears: Linears, config: DecoderConfig, index: int):
        self.config, self.index = config, index
        prefix = f"model.layers.{index}."
        self.qkv = linears(*(f"{prefix}self_attn.{part}_proj" for part in "qkv"))
        self.output = linears(prefix + "self_attn.o_proj")
        self.gate_up = linears(prefix + "mlp.gate_proj", prefix + "mlp.up_proj")
        self.down = linears(prefix + "mlp.down_proj", fine=True)
        self.input_norm = weights.tensor(prefix + "input_layernorm.weight")
        self.ffn_norm = weights.tensor(prefix + "post_attention_layernorm.weight")
        self.query_norm = weights.optional(prefix + "self_attn.q_norm.weight")
        self.key_norm = weights.optional(prefix + "self_attn.k_norm.weight")

    def __call__(self, x: Tensor, rotation: tuple[Tensor, Tensor], cache: KVCache) -> Tensor:
        config, rows = self.config, x.shape[0]
        mixed = self.qkv(rms_norm(x, self.input_norm, config.eps))
        mixed = mixed.view(rows, config.heads + 2 * config.kv_heads, config.head_dim)
        query, key, value = mixed.split((config.heads, config.kv_heads, config.kv_heads), 1)
        if self.query_norm is not None and self.key_norm is not None:
            query = rms_norm(query, self.query_norm, config.eps)
            key = rms_norm(key, self.key_norm, config.eps)
        query, key = rotate(query, rotation), rotate(key, rotation)
        cache.write(self.index, key.transpose(0, 1), value.transpose(0, 1))
        seen = rowwise_attention(query, cache.keys[self.index], cache.values[self.index], cache.length)
        x = x + self.output(seen)
        gate, up = self.gate_up(rms_norm(x, self.ffn_norm, config.eps)).chunk(2, 1)
        return x + self.down(torch.nn.functional.silu(gate) * up)


def native_layer(layer: Layer) -> NativeLayer:
    config = layer.config
    linears = {name: getattr(layer, name) for name in ("qkv", "output", "gate_up", "down")}
    norms = {name: getattr(layer, name) for name in ("input_norm", "ffn_norm", "query_norm", "key_norm")}
    sizes = {"heads": config.heads, "kv_heads": config.kv_heads, "dim": config.head_dim, "hidden": config.hidden}
    return NativeLayer(linears, norms, sizes | {"ffn": config.ffn, "index": layer.index}, config.eps)


def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    """Divide by the root mean square of the last dimension."""
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * weight


def rotate(x: Tensor, rotation: tuple[Tensor, Tensor]) -> Tensor:
    """Rotary positions on `[n, heads, dim]`; the pair of element i is element i + dim / 2."""
    cosine, sine = rotation
    first, second = x.chunk(2, -1)
    return x * cosine + torch.cat((-second, first), -1) * sine
