"""Each rule with one violating and one compliant line."""

import pytest

from apps.claims.catalogue import RULES
from apps.claims.check import check_claims, check_filing, select
from apps.claims.parse import ClaimSet, parse_claims

ONE = "1. 一种泵，包括壳体，其特征在于，所述壳体内设有叶轮。"
TWO = "2. 根据权利要求1所述的泵，其特征在于，还包括底座。"
THREE = "3. 根据权利要求1或2所述的泵，其特征在于，还包括滤网。"


def alone(body: str) -> str:
    return f"1. 一种泵，包括壳体，其特征在于，{body}。"


def after(line: str) -> str:
    return f"{ONE}\n{line}"


CLAIM_CASES = [
    ("CN-CLM-001", f"{ONE}\n3. 根据权利要求1所述的泵，其特征在于，还包括底座。", after(TWO)),
    ("CN-CLM-002", "权利要求1. 一种阀门，其特征在于，包括阀芯。", "1. 一种阀门，其特征在于，包括阀芯。"),
    ("CN-CLM-003", "1）一种阀门，其特征在于，包括阀芯。", "1. 一种阀门，其特征在于，包括阀芯。"),
    ("CN-CLM-004", "1. 根据权利要求2所述的阀门，其特征在于，包括阀芯。", "1. 一种阀门，其特征在于，包括阀芯。"),
    ("CN-CLM-005", "1. 一种泵，包括壳体。其特征在于，设有叶轮。", ONE),
    ("CN-CLM-006", "1. 一种泵，其特征在于，包括：\n壳体\n叶轮。", "1. 一种泵，其特征在于，包括：\n壳体；\n叶轮。"),
    ("CN-CLM-007", f"【技术方案】{ONE}", ONE),
    ("CN-CLM-008", alone("结构为![](a.png)"), alone("叶片倾斜设置")),
    ("CN-CLM-011", alone("结构如图2所示"), alone("序列如SEQ ID NO：1所示")),
    ("CN-CLM-012", alone("壳体1内设有轴2"), alone("壳体（1）内设有轴（2）")),
    ("CN-CLM-014", alone("壳体（1）下方设有底座（1）"), alone("壳体（1）下方设有底座（2）")),
    ("CN-CLM-023", f"好的，根据交底书：{ONE}", ONE),
    ("CN-CLM-023", alone("轴长为【待补充】"), alone("轴长为5cm")),
    ("CN-CLM-024", after("2. 如请求项1所述之裝置。"), after(TWO)),
    ("CN-CLM-025", after("2. 根据权利要求１所述的泵，其特征在于，还包括底座。"), after(TWO)),
    ("CN-CLM-026", alone("本发明的壳体为铝"), alone("所述壳体为铝")),
    ("CN-IND-001", "1. 阀门，其特征在于，包括阀芯。", "1. 一种阀门，其特征在于，包括阀芯。"),
    ("CN-IND-002", "1. 一种散热技术，其特征在于，包括风扇。", "1. 一种散热方法，其特征在于，吹风。"),
    ("CN-IND-003", "1. 一种齿轮及其加工方法，其特征在于，渗碳。", "1. 一种齿轮的加工方法，其特征在于，渗碳。"),
    ("CN-IND-005", "1. 一种泵，包括壳体和叶轮。", ONE),
    ("CN-IND-006", alone("设有轴，其特征在于，设有阀"), ONE),
    ("CN-IND-008", alone("包括由甲、乙组成等"), alone("由甲和乙组成")),
    ("CN-DEP-001", after("2. 根据权利要求1，其特征在于，还包括底座。"), after(TWO)),
    ("CN-DEP-002", after("2. 根据权利要求4所述的泵，其特征在于，还包括底座。"), after(TWO)),
    ("CN-DEP-003", after("2. 根据权利要求2所述的泵，其特征在于，还包括底座。"), after(TWO)),
    ("CN-DEP-003", after("2. 根据权利要求1或1所述的泵，其特征在于，还包括底座。"), after(TWO)),
    ("CN-DEP-004", "1. 一种离心泵，其特征在于，包括壳体。\n2. 根据权利要求1所述的水阀，其特征在于，还包括底座。", after(TWO)),
    ("CN-DEP-005", f"{ONE}\n{TWO}\n3. 根据权利要求1和2所述的泵，其特征在于，还包括滤网。", f"{ONE}\n{TWO}\n{THREE}"),
    ("CN-DEP-006", f"{ONE}\n{TWO}\n{THREE}\n4. 根据权利要求2或3所述的泵，其特征在于，还包括门。", f"{ONE}\n{TWO}\n{THREE}\n4. 根据权利要求2所述的泵，其特征在于，还包括门。"),
    ("CN-DEP-007", f"{ONE}\n{TWO}\n3. 根据权利要求2-1任一项所述的泵，其特征在于，还包括门。", f"{ONE}\n{TWO}\n3. 根据权利要求1至2中任一项所述的泵，其特征在于，还包括门。"),
    ("CN-DEP-008", after("2. 如前述权利要求中任一项所述的泵，其特征在于，还包括底座。"), after(TWO)),
    ("CN-DEP-009", f"{ONE}\n2. 一种清洗方法，其特征在于，冲水。\n3. 根据权利要求1或2所述的泵，其特征在于，还包括门。", f"{ONE}\n{TWO}\n{THREE}"),
    ("CN-DEP-011", after("2. 根据权利要求1所述的泵，其特征在于，包括壳体。"), after(TWO)),
    ("CN-DEP-011", after("2. 根据权利要求1所述的泵，其特征在于，上。"), after(TWO)),
    ("CN-DEP-011", after("2. 根据权利要求1所述的泵，其特征在于，所述泵。"), after("2. 根据权利要求1所述的泵，其特征在于，所述叶轮为铜。")),
    ("CN-DEP-012", after("2. 根据权利要求1所述的泵，其特征在于，不包括所述叶轮。"), after(TWO)),
    ("CN-DEP-013", alone("壳体厚度为10～30mm") + "\n2. 根据权利要求1所述的泵，其特征在于，壳体厚度为5～20mm。", alone("壳体厚度为10～30mm") + "\n2. 根据权利要求1所述的泵，其特征在于，壳体厚度为15～20mm。"),
    ("CN-DEP-014", f"{ONE}\n2. 根据权利要求3所述的泵，其特征在于，还包括门。\n3. 根据权利要求2所述的泵，其特征在于，还包括窗。", after(TWO)),
    ("CN-DEP-015", after("2. 根据权利要求1所述的泵，还包括底座。"), after(TWO)),
    ("CN-DEP-016", "1. 一种组合物，其特征在于，由甲和乙组成。\n2. 根据权利要求1所述的组合物，其特征在于，还含有丙。", "1. 一种组合物，其特征在于，含有甲和乙。\n2. 根据权利要求1所述的组合物，其特征在于，还含有丙。"),
    ("CN-TRM-001", alone("所述密封圈为环形"), alone("设有密封圈，所述密封圈为环形")),
    ("CN-TRM-002", f"{ONE}\n2. 根据权利要求1所述的泵，其特征在于，还包括弹簧。\n3. 根据权利要求1或2所述的泵，其特征在于，所述弹簧为钢。", f"{ONE}\n2. 根据权利要求1所述的泵，其特征在于，还包括弹簧。\n3. 根据权利要求2所述的泵，其特征在于，所述弹簧为钢。"),
    ("CN-TRM-003", alone("设有第一支架和第二支架，所述支架为钢"), alone("设有第一支架和第二支架，所述第一支架为钢")),
    ("CN-TRM-004", alone("设有第二阀门"), alone("设有第一阀门和第二阀门")),
    ("CN-TRM-005", alone("设有轴（2），还设有一轴杆（1），下方另有一轴杆（1）"), alone("设有一轴杆（1），所述轴杆（1）为钢")),
    ("CN-TRM-006", alone("设有多个喷嘴，所述喷嘴的直径为2mm"), alone("设有多个喷嘴，各所述喷嘴的直径为2mm")),
    ("CN-VAG-001", alone("壳体为金属，例如铜"), alone("壳体为铜")),
    ("CN-VAG-002", alone("温度优选为20℃"), alone("温度为20℃")),
    ("CN-VAG-003", alone("长度约10mm"), alone("长度为9mm～11mm，内置接近开关")),
    ("CN-VAG-004", alone("壳体由铜、铝等制成"), alone("壳体由铜或铝制成，两边相等，设等离子体发生器")),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "bad", "good"), CLAIM_CASES)
