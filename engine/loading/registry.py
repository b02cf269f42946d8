"""Where models come from: a local path, the local store, a hub (only when online is allowed), or packages.

`resolve` never downloads packages; `engine.loading.fetch` does, on request. The store is `CLAIMWRIGHT_MODELS`, by
default `var/models` beside the engine.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine.loading.errors import ModelCorrupt, ModelMissing

REGISTRY = Path(__file__).with_name("models.toml")


@dataclass(frozen=True)
class Entry:
    """One model of the registry; `package` and `member` are patterns of the part number n, counted from 1; `member` may
    also name index, counted from 0."""

    name: str
    file: str
    bytes: int
    sha256: str
    licence: str
    use: str
    package: str
    version: str
    parts: int
    member: str


@dataclass(frozen=True)
class ModelFiles:
    """A model on disk: a GGUF file or a directory with safetensors, configuration and tokenizer."""

    path: Path
    kind: Literal["gguf", "safetensors"]
    name: str


def registry(path: Path = REGISTRY) -> dict[str, Entry]:
    with path.open("rb") as file:
        return {name: Entry(name=name, **fields) for name, fields in tomllib.load(file).items()}


def store() -> Path:
    configured = os.environ.get("CLAIMWRIGHT_MODELS", "").strip()
    return Path(configured) if configured else Path(__file__).resolve().parents[2] / "var" / "models"


def resolve(name_or_path: str | Path, entries: dict[str, Entry] | None = None) -> ModelFiles:
    """Find a model. Raises ModelMissing when no source has it, ModelCorrupt when a registered file does not match."""
    name, path = str(name_or_path), Path(name_or_path)
    if path.suffix == ".gguf" and path.is_file():
        return ModelFiles(path, "gguf", path.stem)
    if path.is_dir() and (path / "config.json").is_file():
        return ModelFiles(path, "safetensors", path.name)
    entries = registry() if entries is None else entries
    entry = entries.get(name)
    if entry is not None:
        path = store() / entry.file
        if not path.is_file():
            raise ModelMissing(f"{path} is not there; run: python -m engine.loading fetch {name}")
        verify(path, entry)
        return ModelFiles(path, "gguf", name)
    stored = store() / name
    if (stored / "config.json").is_file():
        return ModelFiles(stored, "safetensors", name)
    if "/" in name and os.environ.get("CLAIMWRIGHT_ONLINE") == "1":
        return _from_hub(name)
    raise ModelMissing(
        f"no model {name!r}: neither a .gguf file, nor a directory with config.json, nor one of {', '.join(entries)}; "
        "give a path, or run: python -m engine.loading fetch NAME"
    )


def verify(path: Path, entry: Entry) -> None:
    """Check size and SHA-256. A stamp beside the file spares the second reading of an unchanged file."""
    status = path.stat()
    advice = f"delete it and run: python -m engine.loading fetch {entry.name}"
    if status.st_size != entry.bytes:
        raise ModelCorrupt(f"{path} has {status.st_size} bytes, the registry says {entry.bytes}; {advice}")
    stamp = path.with_name(path.name + ".verified")
    seal = f"{entry.sha256} {status.st_size} {status.st_mtime_ns}"
    if stamp.is_file() and stamp.read_text() == seal:
        return
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != entry.sha256:
        raise ModelCorrupt(f"{path} has SHA-256 {found}, the registry says {entry.sha256}; {advice}")
    try:
        stamp.write_text(seal)
    except OSError:
        return


def _from_hub(name: str) -> ModelFiles:
    from huggingface_hub import snapshot_download

    try:
        path = snapshot_download(name, allow_patterns=["*.safetensors", "*.json", "*.jinja", "merges.txt"])
    except Exception as error:
        raise ModelMissing(f"the hub did not give {name!r} ({error}); give a local path instead") from error
    return ModelFiles(Path(path), "safetensors", name)
