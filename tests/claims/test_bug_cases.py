"""Public bug reports on claim parsing and antecedents, each as one small input the checker must survive."""

import io
import re

from apps.claims.check import check_claims, check_filing
from apps.claims.parse import find_support, parse_claims
from apps.claims.signs import find_bare, find_signs, sign_table
from apps.claims.terms import unresolved, uses
from apps.claims.tree import claim_tree


def rules(text: str, **options) -> set[str]:
    return {f.rule for f in check_claims(parse_claims(text), **options)}


def unsupported(body: str) -> list[str]:
    """Nouns without antecedent in one claim."""
    return [use.noun for _, use, _ in unresolved(parse_claims(f"1. 一种装置，{body}。"))]


def test_br01_quoted_claim_number_is_no_reference():
    claims = parse_claims("6. 一种文档显示方法，其特征在于，在页面上高亮显示被审文本中“权利要求1”字样。")
    claim = claims.claims[0]
    assert (claim.kind, claim.refs) == ("independent", [])
    note = next(f for f in check_claims(claims) if f.message_zh == "引号内提及权利要求，不作引用")
    assert note.severity == "info"
    assert claim.text[note.start : note.end] == "“权利要求1”"


def test_br02_comment_between_claims_is_residue():
    claims = parse_claims(
        "1. 一种泵，包括壳体。\n（说明：权2参考了权利要求1的写法）\n2. 根据权利要求1所述的泵，其特征在于，还包括叶轮。"
    )
    assert [c.text for c in claims.claims][0] == "1. 一种泵，包括壳体。"[3:]
    assert [r.text for r in claims.residue] == ["（说明：权2参考了权利要求1的写法）"]
    assert "CN-CLM-023" in {f.rule for f in check_claims(claims)}


def test_br04_paragraph_in_claims_xml_is_ignored_with_a_warning():
    claims = parse_claims(
        '<cn-claims><p num="XXXX" Italic="0">说明文字</p><claim id="cl001" num="1">'
        "<claim-text>一种泵，包括壳体。</claim-text></claim></cn-claims>"
    )
    assert [(c.number, c.text) for c in claims.claims] == [(1, "一种泵，包括壳体。")]
    assert any("说明文字" in warning for warning in claims.warnings)


def test_br05_any_preceding_claim():
    text = (
        "1. 一种电池，包括电极和位于所述电极上的涂层。\n2. 根据权利要求1所述的电池，其特征在于，还包括隔膜。\n"
        "3. 如前述权利要求中任一项所述的电池，其特征在于，所述涂层为双层。"
    )
    claims = parse_claims(text)
    assert (claims.claims[2].kind, claims.claims[2].refs) == ("dependent", [1, 2])
    found = rules(text)
    assert "CN-DEP-008" in found
    assert "CN-TRM-001" not in found


def test_br07_range_is_expanded_and_missing_claim_reported():
    claims = parse_claims(
        "1. 一种泵，包括壳体。\n2. 根据权利要求1所述的泵，其特征在于，还包括轴。\n"
        "4. 根据权利要求1所述的泵，其特征在于，还包括叶轮。\n5. 根据权利要求1所述的泵，其特征在于，还包括底座。\n"
        "7. 根据权利要求1至5中任一项所述的泵，其特征在于，还包括阀。"
    )
    assert claims.claims[-1].refs == [1, 2, 3, 4, 5]
    messages = [f.message_zh for f in check_claims(claims) if f.rule == "CN-DEP-002"]
    assert messages == ["引用的权利要求3不存在"]


def test_br08_parts_of_a_claim():
    claim = parse_claims("1. 一种离心泵，包括壳体，其特征在于，所述壳体内设有导流片。").claims[0]
    assert (claim.subject, claim.preamble, claim.transition) == ("离心泵", "包括壳体", "其特征在于")
    assert claim.body == "所述壳体内设有导流片。"


def test_br09_nested_outline_gives_a_chain():
    claims = parse_claims(
        "1. 一种泵，包括壳体。\n"
        + "\n".join(f"{n}. 根据权利要求{n - 1}所述的泵，其特征在于，还包括件{n}甲。" for n in (2, 3, 4))
    )
    node, path = claim_tree(claims)[0], []
    while node.children:
        (node,) = node.children
        path.append((node.claim.number, node.claim.refs))
    assert path == [(2, [1]), (3, [2]), (4, [3])]


def test_br10_spans_stay_in_their_section():
    claim = "一种泵，包括壳体，其特征在于，所述壳体内设有导流片。"
    text = f"说明书\n发明内容\n  {claim}\n权利要求书\n\n   1. {claim}\n"
    found = parse_claims(text).claims[0]
    assert found.start > text.index("权利要求书")
    assert text[found.start : found.end] == found.text == claim
    support = find_support(text, found.text)
    assert support is not None
    assert text.index("发明内容") < support[0] < support[1] < text.index("权利要求书")


