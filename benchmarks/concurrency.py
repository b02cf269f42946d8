"""Many claims at once, with and without speculation: is anything slower, late or lost?

    python -m benchmarks.concurrency --json [--model NAME] [--levels 1,4,16,64,128,320] [--tokens 40] [--svg FILE]

At each level that many callers ask at the same moment for a claim of their own (ten disclosures in turn, each request with
its number in the prompt), once with speculation off and once on, in the same process; what one run left in the cache serves
no other. Throughput is output tokens of all texts over the time from the first request to the last delta. The first token of
a text counts from its request, so with more callers than `max_texts` it holds the time in the queue; a later token counts
from the delta before. `min_on_off_ratio` is the lowest throughput on over off of all levels; `lost` counts texts that
failed, ended without a reason, or differ between on and off.
"""

from __future__ import annotations

import argparse
import json
import statistics
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from benchmarks.decode import GRAMMAR, MAX_CHARS, Task, _commit, _machine, tasks

LEVELS = (1, 4, 16, 64, 128, 320)


@dataclass
class Text:
    """One caller's claim: seconds of its first token, of each later one, and what it was."""

    tokens: list[int] = field(default_factory=list)
    first: float = 0.0
    later: list[float] = field(default_factory=list)
    stats: dict[str, Any] = field(default_factory=dict)
    error: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    parser.add_argument("--model", help="registered name or path; default CLAIMWRIGHT_MODEL")
    parser.add_argument("--levels", default=",".join(map(str, LEVELS)))
    parser.add_argument("--tokens", type=int, default=40, help="of each claim, at most")
    parser.add_argument("--svg", help="write the picture to this file (needs matplotlib)")
    options = parser.parse_args()
    report = measure(options.model, [int(level) for level in options.levels.split(",")], options.tokens)
    if options.svg:
        draw(report, options.svg)
    if options.json:
        print(json.dumps(report, ensure_ascii=False))
        return
    for row in report["levels"]:
        print(f"{row['texts']:4} {row['mode']:3} " + " ".join(f"{name}={value:.3g}" for name, value in row["figures"].items()))
    for name, value in report["figures"].items():
        print(f"{name:28} {'-' if value is None else format(value, '.3f')}")


def measure(model: str | None, levels: list[int], tokens: int) -> dict[str, Any]:
    from engine.core import Engine
    from engine.grammar import Grammar

    engine, grammar, asked = Engine.open(model), Grammar.load(GRAMMAR), tasks(10)
    engine.vocabulary  # noqa: B018  indexed once, before anything is measured
    for warm in range(2):
        for number, task in enumerate(asked):
            _write(engine, grammar, task, number, tokens, "auto", f"warm {warm}")
    rows, ratios, lost = [], [], 0
    for level in levels:
        order = ("off", "auto") if len(rows) % 4 == 0 else ("auto", "off")
        runs = {mode: _run(engine, grammar, asked, level, tokens, mode) for mode in order}
        lost += sum(bool(text.error) for _, texts in runs.values() for text in texts)
        lost += sum(a.tokens != b.tokens for a, b in zip(runs["off"][1], runs["auto"][1], strict=True))
        found = {mode: _figures(*runs[mode]) for mode in ("off", "auto")}
        ratios.append(found["auto"]["tok_s"] / found["off"]["tok_s"])
        rows += [{"texts": level, "mode": {"auto": "on"}.get(mode, mode), "figures": found[mode]} for mode in found]
    last = next((row["figures"] for row in rows if row["texts"] == 320 and row["mode"] == "on"), {})
    engine.check_integrity()
    return {
        "figures": {
            "min_on_off_ratio": min(ratios), "lost": lost, "tok_s_320": last.get("tok_s"),
            "p99_first_token_s_320": last.get("first_p99_s"),
        },
        "ratios": dict(zip(map(str, levels), (round(ratio, 3) for ratio in ratios), strict=True)),
        "levels": rows, "model": engine.info.get("name") if isinstance(engine.info, dict) else None,
        "max_texts": engine.config.max_texts, "machine": _machine(), "commit": _commit(),
    }  # fmt: skip


