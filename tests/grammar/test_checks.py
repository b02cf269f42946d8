"""Every check against its meaning by brute force, against Lark and ANTLR's rules, and case by case with its words."""

import re

import lark
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.grammar.checks import check, load
from engine.grammar.compiler import compile_rule
from engine.grammar.findings import GrammarError
from engine.grammar.ir import Alt, Literal, Ref, Repeat, Rule, Rules, Seq, children, references, walk
from engine.grammar.sources import read
from engine.grammar.wording import PARTS, WORDING
from tests.grammar.brute import as_lark, derivable, grammars, texts

FREE = {"cost", "unused-rule", "unreachable-rule"}


def found(text: str, *starts: str, kind: str = ".g4", **options) -> list[tuple[str, int, int]]:
    findings = check(read(text, kind), starts, **options)
    for finding in findings:
        words = [finding.text("en"), finding.text("zh"), finding.fix("en"), finding.fix("zh")]
        assert all(words) and not any("{" in word.replace("{ max_depth", "").replace("{1,80}", "").replace("{0,80}", "") for word in words)
        assert re.search("[一-鿿]", finding.text("zh"))
    return [(finding.code, *finding.at) for finding in findings if finding.code not in FREE]


def codes(text: str, *starts: str, **options) -> list[str]:
    return [code for code, _, _ in found(text, *starts, **options)]


# Against brute force


@settings(max_examples=150, deadline=None)
@given(grammars())
def test_unproductive_means_that_no_text_can_be_derived(rules):
    told = {finding.rule for finding in check(rules) if finding.code == "unproductive"}
    assert told == set(rules) - derivable(rules)
    assert not any(texts(rules, name, 4) for name in told)


@settings(max_examples=150, deadline=None)
@given(grammars())
def test_left_recursion_means_that_a_rule_can_begin_with_itself(rules):
    def begins(name):
        """Rules at the left end of what the rule can be unfolded to, by unfolding."""
        reached, todo = set(), [rules[name]]
        while todo:
            node = todo.pop()
            if isinstance(node, Ref):
                if node.name not in reached:
                    reached.add(node.name)
                    todo.append(rules[node.name])
            elif isinstance(node, Alt | Repeat):
                todo += children(node)
            elif isinstance(node, Seq):
                for item in node.items:
                    todo.append(item)
                    if "" not in texts(Rules([*rules.declared, Rule("item", item)]), "item", 0):
                        break
        return reached

    told = {
        name
        for finding in check(rules)
        if finding.code in ("left-recursion", "mutual-left-recursion")
        for name in str(finding.values["loop"]).split(" -> ")
    }
    expected = {name for name in rules if name in begins(name)}
    assert told <= expected and bool(told) == bool(expected)


@settings(max_examples=150, deadline=None)
@given(grammars())
def test_recursion_is_told_exactly_when_unfolding_does_not_end(rules):
    told = {finding.code for finding in check(rules)} & {"recursion", "left-recursion", "mutual-left-recursion"}

    def ends(name, path):
        return name not in path and all(ends(used, (*path, name)) for used in references(rules[name]))

    assert bool(told) != all(ends(name, ()) for name in rules)


@settings(max_examples=100, deadline=None)
@given(grammars(), st.lists(st.sampled_from([None, None, 0, 1]), min_size=3, max_size=3))
def test_the_compiler_takes_what_the_checks_take(rules, depths):
    bounded = Rules(Rule(name, rules[name], max_depth=depth) for name, depth in zip(rules, depths, strict=True))
    refused = {finding.code for finding in check(bounded)} & {"recursion", "left-recursion", "mutual-left-recursion"}
    if not refused:
        assert all(len(compile_rule(bounded, name).accepting) for name in bounded)
    elif bounded.unbounded:
        with pytest.raises(GrammarError):
            compile_rule(bounded, bounded.unbounded[0][0])