def test_br11_medium_by_reference_is_no_multiple_dependent():
    text = (
        "1. 一种检测方法，包括：采集图像；识别所述图像。\n2. 根据权利要求1所述的检测方法，其特征在于，还包括滤波。\n"
        "3. 根据权利要求1或2所述的检测方法，其特征在于，还包括报警。\n"
        "4. 一种计算机可读存储介质，其特征在于，存储有计算机程序，被处理器执行时实现权利要求1至3中任一项所述方法的步骤。"
    )
    claims = parse_claims(text)
    assert (claims.claims[3].kind, claims.claims[3].by_reference) == ("independent", True)
    assert not rules(text) & {"CN-DEP-006", "CN-DEP-004"}


def test_br13_process_and_distributive_words_are_no_part_of_the_term():
    body = "将晶圆的两端减薄；所述两端各设一槽"
    assert unsupported(body) == []
    assert [use.noun for use in uses(parse_claims(f"1. 一种装置，{body}。").claims[0])] == ["两端"]


def test_br14_sign_after_a_long_introduction():
    text = "1. 一种装置，包括至少一个第一子区（104），该第一子区（104）为矩形。"
    assert not [f for f in check_claims(parse_claims(text)) if f.rule == "CN-TRM-001"]
    assert sign_table(find_signs(text)) == {"104": {"第一子区"}}


def test_ordinals_tell_components_apart():
    assert sign_table(find_signs("第一壳体（1）与第二壳体（1）")) == {"1": {"第一壳体", "第二壳体"}}
    assert sign_table(find_signs("设有第一壳体（1），所述第一壳体（1）为铜")) == {"1": {"第一壳体"}}


def test_br16_digit_ordinal_resolves_with_a_style_warning():
    found = rules("1. 一种装置，包括第一端子和第二端子，所述第1端子接地。")
    assert "CN-TRM-001" not in found
    assert "CN-TRM-004" in found


def test_br17_abbreviation_in_full_width_brackets():
    assert unsupported("包括用户设备（user equipment，UE），所述UE发送消息") == []


def test_br19_verbal_noun():
    assert unsupported("包括便于校准的执行，所述校准包括比对") == []


def test_br20_formula_name_is_neither_term_nor_sign():
    body = "（b）式（I）的化合物，所述式（I）的化合物为粉末"
    assert unsupported(body) == []
    assert find_signs(body) == []


def test_br22_component_name_is_not_half_a_clause():
    signs = find_bare("当使用者踩踏踏板E1时，杆的一端连接一踏板E1。")
    assert sign_table(signs) == {"E1": {"踏板"}}
    assert "CN-CLM-014" not in rules("1. 一种车，当使用者踩踏踏板（E1）时，杆的一端连接一踏板（E1）。")


def test_br23_crystal_plane_is_no_sign():
    assert [s.sign for s in find_signs("沿(111)晶面生长，壳体(12)")] == ["12"]


def test_br25_citation_lines_need_no_full_stop():
    description = "技术领域\n[0001] 本发明涉及泵技术领域。\n背景技术\n[0002]\n[0003] [专利文献1] CN1000000A\n"
    found = check_filing({"title": "一种泵", "description": description})
    assert not [f for f in found if "句号" in f.message_zh]
    assert not [f for f in found if f.rule == "CN-DSC-007"]


def test_br65_word_numbering_is_reconstructed(tmp_path):
    import docx

    from apps.claims.reading import read_claims

    document = docx.Document()
    for text in ("一种泵，包括壳体。", "根据权利要求1所述的泵，其特征在于，还包括叶轮。"):
        paragraph = document.add_paragraph(text)
        properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()
        properties.get_or_add_numId().val = 1
    buffer = io.BytesIO()
    document.save(buffer)
    path = tmp_path / "权利要求书.docx"
    path.write_bytes(buffer.getvalue())
    assert [(c.number, c.refs) for c in read_claims(path).claims] == [(1, []), (2, [1])]


def test_lexicon_guards():
    text = "1. 一种装置，包括接近开关、等离子体发生器、加强筋和压缩强度为5MPa、厚度为2mm的板，按条约约定设置。"
    assert not [f for f in check_claims(parse_claims(text)) if f.rule.startswith("CN-VAG")]


def test_every_case_of_sections_a_and_b_is_a_test(shared):
    cases = (shared / "cases" / "bug_cases.md").read_text("utf-8")
    wanted = re.findall(r"^\*\*BR-(\d+)\*\*", cases[: cases.index("## C.")], re.M)
    assert wanted and [n for n in wanted if not any(name.startswith(f"test_br{n}_") for name in globals())] == []
