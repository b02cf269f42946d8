"""A tiny random model in Hugging Face layout with a real byte-level tokenizer, written on the spot and loaded as any other.

Its tokens are the 256 bytes (id = byte), the pieces below with their byte-wise beginnings, and control tokens.
"""

import json
import tempfile
from functools import lru_cache
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from engine.loading import Loaded, load
from engine.loading.tokenizer import _byte_characters

PIECES = ["门", "锁", "门锁", "包括", "壳体", "，", "。", "的", "所述", "abc"]
LAYERS, HIDDEN, FFN, HEADS, KV_HEADS, CONTEXT = 2, 64, 128, 4, 2, 256
TEMPLATE = "{% for m in messages %}{{ m.role }}:{{ m.content }}<|end|>{% endfor %}assistant:"


@lru_cache
def tiny(kernel: str = "w8a8") -> Loaded:
    """The same model at every call and in every process."""
    with tempfile.TemporaryDirectory() as folder:
        write_tiny(Path(folder))
        return load(folder, kernel=kernel)


def write_tiny(folder: Path) -> None:
    """Writes config.json, model.safetensors and the tokenizer files."""
    tokenizer = _tokenizer()
    size = tokenizer.get_vocab_size() + 5
    shapes = {"q_proj": (HIDDEN, HIDDEN), "o_proj": (HIDDEN, HIDDEN), "gate_proj": (FFN, HIDDEN), "up_proj": (FFN, HIDDEN)}
    shapes |= {"k_proj": (HIDDEN // 2, HIDDEN), "v_proj": (HIDDEN // 2, HIDDEN), "down_proj": (HIDDEN, FFN)}
    generator = torch.Generator().manual_seed(7)
    tensors = {"model.norm.weight": torch.ones(HIDDEN)}
    for name in ("model.embed_tokens.weight", "lm_head.weight"):
        tensors[name] = torch.randn(size, HIDDEN, generator=generator) * 0.4
    for index in range(LAYERS):
        prefix = f"model.layers.{index}."
        for norm in ("input_layernorm", "post_attention_layernorm"):
            tensors[f"{prefix}{norm}.weight"] = torch.ones(HIDDEN)
        for name, shape in shapes.items():
            block = "self_attn" if name[0] in "qkvo" else "mlp"
            tensors[f"{prefix}{block}.{name}.weight"] = torch.randn(shape, generator=generator) * 0.3
    save_file(tensors, folder / "model.safetensors")
    config = {
        "model_type": "llama", "num_hidden_layers": LAYERS, "hidden_size": HIDDEN, "intermediate_size": FFN,
        "num_attention_heads": HEADS, "num_key_value_heads": KV_HEADS, "vocab_size": size,
        "max_position_embeddings": CONTEXT, "rms_norm_eps": 1e-6, "rope_theta": 10000.0, "tie_word_embeddings": False,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config))
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {"eos_token": "<|end|>", "chat_template": TEMPLATE}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))


def _tokenizer() -> Tokenizer:
    characters = _byte_characters()
    vocabulary, merges = {char: byte for byte, char in enumerate(characters)}, []

    def merge(parts: list[str]) -> str:
        left = parts[0]
        for right in parts[1:]:
            if left + right not in vocabulary:
                vocabulary[left + right] = len(vocabulary)
                merges.append((left, right))
            left += right
        return left

    for piece in PIECES:
        merge([merge([characters[byte] for byte in char.encode()]) for char in piece])
    tokenizer = Tokenizer(models.BPE(vocabulary, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken("<|end|>", special=True), AddedToken("<|tool|>", special=True)])
    return tokenizer
