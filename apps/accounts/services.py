"""API tokens: make, revoke, and find the user a secret speaks for."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from .models import ApiToken, User

PREFIX = "cw_"


def digest(secret: str) -> str:
    """SHA-256 hex. Enough for a 256-bit random secret, which no dictionary contains."""
    return hashlib.sha256(secret.encode()).hexdigest()


def token_create(*, user: User, name: str, expires_at: datetime | None = None) -> tuple[ApiToken, str]:
    """A new token and its secret. The secret cannot be read again."""
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(user=user, name=name[:100], digest=digest(secret), expires_at=expires_at)
    return token, secret


def token_revoke(token: ApiToken) -> None:
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


def token_verify(secret: str) -> ApiToken | None:
    """The live token with this secret, or None: unknown, revoked, expired, or of a disabled user."""
    now = timezone.now()
    token = (
        ApiToken.objects.select_related("user__firm")
        .filter(Q(expires_at=None) | Q(expires_at__gt=now), digest=digest(secret), revoked_at=None, user__is_active=True)
        .first()
    )
    if token and (token.last_used_at is None or now - token.last_used_at > timedelta(minutes=1)):
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token
