"""`python -m engine.loading fetch NAME` fetches a model, `python -m engine.loading list` shows what can be fetched."""

from __future__ import annotations

import argparse
import os
import sys

from engine.loading.errors import ModelError
from engine.loading.fetch import fetch
from engine.loading.registry import registry, store


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m engine.loading", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    fetching = commands.add_parser("fetch")
    fetching.add_argument(
        "name", nargs="?", default=os.environ.get("CLAIMWRIGHT_MODEL") or next(iter(registry()))
    )
    commands.add_parser("list")
    chosen = parser.parse_args(arguments)
    if chosen.command == "list":
        for entry in registry().values():
            here = "here" if (store() / entry.file).is_file() else "not here"
            print(f"{entry.name}\t{entry.bytes / 1e6:.0f} MB\t{entry.licence}\t{here}\t{entry.use}")
        return 0
    try:
        fetch(chosen.name, lambda what, done, of: print(f"[{done}/{of}] {what}", flush=True))
    except ModelError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
