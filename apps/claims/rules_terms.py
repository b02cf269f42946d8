"""Rules of terms and antecedents in claims: CN-TRM-001 to 006 and 011 (专利法26.4 in practice)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .finding import Finding, finding
from .parse import Claim, ClaimSet
from .references import normalise
from .signs import find_signs
from .terms import self_made, squeeze, unresolved, uses

_SECOND = re.compile(r"第二([一-龥]{2,})")
_DIGIT_ORDINAL = re.compile(r"第[1-9](?=[一-龥])(?![步个项次级种类])")
_HAN_ORDINAL = re.compile(r"第[一二三四五六七八九](?=[一-龥])")
_INDEFINITE = re.compile(r"(?<![第所述该同另进任每某])(?:一个|一根|一块|一条|一)([一-龥]{2,10})\Z")
# A passage that says what a thing is: 灵动片是…, 灵动片的材质为…, 所谓灵动片, 弹性金属片（即灵动片）.
_SAYS = r"%(name)s\d{0,4}[A-Z]?(?:的[^，。；]{1,6})?(?:是|为|指|系|即|由|采用|选用|包括|包含|呈|具有)|(?:所谓|称为|称作|记为|定义为|即)(?:的|“)?%(name)s"
_PLURAL = r"(?:多个|若干个?|复数个|至少两个|两个以上)"


def check_terms(claims: ClaimSet, strict: bool, known_terms: Iterable[str] = ()) -> Iterator[Finding]:
    """Findings on terms; `strict` adds plural consistency."""
    for claim, use, some in unresolved(claims, known_terms=known_terms):
        rule = "CN-TRM-002" if some else "CN-TRM-001"
        yield finding(rule, claim.number, use.start, use.end, text=claim.text[use.start : use.end])
    for claim in claims.claims:
        scope = [claim, *claims.ancestors(claim)]
        yield from _ordinals(claim, scope)
        yield from _repeated(claims, claim)
        earlier = "".join(squeeze(c.text) for c in scope[1:])
        yield from _bare_after_ordinals(claim, earlier)
        if strict:
            yield from _plurals(claim, earlier)


def _ordinals(claim: Claim, scope: list[Claim]) -> Iterator[Finding]:
    together = "".join(squeeze(c.text) for c in scope)
    seen: set[str] = set()
    for match in _SECOND.finditer(normalise(claim.text)):
        head = match.group(1)[:2]
        first = f"第一{head}" in together or f"第一{head[0]}" in together or "第一和第二" in together or "第一、第二" in together
        if not first and head not in seen and not any(f"第二{head}" in squeeze(c.text) for c in scope[1:]):
            seen.add(head)
            yield finding("CN-TRM-004", claim.number, match.start(), match.start() + 2 + len(head), text=f"第二{head}")
    digit = _DIGIT_ORDINAL.search(claim.text)
    if digit and any(_HAN_ORDINAL.search(c.text) for c in scope):
        yield finding("CN-TRM-004", claim.number, *digit.span(), text=digit.group())


def _bare_after_ordinals(claim: Claim, earlier: str) -> Iterator[Finding]:
    for use in uses(claim):
        marked = squeeze(claim.text[use.start : use.end])
        if len(use.noun) < 2 or re.search(r"第[一二三四五六七八九\d]|各|每|多个|两|一|任", marked[: len(marked) - len(use.noun)]):
            continue
        before = earlier + squeeze(claim.text[: use.start])
        noun = re.escape(use.noun.upper())
        if f"第一{use.noun}" in before and f"第二{use.noun}" in before:
            if not re.search(rf"(?<!第[一二三四五六七八九十]){noun}", before):
                yield finding("CN-TRM-003", claim.number, use.start, use.end, text=claim.text[use.start : use.end])


def _repeated(claims: ClaimSet, claim: Claim) -> Iterator[Finding]:
    known = {(s.sign, s.before[-2:]) for parent in claims.ancestors(claim) for s in find_signs(parent.text)}
    for sign in find_signs(claim.text):
        introduced = _INDEFINITE.search(sign.before)
        if introduced and (sign.sign, sign.before[-2:]) in known:
            yield finding("CN-TRM-005", claim.number, sign.start - len(introduced.group()), sign.end, text=introduced.group())
        known.add((sign.sign, sign.before[-2:]))


def _plurals(claim: Claim, earlier: str) -> Iterator[Finding]:
    for use in uses(claim):
        marked = squeeze(claim.text[max(0, use.start - 3) : use.end])
        if re.search(r"各|每|多个|至少|任一|任意|若干|所有|全部|两|个|第|些", marked) or len(use.noun) < 2:
            continue
        before = earlier + squeeze(claim.text[: use.start])
        if not re.match(r"[的，；、。和与均]|\Z", claim.text[use.end :]):
            continue
        if re.search(rf"{_PLURAL}{re.escape(use.noun.upper())}(?:[的，；、。和与均]|\Z)", before):
            yield finding("CN-TRM-006", claim.number, use.start, use.end, text=claim.text[use.start : use.end])


def check_own_terms(claims: ClaimSet, description: str) -> Iterator[Finding]:
    """Names in claims that look self-made and that the description uses without saying what they are; each once."""
    described, seen = squeeze(description), set[str]()
    for claim in claims.claims:
        for use in uses(claim):
            name = self_made(use.run)
            if name and name not in seen and not re.search(_SAYS % {"name": re.escape(name)}, described):
                end = use.end - len(use.noun) + len(name)
                yield finding("CN-TRM-011", claim.number, use.start, end, text=name)
            seen.add(name)
