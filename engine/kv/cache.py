"""Key and value caches, rolled back by moving a pointer: contiguous float32 for torch, blocks of float16 for the C kernel.

Storage past `length` is meaningless: attention masks it and the next forward overwrites it.
"""

from __future__ import annotations

import torch

BLOCK = 16
"""Positions of a block of the C kernel's cache (KV_BLOCK in native.c)."""
BUCKET = 256
"""Key lengths are padded to a multiple of this many positions, so that attention shapes repeat."""


class KVCache:
    """Float32 keys and values, one `[kv_heads, capacity, head_dim]` pair per layer. `length` counts valid positions, `base`
    is the position in the text of the first one."""

    base = 0

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

    def drop(self, count: int) -> None:
        """Forget the first `count` positions."""
        for store in (*self.keys, *self.values):
            store[:, : self.length - count] = store[:, count : self.length].clone()
        self.length -= count
        self.base += count


class BlockCache:
    """Float16 blocks of 16 positions; a block holds for every layer the keys `[kv_heads, dim, 16]` and then the values
    `[kv_heads, dim / 16, 16 positions, 16]`. `table` int64 holds the address of each block in the order of positions.
    `base` is the position in the text of the first one."""

    base = 0

    def __init__(self, layers: int, kv_heads: int, head_dim: int, capacity: int = BLOCK):
        self.length = 0
        self._elements = layers * 2 * kv_heads * BLOCK * head_dim
        self._slabs: list[torch.Tensor] = []
        self.table = torch.empty(0, dtype=torch.int64)
        self.reserve(max(1, capacity))

    @property
    def capacity(self) -> int:
        return len(self.table) * BLOCK

    @property
    def nbytes(self) -> int:
        return sum(slab.nbytes for slab in self._slabs)

    def reserve(self, length: int) -> None:
        """Make room for `length` positions. What is stored stays where it is."""
        missing = -(-length // BLOCK) - len(self.table)
        if missing <= 0:
            return
        slab = torch.zeros(max(missing, BUCKET // BLOCK), self._elements, dtype=torch.float16)
        self._slabs.append(slab)
        addresses = slab.data_ptr() + torch.arange(len(slab)) * (2 * self._elements)
        self.table = torch.cat((self.table, addresses))

    def rollback(self, count: int) -> None:
        """Forget the last `count` positions. Raises ValueError when there are not that many."""
        if not 0 <= count <= self.length:
            raise ValueError(f"cannot roll back {count} of {self.length} positions")
        self.length -= count

    def drop(self, count: int) -> None:
        """Forget the first `count` positions, whole blocks; what they stood in takes the next positions."""
        blocks = count // BLOCK
        self.table = torch.cat((self.table[blocks:], self.table[:blocks]))
        self.length -= blocks * BLOCK
        self.base += blocks * BLOCK


def _whole_buckets(length: int) -> int:
    return max(1, -(-length // BUCKET)) * BUCKET
