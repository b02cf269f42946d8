"""The words of the interface for keys that the domain stores: severities, consequences, parts, facts."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.drafting.stages import STAGES

SEVERITIES = {"error": _("error"), "warning": _("warning"), "info": _("note")}
CONSEQUENCES = {
    "R": _("ground of rejection"),
    "F": _("correction notice"),
    "E": _("refused by the e-filing gateway"),
    "$": _("extra fee"),
    "A": _("practice"),
}

PARTS = {
    "claims": _("Claims"),
    "title": _("Title of the invention"),
    "abstract": _("Abstract"),
    "description": _("Description"),
    "drawings": _("Drawings"),
}
FACTS = {
    "mode": _("Writer"),
    "grammar": _("Grammar"),
    "exact": _("Exact decoding"),
    "disclosure_sha256": _("SHA-256 of the disclosure"),
    "self_names_changed": _("Changed mentions of 本发明 or 本实用新型"),
    "characters_left_out": _("Characters not read by the model"),
}
VALUES = {"True": _("yes"), "False": _("no"), "grammar": _("grammar"), "free": _("free")}


def part(key: str) -> str:
    return str(PARTS.get(key, key))


def fact(key: str, value: str) -> tuple[str, str]:
    """A line of provenance in words; nested names keep what follows their first dot."""
    head, dot, rest = key.partition(".")
    return f"{FACTS.get(head, head)}{dot and ' '}{rest}", str(VALUES.get(value, value))


def stage_name(key: str) -> str:
    """The name of a stage; a stage of a newer worker shows by its key."""
    return str(STAGES.get(key, key)) if key else gettext("Waiting to begin")


def severity(key: str) -> str:
    return str(SEVERITIES.get(key, key))


def consequence(key: str) -> str:
    """The main one of a consequence such as "R (26.4)" or "F; R (31.1) if unity is lost"."""
    return str(CONSEQUENCES.get(key[:1], key))
