"""The text of a claim as the page shows it: findings underlined, references and antecedents as links, signs muted.

Spans never overlap: findings go first, then references, then terms, then signs.
"""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from apps.claims.parse import Claim, ClaimSet
from apps.claims.signs import find_signs
from apps.claims.terms import Use, squeeze, uses

Span = tuple[int, int, str, tuple]

MARK = '<mark class="mark-{}" title="{}">{}</mark>'
LINK = '<a class="{}" href="#claim-{}" title="{}">{}</a>'
# Characters that end a name.
NO_NAME = frozenset("的与和及或在为是由上下内中外")
SIGN = '<span class="sign">{}</span>'


def marked_claims(claims: Sequence[Mapping]) -> list[dict]:
    """The claims ({number, text, findings}), each with `html`. A finding has severity, start, end and note."""
    parsed = ClaimSet.from_list([{"number": claim["number"], "text": claim["text"]} for claim in claims])
    return [
        {**shown, "html": _marked(shown["text"], list(_spans(parsed, claim, shown)))}
        for shown, claim in zip(claims, parsed.claims, strict=True)
    ]


def _spans(claims: ClaimSet, claim: Claim, shown: Mapping) -> Iterator[Span]:
    for finding in sorted(shown["findings"], key=lambda finding: finding["start"]):
        yield finding["start"], finding["end"], MARK, (finding["severity"], finding["note"])
    if claim.text != shown["text"]:
        return
    for citation in claim.citations:
        at = claim.text.find(citation.list_text, citation.start) if citation.list_text else -1
        for number in citation.numbers if at >= 0 else ():
            start = claim.text.find(str(number), at, at + len(citation.list_text))
            if start >= 0 and claims.by_number(number):
                yield start, start + len(str(number)), LINK, ("ref", number, _("Claim %(n)d") % {"n": number})
    for use in uses(claim):
        if use.noun in squeeze(claim.text[: use.start]):
            continue
        origin = next((parent for parent in claims.ancestors(claim) if use.noun.upper() in squeeze(parent.text)), None)
        if origin:
            note = _("introduced in claim %(n)d") % {"n": origin.number}
            end = use.end - len(use.noun) + len(_whole(use, squeeze(origin.text)))
            yield use.start, end, LINK, ("term", origin.number, note)
    for sign in find_signs(claim.text):
        yield sign.start, sign.end, SIGN, ()


def _whole(use: Use, origin: str) -> str:
    """The longest name from the use's noun on that `origin` states too: 复位弹簧 where the noun's first word is 复位."""
    size = len(use.noun)
    while size < len(use.run) and use.run[size] not in NO_NAME and use.run[: size + 1].upper() in origin:
        size += 1
    return use.run[:size]


def _marked(text: str, spans: list[Span]) -> SafeString:
    chosen: list[Span] = []
    for span in spans:
        if 0 <= span[0] < span[1] <= len(text) and all(span[1] <= other[0] or other[1] <= span[0] for other in chosen):
            chosen.append(span)
    pieces, at = [], 0
    for start, end, template, values in sorted(chosen):
        pieces += [text[at:start], format_html(template, *values, text[start:end])]
        at = end
    return format_html_join("", "{}", ((piece,) for piece in [*pieces, text[at:]]))
