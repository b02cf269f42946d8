"""The stages of a draft in order, in words."""

from django.utils.translation import gettext_lazy as _

STAGES = {
    "start": _("Loading the language model"),
    "invention": _("Understanding the invention"),
    "plan": _("Planning the claims"),
    "claims": _("Writing the claims"),
    "title": _("Writing the title"),
    "abstract": _("Writing the abstract"),
    "description": _("Writing the description"),
    "check": _("Checking the form"),
}
