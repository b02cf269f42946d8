"""One lean decoder for Llama, Qwen2 and Qwen3: an embedding, layers (`engine.models.layer`), a norm, an output layer.

The decoder asks for finished linear layers and never sees the whole model in float32.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import torch
from torch import Tensor

from engine.kernels.invariance import attention_is_invariant, linear_is_invariant
from engine.kernels.native import NativeBatch, NativeLayer, NativeLinear
from engine.kv.cache import BlockCache, KVCache
from engine.models.layer import DecoderConfig, Layer, Linears, Weights, native_layer, rms_norm


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
        if isinstance(cache, BlockCache):
            return self.forward_texts([(ids, cache, 1 if last_only else len(ids))])
        start, count = self._extend(ids, cache)
        rotation = self._rotation(start, count)
        x = self.weights.rows(self.embedding, ids)
        for layer in self.layers:
            x = layer(x, rotation, cache)
        cache.length += count
        return self._logits(x[-1:] if last_only else x)

    @torch.inference_mode()
    def forward_texts(self, texts: Sequence[tuple[Tensor, BlockCache, int]]) -> Tensor:
        """One pass over several texts of the C kernel: appends each one's `ids` `[n]` to its cache; logits `[rows, vocab]` of
        the last so many positions of each, in order. Raises as `forward`, before any cache has changed."""
        spans = [self._extend(ids, cache) for ids, cache, _ in texts]
        rotations = [self._rotation(start, count) for start, count in spans]
        rotation = (torch.cat([cosine for cosine, _ in rotations]), torch.cat([sine for _, sine in rotations]))
        x = self.weights.rows(self.embedding, torch.cat([ids for ids, _, _ in texts]))
        batch = NativeBatch([(cache.length, len(ids), cache.table) for ids, cache, _ in texts], rotation)
        for native in self.native:
            native(x, batch)
        for ids, cache, _ in texts:
            cache.length += len(ids)
        parts = x.split([len(ids) for ids, _, _ in texts])
        return self._logits(torch.cat([part[-rows:] for part, (_, _, rows) in zip(parts, texts, strict=True)]))

    def _extend(self, ids: Tensor, cache: KVCache | BlockCache) -> tuple[int, int]:
        """Makes room for `ids`; their first position and their number."""
        start, count = cache.base + cache.length, len(ids)
        if count == 0:
            raise ValueError("a forward pass needs at least one token")
        if start + count > self.config.context:
            raise ValueError(f"{start + count} positions pass the model's context of {self.config.context}")
        cache.reserve(cache.length + count)
        return start, count

    def _logits(self, x: Tensor) -> Tensor:
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
                native(part, NativeBatch([(start, end - start, cache.table)], self._rotation(start, end - start)))
                outputs.append(part)
            return torch.cat(outputs)

        return linear_is_invariant(self.head, config.hidden) and all(
            torch.equal(run(native, range(1, 17)), run(native, cuts))
            for native in kinds.values()
            for cuts in ((16,), (2, 5, 13, 16), (7, 15, 16))
        )
