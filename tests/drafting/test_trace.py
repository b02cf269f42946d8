"""The trace told while a draft is written is the trace of the finished filing."""

import json
import os

import pytest
from django.core.management import CommandError, call_command

from apps.drafting.management.commands import draft as command
from apps.drafting.pipeline import Options, draft_filing
from tests.drafting.scripted import DISCLOSURE, ScriptedEngine
from tests.drafting.test_pipeline import ANSWERS


def test_the_streamed_trace_is_that_of_the_finished_filing():
    told, spoken = [], []
    filing = draft_filing(
        DISCLOSURE,
        engine=ScriptedEngine(ANSWERS),
        options=Options(),
        on_event=lambda event: spoken.append((event["kind"], len(told))),
        checkpoint={},
        save_checkpoint=lambda data: None,
        cancelled=lambda: False,
        on_trace=told.append,
    )
    refused = [event for event in filing["trace"] if event.get("refused")]
    assert told == [{key: value for key, value in event.items() if key != "refused"} for event in filing["trace"]]
    assert {reason["code"] for event in refused for reason in event["refused"]} <= {"word", "not-introduced", "unmarked-term"}
    assert refused
    # Told while the text is written, not after it.
    assert len({count for kind, count in spoken if kind == "text"}) > 20


class Watched(ScriptedEngine):
    def __init__(self, path, fails):
        super().__init__(ANSWERS)
        self.path, self.fails, self.lines = path, fails, []

    def generate(self, request):
        if self.path.exists():
            self.lines.append(len(self.path.read_text("utf-8").splitlines()))
        if self.fails and self.lines:
            raise MemoryError
        yield from super().generate(request)


@pytest.mark.parametrize("fails", [False, True])
def test_the_file_grows_while_the_text_is_written(tmp_path, monkeypatch, fails):
    path, disclosure = tmp_path / "out" / "trace.jsonl", tmp_path / "disclosure.md"
    disclosure.write_text(DISCLOSURE, "utf-8")
    engine = Watched(path, fails)
    monkeypatch.setattr("apps.drafting.engine_access.get_engine", lambda name: engine)
    if fails:
        with pytest.raises(CommandError):
            call_command("draft", str(disclosure), out=path.parent, trace=True)
        assert not path.exists() and os.listdir(path.parent) == [command.CHECKPOINT]
        return
    call_command("draft", str(disclosure), out=path.parent, trace=True)
    assert engine.lines == sorted(engine.lines) and engine.lines[0] < engine.lines[-1]
    assert [json.loads(line)["op"] for line in path.read_text("utf-8").splitlines()][-1] == "ACCEPT"