@settings(max_examples=100, deadline=None)
@given(grammars(), st.sampled_from(["a", "b", "ab", "ba", "aab"]))
def test_a_forbidden_literal_makes_its_rule_unwritable_and_naming_it_makes_no_other_error(rules, word):
    findings = check(rules, forbid=[word])
    for finding in findings:
        if finding.code == "forbidden-literal":
            assert all(word in text for text in texts(rules, finding.rule, 5))
    plain = [finding for finding in check(rules)]
    assert [finding for finding in findings if not finding.code.startswith("forbidden")] == plain


@settings(max_examples=100, deadline=None)
@given(grammars())
def test_an_epsilon_loop_repeats_the_empty_text(rules):
    told = [finding for finding in check(rules) if finding.code == "epsilon-loop"]
    loops = [
        node
        for name in rules
        for node in walk(rules[name])
        if isinstance(node, Repeat)
        and node.high is None
        and "" in texts(Rules([*rules.declared, Rule("item", node.item)]), "item", 0)
    ]
    assert len(told) == len(loops)


@settings(max_examples=100, deadline=None)
@given(grammars(recursive=False))
def test_a_note_gives_the_length_of_the_shortest_text(rules):
    for finding in check(rules, ["r"]):
        if finding.code == "cost":
            shortest = int(str(finding.values["shortest"]))
            short = texts(rules, "r", 6)
            assert min(map(len, short)) == shortest if short else shortest > 6


# Against Lark


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["start", "a", "b", "c"]), st.sampled_from(["a", "b", "c", "d", '"x"'])), min_size=1, max_size=4))
def test_undefined_and_duplicate_rules_are_those_lark_refuses(parts):
    text = "".join(f'{name}: "y" {used}\n' for name, used in parts)
    ours = set(codes(text, kind=".lark")) & {"undefined-rule", "duplicate-rule"}
    try:
        lark.Lark(text, start=parts[0][0], parser="earley")
        theirs = False
    except lark.exceptions.GrammarError:
        theirs = True
    assert bool(ours) == theirs, text


@settings(max_examples=50, deadline=None)
@given(grammars())
def test_a_rule_without_undefined_names_is_one_lark_takes(rules):
    assert "undefined-rule" not in codes(as_lark(rules), kind=".lark")
    lark.Lark(as_lark(rules), start="r", parser="earley", lexer="dynamic_complete")


# Case by case


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("grammar g;\nr : s ;", [("undefined-rule", 2, 5)]),
        ("grammar g;\nr : s\n  | s 'a' ;", [("undefined-rule", 2, 5), ("undefined-rule", 3, 5)]),
        ("grammar g;\nr : 'a' ;\nr : 'b' ;\nr : 'c' ;", [("duplicate-rule", 3, 1), ("duplicate-rule", 4, 1)]),
        ("grammar g;\nr : r 'a' | 'b' ;", [("left-recursion", 2, 1)]),
        ("grammar g;\nr : 'x'? r 'a' | 'b' ;", [("left-recursion", 2, 1)]),
        ("grammar g;\nr : s 'a' | 'c' ;\ns : r 'b' ;", [("mutual-left-recursion", 2, 1)]),
        ("grammar g;\nr : 'a' r | 'b' ;", [("recursion", 2, 1)]),
        ("grammar g;\nr options { max_depth = 2; } : 'a' r | 'b' ;", []),
        ("grammar g;\nr : 'a' s | 'b' ;\ns options { max_depth = 1; } : 'c' r ;", []),
        ("grammar g;\nr : 'a' r ;", [("recursion", 2, 1), ("unproductive", 2, 1)]),
        ("grammar g;\nr : 'a'\n  ( 'b'? )* ;", [("epsilon-loop", 3, 3)]),
        ("grammar g;\nr : ( 'b'? )? ;", []),
        ("grammar g;\nr : T '。' ;\nT : ~[。]* ;", [("free-text", 3, 5)]),
        ("grammar g;\nr : T '。' ;\nT : [\\p{Han}]+ ;", [("free-text", 3, 5)]),
        ("grammar g;\nr : T '方法' ;\nT : [法方]+ ;", [("free-text", 3, 5)]),
        ("grammar g;\nr : T s? '方法' ;\nT : 'a' C+ ;\ns : 'b' ;\nC : [法方] ;", [("free-text", 3, 9)]),
        ("grammar g;\nr : T '。' ;\nT : ~[。]{1,80} ;", []),
        ("grammar g;\nr : T '。' ;\nT : [a-z]+ ;", []),
        ("grammar g;\nr : T ;\nT : ~[。]* ;", [("unbounded-run", 3, 5)]),
        ("grammar g;\nr : ( '，' | '、' )+ 'a' ;", [("unbounded-run", 2, 5)]),
        ("grammar g;\nr : 'a' ( '，' 'a' )* ;", []),
        ("grammar g;\nr : 'a' ( '，' TERM? )* ;", [("unbounded-run", 2, 9)]),
    ],
)
def test_each_fault_is_told_once_with_its_place(text, expected):
    assert found(text) == expected


