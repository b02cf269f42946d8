"""The report is one page that loads nothing, escapes everything, and speaks Chinese or English."""

import json
from html.parser import HTMLParser

import pytest

from apps.exports.files import write_all
from apps.exports.report import LABELS, filing_report_html


class Page(HTMLParser):
    """Text of the page and the addresses it refers to; complains about a tag closed out of order."""

    VOID = {"meta", "br", "hr", "img", "link"}

    def __init__(self, html):
        super().__init__()
        self.tags, self.text, self.links, self.open = [], "", [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for key, value in attrs if key in ("href", "src")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_the_page_is_well_formed_and_loads_nothing(filing):
    page = Page(filing_report_html(filing))
    assert page.open == []
    assert "script" not in page.tags and "link" not in page.tags and "img" not in page.tags
    assert page.links and all(link.startswith("#") for link in page.links)


def test_text_is_escaped(filing):
    filing["title"] = '<script>alert("1")</script>'
    filing["provenance"]["<i>"] = ["<img src=x>"]
    filing["trace"][0]["text"] = "<u>"
    page = Page(filing_report_html(filing))
    assert not {"script", "b>", "i", "img", "u"} & set(page.tags)
    assert '<script>alert("1")</script>' in page.text and "术语<b>不一致</b>" in page.text


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_section_is_shown(filing, lang):
    page = Page(filing_report_html(filing, lang))
    for key in ("claims", "tree", "findings", "invention", "abstract", "description", "provenance", "timings", "trace"):
        assert LABELS[lang][key] in page.text
    for claim in filing["claims"]:
        assert claim["text"] in page.text
    assert page.tags.count("details") == 2
    assert ("A <b>term</b> & more" in page.text) == (lang == "en")


def test_both_languages_have_the_same_labels():
    assert LABELS["zh"].keys() == LABELS["en"].keys()


def test_dependent_claims_hang_under_the_claim_they_refer_to(filing):
    html = filing_report_html(filing)
    tree = html[html.index('<ul class="tree">') : html.index('<section id="findings">')]
    assert tree.index("#claim-1") < tree.index("<ul><li>") < tree.index("#claim-2")


def test_files(filing, tmp_path):
    names = [path.name for path in write_all(filing, tmp_path / "out", trace=True)]
    assert names == ["claims.json", "filing.json", "filing.docx", "report.html", "trace.jsonl"]
    assert json.loads((tmp_path / "out" / "claims.json").read_text()) == filing["claims"]
    written = json.loads((tmp_path / "out" / "filing.json").read_text())
    assert written == {key: value for key, value in filing.items() if key != "trace"}
    lines = (tmp_path / "out" / "trace.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == filing["trace"]
    assert "trace.jsonl" not in [path.name for path in write_all(filing, tmp_path / "plain")]


def test_values_of_the_invention_show_where_they_stand(filing):
    page = Page(filing_report_html(filing))
    assert "壳体 [402–404]" in page.text and "部件或步骤" in page.text


def test_a_multiple_dependent_claim_lists_every_claim_it_cites(filing):
    assert "3 门锁防夹装置 (1、2)" in Page(filing_report_html(filing)).text


def test_consequences_and_facts_are_words(filing):
    filing["findings"][0]["consequence"] = "R (26.4)"
    chinese, english = (Page(filing_report_html(filing, lang)).text for lang in ("zh", "en"))
    assert "驳回或无效理由 (26.4)" in chinese and "ground of rejection (26.4)" in english
    assert "模型" in chinese and "撰写权利要求" in chinese and "随机种子" in chinese
    filing["findings"][0]["consequence"] = "office action"
    assert "office action" in Page(filing_report_html(filing)).text


@pytest.mark.parametrize(("lang", "why"), [("zh", "锁舌：尚未引入<i>"), ("en", "锁舌：not introduced<i>")])
def test_the_trace_shows_open_rules_allowed_mass_and_why_something_was_refused(filing, lang, why):
    refused = [{"token": "锁舌", "code": "not-introduced", "text": {"zh": "尚未引入<i>", "en": "not introduced<i>"}}]
    filing["trace"] = [
        {"op": "SHIFT", "text": "一种", "start": 0, "end": 2, "claim": 1},
        {"op": "SHIFT", "slot": "TERM", "text": "壳体", "start": 2, "end": 4, "claim": 1, "mass": 0.5, "refused": refused},
        {"op": "REDUCE", "rule": "piece", "alternative": 1, "start": 2, "end": 4, "claim": 1},
        {"op": "SHIFT", "text": "。", "start": 4, "end": 5, "claim": 1},
        {"op": "REDUCE", "rule": "independent", "alternative": 1, "start": 0, "end": 5, "claim": 1},
        {"op": "ACCEPT", "rule": "independent", "start": 0, "end": 5, "claim": 1},
    ]
    page = Page(filing_report_html(filing, lang))
    assert "independent › piece" in page.text and "50.0%" in page.text and why in page.text
    assert page.text.count(" › ") == 1 and "i" not in page.tags
    for key in ("open", "mass", "refused"):
        assert LABELS[lang][key] in page.text
    del filing["trace"][1]["mass"], filing["trace"][1]["refused"]
    assert LABELS[lang]["mass"] not in filing_report_html(filing, lang)
