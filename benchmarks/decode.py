"""How fast does the engine decode, beside transformers and llama.cpp on the same GGUF weights?

    python -m benchmarks.decode --json [--model NAME] [--tokens 64] [--runs 3]

Prints {"figures": {name: tokens a second or null}, "runs", "machine", "commit", "notes"}. Figures are medians over runs of
greedy decoding after the prompt; a peer that is not there is null with the reason in `notes`. No network is used.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PROMPT = "权利要求书是专利申请文件的核心部分。一种门锁，其特征在于，包括壳体和设于所述壳体内的锁舌，"


class Unavailable(Exception):
    """A peer that cannot be measured here; the message is the reason."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    parser.add_argument("--model", help="registered name or path; default CLAIMWRIGHT_MODEL")
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    report = measure(options.model, options.tokens, options.runs)
    if options.json:
        print(json.dumps(report, ensure_ascii=False))
        return
    for name, value in report["figures"].items():
        print(f"{name:40} {'-' if value is None else format(value, '.2f')}  {report['notes'].get(name, '')}")


def measure(model: str | None, tokens: int, runs: int) -> dict[str, Any]:
    """The report. Every peer runs in turn, and only one model is in memory at a time."""
    peers: dict[str, Callable[[str | None, int, int], dict[str, float]]] = {
        "engine_tokens_per_second": _engine,
        "transformers_tokens_per_second": _transformers,
        "llama_cpp_tokens_per_second": _llama_cpp,
    }
    figures: dict[str, float | None] = {}
    notes: dict[str, str] = {}
    for name, peer in peers.items():
        try:
            figures.update(peer(model, tokens, runs))
        except Exception as error:  # a broken peer must not hide the other figures
            figures[name] = None
            notes[name] = str(error) if isinstance(error, Unavailable) else f"{type(error).__name__}: {error}"
    return {"figures": figures, "runs": runs, "machine": _machine(), "commit": _commit(), "notes": notes}


def _engine(model: str | None, tokens: int, runs: int) -> dict[str, float]:
    from dataclasses import replace

    from engine.config import EngineConfig
    from engine.core import Engine
    from engine.request import Request

    engine = Engine.open(model)
    prompt = engine.tokenizer.encode(PROMPT)

    def rate() -> float:
        start = 0.0
        for delta in engine.generate(Request(prompt, max_tokens=tokens)):
            start = delta.tokens_per_second
        return start

    config: EngineConfig = engine.config
    guessed = _median(rate, runs)
    engine.config = replace(config, draft_tokens=0)
    return {
        "engine_tokens_per_second": _median(rate, runs),
        "engine_with_drafts_tokens_per_second": guessed,
        "engine_exact": float(engine.exact),
    }


def _transformers(model: str | None, tokens: int, runs: int) -> dict[str, float]:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    path = _gguf(model)
    source = {"pretrained_model_name_or_path": str(path.parent), "gguf_file": path.name, "local_files_only": True}
    tokenizer = AutoTokenizer.from_pretrained(**source)
    peer = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32).eval()
    inputs = tokenizer(PROMPT, return_tensors="pt")

    def seconds(count: int) -> float:
        start = time.perf_counter()
        with torch.inference_mode():
            peer.generate(**inputs, max_new_tokens=count, min_new_tokens=count, do_sample=False)
        return time.perf_counter() - start

    return {"transformers_tokens_per_second": _median(lambda: _slope(seconds, tokens), runs)}


def _llama_cpp(model: str | None, tokens: int, runs: int) -> dict[str, float]:
    try:
        from llama_cpp import Llama
    except ImportError:
        raise Unavailable("llama-cpp-python is not installed") from None
    peer = Llama(str(_gguf(model)), n_ctx=1024, verbose=False, n_threads=_threads())

    def seconds(count: int) -> float:
        peer.reset()
        start = time.perf_counter()
        peer.create_completion(PROMPT, max_tokens=count, temperature=0.0, logit_bias={peer.token_eos(): -100.0})
        return time.perf_counter() - start

    return {"llama_cpp_tokens_per_second": _median(lambda: _slope(seconds, tokens), runs)}


def _gguf(model: str | None) -> Path:
    from engine.config import EngineConfig
    from engine.loading.registry import resolve

    files = resolve(EngineConfig.from_environment(model).model)
    if files.kind != "gguf":
        raise Unavailable(f"the model is {files.kind}, not GGUF")
    return Path(files.path)


def _slope(seconds: Callable[[int], float], tokens: int) -> float:
    """Tokens a second without the prompt: the time of a whole run minus that of a run of one token."""
    return (tokens - 1) / max(1e-9, seconds(tokens) - seconds(1))


def _median(rate: Callable[[], float], runs: int) -> float:
    rate()
    return statistics.median(rate() for _ in range(runs))


def _threads() -> int:
    import torch

    return torch.get_num_threads()


def _machine() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        cpu = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        cpu = platform.processor() or platform.machine()
    return f"{cpu}, {os.cpu_count()} CPUs, {_threads()} threads, {platform.system()}, Python {platform.python_version()}"


def _commit() -> str | None:
    try:
        return subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True, check=True
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


if __name__ == "__main__":
    main()
