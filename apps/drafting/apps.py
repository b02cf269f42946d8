"""Application settings of `drafting`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DraftingConfig(AppConfig):
    name = "apps.drafting"
    verbose_name = _("Drafting")
