"""The Lark dialect: the language that Lark itself reads, and what is refused by name, line and column."""

import itertools

import lark
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.grammar.findings import GrammarError
from engine.grammar.ir import Alt, Chars, Literal, Ref, Repeat, Seq
from engine.grammar.sources import read
from tests.grammar.brute import as_g4, as_lark, fits, grammars, texts

ALL_TEXTS = ["".join(text) for length in range(5) for text in itertools.product("ab", repeat=length)]


def body(text: str, name: str = "start"):
    return read(text, ".lark")[name]


def refusals(text: str) -> list[tuple[str, int, int]]:
    with pytest.raises(GrammarError) as caught:
        read(text, ".lark")
    for finding in caught.value.findings:
        assert finding.text("en") and finding.text("zh") and finding.fix("en") and finding.fix("zh")
    return [(finding.code, *finding.at) for finding in caught.value.findings]


@settings(max_examples=150, deadline=None)
@given(grammars())
def test_trap_22_equal_rules_in_two_languages_have_equal_texts(rules):
    from_lark, from_g4 = read(as_lark(rules), ".lark"), read(as_g4(rules))
    assert texts(from_lark, "r", 4) == texts(from_g4, "r", 4) == texts(rules, "r", 4)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(grammars(recursive=False))
def test_a_text_fits_when_lark_parses_it(rules):
    text = as_lark(rules)
    try:
        parser = lark.Lark(text, start="r", parser="earley", lexer="dynamic_complete", ambiguity="resolve")
    except lark.exceptions.GrammarError:
        assume(False)
    ours = texts(read(text, ".lark"), "r", 4)
    for candidate in ALL_TEXTS:
        try:
            parser.parse(candidate)
            theirs = True
        except lark.exceptions.UnexpectedInput:
            theirs = False
        assert theirs == (candidate in ours), (text, candidate)


TERMINALS = [r"/[ab]+/", r"/a|b{2,3}/", r"/(?:ab)*a/", r"/[^a]/", r"/\w/", r"/a.b/", r"/\x61?b/", r'"a".."b"', r'"\u0061"']


@pytest.mark.parametrize("terminal", TERMINALS)
def test_a_terminal_fits_what_larks_regular_expression_fits(terminal):
    text = f"start: T\nT: {terminal}\n"
    parser, rules = lark.Lark(text, parser="earley", lexer="dynamic_complete"), read(text, ".lark")
    for candidate in ALL_TEXTS[1:] + ["c", "é", "一", "acb", "a\nb", "_", "١"]:
        try:
            parser.parse(candidate)
            theirs = True
        except lark.exceptions.UnexpectedInput:
            theirs = False
        assert theirs == fits(rules, "start", candidate), candidate


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='ab:|()[]?*+"/ \n', max_size=14))
def test_what_we_read_lark_reads(text):
    grammar = f"start: {text}\na: \"x\"\nb: \"y\"\n"
    try:
        rules = read(grammar, ".lark")
    except GrammarError:
        return
    try:
        lark.Lark(grammar, parser="earley", lexer="dynamic_complete")
    except lark.exceptions.GrammarError as error:
        assert any(word in str(error) for word in ("not defined", "zero-width", "defined more than once", "conflict")), error
    assert "start" in rules


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ('start: "a" b?\n     | "c"~2..3\nb: "b"', Alt((Seq((Literal("a"), Repeat(Ref("b"), 0, 1))), Repeat(Literal("c"), 2, 3)))),
        ('start: ["a" b]\nb: "b"', Repeat(Seq((Literal("a"), Ref("b"))), 0, 1)),
        ('!start: "a" -> x\n', Literal("a")),
        ('?start: "a"~2', Repeat(Literal("a"), 2, 2)),
        ('start: "\\u4e00\\x41\\n"', Literal("一A\n")),
        ('// c\nstart: "a"  // d\n  // e\n  | "b"', Alt((Literal("a"), Literal("b")))),
        ("start: /[a-c]/", Chars(((97, 99),))),
    ],
)
def test_rules_mean_what_they_mean_in_lark(text, node):
    assert body(text) == node


def test_a_higher_priority_comes_first_among_alternatives():
    assert [o.name for o in body('start: a | b | c\na: "x"\nb.2: "y"\nc.1: "z"').options] == ["b", "c", "a"]


def test_slots_are_declared_and_depths_are_comments():
    rules = read('%declare TERM\n//! max_depth start = 2\nstart: "(" start ")" | TERM\n', ".lark")
    assert rules.slots == {"TERM"} and rules.rule("start").max_depth == 2 and rules.rule("start").at == (3, 1)


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ('start: "a\n', "syntax", 1, 8),
        ('start: ("a"', "syntax", 1, 12),
        ('start: "a"\n%foo', "syntax", 2, 1),
        ('start: "a"\n%ignore " "', "unsupported", 2, 1),
        ('start: "a"\n%import common.WS', "import", 2, 1),
        ('start: "a"\n%extend a: "b"', "unsupported", 2, 1),
        ('start: "a"i', "unsupported", 1, 8),
        ("start: /a/i", "unsupported", 1, 8),
        ('start: x{"a"}\nx{y}: y', "unsupported", 1, 8),
        ("start: /a(?=b)/", "regex", 1, 11),
        (r"start: /(a)\1/", "regex", 1, 13),
        ("start: /a*?/", "regex", 1, 11),
        ("start: /a++/", "regex", 1, 11),
        ("start: /^a/", "regex", 1, 9),
        ("start: /[b-a]/", "bad-range", 1, 13),
        ('start: "b".."a"', "bad-range", 1, 8),
        ('start: ""', "empty-literal", 1, 8),
        ('start: "\\q"', "bad-escape", 1, 8),
        ('start: "a"~3..2', "bad-bounds", 1, 12),
        ('start: A\nA: b\nb: "x"', "lexer-uses-parser", 2, 4),
        ('//! max_depth q = 2\nstart: "a"', "undefined-rule", 1, 1),
        ("", "no-rules", 1, 1),
    ],
)
def test_what_is_refused_names_its_place(text, code, line, column):
    assert (code, line, column) in refusals(text)


def test_trap_21_long_and_deep_texts_are_read_or_refused_at_once():
    assert refusals("start: " + "(" * 100_000)[0][0] == "nesting"
    assert refusals("start: /" + "(?:" * 1_000 + ")" * 1_000 + "/")[0][0] == "nesting"
    assert list(read('start: "a"\n' + "\n" * 200_000 + 'b: "c"', ".lark")) == ["start", "b"]
    assert refusals('start: "a"\n' + "\n" * 200_000 + "|||:")[0][0] == "syntax"
