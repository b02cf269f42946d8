"""References follow the outline of the plan, whatever the model would like to write (a public report: random dependency)."""

import pytest

from apps.claims.parse import ClaimSet
from tests.drafting.scripted import ScriptedEngine
from tests.drafting.test_pipeline import ANSWERS, draft

OUTLINE = {2: 1, 3: 2, 4: 3}


def outlined() -> dict:
    """A checkpoint after the plan, with dependents that hang in a chain."""
    saved = []
    draft(ScriptedEngine(ANSWERS), saved=saved)
    kept = next(data for data in saved if "plan" in data)
    plan = [{**claim, "parent": OUTLINE.get(claim["number"])} for claim in kept["plan"][:4]]
    return {**kept, "plan": plan, "claims": []}


@pytest.mark.parametrize("wanted", ["根据权利要求9", "根据权利要求1或2", "根据权利要求1至3中任一项", "一种"])
def test_three_dependents_follow_a_chain(wanted):
    wrong = f"{wanted}所述的门锁防夹装置，其特征在于，所述感应杆的外侧包覆有硅胶套。"
    filing = draft(ScriptedEngine([*ANSWERS[1:2], *[wrong] * 3, *ANSWERS[-2:]]), checkpoint=outlined())
    claims = ClaimSet.from_list(filing["claims"]).claims
    assert {claim.number: claim.refs for claim in claims} == {1: [], **{n: [parent] for n, parent in OUTLINE.items()}}
    references = {f"CN-DEP-00{n}" for n in range(1, 10)}
    assert not references & {finding["rule"] for finding in filing["findings"]}
