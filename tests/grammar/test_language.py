"""The claim language as published: what it accepts, where a form dies, and the reason it gives."""

import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.claims.check import check_claims
from apps.claims.parse import ClaimSet
from engine.grammar.checks import load
from engine.grammar.compiler import compile_rule
from engine.grammar.ir import Alt, Literal, Ref, Seq
from engine.grammar.language import GRAMMARS, Profile, read, without
from engine.grammar.recogniser import Recogniser

FIXTURES = Path(__file__).resolve().parents[2] / "rules_fixtures" / "claims_zh"
PROFILE = "claims_granted_zh"


def rows(name):
    return [json.loads(line) for line in (FIXTURES / f"{name}.jsonl").read_text("utf-8").splitlines()]


def published(shared):
    path = shared / "corpus" / "zh_regress.jsonl"
    if not path.is_file():
        pytest.skip("zh_regress.jsonl is not in the shared corpus")
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [
        [prefix + claim for prefix, claim in zip(record["claim_prefixes"], record["claims"], strict=True)]
        for record in records
        if record["claims_complete"]
    ]


def test_every_positive_example_is_accepted_without_a_note():
    examples = rows("positive")
    assert len(examples) >= 100
    for example in examples:
        for verdict in read(example["claims"], PROFILE, strict=True):
            assert verdict.accepted, (verdict.text, verdict.reasons)


def test_every_negative_example_is_refused_for_its_reason_and_the_other_claims_are_not():
    examples = rows("negative")
    assert sum(not example.get("strict", False) for example in examples) >= 100
    for example in examples:
        strict = example.get("strict", False)
        for number, verdict in enumerate(read(example["claims"], PROFILE, strict=strict), 1):
            codes = {reason.code for reason in verdict.reasons}
            assert (example["reason"] in codes) if number == example["claim"] else not codes, (verdict.text, codes)
        if strict:
            assert all(verdict.accepted for verdict in read(example["claims"], PROFILE))


def test_every_reason_is_shown_by_an_example_and_has_its_words_and_law():
    profile = Profile.load(PROFILE)
    shown = {example["reason"] for example in rows("negative")}
    assert set(profile.reasons) - shown == {"form"}
    for code, words in profile.reasons.items():
        assert words["zh"] and words["en"] and words["law"], code


def test_four_fifths_of_the_published_sets_are_in_the_language(shared):
    sets = published(shared)
    accepted = [texts for texts in sets if all(verdict.accepted for verdict in read(texts, PROFILE))]
    assert len(sets) >= 90
    assert len(accepted) / len(sets) >= 0.8, f"{len(accepted)} of {len(sets)}"


def test_the_reasons_of_published_claims_are_also_found_by_the_checker(shared):
    """Two readers that share no code: what the language refuses, the checker reports as an error."""
    same = {
        "multiple-on-multiple": "CN-DEP-006", "unnumbered": "CN-DEP-008", "not-alternative": "CN-DEP-005",
        "subject-differs": "CN-DEP-004", "subjects-mixed": "CN-DEP-009", "no-stop": "CN-CLM-005",
        "inner-stop": "CN-CLM-005", "missing-claim": "CN-DEP-002", "later-claim": "CN-DEP-002",
    }  # fmt: skip
    compared = Counter()
    for texts in published(shared):
        verdicts = read(texts, PROFILE)
        items = [{"number": v.facts["number"], "text": v.text[v.spans[1].end :].lstrip(".、 ")} for v in verdicts]
        found = {(finding.claim, finding.rule) for finding in check_claims(ClaimSet.from_list(items), profile="granted")}
        for verdict in verdicts:
            for reason in verdict.reasons:
                compared[(verdict.facts["number"], same[reason.code]) in found] += 1
    assert compared[True] > 80
    assert compared[False] <= 2, compared


def test_kinds_and_references_of_published_claims_agree_with_the_checkers_parser(shared):
    claims = different = 0
    for texts in published(shared):
        verdicts = read(texts, PROFILE)
        items = [{"number": v.facts["number"], "text": v.text[v.spans[1].end :].lstrip(".、 ")} for v in verdicts]
        for verdict, claim in zip(verdicts, ClaimSet.from_list(items).claims, strict=True):
            claims += 1
            refs = {n for citation in claim.citations for n in citation.numbers}
            different += (claim.kind, refs) != (verdict.facts["kind"], set(verdict.facts["refs"]))
    assert claims > 1000
    assert different <= 0.005 * claims, f"{different} of {claims} claims are read differently"


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("1. 一种泵。其特征在于，包括壳体。", "1. 一种泵。"),
        ("3. 根据权利要求1和2所述的泵，其特征在于，包括壳体。", "3. 根据权利要求1和2"),
        ("2. 如前述权利要求所述的泵，其特征在于，包括壳体。", "2. 如前述权利要求"),
        ("2. 根据权利要求1，其特征在于，包括壳体。", "2. 根据权利要求1，"),
        ("1. 一种泵，包括壳体！", "1. 一种泵，包括壳体"),
        ("权利要求1. 一种泵，包括壳体。", ""),
        ("1. 一种泵，包括壳体", "1. 一种泵，包括壳体"),
    ],
)
def test_the_place_where_the_form_dies(text, before):
    assert read([text], PROFILE)[0].died_at == len(before)


