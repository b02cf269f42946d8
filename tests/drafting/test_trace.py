"""The trace told while a draft is written is the trace of the finished filing."""

import json
import math
import os
from dataclasses import replace

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from apps.drafting.management.commands import draft as command
from apps.drafting.pipeline import FORCED, Options, draft_filing
from engine.request import Allowed
from engine.sequence import allowed
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


class Indifferent(ScriptedEngine):
    """Follows its script, and holds every token for equally probable."""

    def generate(self, request):
        deltas = list(super().generate(request))
        if not request.trace:
            yield from deltas
            return
        state, steps = request.grammar, []
        for delta in deltas:
            for token in delta.token_ids:
                mask = state.mask()
                steps.append(allowed(np.zeros(len(mask)), mask))
                state = state.advance(token)
        self.steps.append(steps)
        yield from deltas[:-1]
        yield replace(deltas[-1], stats={"allowed": tuple(steps)})


def test_the_mass_of_a_claims_steps_is_that_of_its_tokens():
    engine = Indifferent(ANSWERS)
    engine.steps = []
    kept = {}
    arguments = dict(engine=engine, options=Options(), on_event=lambda event: None, cancelled=lambda: False)
    arguments |= dict(save_checkpoint=kept.update, on_trace=lambda event: None)
    filing = draft_filing(DISCLOSURE, checkpoint={}, **arguments)
    told = [event for event in filing["trace"] if event.get("claim") == 1]
    assert all(("mass" in event) == (event["op"] == "SHIFT") for event in told)
    assert all(0 < event["mass"] <= 1 for event in told if "mass" in event)
    ours = sum(math.log(event["mass"]) for event in told if "mass" in event)
    assert ours == pytest.approx(sum(math.log(step.mass) for step in engine.steps[1])) and ours < 0
    resumed = draft_filing(DISCLOSURE, checkpoint=json.loads(json.dumps(kept)), **arguments)
    assert [event for event in resumed["trace"] if event.get("claim") == 1] == told


class Contrary(Indifferent):
    """As likely as the grammar's own words, all together, holds one other word, which the grammar never allows."""

    def generate(self, request):
        for delta in super().generate(request):
            if delta.stats:
                other = self.vocabulary.token_bytes.index(b"x")
                steps = [Allowed(0.5, other) if step.mass < 1 else step for step in delta.stats["allowed"]]
                delta = replace(delta, stats={"allowed": tuple(steps)})
            yield delta


@pytest.mark.parametrize(("engine", "forced"), [(Contrary, True), (ScriptedEngine, False)])
def test_a_claim_written_against_the_model_is_told(engine, forced):
    engine = engine(ANSWERS)
    engine.steps = []
    filing = draft_filing(
        DISCLOSURE, engine=engine, options=Options(), on_event=lambda event: None, checkpoint={},
        save_checkpoint=lambda data: None, cancelled=lambda: False, on_trace=lambda event: None,
    )  # fmt: skip
    favourites = [reason for event in filing["trace"] for reason in event.get("favourites", ())]
    if not forced:
        assert not favourites and "log_mass" not in filing["provenance"]
        return
    assert filing["provenance"]["forced_claims"] and min(filing["provenance"]["log_mass"].values()) < FORCED
    assert {reason["token"] for reason in favourites} == {"x"}
    assert all("x" in reason["text"]["zh"] and "x" in reason["text"]["en"] for reason in favourites)
