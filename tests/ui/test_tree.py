"""The claim tree: places, kinds, references to several claims, hostile text."""

import re

from apps.ui.tree import tree_svg
from tests.webkit import CLAIMS


def claims(*texts: str) -> list[dict]:
    return [{"number": n, "text": t} for n, t in enumerate(texts, 1)]


def test_children_hang_under_their_parent():
    svg = tree_svg(claims(*CLAIMS), {4: "error"})
    order = [int(n) for n in re.findall(r'href="#claim-(\d+)"', svg)]
    assert order == [1, 2, 4, 3]
    assert svg.count("<path") == 4 and svg.count('class="other"') == 1
    assert 'class="dependent error"' in svg and 'class="independent"' in svg


def test_a_reference_to_nowhere_is_a_root():
    svg = tree_svg(claims(CLAIMS[0], "根据权利要求9所述的门锁防夹装置，其特征在于，还包括挡块。"), {})
    assert svg.count("<path") == 0


def test_text_is_escaped_and_nothing_is_styled_inline():
    svg = tree_svg(claims("一种<b>&，其特征在于，包括壳体。"), {})
    assert "<b>" not in svg and "style=" not in svg


def test_no_claims():
    assert tree_svg([], {}).startswith("<svg")
