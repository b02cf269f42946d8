"""Firm scoping: the one door through which rows are read for a user.

Every model that belongs to a firm names the path to it; `for_user` filters on that path. A user without
a firm, or anonymous, sees nothing.
"""

from typing import ClassVar

from django.db import models


class FirmQuerySet(models.QuerySet):
    """Rows of one firm. The model sets `FIRM_PATH`, for example "matter__firm"."""

    def for_user(self, user) -> "FirmQuerySet":
        firm_id = getattr(user, "firm_id", None)
        if not user.is_authenticated or firm_id is None:
            return self.none()
        return self.filter(**{f"{self.model.FIRM_PATH}_id": firm_id})


class FirmModel(models.Model):
    """Base of models that belong, directly or by a parent, to one firm."""

    FIRM_PATH: ClassVar[str] = "firm"

    objects = FirmQuerySet.as_manager()

    class Meta:
        abstract = True
