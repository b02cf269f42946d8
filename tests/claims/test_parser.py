"""Reference forms, irregular claims, and the properties the parser keeps on any text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.claims.check import check_claims
from apps.claims.parse import ClaimSet, category_of, parse_claims
from apps.claims.references import find_citations

FORMS = [
    ("根据权利要求1所述的方法", [1]),
    ("如权利要求2所述的方法", [2]),
    ("权利要求8所述的方法", [8]),
    ("权利要求1的方法", [1]),
    ("按照权利要求1所述的一种除尘器", [1]),
    ("根据权利要求 1 所述的方法", [1]),
    ("根据权利要求１所述的方法", [1]),
    ("根据权利要求1或2所述的方法", [1, 2]),
    ("根据权利要求1和2所述的方法", [1, 2]),
    ("按照权利要求1和3中所述的一种除尘器", [1, 3]),
    ("如权利要求1或权利要求2所述的方法", [1, 2]),
    ("如权利要求1或权利要求2-4中任一项所述的方法", [1, 2, 3, 4]),
    ("根据权利要求1、2或3所述的系统", [1, 2, 3]),
    ("根据权利要求2、3或者4所述的方法", [2, 3, 4]),
    ("根据权利要求1，2或者3所述的系统", [1, 2, 3]),
    ("如权利要求1、2、3、8任意一项所述的方法", [1, 2, 3, 8]),
    ("根据权利要求1或2或3或5或6所述的器材", [1, 2, 3, 5, 6]),
    ("权利要求1至3中任意一项所述的方法", [1, 2, 3]),
    ("根据权利要求1-3中任一项所述的导管", [1, 2, 3]),
    ("权利要求1～4中任一项所述的系统", [1, 2, 3, 4]),
    ("根据权利要求1~3任一项所述的方法", [1, 2, 3]),
    ("如权利要求1到3中任一项所述的方法", [1, 2, 3]),
    ("如权利要求1-3之一所述的系统", [1, 2, 3]),
    ("根据权利要求2至4的其中一项所述的系统", [2, 3, 4]),
    ("根据权利要求2至5中的任一项所述的头盔", [2, 3, 4, 5]),
    ("根据权利要求1至4中的一项所述的系统", [1, 2, 3, 4]),
    ("根据权利要求1至5中除权利要求2之外的一项所述的系统", [1, 3, 4, 5]),
    ("根据权利要求1-3中任一权利要求所述的装置", [1, 2, 3]),
    ("根据权利要求1至3中任一权所述的方法", [1, 2, 3]),
    ("如权利要求1-4中任一个所述的系统", [1, 2, 3, 4]),
    ("如权利要求1至3中任一种检测方法", [1, 2, 3]),
    ("根据权利要求1或2任一项所述的一种装置", [1, 2]),
    ("根据权利要求4和5中任一项所述的系统(1)", [4, 5]),
    ("根据前述权利要求1至7和9中任一项所述的系统", [1, 2, 3, 4, 5, 6, 7, 9]),
    ("根据任一前述权利要求1-3所述的系统", [1, 2, 3]),
    ("根据上述权利要求7所述的方法", [7]),
    ("根据前述权利要求中任一项所述的方法", list(range(1, 10))),
    ("如前述权利要求任一项所述的方法", list(range(1, 10))),
    ("如任一前述权利要求所述的系统", list(range(1, 10))),
    ("根据前述权利要求的其中一项所述的方法", list(range(1, 10))),
    ("根据上述权利要求中的任一项所述的方法", list(range(1, 10))),
    ("如权利要求所述的纤维布的制备方法", list(range(1, 10))),
    ("当权利要求3引用权利要求2时根据权利要求3所述的系统", [3]),
]


@pytest.mark.parametrize(("form", "numbers"), FORMS)
def test_dependent_reference_forms(form, numbers):
    claim = ClaimSet.from_list([{"number": 10, "text": f"{form}，其特征在于，还包括底座。"}]).claims[0]
    assert claim.kind == "dependent"
    assert claim.refs == numbers
    assert claim.transition == "其特征在于"
    assert claim.subject


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("一种车辆，包括权利要求1-9任一项所述的座椅。", list(range(1, 10))),
        ("一种基于权利要求1的生产工艺的生产装置，包括料斗。", [1]),
        ("一种介质，程序执行时实现权利要求1~3中任一项所述方法的步骤。", [1, 2, 3]),
        ("一种芯体，所述芯层为权利要求8所述的布。", [8]),
        ("一种成型体，由如权利要求1～6中任一项所述的层叠体形成。", [1, 2, 3, 4, 5, 6]),
        ("权利要求书中所写的内容。", []),
        ("如权利要求A所述的网络。", []),
    ],
)
def test_citations_inside_a_claim(text, numbers):
    assert [n for c in find_citations(text, 10) for n in c.numbers] == numbers


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("高原食用菌培育大棚，包括支撑架，其特征在于：设有门。", "高原食用菌培育大棚"),
        ("启动氢系统的一种方法，该氢系统包括：管。", "启动氢系统的一种方法"),
        ("用于呼吸口罩的呼吸盒，其特征在于，包括：上盖。", "用于呼吸口罩的呼吸盒"),
        ("一 种花椰菜的选育方法，其特征在于，播种。", "花椰菜的选育方法"),
        ("—种电池，其特征在于，具备罐。", "电池"),
        ("一种滴定装置,它包括连接管体。", "滴定装置"),
        ("一种气泵(1)其特征在于包括：缸。", "气泵"),
        ("一种电池包括电极和隔膜。", "电池"),
    ],
)
def test_irregular_openings(text, subject):
    claim = ClaimSet.from_list([{"number": 1, "text": text}]).claims[0]
    assert (claim.kind, claim.subject) == ("independent", subject)


@pytest.mark.parametrize(
    "mark", ["其特征在于", "其特征是", "其特征为", "其特征于", "所述头盔的特征在于", "其改进在于", "其特征 在于"]
)
def test_transitions(mark):
    claim = parse_claims(f"1. 一种头盔，包括壳，{mark}，设有环。").claims[0]
    assert claim.transition == mark
    assert claim.body == "设有环。"


def test_list_items_inside_a_claim_start_no_claim():
    claims = parse_claims("1. 一种方法，包括：\n1）加热；\n2）冷却；\n3. 干燥。\n2. 根据权利要求1所述的方法，其中还包括包装。")
    assert [c.number for c in claims.claims] == [1, 2]


def test_trailing_page_number_and_bracketed_note_are_residue():
    claims = parse_claims("1. 一种泵，包括壳体。\n33\n2. 根据权利要求1所述的泵，其中设有轴。\n[说明：为了转动。]")
    assert [c.text[-1] for c in claims.claims] == ["。", "。"]
    assert [r.text for r in claims.residue] == ["33", "[说明：为了转动。]"]


def test_categories():
    assert [category_of(s) for s in ("泵", "泵的制造方法", "泵的用途", "")] == ["product", "method", "use", ""]


def test_list_items_without_fields_are_refused():
    with pytest.raises(ValueError, match="whole number"):
        ClaimSet.from_list([{"number": "x", "text": "一种泵。"}])


_PIECES = st.sampled_from(
    ["1. ", "2、", "3.", "１．", "一种", "泵", "，", "。", "\n", "根据", "如", "权利要求", "1", "至", "或", "-", "5", "任一项",
     "所述的", "所述", "该", "其特征在于", "包括", "（", "12", "）", "“", "”", "前述", "除", "之外", "第二", "\u200b", "权利要求书\n",
     "<cn-claims>", "[", "]", "TODO", "a", "😀", " "]
)  # fmt: skip
_TEXT = st.one_of(st.text(max_size=120), st.lists(_PIECES, max_size=60).map("".join))


@settings(max_examples=300, deadline=None)
@given(_TEXT)
def test_parser_never_fails_and_spans_slice_the_text(text):
    claims = parse_claims(text)
    for part in (*claims.claims, *claims.residue):
        assert claims.text[part.start : part.end] == part.text
    for claim in claims.claims:
        for citation in claim.citations:
            assert claim.text[citation.start : citation.end] == citation.text
    sizes = {c.number: max(len(d.text) for d in claims.claims if d.number == c.number) for c in claims.claims}
    for found in check_claims(claims):
        assert 0 <= found.start <= found.end <= sizes.get(found.claim, len(claims.text))


@settings(max_examples=100, deadline=None)
@given(st.lists(_TEXT, max_size=4))
def test_a_list_keeps_every_text(texts):
    claims = ClaimSet.from_list({"number": n, "text": t} for n, t in enumerate(texts, 1))
    for claim, text in zip(claims.claims, texts, strict=True):
        assert text.endswith(claim.text)
        assert claims.text[claim.start : claim.end] == claim.text
