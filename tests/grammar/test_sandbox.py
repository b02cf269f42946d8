"""Grammar bombs stop in their bounds and are told like any other finding; sound text is told the same as in process."""

import pytest

from engine.grammar.checks import check
from engine.grammar.sandbox import check_text
from engine.grammar.sources import read

BOUNDS = {"seconds": 10, "mebibytes": 512}


def codes(text: str, suffix: str = ".g4", **options) -> set[str]:
    return {finding.code for finding in check_text(text, suffix, **{**BOUNDS, **options})}


def chain(count: int, body: str) -> str:
    return "grammar g; " + "".join(f"r{i} : {body.format(i + 1)} ; " for i in range(count)) + f"r{count} : 'a' | 'b' ;"


def test_findings_are_those_of_the_check_in_process():
    text = "grammar g;\nr : s '大约' | T '。' ;\nt : 'a' ;\nT : ~[。]* ;"
    findings = check_text(text, starts=["r"], forbid=["大约"], **BOUNDS)
    assert findings == check(read(text), ["r"], forbid=["大约"])
    assert {"undefined-rule", "free-text", "unused-rule", "forbidden-option"} <= {finding.code for finding in findings}


def test_faults_of_reading_are_findings():
    (finding,) = check_text("grammar g;\nr : {evil()} 'a' ;", **BOUNDS)
    assert (finding.code, finding.at) == ("action", (2, 5))


@pytest.mark.parametrize(
    ("text", "suffix", "code"),
    [
        ("grammar g; r : '" + "a" * 10_000_000 + "' ;", ".g4", "file-size"),
        ("grammar g; r : " + "(" * 100_000 + "'a'" + ")" * 100_000 + " ;", ".g4", "nesting"),
        ("grammar g; r : " + "{" * 100_000 + "}" * 100_000 + " ;", ".g4", "nesting"),
        ("grammar g; r : " + "'a" * 20_001 + " ;", ".g4", "syntax"),
        ("grammar g; r : " + "/*" * 100_000, ".g4", "syntax"),
        ("grammar g; r : ( A{100000} ){100000} ; A : 'a' ;", ".g4", "state-budget"),
        (chain(60, "r{0} r{0}"), ".g4", "state-budget"),
        (chain(1_000, "'a' r{0} | 'b'").replace("r1000 :", "r1000 options { max_depth = 3; } : 'a' r0 |"), ".g4", "depth-budget"),
        ("start: " + "(" * 100_000, ".lark", "nesting"),
        ("start: /" + "(?:" * 3_000 + ")" * 3_000 + "/", ".lark", "nesting"),
        ('{"type":"array","items":' * 5_000, ".json", "nesting"),
        ('{"enum":[' + "9" * 100_000 + "]}", ".json", "syntax"),
    ],
    ids=["10 MB", "parentheses", "braces", "quotes", "comments", "counts", "doubling", "cycle", "lark", "regex", "json", "digits"],
)
def test_trap_21_a_bomb_is_told(text, suffix, code):
    assert code in codes(text, suffix)


def test_trap_21_a_rule_that_takes_too_long_to_compile_is_named():
    text = "grammar g;\nr : 'x' s ;\ns : ( A{0,100000} ){0,100000} ;\nA : 'a' ;"
    (stopped,) = [finding for finding in check_text(text, **{**BOUNDS, "seconds": 2}) if finding.severity == "error"]
    assert stopped.code in ("time-budget", "memory-budget", "state-budget")
    assert (stopped.rule, stopped.at.line) == ("s", 3) and "s" in stopped.text("zh")


def test_trap_21_time_and_memory_run_out_as_findings():
    text = "grammar g; r : " + " | ".join(f"'a{i}'" for i in range(15_000)) + " ;"
    assert codes(text, seconds=0) == {"time-budget"}
    assert codes(text, mebibytes=1) == {"memory-budget"}
