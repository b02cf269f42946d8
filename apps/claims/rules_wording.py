"""Rules of uncertain wording in claims: CN-VAG-001 to 004 (指南II-2-3.2.2), guarded lexicons."""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, finding
from .lexicons import APPROXIMATE, OPEN_LIST, VAGUE_HARD, VAGUE_HOUSE, hits
from .parse import ClaimSet


def check_wording(claims: ClaimSet) -> Iterator[Finding]:
    """Findings on vague words, claim by claim."""
    for claim in claims.claims:
        text = claim.text
        for rule, words in (("CN-VAG-001", VAGUE_HARD), ("CN-VAG-002", VAGUE_HOUSE)):
            for start, end in hits(text, words):
                yield finding(rule, claim.number, start, end, text=text[start:end])
        for rule, pattern in (("CN-VAG-003", APPROXIMATE), ("CN-VAG-004", OPEN_LIST)):
            for match in pattern.finditer(text):
                yield finding(rule, claim.number, *match.span(), text=match.group())
