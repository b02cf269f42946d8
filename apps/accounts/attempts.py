"""A limit on failed sign-ins, for each account and each address, counted in the database for all processes.

Every attempt is stored before the password is looked at and forgotten when it was right, so that attempts made
at the same moment count each other. Wrong API tokens have no account (""): they are counted by address, apart from
passwords, and a right token is never refused. Limits: `CLAIMWRIGHT_SIGN_IN_{PER_ACCOUNT,PER_ADDRESS}` failures in
`CLAIMWRIGHT_SIGN_IN_MINUTES`; 0 sets no limit.
"""

import ipaddress
import math
from datetime import timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common.errors import TooMany

from .models import SignInAttempt


class SignInBlocked(TooMany):
    """Too many failures; `seconds` until the next attempt is looked at."""

    def __init__(self, seconds: int):
        minutes = math.ceil(seconds / 60)
        wait = ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
        message = _("Too many failed sign-ins. Wait %(time)s, then try again; an administrator can lift the limit at once.")
        super().__init__("sign_in_blocked", message % {"time": wait})
        self.seconds = seconds


def address_of(request: HttpRequest) -> str:
    """The client's address: the peer's, or what the outermost of `CLAIMWRIGHT_PROXIES` trusted proxies saw.

    Of an IPv6 address the /64 network, since one client commands all of it.
    """
    hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",") if hop.strip()]
    trusted = settings.CLAIMWRIGHT_PROXIES
    address = hops[-trusted] if 0 < trusted <= len(hops) else request.META.get("REMOTE_ADDR", "")
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address[:45]
    return str(ipaddress.ip_network((known, 64), strict=False)) if known.version == 6 else address


def begin(*, account: str, address: str) -> SignInAttempt:
    """Count an attempt. Raises `SignInBlocked`, and does not count it, when the account or the address used up its limit."""
    since = timezone.now() - timedelta(minutes=settings.CLAIMWRIGHT_SIGN_IN_MINUTES)
    SignInAttempt.objects.filter(at__lt=since).delete()
    attempt = SignInAttempt.objects.create(account=account.casefold()[:150], address=address)
    others = SignInAttempt.objects.filter(at__gte=since).exclude(pk=attempt.pk)
    here = others.filter(address=address)
    if account:
        here = here.exclude(account="")
        wait = _wait(others.filter(account=attempt.account), settings.CLAIMWRIGHT_SIGN_IN_PER_ACCOUNT)
    else:
        here = here.filter(account="")
        wait = 0
    wait = max(wait, _wait(here, settings.CLAIMWRIGHT_SIGN_IN_PER_ADDRESS))
    if wait:
        attempt.delete()
        raise SignInBlocked(wait)
    return attempt


def succeed(attempt: SignInAttempt) -> None:
    """The password was right: the failures of the account are forgotten, those of other accounts stay."""
    SignInAttempt.objects.filter(account=attempt.account).delete()


def _wait(failures: QuerySet[SignInAttempt], limit: int) -> int:
    """Seconds until fewer than `limit` of the failures are left in the window."""
    if limit < 1:
        return 0
    oldest = failures.order_by("-at").values_list("at", flat=True)[limit - 1 : limit].first()
    if oldest is None:
        return 0
    over = oldest + timedelta(minutes=settings.CLAIMWRIGHT_SIGN_IN_MINUTES) - timezone.now()
    return max(1, math.ceil(over.total_seconds()))
