"""Engines for `CLAIMWRIGHT_ENGINE`, so that commands run as processes of their own without a language model.

`CLAIMWRIGHT_TEST_TEXT` names the disclosure whose characters the vocabulary must have, `CLAIMWRIGHT_TEST_STEP` is the
pause before each token in seconds.
"""

import contextlib
import os
import time
from pathlib import Path

from tests.drafting.scripted import ScriptedEngine
from tests.drafting.test_pipeline import ANSWERS


class PacedEngine(ScriptedEngine):
    """Writes as slowly as a model."""

    def generate(self, request):
        for delta in super().generate(request):
            time.sleep(float(os.environ.get("CLAIMWRIGHT_TEST_STEP", "0")))
            yield delta


def scripted(name: str) -> ScriptedEngine:
    path = os.environ.get("CLAIMWRIGHT_TEST_TEXT")
    return PacedEngine(ANSWERS, extra=Path(path).read_text("utf-8") if path else "")


def out_of_memory(name: str):
    raise RuntimeError("[enforce fail at alloc_cpu.cpp] DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 bytes")


def slow_to_load(name: str):
    """A model that takes longer to load than anybody waits, in a library that swallows an interrupt."""
    with contextlib.suppress(KeyboardInterrupt):
        time.sleep(600)
    time.sleep(600)
