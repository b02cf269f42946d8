"""Models from disk: `load(name)` gives a decoder, its tokenizer and what is known about both.

Names are resolved by `engine.loading.registry`; `python -m engine.loading fetch NAME` brings a model here.
"""

from __future__ import annotations

import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.loading.errors import ModelCorrupt, ModelError, ModelMissing, ModelUnsupported
from engine.loading.registry import ModelFiles, resolve, store

if TYPE_CHECKING:
    from engine.kernels.registry import Probe
    from engine.loading.tokenizer import Tokenizer
    from engine.models.decoder import Decoder

DEFAULT = "qwen2.5-coder-1.5b-instruct-q4_k_m"

__all__ = [
    "Loaded",
    "ModelCorrupt",
    "ModelError",
    "ModelFiles",
    "ModelMissing",
    "ModelUnsupported",
    "load",
    "resolve",
]


@dataclass(frozen=True)
class Loaded:
    """`info`: name, file, architecture, kernel, exact (row-invariant), vocabulary, context, load_seconds, and probes: the
    kernels measured for the choice."""

    model: Decoder
    tokenizer: Tokenizer
    info: dict[str, Any]


def load(name: str | Path | None = None, *, kernel: str = "auto") -> Loaded:
    """Load a model for a kernel of `engine.kernels.registry`, with `auto` the fastest exact one; without a name, the model
    that CLAIMWRIGHT_MODEL names.

    Raises ModelMissing, ModelCorrupt or ModelUnsupported, each naming the file and the next step.
    """
    from engine.kernels.native import SizeError
    from engine.loading import tokenizer
    from engine.loading.gguf_file import GgufWeights
    from engine.loading.packing import Packing, cache_folder, fastest, unfit
    from engine.loading.safetensors_dir import SafetensorsWeights
    from engine.models.decoder import Decoder

    began = time.perf_counter()
    files = resolve(name or os.environ.get("CLAIMWRIGHT_MODEL") or DEFAULT)
    weights: GgufWeights | SafetensorsWeights
    if files.kind == "gguf":
        weights = GgufWeights(files.path)
        reader = tokenizer.from_gguf(weights)
    else:
        weights = SafetensorsWeights(files.path)
        reader = tokenizer.from_directory(files.path, weights.config.vocab)
    if weights.config.architecture == "gemma3":
        raise ModelUnsupported(f"{files.path}: the decoder of gemma3 is not built yet; choose a Qwen or SmolLM2 model")
    cache = cache_folder(files.path, store()) if files.kind == "gguf" else None
    try:
        probes: list[Probe] = []
        if kernel == "auto":
            kernel, probes = fastest(weights, weights.config)
        packing = Packing(weights, weights.config.vocab, kernel, cache)
        if reason := unfit(kernel, weights.config):
            raise ModelUnsupported(f"{files.path} cannot run on kernel {kernel}: {reason}; or choose kernel auto")
        model = Decoder(weights, packing, weights.config)
    except KeyError as error:
        raise ModelCorrupt(f"{files.path} has no tensor {error}; fetch or copy the model again") from error
    except SizeError as error:
        raise ModelCorrupt(f"{files.path}: {error}; fetch or copy the model again") from error
    info = {
        "name": files.name,
        "file": files.path.name,
        "architecture": weights.config.architecture,
        "kernel": kernel,
        "exact": model.exact,
        "vocabulary": weights.config.vocab,
        "context": weights.config.context,
        "probes": [asdict(probe) for probe in probes],
        "load_seconds": round(time.perf_counter() - began, 2),
    }
    return Loaded(model, reader, info)
