"""The claim tree: who depends on whom, how many, and what the host writes for it."""

import pytest

from apps.drafting.invention import validate
from apps.drafting.plan import MIN_DEPENDENTS, PlannedClaim, ancestors, make_plan
from tests.drafting.scripted import DISCLOSURE, EXTRACTED


def plan_of(**changes):
    invention = validate({**EXTRACTED, **changes}, DISCLOSURE)
    return make_plan(invention, DISCLOSURE, invention.terms)


def test_one_independent_and_four_dependents():
    plan = plan_of()
    assert [claim.rule for claim in plan][:1] == ["independent"]
    assert len(plan) - 1 >= MIN_DEPENDENTS
    assert [claim.number for claim in plan] == list(range(1, len(plan) + 1))


def test_a_dependent_refers_to_the_claim_that_brings_in_its_term():
    plan = plan_of()
    sleeve = next(claim for claim in plan if claim.features == ["感应杆的外侧包覆有硅胶套"])
    thickness = next(claim for claim in plan if claim.features == ["硅胶套的厚度为2mm至4mm"])
    assert thickness.parent == sleeve.number
    assert thickness.ref == f"根据权利要求{sleeve.number}"
    assert ancestors(thickness.number, plan) == [sleeve.number, 1]


def test_a_thin_extraction_is_filled_from_the_disclosure():
    plan = plan_of(options=[], features=["锁舌滑动设置在壳体内", "感应杆铰接在壳体的外侧"])
    assert len(plan) - 1 == MIN_DEPENDENTS
    clean = DISCLOSURE.translate({ord(digit): None for digit in "123456"})
    assert all(feature.translate({ord(digit): None for digit in "123456"}) in clean for c in plan for feature in c.features)


def test_nothing_is_claimed_twice():
    features = [feature for claim in plan_of() for feature in claim.features]
    assert len(features) == len(set(features))


@pytest.mark.parametrize(("category", "rules"), [("软件方法", ["device", "medium"]), ("方法", ["dependent", "dependent"])])
def test_only_software_methods_end_with_a_device_and_a_medium(category, rules):
    steps = [f"第{n}数据被处理器读取" for n in "一二三四五六七八九十"]
    text = "一种数据读取方法。" + "。".join(steps) + "。"
    data = {"subject": "数据读取方法", "category": category, "parts": ["处理器"], "features": steps[:2], "options": steps[2:]}
    plan = make_plan(validate(data, text), text, ["数据读取方法", "处理器"])
    assert [claim.rule for claim in plan][-2:] == rules
    assert len(plan) <= 10
    if category == "软件方法":
        assert plan[-1].link == "权利要求1至8中任一项"


def test_it_survives_the_checkpoint():
    plan = plan_of()
    assert [PlannedClaim.from_dict(claim.to_dict()) for claim in plan] == plan
