"""A filing written to a directory: claims.json, filing.json, filing.docx, report.html and, if asked, trace.jsonl."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from apps.exports.docx import Filing, filing_docx
from apps.exports.report import filing_report_html


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def _filing(filing: Filing) -> bytes:
    return _json({key: value for key, value in filing.items() if key != "trace"})


WRITERS: dict[str, Callable[[Filing], bytes]] = {
    "claims.json": lambda filing: _json(filing["claims"]),
    "filing.json": _filing,
    "filing.docx": filing_docx,
    "report.html": lambda filing: filing_report_html(filing).encode(),
}


def write_all(filing: Filing, outdir: str | Path, trace: bool = False) -> list[Path]:
    """Writes every file of `filing` under `outdir` (made when absent) and returns the paths in order."""
    directory = Path(outdir)
    directory.mkdir(parents=True, exist_ok=True)
    contents = {name: write(filing) for name, write in WRITERS.items()}
    if trace:
        lines = (json.dumps(event, ensure_ascii=False) + "\n" for event in filing.get("trace") or ())
        contents["trace.jsonl"] = "".join(lines).encode()
    paths = []
    for name, data in contents.items():
        path = directory / name
        path.write_bytes(data)
        paths.append(path)
    return paths
