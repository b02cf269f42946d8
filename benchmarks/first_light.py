"""What the grammar prevents: the example disclosures drafted with it and without it, same model and prompts, in one run.

    python -m benchmarks.first_light --json [FILE ...]

Figures: sets, claims and error-level findings of the independent checker for both ways, and the median seconds of a set.
The drafted claims go to standard error, for reading.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.decode import _commit, _machine

EXAMPLES = Path(__file__).parents[1] / "examples"


def measure(files: list[Path], free: bool = True) -> dict[str, Any]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
    import django

    django.setup()
    from apps.drafting.pipeline import Options, draft_filing
    from apps.matters.importing import read_disclosure
    from engine.core import Engine

    engine = Engine.open()
    figures: dict[str, float] = {"sets": len(files)}
    for name, grammar in (("grammar", True), ("free", False))[: 2 if free else 1]:
        claims, errors, seconds = 0, 0, []
        for file in files:
            text = read_disclosure(file.name, file.read_bytes()).text
            began = time.perf_counter()
            filing = draft_filing(
                text,
                engine=engine,
                options=Options(grammar=grammar),
                on_event=lambda event: None,
                checkpoint={},
                save_checkpoint=lambda data: None,
                cancelled=lambda: False,
            )
            seconds.append(time.perf_counter() - began)
            found = [finding for finding in filing["findings"] if finding["severity"] == "error"]
            claims += len(filing["claims"])
            errors += len(found)
            print(f"\n== {file.name}, {name}, {seconds[-1]:.0f} s", file=sys.stderr)
            print(json.dumps(filing["timings"]), file=sys.stderr)
            for planned in filing["plan"]:
                print(f"   {planned['number']} {planned['rule']} {planned['ref']} {planned['features']}", file=sys.stderr)
            for claim in filing["claims"]:
                print(f"{claim['number']}. {claim['text']}", file=sys.stderr)
            print(filing["title"], "|", filing["abstract"], file=sys.stderr)
            for finding in found:
                print(f"   {finding['rule']} {finding['claim']} {finding['message_zh']}", file=sys.stderr)
        figures[f"claims_{name}"], figures[f"errors_{name}"] = claims, errors
        figures[f"seconds_{name}_p50"] = round(statistics.median(seconds), 1)
    return {"figures": figures, "runs": 1, "machine": _machine(), "commit": _commit()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, default=sorted(EXAMPLES.glob("*.md")))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--grammar-only", action="store_true", help="leave out the free run")
    options = parser.parse_args()
    print(json.dumps(measure(options.files, not options.grammar_only), ensure_ascii=False, indent=None if options.json else 2))


if __name__ == "__main__":
    main()
