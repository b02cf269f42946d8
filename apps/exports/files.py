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
    """Writes every file of `filing` under `outdir` (made when absent) and returns the paths in order.

    All or nothing: the files take their names when every one of them is on disk. Raises OSError.
    """
    directory = Path(outdir)
    contents = {name: write(filing) for name, write in WRITERS.items()}
    if trace:
        lines = (json.dumps(event, ensure_ascii=False) + "\n" for event in filing.get("trace") or ())
        contents["trace.jsonl"] = "".join(lines).encode()
    directory.mkdir(parents=True, exist_ok=True)
    parts = {directory / name: directory / f".{name}.part" for name in contents}
    try:
        for part, data in zip(parts.values(), contents.values(), strict=True):
            part.write_bytes(data)
        for path, part in parts.items():
            part.replace(path)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)
    return list(parts)
