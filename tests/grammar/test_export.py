"""Exports: the language of each equals ours, by XGrammar, llguidance, Lark and Python's re; what is left out is rechecked."""

import random
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.grammar import Frame, Grammar, GrammarError
from engine.grammar.export import FORMS, export
from engine.grammar.ir import Ref, Rules
from engine.grammar.language import Profile
from engine.grammar.trace import Parser, Refused
from engine.grammar.why import recheck
from tests.grammar import brute
from tests.grammar.test_trace import CLAIMS, SLOTS, sentence

FORBID = ["连接于", "大约", "和和", "于锁"]
SHORT = ["".join(letters) for size in range(5) for letters in product(brute.LETTERS, repeat=size)]
Reads = Callable[[str], bool]


def by_xgrammar(text: str) -> Reads:
    xgrammar = pytest.importorskip("xgrammar")
    matcher = xgrammar.testing._get_matcher_from_grammar(xgrammar.Grammar.from_ebnf(text))

    def reads(text: str) -> bool:
        matcher.reset()
        return matcher.accept_string(text) and matcher.is_completed()

    return reads


def by_re(text: str) -> Reads:
    pattern = re.compile(text[text.index("start: /") + 8 : text.rindex("/")])
    return lambda text: pattern.fullmatch(text) is not None


def by_llguidance(text: str) -> Reads:
    llguidance = pytest.importorskip("llguidance")
    tokenizer = llguidance.LLTokenizer("byte")
    whole = llguidance.LLMatcher(tokenizer, text)
    assert not whole.is_error(), whole.get_error()

    def reads(text: str) -> bool:
        matcher = whole.deep_copy()
        tokens = tokenizer.tokenize_bytes(text.encode())
        return matcher.validate_tokens(tokens) == len(tokens) and bool(matcher.consume_tokens(tokens)) and matcher.is_accepting()

    return reads


def by_lark(text: str) -> Reads:
    """The right-linear rules as a Lark grammar."""
    from lark import Lark
    from lark.exceptions import LarkError

    body = text[text.index("root ::=") :].replace("root ::=", "start ::=").replace(" ::=", ":").replace('""', "")
    parser = Lark(re.sub(r"\[[^\]]*\]", lambda found: f"/{found[0]}/", body), parser="earley", lexer="dynamic_complete")

    def reads(text: str) -> bool:
        try:
            parser.parse(text)
        except LarkError:
            return False
        return True

    return reads


ORACLES = {"l0": by_xgrammar, "l1": by_xgrammar, "l2": by_xgrammar, "gbnf": by_xgrammar, "regex": by_llguidance}


def ours(rules: Rules, start: str, slots=SLOTS) -> Reads:
    def reads(text: str) -> bool:
        try:
            parser = Parser(rules, start, slots)
            parser.feed(text)
        except Refused:
            return False
        return parser.accepting

    return reads


def mutated(text: str, rng: random.Random) -> str:
    at, other = rng.randrange(len(text)), rng.randrange(len(text))
    char = rng.choice("，。；、所述锁壳体的和a（") if rng.random() < 0.5 else text[other]
    return rng.choice([text[:at] + text[at + 1 :], text[:at] + char + text[at:], text[:at] + char + text[at + 1 :], text[:at]])


def samples(rules: Rules, start: str, count: int, seed: int = 1) -> list[str]:
    """Texts of the language, and texts one or two changes away."""
    rng = random.Random(seed)
    texts = []
    while len(texts) < count:
        text = sentence(rules, Ref(start), rng)
        texts += [text, mutated(text, rng)]
        texts += [mutated(texts[-1], rng)] if texts[-1] else []
    return texts


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rule", ["independent", "dependent"])
def test_the_claims_grammar_is_read_alike_elsewhere(form, rule):
    frame = Frame(SLOTS, forbid=FORBID)
    reads, legal = ORACLES[form](export(CLAIMS.rules, rule, frame, form)), ours(CLAIMS.rules, rule)
    verdicts = []
    for text in samples(CLAIMS.rules, rule, 600):
        expected = legal(text) and not (form == "l2" and any(word in text for word in FORBID))
        assert reads(text) == expected, text
        verdicts.append(expected)
    assert 100 < sum(verdicts) < 500


@settings(max_examples=25, deadline=None)
@given(brute.grammars(recursive=False), st.sampled_from([(), ("ab",), ("a", "bb"), ("aba", "bb")]))
def test_random_rules_are_read_alike_by_re_xgrammar_and_lark(rules, words):
    frame = Frame({}, forbid=words)
    language = brute.texts(rules, "r", 4)
    assert [text for text in SHORT if by_re(export(rules, "r", frame, "regex"))(text)] == [t for t in SHORT if t in language]
    linear = export(rules, "r", frame, "l1")
    for oracle in (by_xgrammar, by_lark):
        assert [text for text in SHORT if oracle(linear)(text)] == [t for t in SHORT if t in language]
    clean = [text for text in SHORT if text in language and not any(word in text for word in words)]
    try:
        reads = by_xgrammar(export(rules, "r", frame, "l2"))
    except GrammarError as error:
        assert error.code == "dead-end" and not clean
        return
    assert [text for text in SHORT if reads(text)] == clean


