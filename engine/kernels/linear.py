"""Linear layers whose output row has the same bits in every batch: oneDNN float32 and anchored int8 (W8A8).

Each takes a weight `[out, in]` and packs it once; the caller may drop its own copy.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Protocol

import torch
from torch import Tensor

HALF = 63.5
"""FBGEMM's 7-bit activation grid over [-1, 1] has a step of 1 / 63.5 (reduce_range, scale 2 / 127)."""
TOP = 63 / HALF
"""The largest magnitude that is on the grid on both sides of zero."""


class Linear(Protocol):
    def __call__(self, x: Tensor) -> Tensor:
        """`[rows, in]` float32 to `[rows, out]` float32."""


class OneDnnLinear:
    """Float32 with the weight in oneDNN's blocked layout; plain `F.linear` changes bits with the number of rows."""

    def __init__(self, weight: Tensor, bias: Tensor | None = None):
        self.bias = bias
        # A batch hint of 1 packs for a matrix-vector kernel, which is not row-invariant; 16 is (torch 2.13, AVX2).
        self.weight = torch.ops.mkldnn._reorder_linear_weight(weight.contiguous(), 16)

    def __call__(self, x: Tensor) -> Tensor:
        if len(x) == 1:  # with AVX-512, one row of many inputs is summed in another order than two (oneDNN of torch 2.13)
            return self(x.expand(2, -1).contiguous())[:1]
        return torch.ops.mkldnn._linear_pointwise(x, self.weight, self.bias, "none", [], "")


class AnchoredInt8Linear:
    """Int8 weights (symmetric, per output channel) and integer activations through FBGEMM.

    FBGEMM picks one activation range for a whole batch. Rows are divided by their own largest magnitude and an anchor
    row `[1, -1, 0, ...]` pins that range, so each row is quantised alone and integer sums are exact in any order.
    `fine` sends the rounding error of every row as a second row: 13-bit activations for the price of twice the rows.
    """

    def __init__(self, integers: Tensor, scale: Tensor, bias: Tensor | None = None, fine: bool = False):
        self.bias, self.fine = bias, fine
        zeros = torch.zeros(integers.shape[0], dtype=torch.int64)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "torch.quantize_per_tensor", UserWarning)
            quantised = torch._make_per_channel_quantized_tensor(integers, scale.double(), zeros, 0)
        self.packed = torch.ops.quantized.linear_prepack(quantised, None)
        self.anchor = torch.zeros(integers.shape[1])
        self.anchor[0], self.anchor[1] = 1.0, -1.0

    def __call__(self, x: Tensor) -> Tensor:
        rows = x.shape[0]
        largest = x.abs().amax(1, keepdim=True).clamp_min_(1e-20).div_(TOP)
        batch = torch.empty(1 + rows * (2 if self.fine else 1), x.shape[1])
        batch[0] = self.anchor
        unit = torch.div(x, largest, out=batch[1 : 1 + rows])
        if self.fine:
            coarse = unit.mul(HALF).round_().div_(HALF)
            torch.sub(unit, coarse, out=batch[1 + rows :]).mul_(2 * HALF * TOP)
            unit.copy_(coarse)
        product = torch.ops.quantized.linear_dynamic(batch, self.packed, True)
        out = product[1 : 1 + rows]
        if self.fine:
            out = out.add(product[1 + rows :], alpha=1 / (2 * HALF * TOP))
        out = out * largest
        return out if self.bias is None else out.add_(self.bias)


def quantise_rows(blocks: Iterable[Tensor]) -> tuple[Tensor, Tensor]:
    """Int8 rows and their float32 scales (largest magnitude / 127) from blocks of rows `[rows, in]`."""
    integers, scales = [], []
    for block in blocks:
        scale = block.abs().amax(1).clamp_min_(1e-12).div_(127)
        integers.append(block.div(scale[:, None]).round_().to(torch.int8))
        scales.append(scale)
    return torch.cat(integers), torch.cat(scales)
