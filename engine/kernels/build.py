"""Compile the C kernel: `python -m engine.kernels.build`. Without a compiler the engine runs on torch's kernels.

The library's name carries a hash of its source and flags, so a changed source is never answered by an old library.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).with_name("native.c")
FOLDER = Path(__file__).with_name("build")
FLAGS = "-std=gnu11 -O3 -mavx2 -mfma -mf16c -ffp-contract=off -fPIC -shared -pthread".split()


class BuildError(RuntimeError):
    """No compiler, or it refused; the message carries what it said."""


def library() -> Path:
    """Where the library of the present source is, whether or not it was built."""
    identity = hashlib.sha256(SOURCE.read_bytes() + " ".join(FLAGS).encode()).hexdigest()[:12]
    return FOLDER / f"native-{identity}.so"


def build() -> Path:
    """Compiles unless that is done, and returns the library. Raises BuildError."""
    target = library()
    if target.exists():
        return target
    compiler = shutil.which(os.environ.get("CC") or "cc")
    if compiler is None:
        raise BuildError("no C compiler (cc) was found; install one, then run python -m engine.kernels.build")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / ".gitignore").write_text("*\n")
    partial = target.with_suffix(f".{os.getpid()}")
    done = subprocess.run(
        [compiler, *FLAGS, str(SOURCE), "-o", str(partial), "-lm"], capture_output=True, text=True
    )
    if done.returncode:
        partial.unlink(missing_ok=True)
        raise BuildError(f"{compiler} failed: {done.stderr.strip()[-2000:]}")
    partial.replace(target)
    for old in FOLDER.glob("native-*.so"):
        if old != target:
            old.unlink(missing_ok=True)
    return target


def main() -> int:
    """Never fails a set-up: the torch kernels do the work where the C kernel cannot be had."""
    try:
        path = build()
    except (BuildError, OSError) as error:
        print(f"C kernel not built: {error}. The slower torch kernels will be used.", file=sys.stderr)
        return 0
    from engine.kernels import native

    print(f"C kernel built: {path.name}" + ("" if native.load() else "; this processor cannot run it"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