def test_a_citation_is_read_with_ranges_exclusions_and_conditions():
    head = ["1. 一种泵，包括壳体。", *(f"{n}. 根据权利要求1所述的泵，还包括部件{n}号。" for n in range(2, 7))]
    for citation, refs in {
        "根据权利要求2至4中任一项": (2, 3, 4),
        "如权利要求1、3或6": (1, 3, 6),
        "根据权利要求1-3、6任一项": (1, 2, 3, 6),
        "根据权利要求1至5中除权利要求2之外的一项": (1, 3, 4, 5),
        "如权利要求1或权利要求3-5中任意一项": (1, 3, 4, 5),
        "任一前述权利要求2-3": (2, 3),
    }.items():
        verdict = read([*head, f"7. {citation}所述的泵，还包括手柄。"], PROFILE)[-1]
        assert (verdict.facts["refs"], verdict.accepted) == (refs, True), (citation, verdict.reasons)


@given(st.text(alphabet="权利要求书项1所述的泵，。", max_size=24))
@settings(max_examples=300, deadline=None)
def test_the_words_for_a_claim_stand_in_citations_only(middle):
    """However the characters of 权利要求 are mixed: an accepted text has no mention of it outside a citation."""
    text = f"2. 一种泵，其特征在于，包括{middle}壳体。"
    verdict = read([text], PROFILE)[0]
    if verdict.died_at is None:
        cited = [span for span in verdict.spans if span.rule in ("cites", "bare")]
        at = text.find("权利要求")
        while at >= 0:
            assert any(span.start <= at < span.end for span in cited)
            at = text.find("权利要求", at + 1)


@given(st.lists(st.sampled_from([*"ab", "ab", "aab", "c"]), max_size=10).map("".join))
@settings(max_examples=300, deadline=None)
def test_a_derivation_covers_the_text_and_the_automaton_agrees_with_it(text):
    rules = load("grammar g; s : ( pair | one | 'b' )* tail? ; pair : 'a' 'b' ; one : 'a' ; tail : 'c'+ ;")
    recogniser = Recogniser(rules, "s")
    spans = recogniser.derive(text)
    assert (spans is None) == (recogniser.died_at(text) is not None)
    if spans is not None:
        assert spans[0] == ("s", 0, len(text))
        pairs = [span.start for span in spans if span.rule == "pair"]
        assert pairs == [at for at in range(len(text)) if text.startswith("ab", at)]


def test_a_rule_left_out_matches_nothing_nor_does_what_needs_it():
    rules = load("grammar g; s : 'a' ( wrong | needs | 'c' )? 'b' ; wrong : 'x' ; needs : 'y' wrong ;")
    left = without(rules, {"wrong"})
    assert list(left) == ["s"]
    assert [Recogniser(rules, "s").died_at(text) for text in ("axb", "ayxb", "acb", "ab")] == [None] * 4
    assert [Recogniser(left, "s").died_at(text) for text in ("axb", "ayxb", "acb", "ab")] == [1, 1, None, None]


def test_the_derivation_has_as_few_faults_as_possible_however_the_rules_are_ordered():
    rules = load("grammar g; s : ( slip | 'a' | 'ab' | gap )* ; slip : 'a' ; gap : 'b' ;")
    recogniser = Recogniser(rules, "s", {"slip", "gap"})
    assert [span.rule for span in recogniser.derive("aabab")] == ["s"]
    assert [span.rule for span in recogniser.derive("abba")] == ["s", "gap"]


