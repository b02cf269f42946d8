"""`manage.py api_token USER`: a new token for the REST API, shown this once. `--revoke` ends every token of the user."""

from datetime import timedelta

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import ApiToken, User
from apps.accounts.services import token_create, token_revoke


class Command(BaseCommand):
    help = "Make an API token for a user, or revoke the user's tokens."

    def add_arguments(self, parser) -> None:
        parser.add_argument("user", help="user name")
        parser.add_argument("--name", default="api", help="what the token is for (default: api)")
        parser.add_argument("--days", type=int, help="days until it expires (default: never)")
        parser.add_argument("--revoke", action="store_true", help="end every token of the user instead")

    def handle(self, *args, user: str, name: str, days: int | None, revoke: bool, **options) -> None:
        owner = User.objects.filter(username=user).first()
        if owner is None:
            raise CommandError(_("There is no user %s. Users are made in the admin.") % user, returncode=2)
        if revoke:
            for token in ApiToken.objects.filter(user=owner, revoked_at=None):
                token_revoke(token)
            return
        expires = timezone.now() + timedelta(days=days) if days else None
        _token, secret = token_create(user=owner, name=name, expires_at=expires)
        self.stdout.write(secret)
        self.stderr.write(_("Send it as “Authorization: Token …”. It cannot be shown again."))
