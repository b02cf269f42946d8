"""The safe ANTLR 4 subset: what it reads, what it means, and what it refuses by name, line and column."""

import unicodedata

import pytest
from hypothesis import given, settings

from engine.grammar.findings import GrammarError
from engine.grammar.ir import UNICODE, Alt, Chars, Literal, Ref, Repeat, Seq
from engine.grammar.sources import MAX_BYTES, read
from tests.grammar.brute import as_g4, grammars


def rule(text: str, name: str = "r"):
    return read(f"grammar g; {text}")[name]


def refusals(text: str) -> list[tuple[str, int, int]]:
    with pytest.raises(GrammarError) as caught:
        read(text)
    assert caught.value.findings, "a refusal says what and where"
    for finding in caught.value.findings:
        assert finding.text("en") and finding.text("zh") and finding.fix("en") and finding.fix("zh")
    return [(finding.code, *finding.at) for finding in caught.value.findings]


@settings(max_examples=200, deadline=None)
@given(grammars())
def test_rules_written_out_are_read_as_they_were(rules):
    again = read(as_g4(rules))
    assert {name: again[name] for name in again} == {name: rules[name] for name in rules}
    assert [again.hash(name) for name in again] == [rules.hash(name) for name in rules]


@pytest.mark.parametrize(
    ("body", "node"),
    [
        ("'a' 'b' | 'c'", Alt((Seq((Literal("a"), Literal("b"))), Literal("c")))),
        ("'a' |", Alt((Literal("a"), Seq(())))),
        ("", Seq(())),
        ("'a'? A* s+", Seq((Repeat(Literal("a"), 0, 1), Repeat(Ref("A"), 0, None), Repeat(Ref("s"), 1, None)))),
        ("'a'{2,3}", Repeat(Literal("a"), 2, 3)),
        ("'a'{ 2 , }", Repeat(Literal("a"), 2, None)),
        ("'a'{2}", Repeat(Literal("a"), 2, 2)),
        ("( 'a' 'b' ){1,12} /* x */", Repeat(Seq((Literal("a"), Literal("b"))), 1, 12)),
        (r"'\n\r\t\b\f\\\'\u4e00\u{1F600}'", Literal("\n\r\t\b\f\\'一😀")),
        ("'其特征在于，'", Literal("其特征在于，")),
        ("'a' EOF | 'b' EOF", Alt((Literal("a"), Literal("b")))),
    ],
)
def test_a_parser_rule_means_what_it_means_in_antlr(body, node):
    assert rule(f"r : {body} ;") == node


@pytest.mark.parametrize(
    ("body", "ranges"),
    [
        ("[a-c]", ((97, 99),)),
        ("[a\\-c]", ((45, 45), (97, 97), (99, 99))),
        ("[-a]", ((45, 45), (97, 97))),
        ("[a-c-e]", ((45, 45), (97, 99), (101, 101))),
        (r"[\]\\\n\u4e00-\u{4e02}]", ((10, 10), (92, 93), (0x4E00, 0x4E02))),
        ("'a'..'c'", ((97, 99),)),
        ("~[b]", ((0, 97), (99, 0xD7FF), (0xE000, 0x10FFFF))),
        ("~('b' | 'd'..'e' | [c])", ((0, 97), (102, 0xD7FF), (0xE000, 0x10FFFF))),
        (".", UNICODE),
    ],
)
def test_a_set_means_what_it_means_in_antlr(body, ranges):
    assert rule(f"r : A ; A : {body} ;", "A") == Chars(ranges)


def test_unicode_properties_are_sets():
    upper, other, mixed = (rule(f"r : A ; A : [{body}] ;", "A") for body in (r"\p{Lu}", r"\P{Lu}", r"\p{Lu}_"))
    assert any(low <= ord("Z") <= high for low, high in upper.ranges)
    assert sum(high - low + 1 for chars in (upper, other) for low, high in chars.ranges) == 0x110000 - 0x800
    assert any(low <= ord("_") <= high for low, high in mixed.ranges)
    han = rule(r"r : A ; A : [\p{Script=Han}] ;", "A")
    assert all(any(low <= ord(char) <= high for low, high in han.ranges) for char in "一种鍮𠀀")
    assert not any(low <= ord("，") <= high for low, high in han.ranges)
    assert unicodedata.category("鍮") == "Lo"


def test_trap_05_sets_and_complements_hold_no_surrogate():
    for body in ("~[a]", ".", "~('a'..'b')", r"[\u0000-\u{10FFFF}]", r"[\P{Lu}]"):
        ranges = rule(f"r : A ; A : {body} ;", "A").ranges
        assert not any(low <= 0xDFFF and high >= 0xD800 for low, high in ranges), body
    assert refusals(r"grammar g; r : A ; A : [\uD800-\uDFFF] ;")[0][0] == "bad-escape"


def test_trap_26_alternatives_keep_their_order_for_they_are_priorities():
    options = rule("r : c | b | a ; a : '1' ; b : '2' ; c : '3' ;").options
    assert [option.name for option in options] == ["c", "b", "a"]


