"""A directory in Hugging Face layout: `config.json` and one or more safetensors files, read one tensor at a time."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from engine.loading.errors import ModelCorrupt, ModelMissing, ModelUnsupported
from engine.models.layer import DecoderConfig

ARCHITECTURES = ("llama", "qwen2", "qwen3")


class SafetensorsWeights:
    """The embedding table is held in its stored type; everything else is read when asked for."""

    def __init__(self, path: Path):
        self.where: dict[str, safe_open] = {}
        self.held: dict[str, Tensor] = {}
        files = sorted(path.glob("*.safetensors"))
        if not files:
            raise ModelMissing(f"{path} has no safetensors file; give a complete model directory")
        for file in files:
            try:
                handle = safe_open(file, framework="pt")
            except (SafetensorError, OSError) as error:
                raise ModelCorrupt(
                    f"{file} is not a readable safetensors file ({error}); copy it again"
                ) from error
            self.where.update(dict.fromkeys(handle.keys(), handle))
        self.config = read_config(path)

    def tensor(self, name: str) -> Tensor:
        return self.where[name].get_tensor(name).float()

    def optional(self, name: str) -> Tensor | None:
        return self.tensor(name) if name in self.where else None

    def blocks(self, name: str) -> None:
        return None

    def rows(self, name: str, ids: Tensor) -> Tensor:
        if name not in self.held:
            self.held[name] = self.where[name].get_tensor(name)
        return self.held[name][ids].to(torch.float32)


def read_config(path: Path) -> DecoderConfig:
    """Raises ModelUnsupported for what the decoder does not compute, naming the setting."""
    file = path / "config.json"
    try:
        raw = json.loads(file.read_text(encoding="utf-8"))
        architecture = raw["model_type"]
        rope = raw.get("rope_parameters") or raw.get("rope_scaling") or {}
        unsupported = {
            "model_type": architecture not in ARCHITECTURES,
            "rope type": rope.get("rope_type", rope.get("type", "default")) != "default",
            "hidden_act": raw.get("hidden_act", "silu") != "silu",
            "use_sliding_window": bool(raw.get("use_sliding_window")),
        }
        for setting, bad in unsupported.items():
            if bad:
                raise ModelUnsupported(f"{file}: the decoder does not support this {setting}")
        heads = raw["num_attention_heads"]
        return DecoderConfig(
            architecture=architecture,
            layers=raw["num_hidden_layers"],
            hidden=raw["hidden_size"],
            ffn=raw["intermediate_size"],
            heads=heads,
            kv_heads=raw.get("num_key_value_heads") or heads,
            head_dim=raw.get("head_dim") or raw["hidden_size"] // heads,
            vocab=raw["vocab_size"],
            context=raw["max_position_embeddings"],
            rope_theta=float(raw.get("rope_theta") or rope.get("rope_theta") or 10000.0),
            eps=raw["rms_norm_eps"],
            tied=bool(raw.get("tie_word_embeddings", False)),
        )
    except (OSError, ValueError, KeyError) as error:
        raise ModelCorrupt(f"{file} is not a complete configuration ({error!r}); copy it again") from error
