"""The compiler: minimal automata that accept exactly the rules' texts, counters as registers, and caches by content."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.grammar import Frame, Grammar, GrammarError, Illegal, Vocabulary, compiler
from engine.grammar.compiler import compile_rule
from engine.grammar.findings import StateBudgetExceeded
from engine.grammar.ir import Alt, Chars, Literal, Ref, Repeat, Rule, Rules, Seq

BYTES = Vocabulary([bytes([i]) for i in range(256)] + [None], [256])
ALPHABET = "甲乙ab"


def rules(**bodies):
    return Rules([Rule(name, body) for name, body in bodies.items()])


def expression(node):
    """The node as a Python regular expression."""
    if isinstance(node, Literal):
        return re.escape(node.text)
    if isinstance(node, Chars):
        return "[" + "".join(f"{chr(low)}-{chr(high)}" for low, high in node.ranges) + "]" if node.ranges else "(?!)"
    if isinstance(node, Seq):
        return "".join(expression(item) for item in node.items)
    if isinstance(node, Alt):
        return "(?:" + "|".join(expression(option) for option in node.options) + ")" if node.options else "(?!)"
    high = "" if node.high is None else node.high
    return f"(?:{expression(node.item)}){{{node.low},{high}}}"


def repeats(node):
    bounds = st.sampled_from([(0, None), (1, None), (0, 1), (1, 2), (0, 9), (1, 12), (3, 14)])
    return st.tuples(node, bounds).map(lambda pair: Repeat(pair[0], *pair[1]))


LEAVES = st.sampled_from(
    [Literal("甲"), Literal("ab"), Literal(""), Literal("乙甲"), Chars(((97, 98),)), Chars(((0x4E59, 0x4E59), (0x7532, 0x7532)))]
)
NODES = st.recursive(
    LEAVES,
    lambda node: st.one_of(
        st.lists(node, min_size=1, max_size=3).map(lambda items: Seq(tuple(items))),
        st.lists(node, min_size=1, max_size=3).map(lambda options: Alt(tuple(options))),
        repeats(node),
    ),
    max_leaves=7,
)


def accepts(grammar, text):
    try:
        state = grammar.start("r", BYTES, Frame({}), 200)
        for byte in text.encode():
            state = state.advance(byte)
    except (Illegal, GrammarError):
        return False
    return state.accepting


@settings(max_examples=150, deadline=None)
@given(NODES, st.lists(st.text(ALPHABET, max_size=16), max_size=12))
def test_a_rule_accepts_what_its_regular_expression_accepts(node, texts):
    grammar = Grammar(rules(r=node), "")
    pattern = re.compile(expression(node))
    for text in ["", "甲", "ab" * 7, *texts]:
        assert accepts(grammar, text) == bool(pattern.fullmatch(text)), (pattern.pattern, text)


@settings(max_examples=60, deadline=None)
@given(NODES)
def test_equal_languages_have_equal_automata(node):
    one = compile_rule(rules(r=node), "r")
    other = compile_rule(rules(r=Seq((Literal(""), Alt((node, node)))), s=Ref("r")), "s")
    if not (one.counters or other.counters):
        assert np.array_equal(one.table, other.table) and np.array_equal(one.accepting, other.accepting)


def test_a_long_bounded_run_costs_no_states():
    text = Chars(((0x4E00, 0x9FFF),))
    sizes = [len(compile_rule(rules(r=Seq((Repeat(text, 1, high), Literal("。")))), "r").table) for high in (20, 2000)]
    assert sizes[0] == sizes[1] < 10


def test_a_changed_rule_leaves_its_neighbours_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    compiler._CACHE.clear()
    built = []
    node = compiler._Compiler.node
    monkeypatch.setattr(compiler._Compiler, "node", lambda self, n, o, owner: built.append(owner) or node(self, n, o, owner))

    def grammar(leaf):
        return rules(top=Seq((Ref("left"), Ref("right"))), left=Ref("leaf"), right=Literal("右"), leaf=Literal(leaf))

    compile_rule(grammar("叶"), "top")
    assert sorted(set(built)) == ["leaf", "left", "right", "top"]
    built.clear()
    compile_rule(grammar("花"), "top")
    assert sorted(set(built)) == ["leaf", "left", "top"]


def test_automata_come_back_from_disk(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    compiler._CACHE.clear()
    text = Repeat(Chars(((0x4E00, 0x9FFF),)), 2, 50)
    made = compile_rule(rules(r=Seq((text, Ref("TERM"), Literal("。")))), "r")
    compiler._CACHE.clear()
    monkeypatch.setattr(compiler._Compiler, "node", lambda *_: pytest.fail("compiled again"))
    read = compile_rule(rules(r=Seq((text, Ref("TERM"), Literal("。")))), "r")
    assert np.array_equal(made.table, read.table) and made.plugs == read.plugs
    assert [counter.high for counter in made.counters.values()] == [counter.high for counter in read.counters.values()]


def test_a_damaged_cache_file_is_compiled_again(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    compiler._CACHE.clear()
    made = compile_rule(rules(r=Literal("甲")), "r")
    for file in compiler.cache_folder().iterdir():
        file.write_bytes(file.read_bytes()[:20])
    compiler._CACHE.clear()
    assert np.array_equal(compile_rule(rules(r=Literal("甲")), "r").table, made.table)


def test_a_rule_that_explodes_is_named():
    either = Chars(((97, 98),))
    bomb = Seq((Repeat(either, 0, None), Literal("a"), *[either] * 14))
    with pytest.raises(StateBudgetExceeded) as error:
        compile_rule(rules(top=Ref("cond"), cond=bomb), "top", max_states=2000)
    assert error.value.rule == "cond" and error.value.budget == 2000


def test_recursion_opens_as_often_as_its_depth_says():
    nested = Seq((Literal("("), Repeat(Ref("r"), 0, 1), Literal(")")))
    grammar = Grammar(Rules([Rule("r", nested, max_depth=2)]), "")
    assert accepts(grammar, "((()))") and not accepts(grammar, "(((())))")
