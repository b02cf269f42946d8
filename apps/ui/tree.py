"""The claim tree as SVG, drawn on the server: independent claims at the left, each child below and right of its parent.

A claim that depends on several claims hangs under the first of them; dashed lines lead to the others.
Works without style attributes, as the content security policy asks.
"""

from collections.abc import Mapping, Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from apps.claims.parse import ClaimSet

ROW, STEP, HEIGHT, PAD = 34, 22, 26, 4
LABEL = 7


def _width(text: str) -> int:
    """Pixels of a label at 13 px: a CJK character is 13 wide, a digit about 8."""
    return sum(13 if ord(c) > 0x2E80 else 8 for c in text) + 16


def tree_svg(claims: Sequence[Mapping], worst: Mapping[int, str]) -> SafeString:
    """The tree of `claims` ({number, text}); `worst` gives the worst severity found in a claim, if any."""
    parsed = ClaimSet.from_list([{"number": c["number"], "text": c["text"]} for c in claims]).claims
    by_number = {claim.number: claim for claim in parsed}
    parents = {
        c.number: [r for r in c.refs if r in by_number and r < c.number] if c.kind == "dependent" else []
        for c in parsed
    }
    children: dict[int, list[int]] = {}
    for number, refs in parents.items():
        children.setdefault(refs[0] if refs else 0, []).append(number)

    place: dict[int, tuple[int, int]] = {}
    stack = [(number, 0) for number in reversed(children.get(0, []))]
    while stack:
        number, depth = stack.pop()
        place[number] = (PAD + depth * STEP, PAD + len(place) * ROW)
        stack += [(child, depth + 1) for child in reversed(children.get(number, []))]

    boxes, lines, right = [], [], 0
    for number, (x, y) in place.items():
        claim = by_number[number]
        subject = (claim.subject or "")[:LABEL]
        label = f"{number} {subject}" if not parents[number] else f"{number}"
        width = _width(label)
        right = max(right, x + width)
        kind = "dependent" if parents[number] else "independent"
        boxes.append((number, f"{kind} {worst.get(number, '')}".strip(), _("Claim %(n)d") % {"n": number}, x, y, width, HEIGHT, x + 8, y + 18, label))
        for index, parent in enumerate(parents[number]):
            px, py = place[parent]
            lines.append(("other" if index else "first", px + 10, py + HEIGHT, y + HEIGHT // 2, x))
    return format_html(
        '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}" role="img" aria-label="{}">{}{}</svg>',
        right + PAD,
        PAD * 2 + max(len(place), 1) * ROW,
        _("Claim tree"),
        format_html_join("", '<path class="{}" d="M{} {}V{}H{}"/>', lines),
        format_html_join(
            "",
            '<a href="#claim-{}" class="{}"><title>{}</title><rect x="{}" y="{}" width="{}" height="{}" rx="3"/>'
            '<text x="{}" y="{}">{}</text></a>',
            boxes,
        ),
    )
