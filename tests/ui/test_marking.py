"""The text of claims as the page shows it: findings, references, antecedents, signs; nothing is lost or left unescaped."""

import re

from hypothesis import given
from hypothesis import strategies as st

from apps.ui.marking import marked_claims
from apps.ui.words import consequence

ONE = "一种泵，其特征在于，包括壳体（1）和叶轮，所述壳体（1）内设有所述叶轮。"
TWO = "根据权利要求1所述的泵，其特征在于，所述叶轮为铜，还包括底座。"
THREE = "根据权利要求1或2所述的泵，其特征在于，所述扭簧为钢。"


def shown(*texts: str, findings=()) -> list[str]:
    claims = [{"number": n, "text": text, "findings": [f for f in findings if f["claim"] == n]} for n, text in enumerate(texts, 1)]
    return [claim["html"] for claim in marked_claims(claims)]


def bare(html: str) -> str:
    return re.sub(r"<[^>]*>", "", html)


def test_references_and_antecedents_lead_to_their_claims():
    html = shown(ONE, TWO, THREE)
    assert [bare(text) for text in html] == [ONE, TWO, THREE]
    assert re.findall(r'class="ref" href="#claim-(\d)"', html[2]) == ["1", "2"]
    assert re.findall(r'class="term" href="#claim-(\d)"[^>]*>(.*?)</a>', html[1]) == [("1", "所述叶轮")]
    assert 'class="term"' not in html[0]
    assert html[0].count('class="sign"') == 2


def test_a_link_covers_the_whole_name():
    first = "一种门锁，其特征在于，包括锁舌和复位弹簧，所述锁舌的后端开有卡槽。"
    (_, html) = shown(first, "根据权利要求1所述的门锁，其特征在于，所述复位弹簧的一端抵接所述锁舌的后端开有的卡槽。")
    assert re.findall(r'class="term"[^>]*>(.*?)</a>', html) == ["所述复位弹簧", "所述锁舌"]


def test_a_finding_goes_before_a_link():
    at = TWO.index("所述叶轮")
    finding = {"claim": 2, "severity": "error", "start": at, "end": at + 4, "note": 'a "note" & <more>'}
    (_, html) = shown(ONE, TWO, findings=[finding])
    assert '<mark class="mark-error" title="a &quot;note&quot; &amp; &lt;more&gt;">所述叶轮</mark>' in html
    assert 'class="term"' not in html


def test_a_reference_to_nowhere_is_no_link():
    assert "<a" not in shown("根据权利要求9所述的泵，其特征在于，还包括底座。")[0]


@given(st.text(alphabet="一种泵，。所述该权利要求12（）1<&>\"壳体", max_size=40), st.integers(-2, 45), st.integers(-2, 45))
def test_no_text_is_lost_or_let_through(text, start, end):
    finding = {"claim": 2, "severity": "error", "start": start, "end": end, "note": "<b>"}
    html = shown(ONE, text, findings=[finding])[1]
    assert not re.search(r"<(?!/?(?:mark|a|span)\b)", html)
    plain = bare(html).replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")
    assert plain == text


def test_consequences_in_words():
    assert consequence("R (26.4)") == consequence("R") != "R"
    assert consequence("F; R (31.1) if unity is lost") == consequence("F")
