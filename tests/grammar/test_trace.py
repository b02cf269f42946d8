"""SHIFT / REDUCE / ACCEPT: streamed events equal a replay, and the replay is the first derivation by priority."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.grammar import Frame, Grammar, GrammarError
from engine.grammar.ir import Alt, Chars, Literal, Node, Ref, Repeat, Rule, Rules, Seq
from engine.grammar.language import GRAMMARS, Profile
from engine.grammar.trace import Parser, Refused
from tests.grammar import brute

CLAIMS = Grammar.load(GRAMMARS / "claims_zh.g4")
SLOTS = {
    "SUBJECT": ["门锁"],
    "TERM": ["门锁", "壳体", "锁", "锁舌"],
    "WORD": ["壳体", "锁", "锁舌", "内", "设有", "滑动连接", "于", "和", "滑动", "连接"],
    "REF": ["根据权利要求1"],
}
FRAME = Frame(SLOTS)
CORPUS = GRAMMARS.parents[1] / "shared" / "corpus" / "zh_regress.jsonl"


def replay(rules: Rules, start: str, text: str, slots=SLOTS) -> list:
    parser = Parser(rules, start, slots)
    return [*parser.feed(text), *parser.finish()]


def derivations(rules: Rules, start: str, text: str, slots=SLOTS) -> Iterator[list]:
    """Every derivation by backtracking, in order of priority: the definition that the parser is held against."""

    def ways(node: Node, at: int, depth: dict) -> Iterator[tuple[int, list]]:
        if isinstance(node, Literal):
            if text.startswith(node.text, at):
                yield at + len(node.text), [("SHIFT", None, at, at + len(node.text))] if node.text else []
        elif isinstance(node, Chars):
            if at < len(text) and any(low <= ord(text[at]) <= high for low, high in node.ranges):
                yield at + 1, [("SHIFT", None, at, at + 1)]
        elif isinstance(node, Ref) and node.name in rules:
            opened = depth.get(node.name, 0)
            most = rules.rule(node.name).max_depth
            if node.name in rules.recursive and most is not None and opened > most:
                return
            body = rules[node.name]
            for number, option in enumerate(body.options if isinstance(body, Alt) else (body,), 1):
                for end, events in ways(option, at, {**depth, node.name: opened + 1}):
                    yield end, [*events, ("REDUCE", (node.name, number), at, end)]
        elif isinstance(node, Ref):
            for string in sorted(set(slots[node.name]), key=len, reverse=True):
                if text.startswith(string, at):
                    yield at + len(string), [("SHIFT", node.name, at, at + len(string))]
        elif isinstance(node, Alt):
            for option in node.options:
                yield from ways(option, at, depth)
        elif isinstance(node, Seq):
            yield from sequence(node.items, at, depth)
        else:
            yield from rounds(node, 0, at, depth)

    def sequence(items: tuple, at: int, depth: dict) -> Iterator[tuple[int, list]]:
        if not items:
            yield at, []
            return
        for middle, first in ways(items[0], at, depth):
            for end, rest in sequence(items[1:], middle, depth):
                yield end, first + rest

    def rounds(node: Repeat, count: int, at: int, depth: dict) -> Iterator[tuple[int, list]]:
        if node.high is None or count < node.high:
            for middle, first in ways(node.item, at, depth):
                if middle == at and (count >= node.low or node.high is None and count > len(text) + node.low):
                    continue
                for end, rest in rounds(node, count + 1, middle, depth):
                    yield end, first + rest
        if count >= node.low:
            yield at, []

    return (events for end, events in ways(Ref(start), 0, {}) if end == len(text))


def plain(events: list) -> list:
    """Events as the enumeration tells them."""
    out = []
    for event in events[:-1]:
        what = (event["rule"], event["alternative"]) if event["op"] == "REDUCE" else event.get("slot")
        out.append((event["op"], what, event["start"], event["end"]))
    return out


def deep(rules: Rules) -> Rules:
    """The same rules with a bound on recursion."""
    return Rules([replace(rule, max_depth=1) for rule in rules.declared])


@settings(max_examples=100, deadline=None)
@given(brute.grammars(recursive=False), st.text(brute.LETTERS, max_size=5))
def test_events_are_the_first_derivation_by_priority(rules, text):
    check_first(rules, text)


@settings(max_examples=100, deadline=None)
@given(brute.grammars().map(deep), st.text(brute.LETTERS, max_size=3))
def test_recursion_within_its_depth_is_derived_likewise(rules, text):
    check_first(rules, text)


def check_first(rules, text):
    expected = next(derivations(rules, "r", text), None)
    try:
        found = replay(rules, "r", text)
    except Refused:
        assert expected is None
        return
    assert plain(found) == expected
    assert found[-1] == {"op": "ACCEPT", "rule": "r", "start": 0, "end": len(text)}


def sentence(rules: Rules, node: Node, random, slots=SLOTS) -> str:
    """A random text of a node."""
    if isinstance(node, Literal):
        return node.text
    if isinstance(node, Chars):
        return chr(random.randint(*random.choice(node.ranges)))
    if isinstance(node, Ref):
        return sentence(rules, rules[node.name], random) if node.name in rules else random.choice(slots[node.name])
    if isinstance(node, Alt):
        return sentence(rules, random.choice(node.options), random)
    if isinstance(node, Seq):
        return "".join(sentence(rules, item, random) for item in node.items)
    most = node.low + 3 if node.high is None else min(node.high, node.low + 3)
    return "".join(sentence(rules, node.item, random) for _ in range(random.randint(node.low, most)))


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(["independent", "dependent"]))
def test_streamed_events_equal_the_replay_on_claims(random, rule):
    text = sentence(CLAIMS.rules, Ref(rule), random)
    parser, streamed, at = CLAIMS.parser(rule, FRAME), [], 0
    whole = CLAIMS.trace(rule, text, FRAME)
    while at < len(text):
        step = random.randint(1, 5)
        streamed += parser.feed(text[at : at + step])
        at += step
        assert streamed == whole[: len(streamed)]
    assert streamed + parser.finish() == whole
    assert "".join(event["text"] for event in whole if event["op"] == "SHIFT") == text


@settings(max_examples=100, deadline=None)
@given(brute.grammars(recursive=False), st.text(brute.LETTERS, max_size=6), st.integers(0, 6))
def test_what_is_told_early_is_never_taken_back(rules, text, cut):
    parser = Parser(rules, "r", {})
    try:
        early = parser.feed(text[:cut])
        late = early + parser.feed(text[cut:]) + parser.finish()
    except Refused:
        return
    assert late == replay(rules, "r", text)


def test_an_event_is_told_as_soon_as_all_derivations_agree():
    parser = CLAIMS.parser("independent", FRAME)
    assert parser.feed("一种门") == [{"op": "SHIFT", "text": "一种", "start": 0, "end": 2}]
    assert [event.get("slot") for event in parser.feed("锁")] == ["SUBJECT"]
    assert parser.feed("，其特征在于，包括滑动") and parser.stacks > 1
    # 滑动 may be a word of its own or the beginning of 滑动连接.
    assert parser.feed("连接") == []
    assert parser.feed("于")[0] == {"op": "SHIFT", "text": "滑动连接", "start": 13, "end": 17, "slot": "WORD"}


def test_a_token_rule_is_one_shift():
    rules = Grammar.load("grammar g; r : NUMBER '。' | other ; other : NUMBER ; NUMBER : DIGIT DIGIT ; DIGIT : [0-9] ;").rules
    assert replay(rules, "r", "12。")[:2] == [
        {"op": "SHIFT", "text": "12", "start": 0, "end": 2, "token": "NUMBER"},
        {"op": "SHIFT", "text": "。", "start": 2, "end": 3},
    ]
    assert replay(rules, "r", "12")[-2] == {"op": "REDUCE", "rule": "r", "alternative": 2, "start": 0, "end": 2}


def test_spans_are_stretches_of_the_source():
    grammar = Grammar.load("grammar g; r : SPAN '，' SPAN ;")
    events = grammar.trace("r", "壳体内，锁舌", Frame({}, source="锁舌设在壳体内。"))
    assert [event["text"] for event in events if event.get("slot")] == ["壳体内", "锁舌"]
    with pytest.raises(Refused):
        grammar.trace("r", "壳体外，锁舌", Frame({}, source="锁舌设在壳体内。"))


@pytest.mark.parametrize(("text", "at"), [("一种门窗", 3), ("一种门锁", 4), ("", 0), ("一种门锁，其特征在于，包括锁。。", 15)])
def test_a_refused_text_is_told_with_its_place(text, at):
    with pytest.raises(Refused) as refused:
        CLAIMS.trace("independent", text, FRAME)
    assert refused.value.at == at


def test_rules_that_cannot_be_read_are_refused():
    loop = Rules([Rule("r", Alt((Seq((Literal("a"), Ref("r"))), Literal("b"))))])
    for rules, start, code in ((loop, "r", "recursion"), (loop, "q", "undefined-rule"), (CLAIMS.rules, "independent", "unbound-slot")):
        with pytest.raises(GrammarError) as error:
            Parser(rules, start, {}).feed("aa")
        assert error.value.code == code


def claims_of_the_corpus():
    if not CORPUS.exists():
        pytest.skip("the regression corpus is not here")
    for line in CORPUS.read_text("utf-8").splitlines()[:30]:
        for number, text in enumerate(json.loads(line)["claims"][:5], 1):
            yield f"{number}. {text}"


def test_real_claims_are_derived_as_the_recogniser_derives_them():
    profile = Profile.load("claims_granted_zh")
    read = 0
    for text in claims_of_the_corpus():
        spans = profile.language.derive(text)
        if spans is None:
            continue
        reduced = [(e["rule"], e["start"], e["end"]) for e in replay(profile.rules, "claim", text) if e["op"] == "REDUCE"]
        # The recogniser lets an optional part be there and empty.
        assert sorted(reduced) == sorted(tuple(span) for span in spans if span.start < span.end)
        read += 1
    assert read >= 20
