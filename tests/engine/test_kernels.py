"""One row's result does not depend on the other rows: linear layers, attention, and the cache behind them."""

from __future__ import annotations

import pytest
import torch

from engine.kernels.attention import rowwise_attention
from engine.kernels.invariance import attention_is_invariant, linear_is_invariant
from engine.kernels.linear import AnchoredInt8Linear, OneDnnLinear, quantise_rows
from engine.kv.cache import BUCKET, KVCache


def noise(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(3))


@pytest.mark.parametrize("width", [320, 2048, 4864])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("make", ["fp32", "int8", "fine"])
def test_linear_rows_have_the_same_bits_in_every_batch(make, threads, width):
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        weight, bias = noise(192, width), noise(192)
        linear = OneDnnLinear(weight, bias) if make == "fp32" else int8(weight, bias, make == "fine")
        assert linear_is_invariant(linear, width)
    finally:
        torch.set_num_threads(before)


def int8(weight, bias=None, fine=False):
    return AnchoredInt8Linear(*quantise_rows([weight]), bias, fine)


def test_fine_activations_survive_an_outlier():
    weight, x = noise(64, 128), noise(4, 128)
    x[:, 5] = 80.0
    exact = torch.nn.functional.linear(x, weight)
    coarse, fine = ((int8(weight, fine=fine)(x) - exact).abs().mean() for fine in (False, True))
    assert fine < coarse / 3


def test_the_self_test_notices_a_kernel_that_looks_at_its_neighbours():
    assert not linear_is_invariant(lambda x: x / x.abs().max(), 16)


def test_attention_is_causal_softmax_attention():
    query, keys, values = noise(5, 6, 16), noise(2, BUCKET, 16), noise(2, BUCKET, 16)
    assert attention_is_invariant(6, 2, 16)
    ours = rowwise_attention(query, keys, values, 7)
    mask = torch.arange(12)[None, :] <= torch.arange(7, 12)[:, None]
    theirs = torch.nn.functional.scaled_dot_product_attention(
        query.transpose(0, 1),
        keys[:, :12].repeat_interleave(3, 0),
        values[:, :12].repeat_interleave(3, 0),
        attn_mask=mask,
    )
    torch.testing.assert_close(ours, theirs.transpose(0, 1).reshape(5, 96), rtol=1e-4, atol=1e-5)


def test_the_cache_grows_without_losing_positions_and_rolls_back():
    cache = KVCache(1, 2, 4, 10)
    first = noise(2, BUCKET, 4)
    cache.write(0, first, -first)
    cache.length = BUCKET
    cache.reserve(BUCKET + 1)
    assert cache.capacity >= BUCKET + 1
    assert torch.equal(cache.keys[0][:, :BUCKET], first) and torch.equal(cache.values[0][:, :BUCKET], -first)
    cache.rollback(6)
    assert cache.length == BUCKET - 6
    with pytest.raises(ValueError, match="roll back"):
        cache.rollback(BUCKET)
