"""A filing dict as the result page wants it: findings numbered and hung on their claims, facts as pairs."""

from collections.abc import Iterator, Mapping

from django.utils.translation import get_language

RANK = {"error": 0, "warning": 1, "info": 2}


def numbered_findings(filing: Mapping) -> list[dict]:
    """The findings, worst first, each with an `id` for links within the page and a `note` in the reader's language."""
    findings = sorted(filing.get("findings") or [], key=lambda f: (RANK.get(f["severity"], 3), f.get("claim") or 0))
    return [{**finding, "id": index, "note": note(finding)} for index, finding in enumerate(findings, 1)]


def note(finding: Mapping) -> str:
    """What a finding says, in the language of the page."""
    chinese = (get_language() or "").startswith("zh")
    return (chinese and finding.get("message_zh")) or finding.get("message") or finding.get("message_zh", "")


def claims_with_findings(filing: Mapping, findings: list[dict]) -> list[dict]:
    """The claims, each with its own findings."""
    return [
        {**claim, "findings": [f for f in findings if f.get("claim") == claim["number"]]}
        for claim in filing.get("claims") or []
    ]


def worst_by_claim(findings: list[dict]) -> dict[int, str]:
    """The worst severity of each claim that has a finding; `findings` come worst first."""
    worst: dict[int, str] = {}
    for finding in findings:
        worst.setdefault(finding.get("claim") or 0, finding["severity"])
    return worst


def facts(values: Mapping, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Provenance as (name, value) lines; nested names are joined by a dot, digests cut to 12 characters."""
    for key, value in values.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            yield from facts(value, f"{name}.")
        elif isinstance(value, list):
            yield name, ", ".join(map(str, value[:8]))
        elif isinstance(value, float):
            yield name, f"{value:.2f}"
        else:
            text = str(value)
            yield name, text[:12] + "…" if len(text) >= 40 and text.isalnum() else text
