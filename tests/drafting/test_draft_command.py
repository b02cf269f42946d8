"""`manage.py draft`: files written, and an exit code with one line for each way it can fail."""

import json

import pytest
from django.core.management import CommandError, call_command

from apps.drafting.management.commands import draft as command
from tests.drafting.scripted import DISCLOSURE, ScriptedEngine
from tests.drafting.test_pipeline import ANSWERS


@pytest.fixture
def disclosure(tmp_path):
    path = tmp_path / "交底书.md"
    path.write_text(DISCLOSURE, "utf-8")
    return path


def engine(monkeypatch, opened):
    monkeypatch.setattr("apps.drafting.engine_access.get_engine", opened)


def failure(*args):
    with pytest.raises(CommandError) as error:
        call_command("draft", *map(str, args))
    assert "\n" not in str(error.value)
    return error.value.returncode


def raising(error):
    def opened(name):
        raise error

    return opened


def test_the_files_of_a_filing(disclosure, tmp_path, monkeypatch, capsys):
    engine(monkeypatch, lambda name: ScriptedEngine(ANSWERS))
    out = tmp_path / "out"
    call_command("draft", str(disclosure), out=out, trace=True)
    names = {path.name for path in out.iterdir()}
    assert names == {"claims.json", "filing.json", "filing.docx", "report.html", "trace.jsonl"}
    assert len(json.loads((out / "claims.json").read_text("utf-8"))) == 5
    assert "一种门锁防夹装置" in capsys.readouterr().out


def test_unreadable_and_empty_files(tmp_path, monkeypatch):
    empty = tmp_path / "空.md"
    empty.write_bytes(b"")
    assert failure(tmp_path / "absent.md") == command.UNREADABLE
    assert failure(empty) == command.EMPTY


def test_a_missing_model_and_no_memory(disclosure, tmp_path, monkeypatch):
    from engine.loading.errors import ModelMissing

    out = f"--out={tmp_path / 'out'}"
    engine(monkeypatch, raising(ModelMissing("no model; run make setup")))
    assert failure(disclosure, out) == command.NO_MODEL
    engine(monkeypatch, raising(MemoryError()))
    assert failure(disclosure, out) == command.NO_MEMORY
