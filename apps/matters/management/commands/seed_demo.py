"""`manage.py seed_demo`: a demonstration firm with a user and one matter for each file in `examples/`.

Runs any number of times; what exists is kept. The password is CLAIMWRIGHT_DEMO_PASSWORD, or a random one kept in
`demo_password` (mode 0600) in the data folder, so that a second run prints the same.
"""

from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import Firm, User
from apps.config import env
from apps.matters.models import Disclosure
from apps.matters.services import matter_create_from_disclosure

FIRM = "示范专利代理事务所"
USERNAME = "demo"


class Command(BaseCommand):
    help = "Create the demonstration firm, user and matters."
    requires_system_checks = []

    @transaction.atomic
    def handle(self, *args, **options) -> None:
        password = env.secret("CLAIMWRIGHT_DEMO_PASSWORD", settings.VAR / "demo_password", size=9)
        firm, _new = Firm.objects.get_or_create(name=FIRM)
        user, _new = User.objects.get_or_create(username=USERNAME, defaults={"firm": firm})
        if not user.check_password(password):
            user.set_password(password)
            user.save(update_fields=["password"])
        for path in sorted((Path(settings.BASE_DIR) / "examples").glob("*.md")):
            if path.name.lower().startswith("readme"):
                continue
            if not Disclosure.objects.filter(matter__firm=firm, name=path.name).exists():
                matter_create_from_disclosure(user=user, name=path.name, data=path.read_bytes())
        self.stdout.write(_("Sign in as %(user)s with the password %(password)s") % {"user": USERNAME, "password": password})
