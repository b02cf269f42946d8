"""Template tags of the pages: badges (colour, shape and word), stage names, findings in the reader's language."""

from collections.abc import Mapping, Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext

from apps.ui import words

register = template.Library()


@register.simple_tag
def state_badge(job) -> SafeString:
    return format_html('<span class="badge {}">{}</span>', job.state, job.get_state_display())


@register.filter
def stage_name(key: str) -> str:
    return words.stage_name(key)


@register.filter
def consequence(value: str) -> str:
    return words.consequence(value)


@register.filter
def part_name(key: str) -> str:
    return words.part(key)


@register.filter
def message_of(finding: Mapping) -> str:
    """The finding in the language of the page."""
    chinese = (get_language() or "").startswith("zh")
    return (chinese and finding.get("message_zh")) or finding.get("message") or finding.get("message_zh", "")


@register.simple_tag
def severity_badge(finding: Mapping) -> SafeString:
    return format_html('<span class="badge {}">{}</span>', finding["severity"], words.severity(finding["severity"]))


@register.simple_tag
def findings_badge(findings: Sequence[Mapping]) -> SafeString:
    """How many findings, coloured by the worst."""
    kinds = {finding["severity"] for finding in findings}
    worst = next((kind for kind in ("error", "warning", "info") if kind in kinds), "good")
    n = len(findings)
    text = ngettext("%(n)d finding", "%(n)d findings", n) % {"n": n} if n else gettext("formally clean")
    return format_html('<span class="badge {}">{}</span>', worst, text)


@register.simple_tag
def marked(claim: Mapping) -> SafeString:
    """The text of a claim with its findings underlined; overlapping spans keep the first."""
    text, pieces, at = claim["text"], [], 0
    spans = sorted((f["start"], f["end"], f["severity"], message_of(f)) for f in claim["findings"] if f["end"])
    for start, end, severity, note in spans:
        if at <= start < end <= len(text):
            pieces.append(format_html('{}<mark class="mark-{}" title="{}">{}</mark>', text[at:start], severity, note, text[start:end]))
            at = end
    return format_html_join("", "{}", [(piece,) for piece in [*pieces, text[at:]]])
