"""`manage.py grammar export, trace, why`: output, exit codes, and errors that name the next step."""

import json

import pytest
from django.core.management import CommandError, call_command

SLOTS = {
    "SUBJECT": ["门锁"], "TERM": ["门锁", "壳体", "锁舌"], "WORD": ["壳体", "内", "设有", "锁舌", "大", "约"],
    "terms": ["门锁", "壳体", "锁舌"], "forbid": ["大约"],
}  # fmt: skip
TEXT = "一种门锁，其特征在于，包括壳体，所述壳体内设有锁舌。"
CLAIMS = ("--grammar", "claims_zh", "--start", "independent", "--slots")


@pytest.fixture
def files(tmp_path):
    def write(name: str, text: str) -> str:
        (tmp_path / name).write_text(text, "utf-8")
        return str(tmp_path / name)

    return write


@pytest.fixture
def slots(files):
    return files("slots.json", json.dumps(SLOTS, ensure_ascii=False))


def run(capsys, *args: str) -> tuple[int, str]:
    try:
        call_command("grammar", *args)
    except SystemExit as stop:
        return int(stop.code or 0), capsys.readouterr().out
    except CommandError as error:
        return error.returncode, str(error)
    return 0, capsys.readouterr().out


def test_a_text_is_traced(files, slots, capsys):
    code, out = run(capsys, "trace", files("t.txt", TEXT + "\n"), *CLAIMS, slots)
    assert code == 0 and out.splitlines()[0].split() == ["SHIFT", "[0:2]", "一种"]
    assert 'separator -> "，"' in out and out.splitlines()[-1].split() == ["ACCEPT", "[0:26]", "independent"]
    code, out = run(capsys, "trace", files("t.txt", TEXT), *CLAIMS, slots, "--json")
    assert code == 0 and [json.loads(line)["op"] for line in out.splitlines()][-1] == "ACCEPT"


def test_published_claims_are_traced_one_by_one(files, capsys):
    text = "1. 一种泵，其特征在于，包括壳体（1）。\n2. 根据权利要求1所述的泵，其特征在于，还包括电机。\n"
    code, out = run(capsys, "trace", files("claims.txt", text))
    assert code == 0 and out.count("ACCEPT") == 2 and "cites -> citation" in out


def test_a_refused_text_is_told_with_its_reason(files, slots, capsys):
    code, out = run(capsys, "trace", files("t.txt", TEXT.replace("壳体，", "壳体大约，") + "。"), *CLAIMS, slots)
    assert code == 1 and "word" in out and "“大约”是禁用词" in out and "form" in out
    assert "REDUCE" in out and "ACCEPT" not in out


def test_why_names_the_witness_in_two_languages(files, slots, capsys):
    path = files("t.txt", TEXT)
    code, out = run(capsys, "why", path, *CLAIMS, slots, "--at", "18", "--token", "锁舌")
    assert code == 1 and "not-introduced" in out and "尚未引入" in out and "not introduced" in out
    code, out = run(capsys, "why", path, *CLAIMS, slots, "--at", "18", "--token", "壳体", "--json")
    assert code == 0 and json.loads(out) is None
    code, out = run(capsys, "why", path, *CLAIMS, slots, "--at", "15", "--token", "，", "--max-chars", "16")
    assert code == 1 and "budget" in out
    assert run(capsys, "why", path, *CLAIMS, slots, "--at", "99")[0] == 2


@pytest.mark.parametrize("form", ["l0", "l1", "l2", "gbnf", "regex"])
def test_a_grammar_is_exported(form, request, slots, capsys):
    grammar = str(request.config.rootpath / "grammars" / "claims_zh.g4")
    code, out = run(capsys, "export", grammar, "--form", form, "--start", "dependent", "--slots", slots)
    assert code == 2 and "REF" in out and "--slots" in out
    code, out = run(capsys, "export", grammar, "--form", form, "--start", "independent", "--slots", slots)
    assert code == 0 and ("root ::=" in out or "start: /" in out) and "复核" in out


@pytest.mark.parametrize("text", ["[]", '{"word": ["x"]}', '{"SUBJECT": "门锁"}', "{", '{"source": ["x"]}'])
def test_a_slots_file_that_is_none_is_told(text, files, capsys):
    code, out = run(capsys, "trace", files("t.txt", TEXT), *CLAIMS, files("bad.json", text))
    assert code == 2 and "bad.json" in out