def test_places_depths_fragments_and_slots():
    rules = read("grammar g;\ntokens { TERM, SPAN_2 }\nr options { max_depth = 2; } : '(' r ')'\n  | A TERM ;\nfragment A : 'a' ;")
    assert (rules.rule("r").at, rules.rule("r").max_depth) == ((3, 1), 2)
    assert rules["r"].options[0].at == (3, 32) and rules["r"].options[1].items[1].at == (4, 7)
    assert rules.rule("A").fragment and not rules.rule("r").fragment
    assert rules.slots == {"TERM", "SPAN_2"} and rules.start == "r"
    assert read("grammar g; r : TERM ;").slots is None


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("grammar g;\nr : {print(1)} 'a' ;", "action", 2, 5),
        ("grammar g;\nr : 'a'\n  {ok()}? 'b' ;", "action", 3, 3),
        ("grammar g;\n@header {x}\nr : 'a' ;", "action", 2, 1),
        ("grammar g;\n@parser::members { x }\nr : 'a' ;", "action", 2, 1),
        ("grammar g;\nr @init { x } : 'a' ;", "action", 2, 3),
        ("grammar g;\noptions { language = Python3; }\nr : 'a' ;", "option", 2, 11),
        ("grammar g;\nr options { k = 3; } : 'a' ;", "option", 2, 13),
        ("grammar g;\nr options { max_depth = 1234567890123; } : 'a' ;", "option", 2, 13),
        ("grammar g;\nimport h;\nr : 'a' ;", "import", 2, 1),
        ("grammar g;\nr : A ;\nA : ' ' -> skip ;", "command", 3, 9),
        ("grammar g;\nr : A ;\nA : ' ' -> more, type(B) ;", "command", 3, 9),
        ("grammar g;\nr : A ;\nA : 'a' ;\nmode m;\nB : 'b' ;", "command", 4, 1),
        ("grammar g;\nchannels { C }\nr : 'a' ;", "command", 2, 1),
        ("grammar g;\nr : x='a' ;", "label", 2, 5),
        ("grammar g;\nr : 'b' x+='a' ;", "label", 2, 9),
        ("grammar g;\nr : 'a' # one ;", "label", 2, 9),
        ("grammar g;\nr : 'a'*? ;", "unsupported", 2, 8),
        ("grammar g;\nr : 'a'?? ;", "unsupported", 2, 8),
        ("grammar g;\nr : A ;\nA : ~( 'a' | B ) ;\nB : 'b' ;", "unsupported", 3, 14),
        ("grammar g;\nr : [a-z] ;", "parser-set", 2, 5),
        ("grammar g;\nr : ~A ;\nA : 'a' ;", "parser-set", 2, 5),
        ("grammar g;\nr : A ;\nA : s ;\ns : 'b' ;", "lexer-uses-parser", 3, 5),
        ("grammar g;\nr : A ;\nA : TERM ;", "slot-in-lexer", 3, 5),
        ("grammar g;\nfragment r : 'a' ;", "fragment-parser", 2, 1),
        ("grammar g;\nr : '' ;", "empty-literal", 2, 5),
        ("grammar g;\nr : A ;\nA : [z-a] ;", "bad-range", 3, 5),
        ("grammar g;\nr : A ;\nA : [\\p{Lu}-z] ;", "bad-range", 3, 5),
        ("grammar g;\nr : 'a\\q' ;", "bad-escape", 2, 5),
        ("grammar g;\nr : 'a'{3,2} ;", "bad-bounds", 2, 8),
        ("grammar g;\nr : 'a'{0} ;", "bad-bounds", 2, 8),
        ("grammar g;\nr : 'a'{1,99999999999} ;", "bad-bounds", 2, 8),
        ("grammar g;\nr : EOF 'a' ;", "end-of-file", 2, 5),
        ("grammar g;\nr : s 'b' ;\ns : 'a' EOF ;", "end-of-file", 3, 9),
        ("grammar g;\nA : 'a' ;", "no-rules", 1, 1),
        ("grammar g;\ntokens { a }\nr : 'a' ;", "reserved-name", 2, 10),
        ("grammar g;\nr : 'a'\n  ( ;", "syntax", 3, 5),
        ("grammar g;\nr : 'a ;\n", "syntax", 2, 5),
        ("lexer grammar g;\nA : 'a' ;", "syntax", 1, 1),
        ("grammar g;\nr : 'a' $ ;", "syntax", 2, 9),
        ("", "syntax", 1, 1),
    ],
)
def test_what_is_refused_names_its_place(text, code, line, column):
    assert (code, line, column) in refusals(text)


def test_one_reading_reports_every_refusal():
    codes = [code for code, _, _ in refusals("grammar g;\n@a {}\nr : {x} A ;\nA : 'a' -> skip ;\ns : '\\q' ;")]
    assert codes == ["action", "action", "command", "bad-escape"]


def test_a_text_may_have_a_byte_order_mark_and_any_line_ends():
    assert read("\ufeffgrammar g;\r\nr : 'a' ;\r\n")["r"] == Literal("a")
    assert read("grammar g;\r\nr : 'a' ;\r\n").rule("r").at == (2, 1)


def test_trap_21_texts_and_brackets_beyond_the_bounds_are_refused_at_once():
    assert refusals("grammar g; r : '" + "a" * MAX_BYTES + "' ;") == [("file-size", 0, 0)]
    assert refusals("grammar g; r :\n" + "(" * 100_000) == [("nesting", 2, 65)]
    assert refusals("grammar g; r :\n" + "{" * 100_000) == [("nesting", 2, 65)]
    assert refusals("grammar g; r : " + "[" * 100_000)[0][0] == "syntax"
    assert len(refusals("grammar g; r : " + "% " * 100_000)) == 10


def test_unknown_kinds_of_file_are_named():
    with pytest.raises(GrammarError) as caught:
        read("x", ".ebnf")
    assert caught.value.code == "suffix" and ".g4" in caught.value.findings[0].fix()