def test_unused_and_unreachable_rules_depend_on_the_starts():
    text = "grammar g;\nr : 'a' ;\ns : t ;\nt : A ;\nA : 'a' ;\nB : 'b' ;\nfragment C : 'c' ;"

    def told(*starts):
        findings = check(read(text), starts)
        return [(finding.code, finding.at.line) for finding in findings if finding.code in FREE - {"cost"}]

    assert told() == [("unused-rule", 6), ("unused-rule", 7)]
    assert told("r") == [("unused-rule", 3), ("unreachable-rule", 4), ("unreachable-rule", 5), ("unused-rule", 6), ("unused-rule", 7)]
    assert codes(text, "rr") == ["no-start"]


def test_names_that_are_no_host_slot_are_undefined_and_the_near_one_is_named():
    text = "grammar g;\nr : SUBJCT SPAN ;"
    assert codes(text) == []
    findings = check(read(text), slots=["SUBJECT"])
    assert [finding.code for finding in findings if finding.code != "cost"] == ["undefined-rule"]
    assert "SUBJECT" in findings[1].fix("en") and "SUBJECT" in findings[1].fix("zh")
    assert codes("grammar g;\ntokens { TERM }\nr : TERMS ;") == ["undefined-rule"]


def test_false_schemas_are_unproductive():
    assert codes('{"$defs": {"a": false}, "$ref": "#/$defs/a"}', kind=".json") == ["unproductive", "unproductive"]


def test_pattern_with_a_length_that_it_does_not_keep_is_refused():
    with pytest.raises(GrammarError) as caught:
        read('{"type": "string",\n "pattern": "^a+$",\n "maxLength": 4}', ".json")
    assert (caught.value.code, caught.value.line) == ("pattern-length", 3)


def test_trap_06_a_forbidden_word_in_a_mandatory_literal_is_an_error_naming_both():
    (finding,) = [f for f in check(read("grammar g;\nr : 'x' '大约为' N ;"), forbid=["大约"]) if f.code != "cost"]
    assert (finding.code, finding.severity, finding.at) == ("forbidden-literal", "error", (2, 5))
    for language in ("en", "zh"):
        assert "大约" in finding.text(language) and "大约为" in finding.text(language)


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("r : '大约' ;", "大约", ["forbidden-literal"]),
        ("r : '大约' | '约' ;", "大约", ["forbidden-option"]),
        ("r : '大' '约' ;", "大约", ["forbidden-literal"]),
        ("r : '大' ( '约' 'x' ) ;", "大约", ["forbidden-literal"]),
        ("r : '大' s ; s : '约' ;", "大约", ["forbidden-literal"]),
        ("r : 'x' s ; s : '大约' ;", "大约", ["forbidden-literal"]),
        ("r : '大' s ; s : '约' | '小' ;", "大约", []),
        ("r : '大' TERM '约' ;", "大约", []),
        ("r : 'ＡＢ' ;", "AB", ["forbidden-literal"]),
        ("r : 'ab' ;", "AB", ["forbidden-literal"]),
        ("r : '大\\u200B约' ;", "大约", ["forbidden-literal"]),
        ("r : '大约' ;", "大\u200b约", ["forbidden-literal"]),
        ("r : ( '大约' 'x' )? 'y' ;", "大约", ["forbidden-option"]),
    ],
)
def test_trap_06_words_across_literals_rules_and_spellings(text, word, expected):
    assert codes(f"grammar g; {text}", forbid=[word]) == expected


