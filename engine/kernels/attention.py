"""Causal attention computed row by row, each row against exactly the keys it may see.

The calls for a row depend on its position alone, never on how many rows run together, so decoding one token and
verifying several give the same bits. Matrix products over several rows would not: their blocking, and with several
threads their splitting, follows the number of rows. Grouped-query heads share one product.
"""

from __future__ import annotations

import torch
from torch import Tensor


def rowwise_attention(query: Tensor, keys: Tensor, values: Tensor, start: int) -> Tensor:
    """`query` `[rows, heads, dim]` at positions `start`...; `keys`, `values` `[kv_heads, capacity, dim]`.

    Returns `[rows, heads * dim]`. Capacity covers the last row.
    """
    rows, heads, dim = query.shape
    kv_heads = keys.shape[0]
    grouped = query.mul(dim**-0.5).view(rows, kv_heads, heads // kv_heads, dim)
    transposed = keys.transpose(1, 2)
    seen = []
    for row in range(rows):
        end = start + row + 1
        weights = torch.bmm(grouped[row], transposed[:, :, :end]).softmax(-1)
        seen.append(torch.bmm(weights, values[:, :end]))
    return torch.stack(seen).view(rows, heads * dim)
