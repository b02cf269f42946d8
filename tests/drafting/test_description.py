"""The description: five headings, claims mirrored, signs without brackets, figures only when named."""

import re

from apps.drafting.description import build_description, summary_of
from apps.drafting.excerpt import excerpt, plain, readable
from apps.drafting.invention import validate
from tests.drafting.scripted import DISCLOSURE, EXTRACTED

CLAIMS = [
    {"number": 1, "text": "一种门锁防夹装置，其特征在于，包括壳体和锁舌，所述锁舌滑动设置在所述壳体内。"},
    {"number": 2, "text": "根据权利要求1所述的门锁防夹装置，其特征在于，还包括扭簧。"},
]


def describe(text=DISCLOSURE):
    text = plain(text)
    invention = validate(EXTRACTED, text)
    sections = build_description(invention, CLAIMS, text)["sections"]
    return {section["heading"]: section["paragraphs"] for section in sections}


def test_five_headings_in_order():
    assert list(describe()) == ["技术领域", "背景技术", "发明内容", "附图说明", "具体实施方式"]


def test_no_figures_no_drawing_notes():
    without = re.sub(r"## 附图说明[\s\S]*", "", DISCLOSURE)
    assert "附图说明" not in describe(without)


def test_the_summary_mirrors_every_claim():
    summary = describe()["发明内容"]
    assert "一种门锁防夹装置，包括壳体和锁舌，所述锁舌滑动设置在所述壳体内。" in summary
    assert "进一步地，还包括扭簧。" in summary


def test_no_claim_number_and_no_bracketed_sign():
    text = "".join(paragraph for paragraphs in describe().values() for paragraph in paragraphs)
    assert "权利要求1" not in text
    assert not re.search(r"[（(]\d+[）)]", text)
    assert "锁舌2滑动设置在壳体1内" in text


def test_the_figures_and_the_signs_are_listed():
    notes = describe()["附图说明"]
    assert notes[0] == "图1为整体结构示意图。"
    assert notes[-1].startswith("附图标记：1、壳体；2、锁舌")


def test_background_stays_out_of_the_embodiments():
    sections = describe()
    assert "现有的门锁没有缓冲" in "".join(sections["背景技术"])
    assert "现有的门锁没有缓冲" not in "".join(sections["具体实施方式"])


def test_paragraphs_are_numbered_through():
    text = plain(DISCLOSURE)
    sections = build_description(validate(EXTRACTED, text), CLAIMS, text)["sections"]
    expected = 1
    for section in sections:
        assert section["first_number"] == expected
        expected += len(section["paragraphs"])


def test_a_device_claim_names_the_method_in_the_summary():
    claim = "一种计算机可读存储介质，其上存储有计算机程序，其特征在于，所述计算机程序被处理器执行时实现权利要求1至5中任一项所述的识别方法。"
    assert "其特征在于" not in summary_of(claim)


def test_a_long_disclosure_keeps_the_solution():
    text = "发明名称：一种门锁\n" + "闲话少说。\n" * 600 + "壳体内设置有锁舌。"
    kept, left_out = excerpt(text, 500)
    assert len(kept) <= 500 and left_out > 0
    assert kept.startswith("发明名称") and kept.endswith("壳体内设置有锁舌。")


def test_markup_and_figure_lines_are_not_read():
    text = readable(plain("# 标题\n\n| 名称 | 门锁 |\n| --- | --- |\n- **壳体**固定\n图1为剖视图。\n附图标记：1、壳体。"))
    assert text == "标题\n名称：门锁\n壳体固定"
