"""What each kernel costs on a model: start, memory, prefill, and a step of one to eight rows; llama.cpp on the same file.

    python -m benchmarks.kernels --json [--model NAME] [--kernels native,w8a8,llama_cpp] [--runs 3]

Every kernel runs in a process of its own. Times are medians: milliseconds of a forward pass of so many rows after 512
positions, prompt tokens a second in chunks of 256, seconds to load; memory is the peak resident size.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.decode import _commit, _gguf, _machine, _threads

CHUNK = 256
PROMPTS = (512, 1500)
ROWS = (1, 2, 4, 8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    parser.add_argument("--model", help="registered name or path; default CLAIMWRIGHT_MODEL")
    parser.add_argument("--kernels", default="native,w8a8,llama_cpp")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--here", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        print(json.dumps(_one(options.here, options.model, options.runs)))
        return
    figures, notes = {}, {}
    for kernel in options.kernels.split(","):
        command = [sys.executable, "-m", "benchmarks.kernels", "--here", kernel, "--runs", str(options.runs)]
        done = subprocess.run(command + (["--model", options.model] if options.model else []), capture_output=True, text=True)
        if done.returncode:
            notes[kernel] = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        else:
            figures.update({f"{kernel}_{name}": value for name, value in json.loads(done.stdout.splitlines()[-1]).items()})
    report = {"figures": figures, "runs": options.runs, "machine": _machine(), "commit": _commit(), "notes": notes}
    if options.json:
        print(json.dumps(report, ensure_ascii=False))
        return
    for name, value in figures.items():
        print(f"{name:36} {value:10.2f}")
    for name, note in notes.items():
        print(f"{name:36} {note}")


def _one(kernel: str, model: str | None, runs: int) -> dict[str, float]:
    started = time.perf_counter()
    forward, figures = (_peer if kernel == "llama_cpp" else _engine)(kernel, model)
    figures["load_seconds"] = time.perf_counter() - started
    tokens = random.Random(5).choices(range(1000, 40_000), k=max(PROMPTS))
    for length in PROMPTS:
        rates = []
        for _ in range(runs):
            begun = time.perf_counter()
            for start in range(0, length, CHUNK):
                forward(tokens[start : min(length, start + CHUNK)], start)
            rates.append(length / (time.perf_counter() - begun))
        figures[f"prefill_{length}_tokens_per_second"] = statistics.median(rates)
    for rows in ROWS:
        forward(tokens[:rows], PROMPTS[0])
        figures[f"step_{rows}_rows_milliseconds"] = statistics.median(
            _milliseconds(lambda count=rows: forward(tokens[:count], PROMPTS[0])) for _ in range(8 * runs)
        )
    figures["peak_megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return figures


def _engine(kernel: str, model: str | None) -> tuple[Callable[[list[int], int], Any], dict[str, float]]:
    import torch

    from engine.core import Engine

    engine = Engine.open(model, kernel)
    decoder, cache = engine.model, engine.model.new_cache(max(PROMPTS) + 16)

    def forward(tokens: list[int], start: int) -> None:
        cache.rollback(cache.length - start)
        decoder.forward(torch.tensor(tokens), cache, last_only=len(tokens) > max(ROWS))

    return forward, {"exact": float(engine.exact)}


def _peer(kernel: str, model: str | None) -> tuple[Callable[[list[int], int], Any], dict[str, float]]:
    from llama_cpp import Llama

    threads = _threads()
    peer = Llama(str(_gguf(model)), n_ctx=2048, n_batch=CHUNK, verbose=False, n_threads=threads, n_threads_batch=threads)

    def forward(tokens: list[int], start: int) -> None:
        peer.n_tokens = start
        peer.eval(tokens)

    return forward, {}


def _milliseconds(call: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - begun)


if __name__ == "__main__":
    main()
