"""How much of the published claim language does the "as granted" profile accept, and why not the rest?

    python -m benchmarks.language --json [--corpus FILE] [--examples 3]

Prints {"figures": {...}, "reasons", "notes", "strict", "refused", "machine", "commit"}. Figures: accepted_sets_share,
accepted_claims_share, sets, claims, and us_per_claim (microseconds, one thread, warm: the second of two passes).
`reasons` counts claims by reason code, `refused` shows each refused claim's place and words (`--examples` a code).
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from benchmarks.decode import _commit, _machine
from engine.grammar.language import Verdict, read

PROFILE = "claims_granted_zh"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    parser.add_argument("--corpus", type=Path, default=_corpus(), help="records with claims and claim_prefixes")
    parser.add_argument("--examples", type=int, default=3, help="refused claims shown for each reason")
    options = parser.parse_args()
    if not options.corpus.is_file():
        parser.error(f"no corpus at {options.corpus}; give --corpus, or set CLAIMWRIGHT_SHARED")
    report = measure(options.corpus, options.examples)
    if options.json:
        print(json.dumps(report, ensure_ascii=False))
        return
    for part in ("figures", "strict", "reasons", "notes"):
        for name, value in report[part].items():
            print(f"{part:8} {name:24} {value:.4g}" if isinstance(value, float) else f"{part:8} {name:24} {value}")
    for code, shown in report["refused"].items():
        for line in shown:
            print(f"{code}: claim {line['claim']} of {line['id']}: {line['zh']}")


def measure(corpus: Path, examples: int) -> dict[str, Any]:
    """The report on the complete claim sets of a corpus."""
    records = [json.loads(line) for line in corpus.read_text("utf-8").splitlines()]
    sets = {
        record["id"]: [p + c for p, c in zip(record["claim_prefixes"], record["claims"], strict=True)]
        for record in records
        if record["claims_complete"]
    }
    verdicts = {name: read(texts, PROFILE) for name, texts in sets.items()}
    began = time.perf_counter()
    for texts in sets.values():
        read(texts, PROFILE)
    seconds = time.perf_counter() - began
    every = [verdict for found in verdicts.values() for verdict in found]
    accepted = sum(all(v.accepted for v in found) for found in verdicts.values())
    strict = sum(all(v.accepted and not v.notes for v in found) for found in verdicts.values())
    return {
        "figures": {
            "accepted_sets_share": accepted / len(sets),
            "accepted_claims_share": sum(v.accepted for v in every) / len(every),
            "sets": len(sets),
            "claims": len(every),
            "us_per_claim": 1e6 * seconds / len(every),
        },
        "strict": {"sets_without_a_note_share": strict / len(sets)},
        "reasons": _counts(every, "reasons"),
        "notes": _counts(every, "notes"),
        "refused": _refused(verdicts, examples),
        "machine": _machine(),
        "commit": _commit(),
    }


def _counts(verdicts: list[Verdict], kind: str) -> dict[str, int]:
    """Claims by code, the commonest first."""
    found = Counter(code for verdict in verdicts for code in {reason.code for reason in getattr(verdict, kind)})
    return dict(found.most_common())


def _refused(verdicts: dict[str, list[Verdict]], examples: int) -> dict[str, list[dict[str, Any]]]:
    shown: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for name, found in verdicts.items():
        for verdict in found:
            for reason in verdict.reasons:
                if len(shown[reason.code]) < examples:
                    line = {"id": name, "claim": verdict.facts["number"], "at": reason.start, "died_at": verdict.died_at}
                    shown[reason.code].append({**line, "zh": reason.zh, "en": reason.en, "law": reason.law})
    return dict(shown)


def _corpus() -> Path:
    root = Path(__file__).resolve().parents[2] / "shared"
    return Path(os.environ.get("CLAIMWRIGHT_SHARED", root)) / "corpus" / "zh_regress.jsonl"


if __name__ == "__main__":
    main()
