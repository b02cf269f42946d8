"""Checks rule text from outside in a child process, with bounds on its time and memory.

    findings = check_text(text, ".g4", starts=["claim"], forbid=words)

The child reads, checks and, when nothing is wrong, compiles. A text that runs into a bound is a finding like any other:
time-budget, memory-budget, or state-budget with the rule that grew.
"""

from __future__ import annotations

import json
import math
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Collection, Iterable
from typing import Any

from engine.grammar.checks import check, start_rules
from engine.grammar.compiler import MAX_STATES, compile_rule
from engine.grammar.findings import Finding, GrammarError, StateBudgetExceeded
from engine.grammar.ir import Literal, Place, Rule, Rules
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
    budget: int = MAX_STATES,
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
    command = [sys.executable, "-m", "engine.grammar.sandbox"]
    try:
        # On a busy machine the clock runs on while the child waits: it only guards against a child that sleeps.
        done = subprocess.run(command, input=json.dumps(request), capture_output=True, text=True, timeout=60 + 4 * seconds)
    except subprocess.TimeoutExpired:
        return [_stopped("time-budget", "", seconds=seconds)]
    if done.returncode in (_OUT_OF_TIME, -signal.SIGXCPU, -signal.SIGKILL):
        return [_stopped("time-budget", done.stderr, seconds=seconds)]
    if done.returncode == _OUT_OF_MEMORY or done.returncode < 0:
        return [_stopped("memory-budget", done.stderr, mebibytes=mebibytes)]
    if done.returncode:
        raise RuntimeError(f"the check failed: {done.stderr[-2000:]}")
    return [Finding(code, Place(*at), rule, values) for code, at, rule, values in json.loads(done.stdout)]


def _stopped(code: str, progress: str, **values: object) -> Finding:
    """The last line of `progress` is the rule that the child was compiling, as JSON: [name, line, column]."""
    try:
        name, *at = json.loads(progress.rstrip().rpartition("\n")[2])
    except ValueError:
        return Finding(code, values={**values, "where": "", "where_zh": ""})
    return Finding(code, Place(*at), name, {**values, "where": f" (at rule {name})", "where_zh": f"（停在规则 {name}）"})


def _check(request: dict[str, Any]) -> list[Finding]:
    try:
        rules = read(request["text"], request["suffix"])
    except GrammarError as error:
        return error.findings
    options = {name: request[name] for name in ("slots", "forbid", "guards", "budget")}
    findings = check(rules, request["starts"], **options)
    if not any(finding.severity == "error" for finding in findings):
        findings += _compile(rules, request["starts"], request["budget"])
    return findings


def _compile(rules: Rules, starts: list[str], budget: int) -> list[Finding]:
    """What the compiler finds, rule after rule, used before using; it stops at the first rule that grows too large."""
    wanted, todo = set(), start_rules(rules, starts)
    while todo:
        name = todo.pop()
        if name not in wanted:
            wanted.add(name)
            todo += rules.uses[name]
    try:
        for name in [name for group in rules.components for name in group if name in wanted]:
            print(json.dumps([name, *rules.rule(name).at]), file=sys.stderr, flush=True)
            compile_rule(rules, name, budget)
    except StateBudgetExceeded as error:
        return error.findings
    except RecursionError:
        return [Finding("depth-budget", rules.rule(name).at, name)]
    return []


def _limit(seconds: int, mebibytes: int) -> None:
    """Bounds from here on: what the imports have used does not count."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    last = math.ceil(used.ru_utime + used.ru_stime + seconds)
    signal.signal(signal.SIGXCPU, lambda *_: os._exit(_OUT_OF_TIME))
    resource.setrlimit(resource.RLIMIT_CPU, (last, last + 2))
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[0])
    size = pages * resource.getpagesize() + (mebibytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def main() -> None:
    request = json.load(sys.stdin)
    compile_rule(Rules([Rule("r", Literal("a"))]), "r")  # loads the kernels
    _limit(request["seconds"], request["mebibytes"])
    try:
        findings = _check(request)
    except MemoryError:
        sys.exit(_OUT_OF_MEMORY)
    findings.sort(key=lambda finding: finding.at)
    json.dump([[finding.code, finding.at, finding.rule, finding.values] for finding in findings], sys.stdout)


if __name__ == "__main__":
    main()
