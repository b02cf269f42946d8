"""Matter and disclosure. A disclosure is kept as text, with the list of what its file had and text has not."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Firm
from apps.common.models import FirmModel

from .importing import loss_sentences


class Matter(FirmModel):
    """One invention the firm drafts a filing for."""

    class FilingType(models.TextChoices):
        INVENTION = "invention", _("invention patent")
        UTILITY = "utility", _("utility model")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    firm = models.ForeignKey(Firm, on_delete=models.PROTECT, related_name="matters", verbose_name=_("firm"))
    title = models.CharField(_("title"), max_length=200)
    reference = models.CharField(_("reference"), max_length=60, blank=True)
    filing_type = models.CharField(
        _("filing type"), max_length=20, choices=FilingType, default=FilingType.INVENTION
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("created by")
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("matter")
        verbose_name_plural = _("matters")
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["firm", "-created_at"], name="matter_firm_created")]

    def __str__(self) -> str:
        return self.title


class Disclosure(FirmModel):
    """What the inventor wrote. `losses` counts what the importer could not keep; `figures` names the drawings."""

    FIRM_PATH = "matter__firm"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    matter = models.ForeignKey(
        Matter, on_delete=models.CASCADE, related_name="disclosures", verbose_name=_("matter")
    )
    name = models.CharField(_("file name"), max_length=255)
    text = models.TextField(_("text"))
    losses = models.JSONField(_("not read"), default=dict, blank=True)
    figures = models.JSONField(_("figures"), default=list, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("disclosure")
        verbose_name_plural = _("disclosures")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name

    @property
    def lost(self) -> list[str]:
        """What was not kept, in the language of the reader."""
        return loss_sentences(self.losses)