def test_claim_rule(rule, bad, good):
    found = check_claims(parse_claims(bad))
    assert rule in {f.rule for f in found}
    assert rule not in {f.rule for f in check_claims(parse_claims(good))}
    shown = next(f for f in found if f.rule == rule)
    assert shown.message_en and shown.message_zh and shown.source == RULES[rule].source


SECTIONS = "技术领域\n本发明涉及泵技术领域。\n背景技术\n现有的泵易漏水。\n发明内容\n本发明提供一种泵。\n附图说明\n图1是泵的立体图；\n图2是泵的剖视图。\n具体实施方式\n如图1所示，壳体1内设有叶轮2。"


def described(old: str = "", new: str = "", **parts) -> dict:
    return {"description": SECTIONS.replace(old, new) if old else SECTIONS, **parts}


METHOD_CLAIM = [{"number": 1, "text": "一种泵的清洗方法，其特征在于，冲水。"}]
COINED = [{"number": 1, "text": "一种泵，其特征在于，设有灵动片，所述灵动片为环形。"}]
FILING_CASES = [
    ("CN-TTL-001", {"title": "一种" + "甲" * 30}, {"title": "一种带式输送机的纠偏装置"}),
    ("CN-TTL-002", {"title": "甲" * 63}, {"title": "甲" * 60}),
    ("CN-TTL-003", {"title": "一种XZ-300型水泵"}, {"title": "一种离心水泵"}),
    ("CN-TTL-004", {"title": "一种新型高效节能风扇及其他"}, {"title": "一种轴流风扇"}),
    ("CN-TTL-005", {"title": "一种装置"}, {"title": "一种压滤装置"}),
    ("CN-TTL-006", {"title": "泵", "claims": METHOD_CLAIM}, {"title": "泵的清洗方法", "claims": METHOD_CLAIM}),
    ("CN-TTL-007", {"title": "水泵", "titles": {"request": "离心泵"}}, {"title": "水泵", "titles": {"request": "水泵"}}),
    ("CN-TTL-008", {"title": "发明名称：一种泵。"}, {"title": "一种泵"}),
    ("CN-ABS-001", {"title": "泵", "abstract": "本发明公开一种泵，" + "甲" * 330}, {"title": "泵", "abstract": "本发明公开一种泵。"}),
    ("CN-ABS-002", {"title": "泵", "abstract": "效果很好。"}, {"title": "泵", "abstract": "本发明公开一种泵。"}),
    ("CN-ABS-003", {"title": "泵", "abstract": "【摘要】本发明公开一种泵。"}, {"title": "泵", "abstract": "本发明公开一种泵。"}),
    ("CN-ABS-004", {"title": "泵", "abstract": "一种泵，国际领先。"}, {"title": "泵", "abstract": "一种泵。"}),
    ("CN-ABS-005", {"title": "泵", "abstract": "一种泵，壳体1内设有轴。"}, {"title": "泵", "abstract": "一种泵，壳体（1）内设有轴。"}),
    ("CN-ABS-007", {"title": "泵", "abstract": ONE[3:], "claims": [{"number": 1, "text": ONE[3:]}]}, {"title": "泵", "abstract": "本发明公开一种泵，属于流体机械。", "claims": [{"number": 1, "text": ONE[3:]}]}),
    ("CN-DSC-001", described("背景技术\n"), described()),
    ("CN-DSC-002", {"description": "背景技术\n甲。\n技术领域\n乙。\n发明内容\n丙。\n具体实施方式\n丁。"}, described()),
    ("CN-DSC-003", described(drawings=False), described(drawings=True)),
    ("CN-DSC-004", described("提供一种泵", "提供如权利要求1所述的泵"), described()),
    ("CN-DSC-005", described("提供一种泵", "填补国内空白"), described()),
    ("CN-DSC-006", described("提供一种泵", "![](a.png)"), described()),
    ("CN-DSC-007", {"description": "[0001] 甲。\n[0003] 乙。"}, {"description": "[0001] 甲。\n[0002] 乙。"}),
    ("CN-DSC-015", described("图2是", "图3是"), described()),
    ("CN-DSC-018", described("叶轮2", "叶轮（2）"), described()),
    ("CN-DSC-021", described(utility_model=True), described()),
    ("CN-DSC-023", described("提供一种泵", "我们提供一种泵"), described()),
    ("CN-TRM-007", described("提供一种泵", "由AMF提供泵"), described("提供一种泵", "由接入管理功能（AMF）提供泵")),
    ("CN-TRM-008", described("提供一种泵", "支架即支座"), described()),
    ("CN-TRM-010", described("提供一种泵", "采用 Kalman 方法"), described("提供一种泵", "采用卡尔曼（Kalman）滤波")),
    ("CN-TRM-011", described(claims=COINED), described("提供一种泵", "提供一种泵，灵动片是弹性金属片", claims=COINED)),
    ("CN-TRM-011", described("提供一种泵", "灵动片的上方设有轴", claims=COINED), described("提供一种泵", "灵动片3的材质为铜", claims=COINED)),
    ("CN-TRM-011", described(claims=COINED), described(claims=[{"number": 1, "text": "一种泵，其特征在于，设有弹性金属片，所述弹性金属片为环形。"}])),
    ("CN-TRM-009", described("提供一种泵", "长5寸"), described("提供一种泵", "长16cm")),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "bad", "good"), FILING_CASES)
