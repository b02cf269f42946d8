"""The checker: `check_claims` for a claim set, `check_filing` for the other parts of a filing.

Profiles: "draft" is for our own output and applies the house rules too; "granted" leaves out the rules that
published grants break by habit. Rule ids and sources of law are in `catalogue`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from .catalogue import RULES
from .finding import Finding
from .parse import ClaimSet, parse_claims
from .rules_dependent import check_dependent
from .rules_filing import check_abstract, check_description, check_title
from .rules_independent import check_independent
from .rules_set import check_set
from .rules_terms import check_own_terms, check_terms
from .rules_wording import check_wording

Profile = Literal["draft", "granted"]
HOUSE_RULES = frozenset({"CN-CLM-003", "CN-CLM-006", "CN-CLM-026", "CN-IND-001", "CN-DEP-015", "CN-TRM-006"})
_SEVERITIES = ("error", "warning", "info")


def check_claims(
    claimset: ClaimSet,
    *,
    signs: Mapping[str, str] | None = None,
    known_terms: Iterable[str] | None = None,
    profile: Profile = "draft",
) -> list[Finding]:
    """Findings on a claim set, in the order of the claims.

    `signs` maps a drawing sign to its component name; `known_terms` are the component names of the matter,
    which makes the antecedent check exact for them. Raises ValueError for an unknown profile.
    """
    if profile not in ("draft", "granted"):
        raise ValueError(f"unknown profile: {profile}")
    strict = profile == "draft"
    found = [
        *check_set(claimset, signs, strict),
        *check_independent(claimset, two_part=strict),
        *check_dependent(claimset, strict),
        *check_terms(claimset, strict, known_terms or ()),
        *check_wording(claimset),
    ]
    if not strict:
        found = [item for item in found if item.rule not in HOUSE_RULES]
    return sorted(found, key=lambda f: (f.claim, f.start, _SEVERITIES.index(f.severity), f.rule))


def _claimset(value: Any) -> ClaimSet | None:
    if isinstance(value, ClaimSet) or value is None:
        return value
    return parse_claims(value) if isinstance(value, str) else ClaimSet.from_list(value)


def description_text(value: Any) -> str:
    """The description as text with heading lines, from a string or `{sections: [{heading, paragraphs}]}`."""
    if isinstance(value, str):
        return value
    sections = (value or {}).get("sections", [])
    lines: list[str] = []
    for section in sections:
        lines += [section.get("heading", ""), *section.get("paragraphs", [])]
    return "\n".join(lines)


def check_filing(parts: Mapping[str, Any]) -> list[Finding]:
    """Findings on title, abstract and description; a missing part is not checked.

    Keys: `title`, `titles` (the title as other papers give it, by name), `abstract`, `description` (text with
    headings or `{sections}`), `drawings` (list, or bool), `claims` (list, text or ClaimSet, read only to
    compare: titles, terms), `signs`, `utility_model`. The claims themselves are checked by `check_claims`.
    """
    claims = _claimset(parts.get("claims"))
    title = parts.get("title") or ""
    signs = parts.get("signs")
    found: list[Finding] = []
    if title:
        found += check_title(title, parts.get("titles") or {}, claims)
    if parts.get("abstract"):
        found += check_abstract(parts["abstract"], title, claims, signs)
    if parts.get("description"):
        drawings = parts.get("drawings")
        found += check_description(
            description_text(parts["description"]),
            None if drawings is None else bool(drawings),
            bool(parts.get("utility_model")),
            signs,
        )
        if claims:
            found += check_own_terms(claims, description_text(parts["description"]))
    return found


def select(findings: Iterable[Finding], wanted: str) -> list[Finding]:
    """Findings whose rule is in `wanted`: "all", or rule ids and prefixes (CN-DEP) joined by commas.

    Raises ValueError for a name that matches no rule.
    """
    names = [name.strip().upper() for name in wanted.split(",") if name.strip()]
    if "ALL" in names or not names:
        return list(findings)
    for name in names:
        if not any(rule == name or rule.startswith(f"{name}-") for rule in RULES):
            raise ValueError(f"no such rule or group: {name}")
    return [f for f in findings if any(f.rule == name or f.rule.startswith(f"{name}-") for name in names)]
