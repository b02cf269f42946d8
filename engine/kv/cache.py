"""A contiguous key and value cache that grows in whole buckets and is rolled back by moving a pointer.

Storage past `length` is finite but meaningless: attention masks it and the next forward overwrites it.
"""

from __future__ import annotations

import torch

BUCKET = 256
"""Key lengths are padded to a multiple of this many positions, so that attention shapes repeat."""


class KVCache:
    """Float32 keys and values, one `[kv_heads, capacity, head_dim]` pair per layer. `length` counts valid positions."""

    def __init__(self, layers: int, kv_heads: int, head_dim: int, capacity: int = BUCKET):
        self.length = 0
        shape = (kv_heads, _whole_buckets(capacity), head_dim)
        self.keys = [torch.zeros(shape) for _ in range(layers)]
        self.values = [torch.zeros(shape) for _ in range(layers)]

    @property
    def capacity(self) -> int:
        return self.keys[0].shape[1]

    @property
    def nbytes(self) -> int:
        return sum(tensor.nbytes for tensor in (*self.keys, *self.values))

    def reserve(self, length: int) -> None:
        """Make room for `length` positions; at least doubles when it grows, so appending stays linear."""
        if length <= self.capacity:
            return
        capacity = _whole_buckets(max(length, min(2 * self.capacity, self.capacity + 16 * BUCKET)))
        for store in (self.keys, self.values):
            for layer, old in enumerate(store):
                store[layer] = torch.zeros(old.shape[0], capacity, old.shape[2])
                store[layer][:, : self.length] = old[:, : self.length]

    def write(self, layer: int, keys: torch.Tensor, values: torch.Tensor) -> None:
        """Store `[kv_heads, n, head_dim]` at `length`; the caller advances `length` once all layers are written."""
        end = self.length + keys.shape[1]
        self.keys[layer][:, self.length : end] = keys
        self.values[layer][:, self.length : end] = values

    def rollback(self, count: int) -> None:
        """Forget the last `count` positions. Raises ValueError when there are not that many."""
        if not 0 <= count <= self.length:
            raise ValueError(f"cannot roll back {count} of {self.length} positions")
        self.length -= count


def _whole_buckets(length: int) -> int:
    return max(1, -(-length // BUCKET)) * BUCKET
