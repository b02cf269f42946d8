"""The pipeline with a scripted engine: a whole filing, resumption from the checkpoint, cancellation, free decoding."""

import json

import pytest

from apps.claims.parse import ClaimSet
from apps.common.errors import ProductError
from apps.drafting.pipeline import Cancelled, Options, draft_filing
from tests.drafting.scripted import DISCLOSURE, EXTRACTED, ScriptedEngine

INVENTION = json.dumps(EXTRACTED, ensure_ascii=False, separators=(",", ":"))
FIRST = "一种门锁防夹装置，其特征在于，包括壳体、锁舌、感应杆和扭簧，所述锁舌滑动设置在所述壳体内。"
DEPENDENT = "根据权利要求1所述的门锁防夹装置，其特征在于，所述感应杆的外侧包覆有硅胶套。"
ANSWERS = [INVENTION, FIRST, *[DEPENDENT] * 4, "门锁防夹装置", "本发明公开了一种门锁防夹装置，包括壳体和锁舌。"]


def draft(engine, checkpoint=None, saved=None, events=None, cancelled=lambda: False, text=DISCLOSURE, **options):
    saved, events = [] if saved is None else saved, [] if events is None else events
    return draft_filing(
        text,
        engine=engine,
        options=Options(**options),
        on_event=events.append,
        checkpoint=checkpoint or {},
        save_checkpoint=saved.append,
        cancelled=cancelled,
    )


def test_a_whole_filing():
    events = []
    filing = draft(ScriptedEngine(ANSWERS), events=events)
    assert filing["title"] == "门锁防夹装置" and len(filing["abstract"]) <= 300
    assert [claim["number"] for claim in filing["claims"]] == [1, 2, 3, 4, 5]
    assert filing["claims"][0]["text"].startswith(FIRST[:-1])
    assert len(ClaimSet.from_list(filing["claims"]).claims) == 5
    assert {event["kind"] for event in events} >= {"stage", "text", "claim"}
    percents = [event["percent"] for event in events if event["kind"] == "stage"]
    assert percents == sorted(percents)
    assert [event["claim"] for event in filing["trace"] if event["op"] == "ACCEPT" and "claim" in event] == [1, 2, 3, 4, 5]
    assert filing["provenance"]["mode"] == "grammar" and filing["provenance"]["grammar"]
    json.dumps(filing, ensure_ascii=False)


def test_the_prompts_share_their_beginning():
    engine = ScriptedEngine(ANSWERS)
    draft(engine)
    assert len({prompt[0]["content"] for prompt in engine.prompts}) == 1
    claims = engine.prompts[1:6]
    for earlier, later in zip(claims, claims[1:], strict=False):
        assert later[: len(earlier)] == earlier


def test_a_second_run_goes_on_at_the_next_claim():
    whole = draft(ScriptedEngine(ANSWERS))
    saved = []

    def after_two_claims():
        return bool(saved) and len(saved[-1].get("claims", ())) >= 2

    with pytest.raises(Cancelled):
        draft(ScriptedEngine(ANSWERS), saved=saved, cancelled=after_two_claims)
    engine = ScriptedEngine(ANSWERS[3:])
    events = []
    filing = draft(engine, checkpoint=saved[-1], events=events)
    assert engine.calls == len(ANSWERS) - 3
    assert filing["claims"] == whole["claims"] and filing["abstract"] == whole["abstract"]
    assert [event["number"] for event in events if event["kind"] == "claim" and event.get("resumed")] == [1, 2]


def test_a_finished_checkpoint_needs_no_engine():
    saved = []
    whole = draft(ScriptedEngine(ANSWERS), saved=saved)
    engine = ScriptedEngine([])
    assert draft(engine, checkpoint=saved[-1])["claims"] == whole["claims"]
    assert engine.calls == 0


def test_a_checkpoint_of_another_disclosure_is_not_used():
    saved = []
    draft(ScriptedEngine(ANSWERS), saved=saved)
    engine = ScriptedEngine(ANSWERS)
    draft(engine, checkpoint=saved[-1], text=DISCLOSURE.replace("儿童", "老人"))
    assert engine.calls > 0


def test_cancelling_inside_a_claim_keeps_the_earlier_ones():
    saved, events = [], []

    def inside_claim_two():
        return any(event["kind"] == "text" and event.get("claim") == 2 for event in events)

    with pytest.raises(Cancelled):
        draft(ScriptedEngine(ANSWERS), saved=saved, events=events, cancelled=inside_claim_two)
    assert [claim["number"] for claim in saved[-1]["claims"]] == [1]


def test_free_decoding_reports_what_the_grammar_would_have_prevented():
    wrong = "根据权利要求9所述的门锁防夹装置，其特征在于，所述激光器发光。"
    filing = draft(ScriptedEngine([INVENTION, FIRST, *[wrong] * 4, "门锁防夹装置", "摘要。"]), grammar=False)
    assert filing["provenance"]["mode"] == "free" and filing["trace"] == []
    assert any(finding["severity"] == "error" for finding in filing["findings"])


def test_an_empty_disclosure_is_refused_before_the_engine():
    engine = ScriptedEngine(ANSWERS)
    with pytest.raises(ProductError) as refusal:
        draft(engine, text="# \n\n")
    assert refusal.value.code == "empty_disclosure" and engine.calls == 0
