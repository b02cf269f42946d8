"""Application settings of `matters`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MattersConfig(AppConfig):
    name = "apps.matters"
    verbose_name = _("Matters")
