"""Damaged rule text in any language is read or refused with findings inside the text; nothing else ever happens."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.grammar.checks import check
from engine.grammar.findings import GrammarError
from engine.grammar.sources import read

SOUND = {
    ".g4": """grammar g;
tokens { TERM }
r : s 'x' | A+ EOF ;
s options { max_depth = 2; } : '一种' TERM{1,3} ( ',' s )? ;
A : [a-z\\u4e00\\]] ~('b' | 'c'..'d') . ; // end
""",
    ".lark": """// a comment
%declare TERM
//! max_depth start = 2
start: "a" (start | B)~1..2 [TERM] -> alias
     | x? /[^。]{1,3}|b+/
B.2: "b".."c"
x: "\\u4e00"
""",
    ".json": """{"$defs": {"a": {"enum": [1, "x", null, {"b": [1.5]}]}},
 "type": "object", "required": ["p"],
 "properties": {"p": {"type": "string", "pattern": "^a{1,3}|b$"}, "q": {"type": "array", "items": {"$ref": "#/$defs/a"},
  "maxItems": 3}, "r": {"oneOf": [{"type": "null"}, {"const": 2}]}, "s": {"type": ["string", "integer"], "slot": "SPAN"}}}
""",
}
SIGNS = list("'\"\\[](){}|:;,.~?*+-=#@/%<>$^ \n\u3000一aA1\ufeff\x00") + ["->", "..", "{2,", "//", "/*", "*/", "\\u", "\\p{", "EOF", "max_depth"]


@st.composite
def damaged(draw: st.DrawFn, suffix: str) -> str:
    text = SOUND[suffix]
    for _ in range(draw(st.integers(1, 3))):
        at, length = draw(st.integers(0, len(text))), draw(st.integers(0, 6))
        text = text[:at] + draw(st.sampled_from([*SIGNS, "", text[at : at + 9] * 2])) + text[at + length :]
    return text


@pytest.mark.parametrize("suffix", SOUND)
def test_sound_text_is_read(suffix):
    assert [finding.code for finding in check(read(SOUND[suffix], suffix)) if finding.severity == "error"] == []


@pytest.mark.parametrize("suffix", SOUND)
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damage_is_read_or_told(suffix, data):
    text = data.draw(damaged(suffix))
    try:
        findings = check(read(text, suffix))
    except GrammarError as error:
        findings = error.findings
        assert findings and findings[0].severity == "error"
    lines = text.count("\n") + 1
    for finding in findings:
        assert 0 <= finding.at.line <= lines + 1 and finding.at.column >= 0
        assert all(finding.text(language) and finding.fix(language) for language in ("en", "zh"))
        assert finding.as_json()["code"] == finding.code


@pytest.mark.parametrize("suffix", SOUND)
@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_read_or_told(suffix, text):
    try:
        check(read(text, suffix))
    except GrammarError as error:
        assert error.findings
