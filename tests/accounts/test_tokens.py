"""`manage.py api_token`: the printed secret opens the API until it is revoked or expires."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.models import ApiToken
from apps.accounts.services import token_verify

pytestmark = pytest.mark.django_db


def made(capsys, *options) -> str:
    call_command("api_token", "agent", *options)
    return capsys.readouterr().out.strip()


def test_the_printed_secret_opens_the_api(client, user, capsys):
    secret = made(capsys)
    answer = client.get("/api/v1/jobs/", headers={"Authorization": f"Token {secret}"})
    assert answer.status_code == 200
    call_command("api_token", "agent", "--revoke")
    assert token_verify(secret) is None


def test_a_token_expires(user, capsys):
    secret = made(capsys, "--days", "2")
    token = ApiToken.objects.get()
    assert token_verify(secret) == token
    ApiToken.objects.update(expires_at=token.expires_at - timedelta(days=3))
    assert token_verify(secret) is None


def test_an_unknown_user_is_named(db):
    with pytest.raises(CommandError, match="nobody"):
        call_command("api_token", "nobody")
