"""Causal attention in which every query row is its own batch entry and key lengths come in fixed buckets.

The shape a row is computed in depends on its position alone, never on how many rows run together, so decoding one
token and verifying several give the same bits. Grouped-query heads share one matrix product.
"""

from __future__ import annotations

import torch
from torch import Tensor

from engine.kv.cache import BUCKET


def rowwise_attention(query: Tensor, keys: Tensor, values: Tensor, start: int) -> Tensor:
    """`query` `[rows, heads, dim]` at positions `start`...; `keys`, `values` `[kv_heads, capacity, dim]`.

    Returns `[rows, heads * dim]`. Capacity must be a whole number of buckets that covers the last row.
    """
    rows, heads, dim = query.shape
    kv_heads = keys.shape[0]
    grouped = query.mul(dim**-0.5).view(rows, kv_heads, heads // kv_heads, dim)
    out = torch.empty_like(grouped)
    row = 0
    while row < rows:
        padded = ((start + row) // BUCKET + 1) * BUCKET
        end = min(rows, padded - start)
        positions = torch.arange(start + row, start + end)
        hidden = torch.arange(padded)[None, :] > positions[:, None]
        for head in range(kv_heads):
            key = keys[head, :padded].T.expand(end - row, dim, padded)
            value = values[head, :padded].expand(end - row, padded, dim)
            scores = torch.bmm(grouped[row:end, head], key)
            scores.masked_fill_(hidden[:, None, :], float("-inf"))
            out[row:end, head] = torch.bmm(scores.softmax(-1), value)
        row = end
    return out.view(rows, heads * dim)
