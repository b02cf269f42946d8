"""One result of a check, and the way rules make it.

A finding on a claim gives its span in the text of that claim (without the printed number). A finding on the
whole set or on another part of the filing has claim 0 and a span in that text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .catalogue import RULES


@dataclass(frozen=True)
class Finding:
    """A broken rule at `[start, end)`, in characters; `severity` is error, warning or info."""

    rule: str
    claim: int
    severity: str
    start: int
    end: int
    message_en: str
    message_zh: str
    consequence: str
    source: str
    part: str = "claims"

    def to_dict(self) -> dict[str, Any]:
        """The JSON form; `message` is English, `law` the source."""
        return {
            "rule": self.rule,
            "claim": self.claim,
            "part": self.part,
            "severity": self.severity,
            "start": self.start,
            "end": self.end,
            "message": self.message_en,
            "message_zh": self.message_zh,
            "consequence": self.consequence,
            "law": self.source,
        }


def finding(
    rule: str,
    claim: int,
    start: int,
    end: int,
    *,
    severity: str | None = None,
    part: str = "claims",
    **fields: Any,
) -> Finding:
    """A finding for a catalogue rule; `fields` fill its messages. Raises KeyError for an unknown rule."""
    row = RULES[rule]
    return Finding(
        rule=rule,
        claim=claim,
        severity=severity or row.severity,
        start=start,
        end=max(start, end),
        message_en=row.en.format(**fields),
        message_zh=row.zh.format(**fields),
        consequence=row.consequence,
        source=row.source,
        part=part,
    )