def test_trap_06_a_guard_lets_a_longer_word_through():
    text = "grammar g; r : '接近开关' ;"
    assert codes(text, forbid=["接近"]) == ["forbidden-literal"]
    assert codes(text, forbid=["接近"], guards=["接近开关"]) == []
    assert codes("grammar g; r : '接近开关接近' ;", forbid=["接近"], guards=["接近开关"]) == ["forbidden-literal"]


def test_trap_11_a_rule_that_can_never_end_is_an_error_before_decoding():
    assert codes("grammar g; r : 'a' | 'b' s ; s options { max_depth = 3; } : 'c' s ;") == ["unproductive"]


def test_trap_13_runs_of_blanks_and_punctuation_are_told_wherever_they_hide():
    for body in ("' '*", "( '，' | TERM )+", "~[。；]+", "( s '、'? )*"):
        atom = body if body[0] != "~" else "T"
        text = f"grammar g;\nr : {atom} TERM ;\ns : ' ' ;\nT : ~[。；]+ ;"
        assert "unbounded-run" in codes(text, "r"), body


def test_trap_21_a_rule_longer_than_the_state_budget_is_named_with_the_reason():
    findings = check(read("grammar g;\nr : s ;\ns : ( 'ab' ){40000} ;"), ["r"])
    told = [finding for finding in findings if finding.code == "state-budget"]
    assert [(finding.rule, finding.at.line) for finding in told] == [("r", 2), ("s", 3)]
    assert "80000" in told[1].text() and "60000" in told[1].text("zh")


def test_trap_21_huge_counts_and_doubling_rules_are_estimated_without_being_written_out():
    doubling = "".join(f"r{i} : r{i + 1} r{i + 1} ; " for i in range(200)) + "r200 : 'a' | ;"
    tripling = "".join(f"r{i} : 'a' r{i + 1} | r{i + 1} 'a' | r{i + 1} ; " for i in range(200)) + "r200 : 'a' ;"
    nested = "r0 : ( ( ( A{0,100000} ){0,100000} ){0,100000} ){0,100000} ; A : 'a' ;"
    for text in (doubling, tripling, nested):
        (note,) = [finding for finding in check(read(f"grammar g; {text}"), ["r0"]) if finding.code == "cost"]
        assert "1,000,000,000,000" in note.text()


def test_counters_cost_a_register_not_states():
    (note,) = [finding for finding in check(read("grammar g; r : T ; T : [a-z]{1,100000} ;")) if finding.code == "cost"]
    assert note.values["counters"] == 1 and note.values["states"] == "2"


def test_trap_21_rules_nested_beyond_reason_are_told_not_followed():
    node = Literal("a")
    for _ in range(5000):
        node = Seq((node,))
    assert [finding.code for finding in check(Rules([Rule("r", node)]))] == ["nesting"]


def test_load_raises_the_errors_and_lets_warnings_pass():
    assert load("grammar g; r : 'a' | T ; T : ~[。]+ ;")["r"]
    with pytest.raises(GrammarError) as caught:
        load("grammar g;\nr : s ;\nt : t 'a' ;")
    assert [finding.code for finding in caught.value.findings] == ["undefined-rule", "left-recursion", "unproductive"]
    assert (caught.value.code, caught.value.line) == ("undefined-rule", 2)


def test_shipped_grammars_have_no_errors(request):
    shipped = sorted((request.config.rootpath / "grammars").glob("*.g4"))
    assert len(shipped) >= 4
    for path in shipped:
        assert load(path.read_text("utf-8")), path


def test_every_wording_is_whole():
    for code, wording in WORDING.items():
        names = {name: "一" for text in wording[1:] for name in re.findall(r"(?<!\{)\{(\w+)\}", text)}
        filled = [text.format_map(names) for text in wording[1:]]
        assert all(filled) and all(re.search("[一-鿿]", filled[i]) for i in (1, 3)), code
    assert all(english and chinese for english, chinese in PARTS.values())
