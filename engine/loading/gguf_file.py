"""GGUF: configuration and tensors by Hugging Face names, dequantised one tensor (or a few rows) at a time.

The file stays memory-mapped, so the embedding table costs no memory of its own. Llama files store query and key rows
interleaved for another rotary layout; they are put back into halves here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from gguf import dequantize
from torch import Tensor

from engine.loading.errors import ModelCorrupt, ModelUnsupported
from engine.loading.gguf_format import GgufFile
from engine.models.layer import DecoderConfig

ARCHITECTURES = ("llama", "qwen2", "qwen3", "gemma3")
TOP_NAMES = {
    "model.embed_tokens.weight": "token_embd.weight",
    "model.norm.weight": "output_norm.weight",
    "lm_head.weight": "output.weight",
    "rope_freqs.weight": "rope_freqs.weight",
}
LAYER_NAMES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
}


class GgufWeights:
    """Raises ModelCorrupt for an unreadable file and ModelUnsupported for an architecture without a decoder."""

    def __init__(self, path: Path):
        try:
            file = GgufFile(path)
        except (ValueError, OSError) as error:
            raise ModelCorrupt(f"{path} is not a readable GGUF file ({error}); fetch it again") from error
        self.path, self.fields, self.stored = path, file.fields, file.tensors
        self.architecture = str(self.field("general.architecture"))
        if self.architecture not in ARCHITECTURES:
            known = ", ".join(ARCHITECTURES)
            raise ModelUnsupported(
                f"{path} has architecture {self.architecture!r}; choose a model of {known}"
            )
        self.config = self._config()

    def field(self, key: str, default: Any = None) -> Any:
        return self.fields.get(key, default)

    def tensor(self, name: str) -> Tensor:
        stored = self.stored[_gguf_name(name)]
        data = torch.from_numpy(np.array(dequantize(stored.data, stored.type), dtype=np.float32))
        return data[torch.from_numpy(self._halves(len(data)))] if self._interleaved(name) else data

    def blocks(self, name: str) -> tuple[np.ndarray, int] | None:
        stored = self.stored[_gguf_name(name)]
        # Read, not taken from the map, whose pages would stay in memory beside the packed weights.
        data = np.fromfile(self.path, np.uint8, stored.data.size, offset=stored.offset).reshape(stored.data.shape)
        return data[self._halves(len(data))] if self._interleaved(name) else data, int(stored.type)

    def _interleaved(self, name: str) -> bool:
        return self.architecture == "llama" and name.endswith(("q_proj.weight", "k_proj.weight"))

    def _halves(self, rows: int) -> np.ndarray:
        """The order of rows that undoes the interleaving of each head."""
        return np.arange(rows).reshape(-1, self.config.head_dim // 2, 2).swapaxes(1, 2).ravel()

    def optional(self, name: str) -> Tensor | None:
        return self.tensor(name) if _gguf_name(name) in self.stored else None

    def rows(self, name: str, ids: Tensor) -> Tensor:
        stored = self.stored[_gguf_name(name)]
        return torch.from_numpy(
            dequantize(stored.data[ids.numpy()], stored.type).astype(np.float32, copy=False)
        )

    def _config(self) -> DecoderConfig:
        def value(key: str, default: Any = None) -> Any:
            found = self.field(f"{self.architecture}.{key}", default)
            if found is None:
                raise ModelCorrupt(f"{self.path} does not say its {key}; fetch it again")
            return found

        if "token_embd.weight" not in self.stored:
            raise ModelCorrupt(f"{self.path} has no tensor token_embd.weight; fetch it again")
        scaling = value("rope.scaling.type", "none")
        if scaling != "none":
            raise ModelUnsupported(f"rotary scaling {scaling!r} is not supported; choose a model without it")
        heads, hidden = int(value("attention.head_count")), int(value("embedding_length"))
        return DecoderConfig(
            architecture=self.architecture,
            layers=int(value("block_count")),
            hidden=hidden,
            ffn=int(value("feed_forward_length")),
            heads=heads,
            kv_heads=int(value("attention.head_count_kv", heads)),
            head_dim=int(value("attention.key_length", hidden // heads)),
            vocab=self.stored["token_embd.weight"].shape[0],
            context=int(value("context_length")),
            rope_theta=float(value("rope.freq_base", 10000.0)),
            eps=float(value("attention.layer_norm_rms_epsilon")),
            tied="output.weight" not in self.stored,
        )


def _gguf_name(name: str) -> str:
    if not name.startswith("model.layers."):
        return TOP_NAMES.get(name, name)
    _, _, index, rest = name.split(".", 3)
    module, _, kind = rest.rpartition(".")
    return f"blk.{index}.{LAYER_NAMES[module]}.{kind}"
