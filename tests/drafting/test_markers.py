"""Marked steps and preferences of a disclosure become features and options, as spans of it."""

from apps.drafting.invention import validate
from apps.drafting.lexicon import with_antecedents
from apps.drafting.markers import with_marks

TEXT = """一种车牌识别方法，包括以下步骤：

步骤S1，采集车辆的图像；

步骤S2，对图像进行降噪，得到清晰图像；

步骤S3，识别清晰图像中的车牌。

优选的，步骤S2中，降噪采用中值滤波。

优选的，所述车牌为新能源车牌。

本发明还提供一种计算机可读存储介质。
"""


def marked(text=TEXT, category="方法"):
    data = {"subject": "车牌识别方法", "category": category, "parts": ["图像", "车牌"], "features": ["采集车辆的图像"], "options": ["中值滤波"], "effects": []}
    return with_marks(validate(data, text), text)


def test_steps_are_the_features_of_a_method():
    assert [value.text for value in marked().features] == ["采集车辆的图像", "对图像进行降噪，得到清晰图像", "识别清晰图像中的车牌"]


def test_preferences_are_options_and_replace_fragments_of_themselves():
    assert [value.text for value in marked().options] == ["降噪采用中值滤波", "车牌为新能源车牌"]


def test_every_value_is_a_span():
    for value in [*marked().features, *marked().options]:
        assert TEXT[value.start : value.end] == value.text


def test_a_method_for_a_computer_is_a_software_method():
    assert marked().category == "软件方法"
    assert marked(TEXT.replace("本发明还提供一种计算机可读存储介质。", "")).category == "方法"


def test_known_terms_are_referred_to_with_their_antecedent():
    text = "采集图像；对图像降噪；识别所述图像中的车牌，输出车牌"
    assert with_antecedents(text, ["图像", "车牌"], []) == "采集图像；对所述图像降噪；识别所述图像中的车牌，输出所述车牌"
    assert with_antecedents("图像清晰", ["图像"], ["图像"]) == "所述图像清晰"


def test_a_name_with_a_sign_is_a_part():
    text = "一种门锁，包括壳体1和锁舌2。锁舌2的后端开有卡槽21。"
    data = {"subject": "门锁", "category": "产品", "parts": ["壳体", "锁舌"], "features": [], "options": [], "effects": []}
    parts = with_marks(validate(data, text), text).parts
    assert "卡槽" in [part.text for part in parts]
    assert all(text[part.start : part.end] == part.text for part in parts)


PRODUCT = """一种窗扇锁，包括壳体1、锁舌2和弹簧3。

壳体1固定在窗框上，锁舌2滑动设置在壳体1内，锁舌2的后端开有卡槽21。弹簧3的一端抵接锁舌2。关窗时，弹簧3推出锁舌2。

壳体1的颜色为白色。
"""


def test_what_stands_beside_an_extracted_feature_is_a_feature_too():
    data = {"subject": "窗扇锁", "category": "产品", "parts": ["壳体", "锁舌"], "features": ["锁舌滑动设置在壳体内"], "options": [], "effects": []}
    found = with_marks(validate(data, PRODUCT), PRODUCT)
    assert {value.text for value in found.features} == {
        "包括壳体、锁舌和弹簧", "锁舌滑动设置在壳体内", "壳体固定在窗框上", "锁舌的后端开有卡槽", "弹簧的一端抵接锁舌"
    }  # fmt: skip
    assert {"弹簧", "卡槽"} <= {value.text for value in found.parts}


def test_names_that_the_disclosure_keeps_using_are_parts():
    text = TEXT + "所述预警时间根据车速确定，车辆移动时更新所述预警时间。生成预警信息，所述预警信息包括车速。"
    names = [value.text for value in marked(text).parts]
    assert {"预警时间", "预警信息"} <= set(names) and "确定" not in names


def test_a_long_sentence_makes_several_features_of_whole_clauses():
    clauses = [f"第{n}支杆的底端固定连接在底座的第{n}安装孔内" for n in "一二三四五六七八九"]
    text = f"发明名称：晾衣架\n晾衣架，包括底座和支杆，{'，'.join(clauses)}。"
    data = {"subject": "晾衣架", "category": "产品", "parts": ["底座", "支杆"], "features": ["包括底座和支杆"], "options": []}
    features = [value.text for value in with_marks(validate(data, text), text).features]
    assert "，".join(features) == "包括底座和支杆，" + "，".join(clauses)
    assert len(features) == 3 and all(len(feature) <= 120 for feature in features)


def test_purposes_and_operation_are_no_features():
    text = (
        "发明名称：晾衣架\n晾衣架，包括底座和支杆，通过设置支杆，使得衣物悬空，支杆固定在底座上。\n"
        "支杆上套设有滑套，滑套上铰接有挂钩，当挂钩转动时，滑套随之滑动，支杆不动。\n晾衣架很美观，支杆很轻。"
    )
    data = {"subject": "晾衣架", "category": "产品", "parts": ["底座", "支杆", "滑套", "挂钩"], "features": ["支杆固定在底座上"], "options": []}
    features = {value.text for value in with_marks(validate(data, text), text).features}
    assert features == {"支杆固定在底座上", "包括底座和支杆", "支杆上套设有滑套，滑套上铰接有挂钩"}


def test_a_numbered_list_gives_the_steps_of_a_method_once():
    text = (
        "发明名称：一种腌菜工艺\n具体实施方式\n实施例1：\n(1)切菜：将白菜切成细丝；\n(2)腌制：向细丝中加入食盐，静置；\n(3)装坛。\n"
        "实施例2：\n(1)切菜：将萝卜切成细丝；\n(2)腌制：静置更久；"
    )
    data = {"subject": "腌菜工艺", "category": "方法", "parts": ["白菜", "细丝"], "features": ["将白菜切成细丝"], "options": []}
    steps = [value.text for value in with_marks(validate(data, text), text).features]
    assert steps == ["将白菜切成细丝", "向细丝中加入食盐，静置"]
