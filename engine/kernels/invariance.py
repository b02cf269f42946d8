"""The start-up test behind the `exact` flag: do linear layers and attention give one row the same bits in any batch?

A torch upgrade or another processor can change a kernel silently; then decoding and verification may differ, and the
engine reports `exact: false` instead of promising what it cannot keep.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from engine.kernels.attention import rowwise_attention
from engine.kernels.linear import Linear
from engine.kv.cache import BUCKET

ROWS = (1, 2, 3, 5, 9, 16)


def linear_is_invariant(linear: Linear, width: int, rows: Iterable[int] = ROWS) -> bool:
    """Compares the first row alone with the first row among others, one of them an outlier."""
    generator = torch.Generator().manual_seed(7)
    x = torch.randn(max(rows), width, generator=generator)
    x[1:, 3] *= 300.0
    alone = linear(x[:1])
    return all(torch.equal(linear(x[:count])[:1], alone) for count in rows)


def attention_is_invariant(heads: int, kv_heads: int, head_dim: int, start: int = BUCKET - 8) -> bool:
    """Compares rows one by one with rows together, across the boundary of a key bucket."""
    generator = torch.Generator().manual_seed(11)

    def noise(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator)

    query, keys, values = (
        noise(16, heads, head_dim),
        noise(kv_heads, 2 * BUCKET, head_dim),
        noise(kv_heads, 2 * BUCKET, head_dim),
    )
    single = torch.cat([rowwise_attention(query[i : i + 1], keys, values, start + i) for i in range(16)])
    return all(
        torch.equal(
            rowwise_attention(query[first : first + count], keys, values, start + first),
            single[first : first + count],
        )
        for count in ROWS
        for first in (0, 16 - count)
    )
