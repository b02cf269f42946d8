"""Writes of matters: a matter with its disclosure, or one more disclosure. A file that is refused leaves nothing."""

import re

from django.db import transaction
from django.utils.translation import gettext as _

from apps.common.errors import NotFound, ProductError

from .importing import read_disclosure
from .models import Disclosure, Matter

SUBJECT = re.compile(r"(?:发明名称|实用新型名称|名称|题目|标题)\s*[:：|]?\s*")


def title_of(text: str) -> str:
    """A title for a disclosure without one: its first line of at least four characters, without marks and label."""
    for line in text.split("\n"):
        line = SUBJECT.sub("", re.sub(r"^[\s#>*-]+|[*_`]", "", line), count=1).strip()
        if len(line) >= 4 and line not in {"技术交底书", "专利技术交底书"}:
            return re.split(r"[。；\n]", line)[0][:60]
    return _("Untitled")


def matter_create(
    *, user, title: str, reference: str = "", filing_type: str = Matter.FilingType.INVENTION
) -> Matter:
    """An empty matter of the user's firm. Raises `ProductError` "no_firm" or "bad_filing_type"."""
    if user.firm_id is None:
        raise ProductError("no_firm", _("Your account belongs to no firm. Ask your administrator."))
    if filing_type not in Matter.FilingType.values:
        raise ProductError("bad_filing_type", _("Choose an invention patent or a utility model."))
    return Matter.objects.create(
        firm_id=user.firm_id,
        title=title.strip()[:200] or _("Untitled"),
        reference=reference.strip()[:60],
        filing_type=filing_type,
        created_by=user,
    )


def matter_create_from_disclosure(
    *,
    user,
    name: str,
    data: bytes,
    title: str = "",
    reference: str = "",
    filing_type: str = Matter.FilingType.INVENTION,
) -> Matter:
    """A matter and its first disclosure, both or neither. Raises `ImportProblem`, `ProductError`."""
    imported = read_disclosure(name, data)
    with transaction.atomic():
        matter = matter_create(
            user=user,
            title=title.strip() or title_of(imported.text),
            reference=reference,
            filing_type=filing_type or Matter.FilingType.INVENTION,
        )
        _store(matter, name, imported)
    return matter


def disclosure_add(*, user, matter: Matter, name: str, data: bytes) -> Disclosure:
    """One more disclosure for a matter. Raises `NotFound` for a foreign matter, `ImportProblem`."""
    if matter.firm_id != user.firm_id:
        raise NotFound
    return _store(matter, name, read_disclosure(name, data))


def _store(matter: Matter, name: str, imported) -> Disclosure:
    return Disclosure.objects.create(
        matter=matter, name=name, text=imported.text, losses=imported.losses, figures=imported.figures
    )