@pytest.mark.parametrize("name", [PROFILE, "title_granted_zh", "drawings_zh", "abstract_granted_zh"])
def test_the_compiled_automaton_accepts_the_same_texts(name):
    """The compiler that decodes and this reader come from the same rules by different ways."""
    profile = Profile.load(name)
    start = profile.declared["start"]
    dfa = compile_rule(profile.rules, start)
    assert not dfa.plugs

    def compiled(text):
        state = 0
        for at, symbol in enumerate(dfa.column_of(np.array([ord(char) for char in text], dtype=np.int64))):
            state = dfa.table[state, symbol]
            if state < 0:
                return at
        return None if dfa.accepting[state] else len(text)

    texts = [text for example in [*rows("positive"), *rows("negative")] for text in example["claims"]]
    for text in [*texts, "图1是主视图；\n图2是俯视图。", "一种泵", ""]:
        for cut in {len(text), len(text) // 2}:
            assert compiled(text[:cut]) == profile.language.died_at(text[:cut]), text[:cut]


SLOTS = {
    "SUBJECT": ["泵", "图像识别方法", "用于风机的变桨系统"],
    "DEVICE": ["电子设备"],
    "LINK": ["权利要求1", "权利要求1至3中任一项", "权利要求1或2"],
    "REF": ["根据权利要求1", "根据权利要求2或3", "根据权利要求1至4中任一项"],
    "TERM": ["壳体", "第一叶轮", "权限表"],
    "SELF": ["本发明", "本实用新型"],
    "EFFECT": ["流量由20L/min提高到35L/min"],
    "WORD": ["设置有", "包括", "获取", "在", "内", "权重", "3mm", "（"],
}


def written(rules, node, draw):
    """A text that the rules derive, by random choices; slots take one of their strings."""
    if isinstance(node, Literal):
        return node.text
    if isinstance(node, Ref):
        if node.name in rules:
            return written(rules, rules[node.name], draw)
        return draw(st.sampled_from(SLOTS[node.name]))
    if isinstance(node, Alt):
        return written(rules, draw(st.sampled_from(node.options)), draw)
    if isinstance(node, Seq):
        return "".join(written(rules, item, draw) for item in node.items)
    times = draw(st.integers(node.low, min(node.low + 3, node.high or node.low + 3)))
    return "".join(written(rules, node.item, draw) for _ in range(times))


@pytest.mark.parametrize(
    ("grammar", "start", "profile", "before"),
    [
        *(("claims_zh", start, PROFILE, "7. ") for start in ("independent", "dependent", "device", "medium")),
        *(("abstract_zh", start, "abstract_granted_zh", "") for start in ("abstract", "effective")),
        ("title_zh", "title", "title_granted_zh", ""),
    ],
)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_what_the_drafting_grammars_write_is_in_the_published_language(grammar, start, profile, before, data):
    """As drafted is a part of as published: every text that our decoder can write has a form that the profile reads."""
    rules = load((GRAMMARS / f"{grammar}.g4").read_text("utf-8"))
    text = before + written(rules, rules[start], data.draw)
    language = Profile.load(profile).language
    assert language.died_at(text) is None, text[: language.died_at(text)]
    if start in ("independent", "dependent"):
        assert any(span.rule == start for span in language.derive(text))


def test_a_defect_planted_into_a_published_set_is_found(shared):
    """Every accepted set takes each kind of defect in one of its claims, and the verdict on that claim names it."""
    planted, missed = Counter(), []
    for at, texts in enumerate(published(shared)):
        verdicts = read(texts, PROFILE)
        if len(texts) > 20 or not all(verdict.accepted for verdict in verdicts):
            continue
        for index in {0, at % len(texts), len(texts) - 1}:
            for code, text in defects(texts[index], verdicts[index].facts, len(texts)):
                planted[code] += 1
                found = read([*texts[:index], text, *texts[index + 1 :]], PROFILE)[index]
                if code not in {reason.code for reason in found.reasons}:
                    missed.append((code, text[:80]))
    assert missed == []
    assert len(planted) == 9 and min(planted.values()) > 50, planted


def defects(text, facts, size):
    """(reason, the claim with that defect), as far as the claim has a place for it."""
    number = facts["number"]
    comma = text.find("，")
    yield "no-stop", text.rstrip().removesuffix("。")
    if comma > 0:
        yield "inner-stop", f"{text[:comma]}。{text[comma + 1 :]}"
        yield "doubled-punctuation", f"{text[:comma]}，{text[comma:]}"
        yield "character", f"{text[:comma]}\u200b{text[comma:]}"
    cited = re.search(r"权利要求\s?(\d+)(?=\s?(?:所述)?的)", text)
    if cited and facts["kind"] == "dependent":
        before, after = text[: cited.start(1)], text[cited.end(1) :]
        yield "self-reference", f"{before}{number}{after}"
        yield "missing-claim", f"{before}{size + 3}{after}"
        yield "unnumbered", before + after
        yield "not-alternative", f"{before}{cited[1]}和{number - 1 if int(cited[1]) != number - 1 else number - 2}{after}"
        yield "subject-differs", re.sub(r"(?<=\d)\s?(所述)?的[^，。：；\n]*", r"\1的蒸汽锅炉", text, count=1)
