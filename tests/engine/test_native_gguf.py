"""A GGUF model on the C kernel: types that it stores as they are and types that it does not know, in both rotary layouts."""

from __future__ import annotations

import gguf
import numpy as np
import pytest
import torch
from gguf import GGMLQuantizationType as Ggml

from engine.kernels import native
from engine.loading.gguf_file import LAYER_NAMES, GgufWeights
from engine.loading.packing import Packing
from engine.models.decoder import Decoder

HIDDEN, FFN, HEADS, KV_HEADS, VOCAB, LAYERS = 64, 96, 4, 2, 320, 2
SHAPES = {
    "attn_q": (HIDDEN, HIDDEN), "attn_k": (HIDDEN // 2, HIDDEN), "attn_v": (HIDDEN // 2, HIDDEN), "attn_output": (HIDDEN, HIDDEN),
    "ffn_gate": (FFN, HIDDEN), "ffn_up": (FFN, HIDDEN), "ffn_down": (HIDDEN, FFN),
}  # fmt: skip
KINDS = {"attn_q": Ggml.Q4_0, "attn_k": Ggml.Q8_0, "attn_v": Ggml.Q5_1, "ffn_gate": Ggml.Q5_0, "ffn_up": Ggml.F16, "ffn_down": Ggml.Q4_1}


def write(path, architecture):
    noise = np.random.default_rng(4)
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_block_count(LAYERS)
    writer.add_context_length(128)
    writer.add_embedding_length(HIDDEN)
    writer.add_feed_forward_length(FFN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_layer_norm_rms_eps(1e-6)

    def add(name, shape, kind):
        values = noise.standard_normal(shape).astype(np.float32) * 0.3
        data = values if kind == Ggml.F32 else gguf.quantize(values, kind)
        writer.add_tensor(name, data, raw_dtype=kind)

    add("token_embd.weight", (VOCAB, HIDDEN), Ggml.Q8_0)
    writer.add_tensor("output_norm.weight", np.ones(HIDDEN, np.float32))
    for index in range(LAYERS):
        for norm in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"blk.{index}.{norm}.weight", np.ones(HIDDEN, np.float32))
        for name, shape in SHAPES.items():
            add(f"blk.{index}.{name}.weight", shape, KINDS.get(name, Ggml.F32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@pytest.mark.parametrize("architecture", ["llama", "qwen2"])
def test_every_type_of_tensor_runs(tmp_path, architecture):
    if native.load() is None:
        pytest.skip("C kernel: not built, or not for this processor")
    path = tmp_path / "small.gguf"
    write(path, architecture)
    weights = GgufWeights(path)
    ours, exact = (Decoder(weights, Packing(weights, VOCAB, kernel), weights.config) for kernel in ("native", "fp32"))
    assert ours.exact and len(ours.native) == LAYERS
    ids = torch.randint(0, VOCAB, (40,), generator=torch.Generator().manual_seed(2))
    left, right = (model.forward(ids, model.new_cache()) for model in (ours, exact))
    near = torch.nn.functional.cosine_similarity(left, right, 1)
    assert near.mean() > 0.998


def test_the_blocks_of_a_matrix_are_its_values_in_the_order_of_the_decoder(tmp_path):
    path = tmp_path / "small.gguf"
    write(path, "llama")
    weights = GgufWeights(path)
    for name in LAYER_NAMES:
        if "proj" in name:
            data, kind = weights.blocks(f"model.layers.1.{name}.weight")
            values = torch.from_numpy(np.array(gguf.dequantize(data, Ggml(kind))))
            assert torch.equal(values, weights.tensor(f"model.layers.1.{name}.weight"))
