"""Firm, user, API token, failed sign-in. A user sees the rows of the user's firm only; a token acts as its user."""

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.common.models import FirmModel


class Firm(models.Model):
    """A patent firm: the boundary no data crosses."""

    name = models.CharField(_("name"), max_length=200, unique=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("firm")
        verbose_name_plural = _("firms")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class User(AbstractUser):
    """A person. Without a firm (an operator) the person sees no matters."""

    firm = models.ForeignKey(
        Firm, on_delete=models.PROTECT, null=True, blank=True, related_name="users", verbose_name=_("firm")
    )

    class Meta(AbstractUser.Meta):
        pass


class ApiToken(FirmModel):
    """An API key. Only the SHA-256 of the secret is stored; the secret is shown once, when made."""

    FIRM_PATH = "user__firm"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens", verbose_name=_("user"))
    name = models.CharField(_("name"), max_length=100)
    digest = models.CharField(_("SHA-256 of the secret"), max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name


class SignInAttempt(models.Model):
    """A sign-in that failed, or is being decided. `account` is the name as typed, in lower case, known or not."""

    account = models.CharField(_("user name"), max_length=150)
    address = models.CharField(_("address"), max_length=45)
    at = models.DateTimeField(_("time"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("failed sign-in")
        verbose_name_plural = _("failed sign-ins")
        ordering = ["-at"]
        indexes = [
            models.Index(fields=["account", "at"], name="sign_in_account"),
            models.Index(fields=["address", "at"], name="sign_in_address"),
        ]

    def __str__(self) -> str:
        return f"{self.account} {self.address}"