def test_filing_rule(rule, bad, good):
    assert rule in {f.rule for f in check_filing(bad)}
    assert rule not in {f.rule for f in check_filing(good)}


def test_every_rule_of_the_catalogue_has_a_case():
    tested = {rule for rule, _, _ in (*CLAIM_CASES, *FILING_CASES)} | {"CN-CLM-013", "CN-DEP-010"}
    assert set(RULES) - tested == set()


@pytest.mark.parametrize(
    ("body", "bare"),
    [
        ("壳体1内设有轴2", ["1", "2"]),
        ("包括壳体1、轴2和轴承21a", ["1", "2", "21a"]),
        ("壳体（1）内设有轴2", ["2"]),
        ("所述壳体(1)的顶部设有盖〔2〕", []),
        ("由3个齿轮组成，温度为20摄氏度，转速为300转，加入5斤水，放入虾仁100g", []),
        ("步骤1中得到的溶液含有H2，在压力P1下通过，经10目筛", []),
        ("式（1）所示的化合物，所述第2端子接地", []),
    ],
)
def test_drawing_signs_without_parentheses(body, bare):
    claims = parse_claims(alone(body))
    found = [f for f in check_claims(claims) if f.rule == "CN-CLM-012"]
    assert [claims.claims[0].text[f.start : f.end] for f in found] == bare
    assert {f.severity for f in found} <= {"error"}


