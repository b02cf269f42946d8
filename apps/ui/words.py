"""The words of the interface for keys that the domain stores: stages, severities, consequences."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

STAGES = {
    "start": _("Starting"),
    "invention": _("Understanding the invention"),
    "plan": _("Planning the claims"),
    "claims": _("Writing the claims"),
    "title": _("Writing the title"),
    "abstract": _("Writing the abstract"),
    "description": _("Writing the description"),
    "check": _("Checking the form"),
}
SEVERITIES = {"error": _("error"), "warning": _("warning"), "info": _("note")}
CONSEQUENCES = {
    "R": _("ground of rejection"),
    "F": _("correction notice"),
    "E": _("refused by the e-filing gateway"),
    "$": _("extra fee"),
    "A": _("practice"),
}


def stage_name(key: str) -> str:
    """The name of a stage; a stage of a newer worker shows by its key."""
    return str(STAGES.get(key, key)) if key else gettext("Waiting to begin")


def severity(key: str) -> str:
    return str(SEVERITIES.get(key, key))


def consequence(key: str) -> str:
    return str(CONSEQUENCES.get(key, key))
