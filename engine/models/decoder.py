"""One lean decoder for Llama, Qwen2 and Qwen3: RMSNorm, rotary positions, grouped-query attention, SwiGLU.

Qwen2 adds biases to the query, key and value projections, Qwen3 normalises each query and key head. The decoder asks
for finished linear layers and never sees the whole model in float32. Around linear layers of the C kernel, the whole
layer runs in C.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from engine.kernels.attention import rowwise_attention
from engine.kernels.invariance import attention_is_invariant, linear_is_invariant
from engine.kernels.linear import Linear
from engine.kernels.native import NativeBatch, NativeLayer, NativeLinear
from engine.kv.cache import BlockCache, KVCache


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


class Decoder:
    """A loaded model. `exact` says that a row's logits have the same bits however many rows run together."""

    def __init__(self, weights: Weights, linears: Linears, config: DecoderConfig):
        self.config, self.weights = config, weights
        self.layers = [Layer(weights, linears, config, index) for index in range(config.layers)]
        self.norm = weights.tensor("model.norm.weight")
        self.embedding = "model.embed_tokens.weight"
        self.head = linears("model.embed_tokens" if config.tied else "lm_head")
        self.inverse_frequencies = 1.0 / config.rope_theta ** (
            torch.arange(0, config.head_dim, 2, dtype=torch.float32) / config.head_dim
        )
        factors = weights.optional("rope_freqs.weight")
        if factors is not None:
            self.inverse_frequencies = self.inverse_frequencies / factors
        self.native = [native_layer(layer) for layer in self.layers] if isinstance(self.head, NativeLinear) else []
        self.exact = self._self_test()

    def new_cache(self, capacity: int = 0) -> KVCache | BlockCache:
        kind = BlockCache if self.native else KVCache
        return kind(self.config.layers, self.config.kv_heads, self.config.head_dim, capacity)

    @torch.inference_mode()
    def forward(self, ids: Tensor, cache: KVCache | BlockCache, last_only: bool = False) -> Tensor:
        """Append `ids` `[n]` at `cache.length`; logits `[n, vocab]`, or `[1, vocab]` of the last row.

        Raises ValueError when the text would pass the model's context or `ids` is empty. The cache is then unchanged.
        """
        count = ids.shape[0]
        if count == 0:
            raise ValueError("a forward pass needs at least one token")
        start = cache.base + cache.length
        if start + count > self.config.context:
            raise ValueError(f"{start + count} positions pass the model's context of {self.config.context}")
        cache.reserve(cache.length + count)
        rotation = self._rotation(start, count)
        x = self.weights.rows(self.embedding, ids)
        if isinstance(cache, BlockCache):
            batch = NativeBatch(cache.length, count, cache.table, rotation)
            for native in self.native:
                native(x, batch)
        else:
            for layer in self.layers:
                x = layer(x, rotation, cache)
        cache.length += count
        x = x[-1:] if last_only else x
        if isinstance(self.head, NativeLinear):
            return self.head(x, self.norm, self.config.eps)
        return self.head(rms_norm(x, self.norm, self.config.eps))

    def _rotation(self, start: int, count: int) -> tuple[Tensor, Tensor]:
        angles = torch.arange(start, start + count, dtype=torch.float32)[:, None] * self.inverse_frequencies
        angles = torch.cat((angles, angles), 1)[:, None, :]
        return angles.cos(), angles.sin()

    @torch.inference_mode()
    def _self_test(self) -> bool:
        if self.native:
            return self._native_self_test()
        config, layer = self.config, self.layers[0]
        linears = (
            (layer.qkv, config.hidden),
            (layer.output, config.heads * config.head_dim),
            (layer.gate_up, config.hidden),
            (layer.down, config.ffn),
            (self.head, config.hidden),
        )
        return attention_is_invariant(config.heads, config.kv_heads, config.head_dim) and all(
            linear_is_invariant(linear, width) for linear, width in linears
        )

    def _native_self_test(self) -> bool:
        """Every kind of layer that the model has, across the boundary of a cache block, and the head."""
        config, kinds = self.config, {native.kinds: native for native in self.native}
        x = torch.randn(16, config.hidden, generator=torch.Generator().manual_seed(13))
        x[1:, 3] *= 300.0

        def run(native: NativeLayer, cuts: Sequence[int]) -> Tensor:
            cache, outputs = BlockCache(config.layers, config.kv_heads, config.head_dim), []
            for start, end in itertools.pairwise((0, *cuts)):
                part = x[start:end].clone()
                native(part, NativeBatch(start, end - start, cache.table, self._rotation(start, end - start)))
                outputs.append(part)
            return torch.cat(outputs)

        return linear_is_invariant(self.head, config.hidden) and all(
            torch.equal(run(native, range(1, 17)), run(native, cuts))
            for native in kinds.values()
            for cuts in ((16,), (2, 5, 13, 16), (7, 15, 16))
        )


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
