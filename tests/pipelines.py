"""Small deterministic pipelines for job tests, chosen by `CLAIMWRIGHT_PIPELINE`. They need no engine.

Each claim is appended to the file `CLAIMWRIGHT_TEST_LOG`, when set, at its start and at its end, so that a test
can see which claims were begun and finished by which process.
"""

import os
import time
from pathlib import Path

from apps.common.errors import ProductError

CLAIMS = 6


def no_engine(name: str) -> None:
    return None


def noted_engine(name: str) -> None:
    """Leaves a file that tells it was asked for, and is not there."""
    Path(os.environ["CLAIMWRIGHT_TEST_OPENED"]).touch()
    raise ProductError("model_missing", "没有模型。")


def note(what: str, number: int) -> None:
    if path := os.environ.get("CLAIMWRIGHT_TEST_LOG"):
        with open(path, "a") as file:
            file.write(f"{what} {number} {os.getpid()}\n")


def claims(text, *, engine, options, on_event, checkpoint, save_checkpoint, cancelled) -> dict:
    """`CLAIMS` claims, each written in ten steps of `CLAIMWRIGHT_TEST_STEP` seconds."""
    step = float(os.environ.get("CLAIMWRIGHT_TEST_STEP", "0"))
    done = list(checkpoint.get("claims", []))
    on_event({"kind": "stage", "stage": "claims", "percent": 10})
    for number in range(len(done) + 1, CLAIMS + 1):
        note("begin", number)
        for part in range(10):
            if cancelled():
                return {}
            time.sleep(step)
            on_event({"kind": "text", "claim": number, "text": str(part)})
        done.append({"number": number, "text": f"{number}．一种装置。"})
        on_event({"kind": "claim", **done[-1]})
        save_checkpoint({"claims": done})
        note("end", number)
    return {"title": "一种装置", "claims": done, "seed": options["seed"]}


def gated(text, *, on_event, save_checkpoint, cancelled, **_kwargs) -> dict:
    """`CLAIMS` claims; claim n is written once the folder `CLAIMWRIGHT_TEST_GATE` holds a file named n."""
    gate, done = Path(os.environ["CLAIMWRIGHT_TEST_GATE"]), []
    for number in range(1, CLAIMS + 1):
        while not (gate / str(number)).exists():
            if cancelled():
                return {}
            time.sleep(0.02)
        done.append({"number": number, "text": f"{number}．一种装置。"})
        on_event({"kind": "claim", **done[-1]})
        save_checkpoint({"claims": done})
    return {"title": "一种装置", "claims": done}


def refuses(text, **_kwargs) -> dict:
    raise ProductError("too_thin", "交底书过于简单。")


def no_memory(text, **_kwargs) -> dict:
    raise MemoryError


def crashes(text, **_kwargs) -> dict:
    raise ZeroDivisionError


def never_ends(text, *, cancelled, on_event, **_kwargs) -> dict:
    while not cancelled():
        on_event({"kind": "text", "text": "又"})
        time.sleep(0.02)
    return {}