@pytest.mark.parametrize(
    ("body", "bare"),
    [("壳体E1内设有2个轴和壳体2个", []), ("壳体3内设有轴E2", ["3", "E2"]), ("壳体（3）内设有轴（E2）", []), ("壳体7个", [])],
)
def test_drawing_signs_of_a_table_without_parentheses(body, bare):
    claims = parse_claims(alone(body))
    found = [f for f in check_claims(claims, signs={"3": "壳体", "E2": "轴", "2": "轴套"}) if f.rule == "CN-CLM-012"]
    assert [claims.claims[0].text[f.start : f.end] for f in found] == bare


@pytest.mark.parametrize(
    "text",
    ["采用卡尔曼（Kalman）滤波，再次使用Kalman滤波", "以 Python 编写，在 Linux 上运行", "按朗肯循环（Rankine cycle）运行", "变量Temp与Vdc相加"],
)
def test_foreign_names_that_need_no_chinese_form(text):
    assert "CN-TRM-010" not in {f.rule for f in check_filing(described("提供一种泵", text))}


@pytest.mark.parametrize("name", ["固定块", "透明板", "缓冲件", "感应杆", "柔性电路板", "导流片", "主动轮", "耐磨条", "防滑垫", "可调杆"])
def test_ordinary_names_are_not_self_made(name):
    claims = [{"number": 1, "text": f"一种泵，其特征在于，设有{name}，所述{name}为铜。"}]
    assert "CN-TRM-011" not in {f.rule for f in check_filing(described(claims=claims))}


