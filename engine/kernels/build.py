"""Compile the C kernel: `python -m engine.kernels.build`. Without a compiler the engine runs on torch's kernels.

The same source is compiled for several instruction sets; `engine.kernels.native` takes the fastest that the processor has.
A library's name carries a hash of its source and flags, so a changed source is never answered by an old library.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SOURCES = (HERE / "native.c", HERE / "lanes.h")
FOLDER = HERE / "build"
FLAGS = "-std=gnu11 -O3 -mavx2 -mfma -mf16c -ffp-contract=off -fPIC -shared -pthread".split()
VARIANTS = {
    "avx512": "-mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512vnni".split(),
    "avxvnni": ["-mavxvnni"],
    "avx2": [],
}


class BuildError(RuntimeError):
    """No compiler, or it refused; the message carries what it said."""


def library(variant: str) -> Path:
    """Where the library of the present source is, whether or not it was built."""
    text = b"".join(source.read_bytes() for source in SOURCES) + " ".join(FLAGS + VARIANTS[variant]).encode()
    return FOLDER / f"{variant}-{hashlib.sha256(text).hexdigest()[:12]}.so"


def build() -> list[Path]:
    """Compiles what is missing and returns the libraries, fewer where the compiler does not know an instruction set.

    Raises BuildError when there is none.
    """
    wanted = {variant: library(variant) for variant in VARIANTS}
    complaints = [complaint for variant, target in wanted.items() if (complaint := _compile(variant, target))]
    built = [target for target in wanted.values() if target.exists()]
    if not built:
        raise BuildError(complaints[-1])
    for old in set(FOLDER.glob("*.so")) - set(built):
        old.unlink(missing_ok=True)
    return built


def _compile(variant: str, target: Path) -> str:
    """What went wrong, or nothing."""
    if target.exists():
        return ""
    compiler = shutil.which(os.environ.get("CC") or "cc")
    if compiler is None:
        return "no C compiler (cc) was found; install one, then run python -m engine.kernels.build"
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / ".gitignore").write_text("*\n")
    partial = target.with_suffix(f".{os.getpid()}")
    command = [compiler, *FLAGS, *VARIANTS[variant], str(SOURCES[0]), "-o", str(partial), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        partial.unlink(missing_ok=True)
        return f"{compiler} failed: {done.stderr.strip()[-2000:]}"
    partial.replace(target)
    return ""


def main() -> int:
    """Never fails a set-up: the torch kernels do the work where the C kernel cannot be had."""
    try:
        built = build()
    except (BuildError, OSError) as error:
        print(f"C kernel not built: {error}. The slower torch kernels will be used.", file=sys.stderr)
        return 0
    from engine.kernels import native

    found = native.load()
    print(f"C kernel built: {', '.join(path.stem for path in built)}; {found.name if found else 'none'} runs here")
    return 0


if __name__ == "__main__":
    sys.exit(main())
