"""Template tags of the pages: badges (colour, shape and word), stage names, findings in the reader's language."""

import re
from collections.abc import Mapping, Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from apps.ui import words

HEADING = mark_safe(' class="heading"')

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
def as_read(text: str) -> SafeString:
    """The text of a disclosure, a paragraph a line, its headings without their marks."""
    lines = (re.match(r"(#{0,6})\s*(.*)", line.strip()) for line in text.splitlines() if line.strip("# \t"))
    return format_html_join("\n", "<p{}>{}</p>", ((HEADING if line[1] else "", line[2]) for line in lines))
