"""Matters: what is refused leaves nothing, other firms see nothing, the demonstration data is made once."""

from io import StringIO

import pytest
from django.core.management import call_command

from apps.accounts.models import User
from apps.accounts.services import token_create, token_revoke, token_verify
from apps.common.errors import NotFound, ProductError
from apps.matters.importing import ImportProblem
from apps.matters.models import Disclosure, Matter
from apps.matters.selectors import disclosure_get, for_user, matter_get
from apps.matters.services import disclosure_add, matter_create_from_disclosure
from tests.conftest import DISCLOSURE

pytestmark = pytest.mark.django_db


def test_a_matter_takes_its_title_from_the_disclosure(user):
    matter = matter_create_from_disclosure(user=user, name="a.txt", data=DISCLOSURE.encode())
    assert (matter.title, matter.firm, matter.filing_type) == ("一种门锁防夹装置", user.firm, "invention")
    assert matter.disclosures.get().text == DISCLOSURE


def test_a_refused_file_leaves_nothing(user):
    with pytest.raises(ImportProblem):
        matter_create_from_disclosure(user=user, name="a.txt", data=b"")
    with pytest.raises(ProductError):
        matter_create_from_disclosure(user=user, name="a.txt", data=DISCLOSURE.encode(), filing_type="design")
    assert not Matter.objects.exists() and not Disclosure.objects.exists()


def test_another_firm_finds_nothing(stranger, matter):
    assert not for_user(stranger).exists()
    with pytest.raises(NotFound):
        matter_get(user=stranger, id=matter.pk)
    with pytest.raises(NotFound):
        disclosure_get(user=stranger, id=matter.disclosures.get().pk)
    with pytest.raises(NotFound):
        disclosure_add(user=stranger, matter=matter, name="a.txt", data=DISCLOSURE.encode())


def test_a_user_without_a_firm_sees_and_makes_nothing(matter):
    operator = User.objects.create_user("operator")
    assert not for_user(operator).exists()
    with pytest.raises(ProductError):
        matter_create_from_disclosure(user=operator, name="a.txt", data=DISCLOSURE.encode())


def test_tokens(user):
    token, secret = token_create(user=user, name="script")
    assert secret not in str(vars(token))
    assert token_verify(secret).user == user
    assert token_verify(secret + "x") is None
    token_revoke(token)
    assert token_verify(secret) is None


def test_the_demonstration_is_made_once(settings, tmp_path):
    settings.VAR = tmp_path
    first, second = StringIO(), StringIO()
    call_command("seed_demo", stdout=first)
    count = Matter.objects.count()
    call_command("seed_demo", stdout=second)
    assert Matter.objects.count() == count
    assert first.getvalue() == second.getvalue()
    password = (tmp_path / "demo_password").read_text()
    assert User.objects.get(username="demo").check_password(password)
    assert (tmp_path / "demo_password").stat().st_mode & 0o777 == 0o600
