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


def planned(text, **data):
    data = {"category": "产品", "options": [], **data}
    invention = validate(data, text)
    return make_plan(invention, text, invention.terms)


def test_a_method_keeps_its_steps_and_gives_up_its_quantities():
    steps = [
        "将豆子浸泡，加入2L清水，捞出控干", "将豆子磨成浆，滤去豆渣，煮沸20～25分钟，冷却", "向浆中加入3g石膏",
        "将浆倒入模具，压制30分钟，切块，装入盒中，冷藏在4℃的环境中",
    ]  # fmt: skip
    text = "一种豆腐制作方法。" + "。".join(steps) + "。"
    plan = planned(text, subject="豆腐制作方法", category="方法", parts=["豆子", "浆", "模具"], features=steps)
    assert len(plan[0].features) == 4
    details = [claim.features[0] for claim in plan[1:]]
    assert details == ["加入2L清水", "煮沸20～25分钟", "压制30分钟", "冷藏在4℃的环境中"]
    assert "磨成浆，滤去豆渣，冷却" in plan[0].features[1]


def test_a_product_is_claimed_by_its_structure():
    text = (
        "一种清洗机，包括箱体和风机。打开风机，风机带动箱体转动。风机固定在箱体上，使得空气流动，提高了效率。"
        "且弹簧可带动箱体复位。箱体上开设有气孔。气孔内安装有滤网。滤网上设有把手。"
    )
    features = [clause for clause in text.split("。")[1:] if clause]
    plan = planned(text, subject="清洗机", parts=["箱体", "风机", "弹簧", "气孔", "滤网", "把手"], features=features)
    said = [feature for claim in plan for feature in claim.features]
    assert "风机固定在箱体上" in said and "弹簧可带动箱体复位" in said
    assert not any("打开" in feature or "提高" in feature for feature in said)


def test_the_parent_brings_in_most_of_the_terms_with_the_claims_above_it():
    text = "一种车架，包括车轮和车把。车把上设有铃铛。铃铛上设有拉绳。车轮上设有辐条。辐条通过拉绳与铃铛连接。"
    parts = ["车轮", "车把", "铃铛", "拉绳", "辐条"]
    plan = planned(text, subject="车架", parts=parts, features=["包括车轮和车把"], options=text.split("。")[1:-1])
    joined = next(claim for claim in plan if claim.features == ["辐条通过拉绳与铃铛连接"])
    assert plan[joined.parent - 1].features == ["铃铛上设有拉绳"]


def test_a_relation_that_ends_with_a_part_of_a_part_is_no_bare_noun():
    relations = ["弹簧的一端抵接锁舌的后端", "感应杆铰接在壳体的外侧", "挡块的一端朝向锁舌的卡槽", "电机驱动壳体的转轴"]
    text = "一种锁。" + "。".join([*relations, "未处理锁舌的对比样"]) + "。"
    plan = planned(text, subject="锁", parts=["弹簧", "锁舌", "壳体", "挡块", "电机"], features=[*relations, "未处理锁舌的对比样"])
    assert [feature for claim in plan for feature in claim.features] == relations


def test_a_long_feature_is_cut_where_a_clause_turns_to_another_part():
    long = (
        "清理装置包括清理圈，所述清理圈与电网滑动连接，清理圈可在电网上移动，所述清理圈的两端固定连接有把手，"
        "所述把手远离清理圈的一端固定连接有圆环，所述圆环可挂在挂钩上"
    )
    rest = ["灯体的顶部设有电网", "电网上设有清理装置", "灯体的下方设有挂钩", "挂钩固定在灯体上"]
    text = "一种灯。" + "。".join([*rest, long]) + "。"
    plan = planned(text, subject="灯", parts=["灯体", "电网", "清理装置", "清理圈", "把手", "圆环", "挂钩"], features=[*rest, long])
    said = [claim.features for claim in plan[1:]]
    assert len(said) == 4 and "，".join([said[-2][0], said[-1][0]]) == long
    assert plan[-1].parent == plan[-2].number
