"""`manage.py draft`: files written, and an exit code with one line for each way it can fail; nothing half-written."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from django.core.management import CommandError, call_command

from apps.common.errors import ProductError
from apps.drafting.management.commands import draft as command
from tests.conftest import REPO
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


def draft_process(folder, disclosure, *options, factory="scripted", **environment) -> subprocess.Popen:
    """`manage.py draft DISCLOSURE --out FOLDER/out` as a process of its own, on an engine of `tests.drafting.engines`."""
    environment = {
        **os.environ,
        "CLAIMWRIGHT_VAR": str(folder / "var"),
        "CLAIMWRIGHT_ENGINE": f"tests.drafting.engines.{factory}",
        "DATABASE_URL": "",
        **environment,
    }
    return subprocess.Popen(
        [sys.executable, "manage.py", "draft", str(disclosure), "--out", str(folder / "out"), *options],
        cwd=REPO, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def until(stream, wanted: str) -> str:
    """What the stream says up to and with `wanted`."""
    text = ""
    while wanted not in text:
        piece = stream.read(1)
        assert piece, f"ended before {wanted!r}: {text}"
        text += piece
    return text


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
    assert failure(tmp_path) == command.UNREADABLE
    assert failure(empty) == command.EMPTY


TORCH = RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 68719476736 bytes. Error code 12")


@pytest.mark.parametrize("error", [MemoryError(), TORCH, OSError(12, "Cannot allocate memory")], ids=["python", "torch", "mmap"])
def test_no_memory_at_loading_or_while_writing(disclosure, tmp_path, monkeypatch, error):
    class Breaks(ScriptedEngine):
        def generate(self, request):
            raise error

    for opened in (raising(error), lambda name: Breaks(ANSWERS)):
        engine(monkeypatch, opened)
        assert failure(disclosure, f"--out={tmp_path / 'new' / 'out'}") == command.NO_MEMORY
        assert not (tmp_path / "new").exists()


def test_a_model_missing_or_damaged(disclosure, tmp_path, monkeypatch):
    from engine.loading.errors import ModelCorrupt, ModelMissing

    for error in (ModelMissing("no model"), ModelCorrupt("x.gguf has 3 bytes")):
        engine(monkeypatch, raising(error))
        assert failure(disclosure, f"--out={tmp_path / 'out'}") == command.NO_MODEL
        assert not (tmp_path / "out").exists()


def test_no_invention_is_1(disclosure, tmp_path, monkeypatch):
    engine(monkeypatch, raising(ProductError("no_invention", "x")))
    assert failure(disclosure, f"--out={tmp_path / 'out'}") == 1


def test_a_place_that_cannot_be_written(disclosure, tmp_path, monkeypatch):
    monkeypatch.setattr("apps.drafting.engine_access.get_engine", lambda name: pytest.fail("the model was loaded"))
    assert failure(disclosure, f"--out={disclosure}") == 1
    assert failure(disclosure, f"--out={disclosure / 'under'}") == 1
    assert disclosure.read_text("utf-8") == DISCLOSURE


def test_a_full_disk_leaves_no_file_of_the_filing(disclosure, tmp_path, monkeypatch):
    from pathlib import Path

    engine(monkeypatch, lambda name: ScriptedEngine(ANSWERS))
    out, write = tmp_path / "out", Path.write_bytes
    out.mkdir()
    (out / "claims.json").write_text("older")

    def full(path, data):
        if "docx" in path.name:
            raise OSError(28, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    assert failure(disclosure, f"--out={out}") == 1
    assert {path.name: path.read_text() for path in out.iterdir()} == {"claims.json": "older"}


def test_the_real_registry_names_what_is_missing(disclosure, tmp_path):
    """A real process with the real engine; the message names the model and the next step."""
    process = draft_process(
        tmp_path, disclosure, "--model", "no-such-model", CLAIMWRIGHT_ENGINE="apps.drafting.engine_access.open_engine"
    )
    _, said = process.communicate(timeout=120)
    assert process.returncode == command.NO_MODEL
    assert "no-such-model" in said and "make setup" in said and "Traceback" not in said
    assert not (tmp_path / "out").exists()


def test_out_of_memory_in_a_process(disclosure, tmp_path):
    process = draft_process(tmp_path, disclosure, factory="out_of_memory")
    _, said = process.communicate(timeout=120)
    assert process.returncode == command.NO_MEMORY and "Traceback" not in said


def test_ctrl_c_while_the_model_loads(disclosure, tmp_path):
    process = draft_process(tmp_path, disclosure, factory="slow_to_load")
    until(process.stderr, "模型")
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == command.CANCELLED and "Traceback" not in said
    assert not (tmp_path / "out").exists()


def test_ctrl_c_in_the_middle_of_a_claim_and_going_on(disclosure, tmp_path):
    process = draft_process(tmp_path, disclosure, CLAIMWRIGHT_TEST_STEP="0.01")
    until(process.stderr, "撰写权利要求 3/")
    until(process.stdout, "所述")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == command.CANCELLED and "Traceback" not in said
    assert [path.name for path in (tmp_path / "out").iterdir()] == [command.CHECKPOINT]
    kept = json.loads((tmp_path / "out" / command.CHECKPOINT).read_text("utf-8"))["claims"]
    assert [claim["number"] for claim in kept] == [1, 2]
    again = draft_process(tmp_path, disclosure)
    again.communicate(timeout=120)
    assert again.returncode == 0
    written = json.loads((tmp_path / "out" / "claims.json").read_text("utf-8"))
    assert written[:2] == kept and len(written) == 5
    assert command.CHECKPOINT not in [path.name for path in (tmp_path / "out").iterdir()]
