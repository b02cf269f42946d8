"""Reads of matters. Each takes the user and sees that user's firm only; what is foreign is not found."""

from uuid import UUID

from django.db.models import QuerySet

from apps.common.errors import NotFound

from .models import Disclosure, Matter


def for_user(user) -> QuerySet[Matter]:
    """The matters of the user's firm, newest first."""
    return Matter.objects.for_user(user)


def matter_get(*, user, id: UUID | str) -> Matter:
    """One matter. Raises `NotFound`."""
    matter = for_user(user).filter(pk=id).first()
    if matter is None:
        raise NotFound
    return matter


def disclosure_get(*, user, id: UUID | str) -> Disclosure:
    """One disclosure. Raises `NotFound`."""
    disclosure = Disclosure.objects.for_user(user).select_related("matter").filter(pk=id).first()
    if disclosure is None:
        raise NotFound
    return disclosure


def disclosure_latest(matter: Matter) -> Disclosure | None:
    """The disclosure a draft starts from unless another is chosen."""
    return matter.disclosures.order_by("-created_at").first()
