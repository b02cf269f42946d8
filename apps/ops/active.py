"""What is active on this computer, in words: the table that `manage.py demo` prints."""

from __future__ import annotations

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _


def active() -> list[tuple[str, bool, str]]:
    """Rows of (name, active, what it is) in reading order."""
    return [
        (_("Database"), True, connection.display_name),
        (_("Job runner"), True, _("one worker process") if settings.CLAIMWRIGHT_JOBS == "database" else "Celery"),
        (_("Language model"), *_model()),
        ("Redis", bool(settings.REDIS_URL), settings.REDIS_URL or _("not needed: jobs wait in the database")),
        ("HTTPS", settings.HTTPS, "" if settings.HTTPS else _("this computer only")),
    ]


def _model() -> tuple[bool, str]:
    from engine.loading import registry

    try:
        files = registry.resolve(settings.CLAIMWRIGHT_MODEL)
    except registry.ModelMissing as error:
        return False, str(error)
    return True, files.name
