"""`manage.py grammar check`: output in two languages, JSON, exit codes."""

import json

import pytest
from django.core.management import CommandError, call_command

BAD = "grammar g;\nr : s\n  | '大约' ;\n"


def run(*args: str) -> int:
    try:
        call_command("grammar", "check", *args)
    except SystemExit as stop:
        return int(stop.code or 0)
    except CommandError as error:
        return error.returncode
    return 0


@pytest.fixture
def bad(tmp_path):
    path = tmp_path / "bad.g4"
    path.write_text(BAD, "utf-8")
    return path


def test_a_sound_grammar_exits_0(request, capsys):
    assert run(str(request.config.rootpath / "grammars" / "claims_zh.g4")) == 0
    assert "错误 0" in capsys.readouterr().out


def test_errors_exit_1_and_are_told_in_two_languages_with_place_and_fix(bad, tmp_path, capsys):
    words = tmp_path / "words.txt"
    words.write_text("# vague\n大约 左右\n", "utf-8")
    assert run(str(bad), "--forbid", str(words)) == 1
    out = capsys.readouterr().out
    assert f"{bad}:2:5: 错误 error undefined-rule" in out and f"{bad}:3:5: 警告 warning forbidden-option" in out
    assert "规则 r 引用了未定义的 s。定义 s。" in out and "rule r uses s, which is not defined. Define s." in out


def test_a_guard_lets_a_word_through_and_starts_are_checked(bad, tmp_path, capsys):
    words = tmp_path / "words.txt"
    words.write_text("大约", "utf-8")
    assert run(str(bad), "--forbid", str(words), "--guard", str(words), "--start", "q", "--json") == 1
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [finding["code"] for finding in findings] == ["no-start", "cost", "undefined-rule"]
    assert findings[2]["line"] == 2 and findings[2]["column"] == 5 and findings[2]["text"]["zh"]


def test_a_file_that_cannot_be_read_exits_2(tmp_path):
    assert run(str(tmp_path / "none.g4")) == 2
    (tmp_path / "latin.g4").write_bytes(b"grammar g; r : '\xe9' ;")
    assert run(str(tmp_path / "latin.g4")) == 2
