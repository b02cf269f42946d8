"""The path without a grammar: the same prompts, free decoding, and the claims as the parser reads them.

It shows what the model writes when nothing holds it; the checker reports what went wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apps.drafting.invention import parse_json
from apps.drafting.plan import PlannedClaim
from apps.drafting.prompts import Messages
from apps.drafting.writing import MAX_ABSTRACT, MAX_INVENTION, MAX_TITLE, Generate, Material

# Tokens at which a freely decoded claim is cut off.
MAX_CLAIM = 800


class FreeWriter:
    """The methods of `GrammarWriter`, decoding freely."""

    mode = "free"
    versions: dict[str, str] = {}

    def __init__(self, generate: Generate):
        self._generate = generate

    def invention(self, messages: Messages) -> dict[str, Any]:
        return parse_json(self._generate("invention", messages, max_tokens=MAX_INVENTION))

    def claim(self, messages: Messages, planned: PlannedClaim, scope: Sequence[str]) -> str:
        return self._line(f"claim {planned.number}", messages, MAX_CLAIM)

    def title(self, messages: Messages) -> str:
        return self._line("title", messages, MAX_TITLE)

    def abstract(self, messages: Messages, material: Material) -> str:
        return self._line("abstract", messages, MAX_ABSTRACT)

    def trace(self, part: str, text: str, *context: Any, **material: Any) -> list[dict[str, Any]]:
        return []

    def _line(self, part: str, messages: Messages, max_tokens: int) -> str:
        return self._generate(part, messages, max_tokens=max_tokens, stop=("\n",)).strip()


def reread(claims: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The claims of a freely written set as `apps.claims.parse` reads them; unreadable text is kept as written."""
    from apps.claims.parse import parse_claims

    parsed = parse_claims("\n".join(f"{claim['number']}. {claim['text']}" for claim in claims)).claims
    if [claim.number for claim in parsed] != [claim["number"] for claim in claims]:
        return list(claims)
    return [{"number": claim.number, "text": claim.text} for claim in parsed]
