"""From a changed rule to the first mask of the new version, and whether memory stays flat.

    python -m benchmarks.reload --json [--reloads 5000] [--vocabulary 152k]

Each reload changes one literal of one rule of `claims_zh` under a strict frame, reads and checks the text, compiles what
changed, and computes the first mask. `compile_all_ms` compiles every shipped grammar from its rules, with no cache.
Figures: reload_p50_ms, reload_p99_ms, compile_all_ms, rss_growth_mib (between the first tenth and the end).
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from benchmarks.masks import MODELS, ROOT, read_vocabulary


def compile_all() -> float:
    """Milliseconds for all start rules, the kernels being there already."""
    from engine.grammar import Grammar, compiler
    from engine.grammar.compiler import compile_rule
    from engine.grammar.form import layout

    rules = [Grammar.load(path).rules for path in sorted((ROOT / "grammars").glob("*.g4"))]
    spent = 0.0
    for _ in range(2):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["XDG_CACHE_HOME"] = folder
            compiler._CACHE.clear()
            before = time.perf_counter()
            for each in rules:
                layout(compile_rule(each, each.start))
            spent = time.perf_counter() - before
    return spent * 1e3


def measure(reloads: int, vocabulary_name: str, folder: Path) -> dict[str, Any]:
    from engine.grammar import Frame, Grammar, Vocabulary

    path = folder / MODELS[vocabulary_name]
    if not path.exists():
        return {"notes": f"{path.name} is not on disk"}
    vocabulary = Vocabulary(*read_vocabulary(path))
    text = (ROOT / "grammars" / "claims_zh.g4").read_text("utf-8")
    assert "'还包括'" in text
    terms = ["门锁", "壳体", "锁舌", "弹簧"]
    slots = {"SUBJECT": ["门锁"], "TERM": terms, "WORD": [*terms, "设有", "内", "滑动连接"], "REF": ["根据权利要求1"]}
    frame = Frame(slots, terms=terms, scope=terms, forbid=["大约"])
    spent, memory = [], []
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        for version in range(reloads):
            changed = text.replace("'还包括'", f"'还包括' | '另有{chr(0x4E00 + version % 20000)}'")
            before = time.perf_counter()
            Grammar.load(changed).start("dependent", vocabulary, frame, 300).row()
            spent.append(time.perf_counter() - before)
            memory.append(psutil.Process().memory_info().rss)
    settled = memory[len(memory) // 10]
    return {
        "reload_p50_ms": round(float(np.percentile(spent, 50)) * 1e3, 2),
        "reload_p99_ms": round(float(np.percentile(spent, 99)) * 1e3, 2),
        "compile_all_ms": round(compile_all(), 1),
        "rss_growth_mib": round((memory[-1] - settled) / 2**20, 1),
        "reloads": reloads,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one line")
    parser.add_argument("--reloads", type=int, default=5000)
    parser.add_argument("--vocabulary", default="152k", choices=sorted(MODELS))
    default = os.environ.get("CLAIMWRIGHT_MODELS") or Path.home() / ".cache" / "claimwright" / "models"
    parser.add_argument("--models", type=Path, default=Path(default))
    options = parser.parse_args()
    figures = measure(options.reloads, options.vocabulary, options.models)
    print(json.dumps(figures, indent=None if options.json else 2))


if __name__ == "__main__":
    main()
