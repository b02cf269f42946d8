"""Drawing signs and figures in the three ways that disclosures write them."""

import pytest

from apps.drafting.signs import Figure, find_figures, find_signs, is_sign_list, signed, unbracketed, unsigned


@pytest.mark.parametrize(
    "text",
    [
        "壳体1内设有电机2，电机2与转轴3连接。",
        "壳体（1）内设有电机（2），电机(2)与转轴（3）连接。",
        "附图标记：1、壳体；2、电机；3、转轴。",
        "1-壳体，2-电机，3-转轴",
    ],
)
def test_every_way_of_writing_signs(text):
    assert find_signs(text, ["壳体", "电机", "转轴"]) == {"壳体": "1", "电机": "2", "转轴": "3"}


def test_a_known_term_settles_where_it_begins():
    assert find_signs("设有复位弹簧3，锁舌2。", ["复位弹簧", "弹簧"])["复位弹簧"] == "3"


@pytest.mark.parametrize(
    "text", ["温度为80℃，时间为3小时。", "如图1和图2所示。", "步骤1，采集图像；步骤2，输出图像。", "厚度为2mm至4mm。", "共有3个电机。"]
)
def test_values_and_references_are_no_signs(text):
    assert find_signs(text) == {}
    assert unsigned(text)[0] == text


def test_unsigned_keeps_offsets():
    text = "壳体1内设有电机（2）。"
    clean, offsets = unsigned(text)
    assert clean == "壳体内设有电机。"
    assert "".join(text[offset] for offset in offsets) == clean


def test_the_description_has_signs_without_brackets():
    assert unbracketed("壳体（1）内") == "壳体1内"
    assert signed("壳体内设有电机2。", {"壳体": "1", "电机": "2"}) == "壳体1内设有电机2。"


def test_longer_terms_win_over_the_ones_inside():
    assert signed("弹簧座与弹簧", {"弹簧": "3", "弹簧座": "4"}) == "弹簧座4与弹簧3"


def test_figures_in_order_once():
    text = "图2为剖视图；\n图1是整体结构示意图。\n图2为别的图。"
    assert find_figures(text) == [Figure("1", "整体结构示意图"), Figure("2", "剖视图")]


def test_a_sign_list_is_told_from_a_sentence():
    assert is_sign_list("1-壳体，2-电机")
    assert not is_sign_list("壳体1内设有电机2。")


def test_a_sign_in_front_of_a_plain_word_is_still_a_sign():
    text = "两个滑槽9分别开设在内壁71上，滑杆61分别套接在弹簧64内，冷却3分钟。"
    assert unsigned(text)[0] == "两个滑槽分别开设在内壁上，滑杆分别套接在弹簧内，冷却3分钟。"