def test_sign_table():
    claims = parse_claims(alone("壳体（1）内设有齿轮（19）"))
    found = [f for f in check_claims(claims, signs={"1": "壳体", "12": "齿轮"}) if f.rule == "CN-CLM-013"]
    assert [claims.claims[0].text[f.start : f.end] for f in found] == ["（19）"]


def test_known_terms_make_the_antecedent_check_exact():
    claims = parse_claims(alone("设有密封件和连接管，所述密封连接套为钢"))
    found = [f for f in check_claims(claims, known_terms=["密封连接套"]) if f.rule == "CN-TRM-001"]
    assert [claims.claims[0].text[f.start : f.end] for f in found] == ["所述密封连接套"]


@pytest.mark.parametrize(
    "body",
    [
        "壳体内设有蝶板，所述蝶板转动",
        "壳体连接有连接柱，所述连接柱为钢",
        "还包括滑块以及控制器，所述滑块滑动，所述控制器启动",
        "设有齿轮和开口，所述齿轮啮合，所述开口相配合",
        "设有凹槽，所述凹槽呈螺旋形分布",
        "设有热交换器(2)，所述热交换器(2)并联",
    ],
)
def test_bare_introductions_are_no_findings(body):
    assert not [f for f in check_claims(parse_claims(alone(body))) if f.rule.startswith("CN-TRM-00")]


@pytest.mark.parametrize(
    "line",
    [
        "2. 根据权利要求1的泵输送得到的液体，其特征在于，含盐。",
        "2. 一种车辆，其特征在于，包括权利要求1所述的泵。",
        "2. 一种制造权利要求1所述的泵的方法，其特征在于，铸造。",
        "2. 如权利要求1所述泵的使用，其特征在于，输水。",
    ],
)
def test_by_reference_is_independent(line):
    claim = parse_claims(after(line)).claims[1]
    assert (claim.kind, claim.by_reference, claim.refs) == ("independent", True, [1])
    assert not {f.rule for f in check_claims(parse_claims(after(line)))} & {"CN-DEP-004", "CN-DEP-006", "CN-TRM-001"}


def test_profiles_and_selection():
    claims = ClaimSet.from_list([{"number": 1, "text": "阀门，包括阀芯，长度约10mm。"}])
    assert "CN-IND-001" in {f.rule for f in check_claims(claims)}
    assert "CN-IND-001" not in {f.rule for f in check_claims(claims, profile="granted")}
    assert {f.rule for f in select(check_claims(claims), "CN-VAG")} == {"CN-VAG-003"}
    with pytest.raises(ValueError, match="no such rule"):
        select([], "CN-NOPE")


def test_dependent_of_a_claim_by_reference_may_use_the_cited_terms():
    text = f"{ONE}\n{TWO}\n3. 一种清洗方法，应用于权利要求1或2所述的泵，其特征在于，冲水。\n4. 根据权利要求3所述的清洗方法，其特征在于，转动所述叶轮。"
    assert not [f for f in check_claims(parse_claims(text)) if f.rule.startswith("CN-TRM")]