@settings(max_examples=25, deadline=None)
@given(brute.grammars())
def test_recursion_is_written_out_to_its_depth(rules):
    rules = Rules([replace(rule, max_depth=1) for rule in rules.declared])
    legal = ours(rules, "r", {})
    try:
        reads = by_re(export(rules, "r", Frame({}), "regex"))
    except GrammarError as error:
        assert error.code == "dead-end" and not any(map(legal, SHORT))
        return
    assert [text for text in SHORT if reads(text)] == [text for text in SHORT if legal(text)]


@pytest.mark.parametrize("name", ["title_granted_zh", "abstract_granted_zh", "claims_granted_zh"])
@pytest.mark.parametrize("form", ["l0", "l1", "gbnf"])
def test_reading_profiles_are_read_alike_elsewhere(name, form):
    profile = Profile.load(name)
    start = profile.declared["start"]
    reads, legal = by_xgrammar(export(profile.rules, start, Frame({}), form)), ours(profile.rules, start)
    texts = [text for text in samples(profile.rules, start, 45, seed=3) if len(text) < 400 and "\0" not in text]
    assert [text for text in texts if reads(text) != legal(text)] == []


COUNTED = Grammar.load("grammar g; r : name '于' name '。' ; name : HAN{1,12} | pair{0,9} ; pair : '（' HAN '）' ; HAN : [一-龥] ;")


def test_counted_repeats_stay_counted_but_in_l2():
    frame = Frame({}, forbid=["体于"])
    legal = ours(COUNTED.rules, "r", {})
    forms = {form: ORACLES[form](export(COUNTED.rules, "r", frame, form)) for form in FORMS}
    for left, right in product((0, 1, 12, 13, 25, 30), repeat=2):
        for text in ("壳" * left + "于" + "体" * right + "。", "（壳）" * left + "于" + "体" * right + "。", "体" * left + "于锁。"):
            assert {form for form, reads in forms.items() if reads(text) != legal(text)} <= {"l2"}
            assert not legal(text) or forms["l2"](text) == ("体于" not in text)
    text = "壳" * 30 + "于锁。"
    assert forms["l2"](text) and not legal(text)
    assert [refusal.code for refusal in recheck(text, COUNTED, "r", frame)] == ["count"]


def test_the_head_names_what_is_left_out():
    frame = Frame({**SLOTS}, source="壳体", terms=SLOTS["TERM"], forbid=FORBID)
    head = export(CLAIMS.rules, "independent", frame, "l1").split("\n\n")[0]
    assert all(line.startswith("#") for line in head.splitlines())
    assert "budgets" in head and "terms (4)" in head and "forbidden words (4)" in head and "SPAN" not in head
    assert "forbidden words" not in export(CLAIMS.rules, "independent", frame, "l2")
    spans = Grammar.load("grammar g; r : SPAN '。' ;")
    assert "SPAN" in export(spans.rules, "r", Frame({}, source="壳体内"), "gbnf").split("\n\n")[0]
    assert "bounds of repetitions, in rules: name" in export(COUNTED.rules, "r", Frame({}), "l2")


def test_what_comes_back_is_read_with_the_full_grammar():
    frame = Frame({**SLOTS, "WORD": [*SLOTS["WORD"], "大", "约"]}, terms=SLOTS["TERM"], forbid=FORBID)
    assert recheck("一种门锁，其特征在于，包括壳体和锁，所述锁设有锁舌。", CLAIMS, "independent", frame, 40) == []
    text = "一种门锁，其特征在于，包括壳体大约内，所述锁。。"
    assert [refusal.code for refusal in recheck(text, CLAIMS, "independent", frame)] == ["word", "not-introduced", "form"]
    assert recheck("一种门锁，其特征在于，包括壳体。", CLAIMS, "independent", frame, 15)[0].code == "budget"


@pytest.mark.parametrize(
    ("text", "start", "frame", "form", "code"),
    [
        ("grammar g; r : A ;", "r", Frame({}), "l0", "unbound-slot"),
        ("grammar g; r : A ;", "q", Frame({}), "l0", "undefined-rule"),
        ("grammar g; r : A ;", "r", Frame({"A": []}), "l1", "dead-end"),
        ("grammar g; r : A ;", "r", Frame({"A": [""]}), "l1", "empty-slot"),
        ("grammar g; r : A ;", "r", Frame({"A": ["大约"]}, forbid=["大约"]), "l2", "dead-end"),
        ("grammar g; r : 'a' ;", "r", Frame({}), "l9", "form"),
    ],
)
def test_what_cannot_be_exported_is_told(text, start, frame, form, code):
    with pytest.raises(GrammarError) as error:
        export(Grammar.load(text).rules, start, frame, form)
    assert error.value.code == code


def test_llama_cpp_reads_the_gbnf():
    llama = pytest.importorskip("llama_cpp.llama_cpp", reason="llama-cpp-python is not here")

    def parses(text: str) -> bool:
        return bool(llama.llama_sampler_init_grammar(None, text.encode(), b"root"))

    profile = Profile.load("claims_granted_zh")
    assert parses(export(CLAIMS.rules, "independent", Frame(SLOTS), "gbnf"))
    assert parses(export(profile.rules, "claim", Frame({}), "gbnf"))
    assert parses(export(COUNTED.rules, "r", Frame({}), "gbnf"))
    long = export(Grammar.load("grammar g; r : LETTER{2500,3000} ; LETTER : [a-z] ;").rules, "r", Frame({}), "gbnf")
    assert parses(long) and "repetitions, in rules: r" in long and "{2000,}" in long
    assert not parses("root ::= (")


