"""The C kernel: it multiplies by the weights of the file, a row's bits depend on that row alone, and rubbish stays in its row."""

from __future__ import annotations

import dataclasses
import os

import gguf
import numpy as np
import pytest
import torch
from gguf import GGMLQuantizationType as Ggml
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernels import native
from engine.kernels.build import BuildError, build
from engine.loading.packing import Packing
from engine.loading.safetensors_dir import SafetensorsWeights
from engine.models.decoder import Decoder
from engine.models.layer import native_layer
from tests.engine.test_decoder_parity import reference

try:
    build()
except BuildError as error:
    pytest.skip(f"C kernel: {error}", allow_module_level=True)
if native.load() is None:
    pytest.skip("C kernel: not for this processor", allow_module_level=True)

TYPES = (Ggml.Q4_K, Ggml.Q6_K, Ggml.Q4_0, Ggml.Q4_1, Ggml.Q5_0, Ggml.Q8_0)


def blocks(kind: Ggml, rows: int, width: int, seed: int = 0) -> np.ndarray:
    """Every bit pattern of the values; the float16 factors of a block are small and finite."""
    inputs, size = gguf.GGML_QUANT_SIZES[kind]
    noise = np.random.default_rng(seed)
    data = noise.integers(0, 256, (rows, width // inputs, size), dtype=np.uint8)
    factors = {Ggml.Q4_K: (0, 2), Ggml.Q6_K: (208,), Ggml.Q4_1: (0, 2)}.get(kind, (0,))
    for at in factors:
        data[..., at : at + 2] = noise.uniform(-0.02, 0.02, (rows, width // inputs, 1)).astype(np.float16).view(np.uint8)
    if kind == Ggml.Q8_0:
        data[..., 2:][data[..., 2:] == 128] = 129  # GGML never writes -128
    return data.reshape(rows, -1)


def floats(kind: Ggml, data: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(np.array(gguf.dequantize(data, kind), dtype=np.float32))


def rounded(x: torch.Tensor, block: int) -> torch.Tensor:
    """The activations that the kernel multiplies: 8 bits for every row and block."""
    cut = x.view(len(x), -1, block)
    largest = cut.abs().amax(-1, keepdim=True)
    inverse = torch.full_like(largest, 127) / largest  # `127 / largest` would multiply by the rounded reciprocal
    return ((cut * inverse).round() * (largest / 127)).view_as(x)


def noise(*shape: int, seed: int = 3) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
@settings(max_examples=12, deadline=None)
@given(st.integers(1, 150), st.integers(1, 3), st.integers(1, 11), st.integers(0, 99))
def test_a_product_is_that_of_the_stored_weights_and_rounded_activations(kind, rows, wide, count, seed):
    data = blocks(kind, rows, 256 * wide, seed)
    weights = floats(kind, data)
    x = noise(count, 256 * wide, seed=seed)
    ours = native.NativeLinear([native.pack(data, int(kind), native.Arena())])(x)
    inputs = rounded(x, 256 if kind in (Ggml.Q4_K, Ggml.Q6_K) else 32)
    expected = inputs.double() @ weights.double().T
    bound = inputs.double().abs() @ weights.double().abs().T
    assert ((ours - expected).abs() <= 1e-6 * bound.clamp_min(1e-9)).all()
    exact = x.double() @ weights.double().T
    assert torch.nn.functional.cosine_similarity(ours.double().flatten(), exact.flatten(), 0) > 0.999 or rows * count < 4


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
def test_every_instruction_set_packs_and_multiplies_to_the_same_bits(kind):
    data, x = blocks(kind, 70, 512), noise(11, 512)
    packed = [native.pack(data, int(kind), native.Arena(), lib) for lib in native.libraries()]
    results = [native.NativeLinear([packed[0]], noise(70), lib)(x) for lib in native.libraries()]
    assert all(np.array_equal(one.data, packed[0].data) for one in packed)
    assert all(torch.equal(one, results[0]) for one in results)


def test_stacked_parts_of_different_types_follow_each_other_and_take_the_bias():
    kinds = [(Ggml.Q4_K, 24), (Ggml.Q6_K, 13), (Ggml.Q8_0, 7), (Ggml.Q4_0, 40)]
    arena = native.Arena()
    stored = [(blocks(kind, rows, 512, rows), kind) for kind, rows in kinds]
    x, bias = noise(5, 512), noise(84)
    ours = native.NativeLinear([native.pack(data, int(kind), arena) for data, kind in stored], bias)(x)
    weights = torch.cat([floats(kind, data) for data, kind in stored])
    expected = rounded(x, 256) @ weights.T + bias
    torch.testing.assert_close(ours, expected, rtol=1e-3, atol=1e-3)


def test_float_weights_are_rounded_to_eight_bits():
    weights, x = noise(33, 96), noise(4, 96, seed=4)
    ours = native.NativeLinear([native.pack(weights.numpy().view(np.uint8), native.FLOAT32, native.Arena())])(x)
    exact = x @ weights.T
    assert (ours - exact).norm() / exact.norm() < 0.012


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
def test_rows_have_the_same_bits_in_every_batch_and_with_every_number_of_threads(kind):
    linear = native.NativeLinear([native.pack(blocks(kind, 700, 1024), int(kind), native.Arena())])
    x = noise(70, 1024)
    x[1::2, 3] *= 300.0
    alone = torch.cat([linear(row[None]) for row in x])
    before = torch.get_num_threads()
    try:
        for threads in (1, 2, 3, 5):
            torch.set_num_threads(threads)
            for count in (*range(1, 10), 16, 33, 70):
                assert torch.equal(linear(x[:count]), alone[:count])
                assert torch.equal(linear(x[-count:]), alone[-count:])
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("rubbish", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
def test_what_is_not_finite_is_seen_in_its_row_and_in_no_other(kind, rubbish):
    linear = native.NativeLinear([native.pack(blocks(kind, 40, 512), int(kind), native.Arena())])
    x = noise(6, 512)
    clean = linear(x)
    x[2, 100] = rubbish
    ours = linear(x)
    assert not ours[2].isfinite().any()
    keep = [0, 1, 3, 4, 5]
    assert torch.equal(ours[keep], clean[keep])


def test_a_row_of_zeros_and_empty_batches():
    linear = native.NativeLinear([native.pack(blocks(Ggml.Q4_K, 40, 256), int(Ggml.Q4_K), native.Arena())], noise(40))
    assert torch.equal(linear(torch.zeros(2, 256)), noise(40).expand(2, 40))
    assert linear(torch.zeros(0, 256)).shape == (0, 40)


def test_shapes_that_do_not_fit_are_refused():
    linear = native.NativeLinear([native.pack(blocks(Ggml.Q8_0, 8, 64), int(Ggml.Q8_0), native.Arena())])
    with pytest.raises(ValueError, match=r"\[rows, 64\]"):
        linear(torch.zeros(2, 32))
    with pytest.raises(ValueError, match="whole blocks"):
        native.pack(np.zeros((8, 33), np.uint8), int(Ggml.Q8_0), native.Arena())
    assert not native.packs(int(Ggml.Q3_K)) and not native.packs(int(Ggml.BF16))
    with pytest.raises(ValueError, match="type 11"):
        native.pack(np.zeros((8, 110), np.uint8), int(Ggml.Q3_K), native.Arena())


def test_a_layer_whose_matrices_do_not_fit_its_sizes_is_refused(decoders):
    layer = decoders[0].layers[1]
    layer.config = dataclasses.replace(layer.config, ffn=layer.config.ffn * 2)
    with pytest.raises(ValueError, match="gate_up of layer 1 is"):
        native_layer(layer)
    layer.config = decoders[0].config


def test_a_forked_process_has_its_own_threads():
    linear = native.NativeLinear([native.pack(blocks(Ggml.Q4_K, 700, 512), int(Ggml.Q4_K), native.Arena())])
    x, before = noise(3, 512), torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        expected = linear(x)
        child = os.fork()
        if child == 0:
            os._exit(0 if torch.equal(linear(x), expected) else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert torch.equal(linear(x), expected)
    finally:
        torch.set_num_threads(before)


@pytest.fixture(scope="module", params=["Llama", "Qwen2", "Qwen3"])
def decoders(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    reference(request.param).save_pretrained(folder)
    weights = SafetensorsWeights(folder)
    make = [Decoder(weights, Packing(weights, weights.config.vocab, kernel), weights.config) for kernel in ("native", "fp32")]
    return tuple(make)


def ids(count: int) -> torch.Tensor:
    return torch.randint(0, 320, (count,), generator=torch.Generator().manual_seed(2))


def test_a_decoder_of_c_layers_agrees_with_the_one_in_float32(decoders):
    ours, exact = decoders
    assert ours.exact and ours.native
    left, right = (model.forward(ids(90), model.new_cache()) for model in (ours, exact))
    near = torch.nn.functional.cosine_similarity(left, right, 1)
    assert near[:8].min() > 0.99 and near.mean() > 0.98  # random weights amplify the rounding of activations


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_decoding_verifying_and_chunked_prefill_give_the_same_bits(decoders, threads):
    model, text = decoders[0], ids(300)
    before = torch.get_num_threads()
    try:
        whole = model.forward(text, model.new_cache())
        torch.set_num_threads(threads)
        for cuts in ((1, 2, 4, 7, 11, 16, 22, 29, 37, 46), (250, 251, 259), (100, 250, 258, 266), (64, 128, 192, 256)):
            cache = model.new_cache()
            parts = [model.forward(text[a:b], cache) for a, b in zip((0, *cuts), (*cuts, 300), strict=True)]
            assert torch.equal(torch.cat(parts), whole)
    finally:
        torch.set_num_threads(before)


def test_texts_of_one_pass_have_the_bits_that_they_have_alone(decoders):
    model, text = decoders[0], ids(60)
    parts = [(text[:1], 1), (text[3:40], 2), (text[40:], 20), (text[5:22], 1)]
    alone, together = [], [model.new_cache() for _ in parts]
    for (part, rows), cache in zip(parts, together, strict=True):
        model.forward(text[:17], cache)
        apart = model.new_cache()
        model.forward(text[:17], apart)
        alone.append(model.forward(part, apart)[-rows:])
    given = [(part, cache, rows) for (part, rows), cache in zip(parts, together, strict=True)]
    assert torch.equal(model.forward_texts(given), torch.cat(alone))
    assert [cache.length for cache in together] == [17 + len(part) for part, _ in parts]


def test_a_decoder_has_the_same_bits_in_every_instruction_set(decoders, monkeypatch):
    weights, config = decoders[0].weights, decoders[0].config
    results = []
    for lib in native.libraries():
        monkeypatch.setattr(native, "load", lambda lib=lib: lib)
        model = Decoder(weights, Packing(weights, config.vocab, "native"), config)
        assert model.head.lib is lib
        results.append(model.forward(ids(70), model.new_cache()))
    assert all(torch.equal(one, results[0]) for one in results)


def test_a_text_with_rubbish_in_it_ends_in_rubbish_and_the_next_text_does_not(decoders):
    model = decoders[0]
    cache, clean = model.new_cache(), model.forward(ids(20), model.new_cache())
    table = model.weights.rows
    try:
        model.weights.rows = lambda name, tokens: table(name, tokens) * float("nan")
        assert not model.forward(ids(5), cache).isfinite().any()
    finally:
        del model.weights.rows
    cache.rollback(5)
    assert torch.equal(model.forward(ids(20), cache), clean)


def test_rejected_positions_leave_no_trace(decoders):
    model, text = decoders[0], ids(60)
    whole = model.forward(text, model.new_cache())
    cache = model.new_cache()
    model.forward(text[:30], cache)
    model.forward(ids(8).flip(0), cache)
    cache.rollback(8)
    assert torch.equal(model.forward(text[30:], cache), whole[30:])


def test_a_cache_without_room_is_refused(decoders):
    model = decoders[0]
    cache = model.new_cache()
    rotation = model._rotation(0, 1)
    with pytest.raises(ValueError, match="no room"):
        native.NativeBatch([(cache.capacity, 1, cache.table)], rotation)
