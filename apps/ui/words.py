"""The words of the interface for keys that the domain stores: stages, severities, consequences."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

STAGES = {
    "start": _("Starting"),
    "read": _("Reading the disclosure"),
    "invention": _("Understanding the invention"),
    "plan": _("Planning the claims"),
    "title": _("Writing the title"),
    "claims": _("Writing the claims"),
    "description": _("Writing the description"),
    "abstract": _("Writing the abstract"),
    "check": _("Checking the form"),
}
SEVERITIES = {"error": _("error"), "warning": _("warning"), "info": _("note")}
CONSEQUENCES = {
    "驳回": _("rejection"),
    "补正": _("correction notice"),
    "费用": _("extra fee"),
    "reject": _("rejection"),
    "rejection": _("rejection"),
    "correction": _("correction notice"),
    "fee": _("extra fee"),
}


def stage_name(key: str) -> str:
    """The name of a stage; a stage of a newer worker shows by its key."""
    return str(STAGES.get(key, key)) if key else gettext("Waiting to begin")


def severity(key: str) -> str:
    return str(SEVERITIES.get(key, key))


def consequence(key: str) -> str:
    return str(CONSEQUENCES.get(key, key))