def _run(engine: Any, grammar: Any, asked: list[Task], level: int, tokens: int, mode: str) -> tuple[float, list[Text]]:
    """Seconds from the first request to the last delta, and the texts."""
    gate = threading.Barrier(level + 1)
    texts: list[Text] = [Text()] * level

    def call(number: int) -> None:
        gate.wait()
        texts[number] = _write(engine, grammar, asked[number % len(asked)], number, tokens, mode, f"{mode} {level}")

    callers = [threading.Thread(target=call, args=(number,)) for number in range(level)]
    for caller in callers:
        caller.start()
    gate.wait()
    began = time.perf_counter()
    for caller in callers:
        caller.join()
    return time.perf_counter() - began, texts


def _write(engine: Any, grammar: Any, task: Task, number: int, tokens: int, mode: str, salt: str) -> Text:
    from engine.grammar import Frame
    from engine.request import Request

    text, messages = Text(), [*task.messages[:-1], {**task.messages[-1], "content": f"{task.messages[-1]['content']}（第{number}件）"}]
    frame = Frame(task.slots, source=task.source, terms=task.terms)
    before = start = time.perf_counter()
    try:
        state = grammar.start("independent", engine.vocabulary, frame, min(MAX_CHARS, 2 * tokens))
        for delta in engine.generate(Request(messages, state, max_tokens=4 * tokens, speculation=mode, salt=salt)):
            now = time.perf_counter()
            if delta.token_ids:
                if text.tokens:
                    text.later += [(now - before) / len(delta.token_ids)] * len(delta.token_ids)
                else:
                    text.first = now - start
                text.tokens += delta.token_ids
                before = now
        text.stats = dict(delta.stats)
        text.error = "" if delta.finish_reason in ("stop", "grammar") else f"ended with {delta.finish_reason}"
    except Exception as error:  # counted as lost
        text.error = repr(error)
    return text


def _figures(seconds: float, texts: list[Text]) -> dict[str, float]:
    good = [text for text in texts if not text.error]
    first, later = [text.first for text in good], [each for text in good for each in text.later]
    guessed = sum(text.stats["guessed_steps"] for text in good)
    return {
        "tok_s": sum(len(text.tokens) for text in texts) / seconds,
        "first_p50_s": _cut(first, 50), "first_p99_s": _cut(first, 99),
        "token_p50_s": _cut(later, 50), "token_p99_s": _cut(later, 99),
        "acceptance_length": 1 + sum(text.stats["accepted_tokens"] for text in good) / guessed if guessed else 1.0,
        "guessed_share": guessed / max(1, sum(text.stats["forward_passes"] for text in good)),
    }  # fmt: skip


def _cut(values: list[float], percent: int) -> float:
    if not values:
        return 0.0
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1] if len(values) > 1 else values[0]


def draw(report: dict[str, Any], path: str) -> None:
    """Throughput and latency over the number of callers, as SVG."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4))
    for mode, style in (("off", "o--"), ("on", "o-")):
        rows = [row for row in report["levels"] if row["mode"] == mode]
        at = [row["texts"] for row in rows]
        left.plot(at, [row["figures"]["tok_s"] for row in rows], style, label=f"speculation {mode}")
        right.plot(at, [row["figures"]["token_p50_s"] for row in rows], style, label=f"token p50, {mode}")
        right.plot(at, [row["figures"]["first_p99_s"] for row in rows], style.replace("o", "^"), label=f"first token p99, {mode}")
    for axes, name in ((left, "tokens/s, all texts"), (right, "seconds")):
        axes.set(xscale="log", xlabel="concurrent requests", ylabel=name)
        axes.grid(alpha=0.3)
        axes.legend()
    right.set(yscale="log")
    figure.suptitle(f"{report['model']} · {report['machine']}", fontsize=8)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
