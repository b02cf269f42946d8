"""The invention model holds only what stands in the disclosure, and says where."""

import pytest

from apps.drafting.invention import MAX_SUBJECT, Invention, InventionError, parse_json, validate
from tests.drafting.scripted import DISCLOSURE, EXTRACTED


def test_every_value_has_its_offset():
    invention = validate(EXTRACTED, DISCLOSURE)
    for part in invention.parts:
        assert DISCLOSURE[part.start : part.end] == part.text
    first = invention.features[0]
    assert DISCLOSURE[first.start : first.end] == "锁舌2滑动设置在壳体1内"


def test_invented_values_are_dropped_and_named():
    invention = validate({**EXTRACTED, "parts": [*EXTRACTED["parts"], "激光器"]}, DISCLOSURE)
    assert "激光器" not in [part.text for part in invention.parts]
    assert invention.dropped == ["激光器"]


def test_introductory_words_are_trimmed():
    invention = validate({**EXTRACTED, "subject": "一种门锁防夹装置", "options": ["优选的，壳体上设有调节螺钉"]}, DISCLOSURE)
    assert invention.subject.text == "门锁防夹装置"
    assert [value.text for value in invention.options] == ["壳体上设有调节螺钉"]


def test_an_option_is_not_a_feature_again():
    data = {**EXTRACTED, "options": EXTRACTED["features"][:1]}
    assert validate(data, DISCLOSURE).options == []


@pytest.mark.parametrize(
    ("subject", "category", "expected"),
    [("图像识别方法", "产品", "方法"), ("图像识别方法", "软件方法", "软件方法"), ("图像识别装置", "方法", "产品")],
)
def test_the_category_agrees_with_the_subject(subject, category, expected):
    data = {"subject": subject, "category": category, "parts": ["图像"], "features": ["采集图像"]}
    assert validate(data, f"一种{subject}，采集图像。").category == expected


def test_a_long_subject_is_cut_to_fit_a_title():
    name = "空调换热器铝管胀管夹紧装置及采用该夹紧装置的胀管工艺"
    invention = validate({"subject": name, "category": "产品", "parts": ["铝管"], "features": []}, f"一种{name}，夹紧铝管。")
    assert invention.subject.text == "空调换热器铝管胀管夹紧装置"
    assert len(invention.subject.text) <= MAX_SUBJECT


def test_a_subject_that_the_disclosure_does_not_name_is_refused():
    with pytest.raises(InventionError):
        validate({**EXTRACTED, "subject": "洗衣机"}, "一种门锁，包括壳体和锁舌。")


@pytest.mark.parametrize(
    ("title", "subject"),
    [("一种麦秸板材的制备方法", "麦秸板材的制备方法"), ("麦秸板材及其制备方法", "麦秸板材"), ("", "麦秸板材")],
)
def test_the_disclosure_s_own_name_is_the_subject(title, subject):
    text = f"发明名称：{title}\n麦秸板材由麦秸压制而成。"
    assert validate({"subject": "麦秸板材", "category": "产品", "parts": ["麦秸"], "features": []}, text).subject.text == subject


def test_json_is_found_in_chatter():
    assert parse_json('好的：{"subject": "门锁"}。') == {"subject": "门锁"}
    with pytest.raises(InventionError):
        parse_json("没有")


def test_it_survives_the_checkpoint():
    invention = validate(EXTRACTED, DISCLOSURE)
    assert Invention.from_dict(invention.to_dict()) == invention


def test_values_are_whole_clauses_of_the_solution():
    text = (
        "有益效果\n弹簧带动卡块，提高了使用的可靠性。\n具体实施方式\n一种扶手，包括底座、卡块和弹簧。"
        "弹簧的一端与底座连接，使得弹簧带动卡块卡入卡槽。"
    )
    data = {
        "subject": "扶手", "category": "产品", "parts": ["两个卡块", "底座、卡块和弹簧"], "features": ["弹簧带动卡块"],
        "options": ["卡入卡槽"], "effects": ["使用的可靠性", "有益效果"],
    }  # fmt: skip
    invention = validate(data, text)
    assert [part.text for part in invention.parts] == ["卡块", "底座", "弹簧"]
    assert [value.text for value in invention.features] == ["弹簧带动卡块"]
    assert [value.text for value in invention.options] == ["弹簧的一端与底座连接，使得弹簧带动卡块卡入卡槽"]
    assert [value.text for value in invention.effects] == ["提高了使用的可靠性"]


@pytest.mark.parametrize(
    ("subject", "text", "name"),
    [
        ("门锁", "本实用新型涉及门锁。本实用新型的门锁，包括锁舌，采集图像。", "本实用新型"),
        ("门锁", "本发明涉及门锁，包括锁舌，采集图像。本实用新型。", "本发明"),
        ("识别方法", "本实用新型涉及识别方法。本实用新型采集图像。", "本发明"),
    ],
)
def test_the_filing_calls_itself_as_the_disclosure_does_unless_it_claims_a_method(subject, text, name):
    data = {"subject": subject, "category": "", "parts": ["锁舌", "图像"], "features": []}
    assert validate(data, text).self_name(text) == name
