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
        validate({**EXTRACTED, "subject": "洗衣机"}, DISCLOSURE)


def test_json_is_found_in_chatter():
    assert parse_json('好的：{"subject": "门锁"}。') == {"subject": "门锁"}
    with pytest.raises(InventionError):
        parse_json("没有")


def test_it_survives_the_checkpoint():
    invention = validate(EXTRACTED, DISCLOSURE)
    assert Invention.from_dict(invention.to_dict()) == invention
