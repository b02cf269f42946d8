"""`manage.py check_claims`: kinds of file, output and exit codes."""

import json

import pytest
from django.core.management import call_command

GOOD = "1. 一种泵，包括壳体，其特征在于，所述壳体内设有叶轮。"


def run(*args: str) -> int:
    try:
        call_command("check_claims", *args)
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def test_clean_set_exits_0(tmp_path, capsys):
    path = tmp_path / "claims.json"
    path.write_text(json.dumps([{"number": 1, "text": GOOD[3:]}]), encoding="utf-8")
    assert run(str(path), "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"findings": []}


def test_error_finding_exits_1_with_a_span(tmp_path, capsys):
    path = tmp_path / "claims.json"
    text = "一种泵，包括壳体，其特征在于，所述密封圈为环形。"
    path.write_text(json.dumps([{"number": 1, "text": text}]), encoding="utf-8")
    assert run(str(path), "--json") == 1
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert (found["rule"], found["claim"], found["severity"]) == ("CN-TRM-001", 1, "error")
    assert text[found["start"] : found["end"]] == "所述密封圈"
    assert found["message"] and found["message_zh"] and found["law"] and found["consequence"] == "R"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
@pytest.mark.parametrize("suffix", [".txt", ".md"])
def test_text_files(tmp_path, encoding, suffix):
    path = tmp_path / f"权利要求书{suffix}"
    path.write_text(GOOD, encoding=encoding)
    assert run(str(path)) == 0


def test_rule_selection(tmp_path, capsys):
    path = tmp_path / "a.txt"
    path.write_text(GOOD.replace("叶轮", "长约10mm的轴，例如钢轴"), encoding="utf-8")
    assert run(str(path), "--rules", "CN-VAG-003") == 0
    assert "CN-VAG-003" in capsys.readouterr().out
    assert run(str(path), "--rules", "CN-VAG") == 1


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.json", b"{"), ("a.json", b"[1]"), ("a.txt", b""), ("a.docx", b"PK"), ("a.pdf", b"%PDF"), ("a.txt", "无".encode())],
)
def test_unreadable_exits_2(tmp_path, name, data, capsys):
    path = tmp_path / name
    path.write_bytes(data)
    assert run(str(path)) == 2
    assert name in capsys.readouterr().err


def test_missing_file_and_unknown_rule_exit_2(tmp_path):
    assert run(str(tmp_path / "none.txt")) == 2
    path = tmp_path / "a.txt"
    path.write_text(GOOD, encoding="utf-8")
    assert run(str(path), "--rules", "CN-NOPE") == 2
