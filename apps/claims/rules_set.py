"""Rules of the claim set as a whole and of the characters in it: CN-CLM-001 to 008, 011 to 014, 023 to 026."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from .finding import Finding, finding
from .lexicons import FOREIGN_TERMS, RESIDUE, SELF_NAMES, TRADITIONAL, hits
from .parse import Claim, ClaimSet
from .signs import find_signs, sign_table, sure_bare

_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)|<img\b[^>]*>|\[图片\]|【图片】")
_BACKREF = re.compile(
    r"如(?:附)?图\s*\d*[^，。；]{0,6}所示|如说明书[^，。；]{0,12}(?:所述|所示|记载)|参[见照](?:附)?图\s*\d*|见附图\s*\d*|[如见]实施例\s*\d+(?:所[述示])?"
)
_SEQUENCE = re.compile(r"如\s*SEQ\s*ID\s*NO")
_MARKDOWN = re.compile(r"(?m)^[ \t]*#{1,4} |^[ \t]*(?:```|---+[ \t]*$)|\*\*[^*\n]+\*\*|【(?:待|请)[^】]*】|(?:^|\n)\s*注[:：]|[\[［【（(](?:说明|注)[:：][^\]］】）)]*[\]］】）)]")
_FULL_DIGIT = re.compile(r"[０-９]+")
_FORBIDDEN_CHAR = re.compile(r"[\u200b-\u200f\u2028\u2029\u2060\ufeff\ufffd\ue000-\uf8ff]|[\x00-\x08\x0b\x0c\x0e-\x1f]")


def check_set(claims: ClaimSet, signs: Mapping[str, str] | None, strict: bool) -> Iterator[Finding]:
    """Findings of the set: numbering, first claim, residue, then each claim."""
    yield from _numbering(claims)
    for item in claims.residue:
        rule = "CN-CLM-007" if item.kind == "heading" else "CN-CLM-023"
        if item.kind == "heading" and "权利要求书" in re.sub(r"\s", "", item.text):
            continue
        yield finding(rule, 0, item.start, item.end, text=item.text[:40])
    for claim in claims.claims:
        yield from _stops(claim)
        yield from _content(claim)
        yield from _characters(claim)
        yield from _bare_signs(claim, signs, strict)
    yield from _sign_names(claims, signs)


def _numbering(claims: ClaimSet) -> Iterator[Finding]:
    want = 1
    for claim in claims.claims:
        size = min(len(claim.text), 10)
        if claim.number != want:
            yield finding("CN-CLM-001", claim.number, 0, size, want=want, got=claim.number)
        want = claim.number + 1
        word = re.match(r"\s*(权利要求|权项|第)", claim.prefix)
        if word:
            yield finding("CN-CLM-002", claim.number, 0, size, word=word.group(1))
        separator = re.sub(r"^\s*(?:权利要求|权项|第)?\s*[0-9０-９]+", "", claim.prefix)
        if not re.fullmatch(r"(?:\.[ \u3000]*|．|、)", separator):
            yield finding("CN-CLM-003", claim.number, 0, size, got=separator.strip() or " ")
    if claims.claims and claims.claims[0].kind == "dependent":
        yield finding("CN-CLM-004", claims.claims[0].number, 0, min(len(claims.claims[0].text), 10))


def _stops(claim: Claim) -> Iterator[Finding]:
    text = claim.text
    end = len(text.rstrip())
    for match in re.finditer("。", text[:end]):
        if match.end() != end:
            yield finding("CN-CLM-005", claim.number, match.start(), match.end(), why="句号在中间 (inner full stop)")
    if not text[:end].endswith("。"):
        yield finding("CN-CLM-005", claim.number, max(0, end - 1), end, why="结尾缺少句号 (none at the end)")
    for line in re.finditer(r"[^\n]+(?=\n)", text[:end]):
        tail = line.group().rstrip()
        if tail and tail[-1] not in "；;，,：:。、" and not tail.endswith(("以及", "及", "和", "或", "并且")):
            at = line.start() + len(tail)
            yield finding("CN-CLM-006", claim.number, at - 1, at)


def _content(claim: Claim) -> Iterator[Finding]:
    text = claim.text
    for match in _PICTURE.finditer(text):
        yield finding("CN-CLM-008", claim.number, *match.span())
    for match in _BACKREF.finditer(text):
        if not _SEQUENCE.match(text, match.start()):
            yield finding("CN-CLM-011", claim.number, *match.span(), text=match.group())
    residue = {m.span() for m in _MARKDOWN.finditer(text)} | set(hits(text, RESIDUE))
    for start, end in sorted(residue):
        yield finding("CN-CLM-023", claim.number, start, end, text=text[start:end].strip()[:40])
    for start, end in hits(text, FOREIGN_TERMS):
        yield finding("CN-CLM-024", claim.number, start, end, text=text[start:end])
    for start, end in hits(text, SELF_NAMES):
        yield finding("CN-CLM-026", claim.number, start, end, text=text[start:end])


def _characters(claim: Claim) -> Iterator[Finding]:
    for at, char in enumerate(claim.text):
        if char in TRADITIONAL:
            yield finding("CN-CLM-024", claim.number, at, at + 1, text=char)
    for match in _FULL_DIGIT.finditer(claim.prefix):
        yield finding("CN-CLM-025", claim.number, 0, 0, text=match.group())
    for match in (*_FULL_DIGIT.finditer(claim.text), *_FORBIDDEN_CHAR.finditer(claim.text)):
        shown = match.group() if match.group().isprintable() else f"U+{ord(match.group()[0]):04X}"
        yield finding("CN-CLM-025", claim.number, *match.span(), text=shown)


def _bare_signs(claim: Claim, signs: Mapping[str, str] | None, strict: bool) -> Iterator[Finding]:
    if not (signs or strict):
        return
    for item in sure_bare(claim.text, signs):
        yield finding("CN-CLM-012", claim.number, item.start, item.end, text=f"{item.before[-6:]}{item.sign}")


def _sign_names(claims: ClaimSet, signs: Mapping[str, str] | None) -> Iterator[Finding]:
    located = [(claim, sign) for claim in claims.claims for sign in find_signs(claim.text)]
    if signs is not None:
        for claim, sign in located:
            name = signs.get(sign.sign)
            if name is None or not sign.before.endswith(name[-len(sign.before) :] or name):
                yield finding("CN-CLM-013", claim.number, sign.start, sign.end, sign=sign.sign, name=sign.before)
        return
    for label, names in sign_table([sign for _, sign in located]).items():
        if len(names) > 1:
            claim, sign = next((c, s) for c, s in reversed(located) if s.sign == label)
            yield finding(
                "CN-CLM-014", claim.number, sign.start, sign.end,
                severity="warning", sign=label, names="、".join(sorted(names)),
            )  # fmt: skip
