"""Regression on published claim sets: few antecedent findings, none missed where an introduction is taken out."""

import json
import re

import pytest

from apps.claims.check import check_claims
from apps.claims.parse import ClaimSet, parse_claims
from apps.claims.terms import squeeze, unresolved, uses, words_of


@pytest.fixture(scope="module")
def complete_sets(shared):
    path = shared / "corpus" / "zh_regress.jsonl"
    if not path.is_file():
        pytest.skip("zh_regress.jsonl is not in the shared corpus")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        [{"number": n, "text": t} for n, t in zip(row["claim_numbers"], row["claims"], strict=True)]
        for row in rows
        if row["claims_complete"]
    ]


def test_antecedent_findings_are_rare(complete_sets, record_property):
    claims = findings = 0
    for items in complete_sets:
        claimset = ClaimSet.from_list(items)
        claims += len(claimset.claims)
        findings += sum(1 for _ in unresolved(claimset))
    rate = 10 * findings / claims
    record_property("antecedent findings per 10 claims", round(rate, 3))
    assert claims > 1000
    assert rate <= 0.5, f"{findings} findings on {claims} claims: {rate:.2f} per 10"


def test_numbered_text_reads_back_as_the_same_claims(complete_sets):
    different = 0
    for items in complete_sets:
        read = parse_claims("\n".join(f"{item['number']}. {item['text']}" for item in items))
        different += [c.number for c in read.claims] != [item["number"] for item in items]
    assert different == 0


def test_structure_of_published_sets_has_no_false_findings(complete_sets):
    """Published sets are numbered and refer backwards: these rules must stay silent on all of them."""
    quiet = {"CN-CLM-001", "CN-CLM-002", "CN-CLM-004", "CN-DEP-002", "CN-DEP-003", "CN-DEP-014", "CN-IND-006"}
    found = [
        (f.rule, f.claim, items[0]["text"][:30])
        for items in complete_sets
        for f in check_claims(ClaimSet.from_list(items), profile="granted")
        if f.rule in quiet
    ]
    assert found == []


def planted(items):
    """(claims with one introduction taken out, claim number, term): the first clear case of a set."""
    claimset = ClaimSet.from_list(items)
    for claim in claimset.claims:
        scope = {a.number for a in claimset.ancestors(claim)}
        for use in uses(claim):
            words = words_of(use.run)
            term = words[0]
            if len(term) < 2 or (len(words) > 1 and words[1] not in "的设与和为位上内在"):
                continue
            without = [
                {
                    "number": item["number"],
                    "text": item["text"].replace(term, "")
                    if item["number"] in scope
                    else item["text"][: use.start].replace(term, "") + item["text"][use.start :]
                    if item["number"] == claim.number
                    else item["text"],
                }
                for item in items
            ]
            if term.upper() in squeeze(claim.text[: use.start]) and not re.search(term, without[0]["text"][: use.start]):
                return without, claim.number, term
    return None


def test_a_removed_introduction_is_found(complete_sets):
    plants = [plant for items in complete_sets if (plant := planted(items))]
    missed = [
        (number, term)
        for items, number, term in plants
        if not any(
            claim.number == number and use.noun[:2] == term[:2].upper()
            for claim, use, _ in unresolved(ClaimSet.from_list(items))
        )
    ]
    assert len(plants) > 50
    assert missed == []
