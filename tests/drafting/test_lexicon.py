"""The words a claim is made of: values stay whole, compounds are terms, nothing is cut in the middle."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.drafting.lexicon import QUANTITY, claim_words, extended_terms, forbidden, whole_name


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("质量比（20～40）：（60～80）加入", ["（20～40）：（60～80）"]),
        ("质量比为100：（8～15）：（1～3），", ["100：（8～15）：（1～3）"]),
        ("转速为300r/min至600r/min，", ["300r/min", "600r/min"]),
        ("强度为6.1kJ/m²，温度60℃±5℃，", ["6.1kJ/m²", "60℃±5℃"]),
        ("按照1：3的比例", ["1：3"]),
        ("粒径为0.1-0.5μm，浓度1×10^-3mol/L", ["0.1-0.5μm", "1×10^-3mol/L"]),
        ("夹角为15°至30°，硬度为30A", ["15°", "30°", "30A"]),
        ("PM2.5传感器，步骤S101", []),
    ],
)
def test_a_value_is_one_word_and_no_part_of_it_is(text, values):
    assert [match[0] for match in QUANTITY.finditer(text)] == values
    numeric = {word for word in claim_words(text, []) if any(char.isdigit() for char in word)}
    assert numeric - {"PM2.5", "S101"} == set(values)


@given(st.lists(st.tuples(st.integers(1, 999), st.integers(1, 999)), min_size=2, max_size=4), st.sampled_from("：:"))
def test_ratios_of_any_length_stay_whole(pairs, colon):
    ratio = colon.join(f"（{low}～{high}）" for low, high in pairs)
    assert [word for word in claim_words(f"质量比为{ratio}的混合物", []) if any(c.isdigit() for c in word)] == [ratio]


def test_a_qualified_part_is_a_term_of_its_own():
    source = "阻尼器为旋转式硅油阻尼器，挡块的另一端朝向阻尼器，壳体上设有阻尼器座。"
    assert extended_terms(source, ["阻尼器"]) == ["阻尼器", "阻尼器座", "旋转式硅油阻尼器"]


def test_a_verb_in_front_of_a_part_makes_no_term():
    source = "空气通过风机泵入气管，凹口使清理挡板方便，气管上设有气孔，挡板固定在气管上。"
    assert extended_terms(source, ["气管", "挡板"]) == ["气管", "挡板"]


def test_a_name_is_taken_whole():
    source = "主机箱上固定有进料斗，油料通过进料斗进入。进料斗由钢板制成。"
    assert whole_name("料斗", source) == "进料斗"
    assert whole_name("钢板", source) == "钢板"


def test_a_term_that_stands_only_inside_another_is_none():
    assert extended_terms("收集装置位于清洗箱内，清洗箱包括收集装置。", ["收集装置", "装置", "清洗箱"]) == ["收集装置", "清洗箱"]


def test_left_and_right_are_places_and_vague_only_behind_a_value():
    source = "座体的左右两侧均设有滑块，滑块的长度为3mm左右，左右对称。"
    assert "左右" in claim_words(source, []) and "3mm左右" in forbidden([], source)
    assert not any(word in "左右两侧均设有滑块" for word in forbidden([], source))


def test_an_amount_behind_a_term_is_no_drawing_sign():
    assert "食盐2" not in forbidden(["食盐", "白糖"], "加入食盐20g和白糖")
    assert {"食盐3", "白糖2"} <= set(forbidden(["食盐", "白糖"], "加入食盐20g和白糖"))


def test_a_short_qualifier_counts_when_the_disclosure_keeps_it():
    source = "捞出晾干的干配料，充分干燥的干配料装袋，加入配料。清理装置对卡槽清理，也对卡槽加热。"
    assert extended_terms(source, ["配料", "卡槽"]) == ["配料", "卡槽", "干配料"]
