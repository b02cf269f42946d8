"""Checks rule text from outside in a child process, with bounds on its time and memory.

    findings = check_text(text, ".g4", starts=["claim"], forbid=words)

The child reads, checks and, when nothing is wrong, compiles. A text that runs into a bound is a finding like any other:
time-budget, memory-budget, or state-budget with the rule that grew.
"""

from __future__ import annotations

import json
import math
import resource
import signal
import subprocess
import sys
from collections.abc import Collection, Iterable
from typing import Any

from engine.grammar.checks import STATE_BUDGET, check
from engine.grammar.findings import Finding, GrammarError
from engine.grammar.ir import Place
from engine.grammar.sources import MAX_BYTES, read

SECONDS, MEBIBYTES = 20, 1024
_OUT_OF_MEMORY, _OUT_OF_TIME = 3, 4


def check_text(
    text: str,
    suffix: str = ".g4",
    starts: Collection[str] = (),
    *,
    slots: Collection[str] | None = None,
    forbid: Iterable[str] = (),
    guards: Iterable[str] = (),
    budget: int = STATE_BUDGET,
    seconds: int = SECONDS,
    mebibytes: int = MEBIBYTES,
) -> list[Finding]:
    """Every finding of the reader, or of `checks.check`, or of the compiler.

    seconds: processor time of the child beyond its start. mebibytes: memory beyond what it has at its start.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        return [Finding("file-size", values={"size": size, "limit": MAX_BYTES})]
    request = {
        "text": text, "suffix": suffix, "starts": list(starts), "slots": None if slots is None else list(slots),
        "forbid": list(forbid), "guards": list(guards), "budget": budget, "seconds": seconds, "mebibytes": mebibytes,
    }  # fmt: skip
    slow = [Finding("time-budget", values={"seconds": seconds})]
    command = [sys.executable, "-m", "engine.grammar.sandbox"]
    try:
        # On a busy machine the clock runs on while the child waits: it only guards against a child that sleeps.
        done = subprocess.run(command, input=json.dumps(request), capture_output=True, text=True, timeout=60 + 4 * seconds)
    except subprocess.TimeoutExpired:
        return slow
    if done.returncode in (_OUT_OF_TIME, -signal.SIGXCPU, -signal.SIGKILL):
        return slow
    if done.returncode == _OUT_OF_MEMORY or done.returncode < 0:
        return [Finding("memory-budget", values={"mebibytes": mebibytes})]
    if done.returncode:
        raise RuntimeError(f"the check failed: {done.stderr[-2000:]}")
    return [Finding(code, Place(*at), rule, values) for code, at, rule, values in json.loads(done.stdout)]


def _check(request: dict[str, Any]) -> list[Finding]:
    try:
        rules = read(request["text"], request["suffix"])
    except GrammarError as error:
        return error.findings
    options = {name: request[name] for name in ("slots", "forbid", "guards", "budget")}
    return check(rules, request["starts"], **options)


def _limit(seconds: int, mebibytes: int) -> None:
    """Bounds from here on: what the imports have used does not count."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    last = math.ceil(used.ru_utime + used.ru_stime + seconds)
    signal.signal(signal.SIGXCPU, lambda *_: sys.exit(_OUT_OF_TIME))
    resource.setrlimit(resource.RLIMIT_CPU, (last, last + 2))
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[0])
    size = pages * resource.getpagesize() + (mebibytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def main() -> None:
    request = json.load(sys.stdin)
    _limit(request["seconds"], request["mebibytes"])
    try:
        findings = _check(request)
    except MemoryError:
        sys.exit(_OUT_OF_MEMORY)
    json.dump([[finding.code, finding.at, finding.rule, finding.values] for finding in findings], sys.stdout)


if __name__ == "__main__":
    main()
