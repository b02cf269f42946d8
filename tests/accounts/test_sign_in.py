"""The limit on failed sign-ins: by account and by address, on the pages, in the admin and for API tokens."""

import subprocess
import sys
import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from apps.accounts import attempts
from apps.accounts.models import SignInAttempt
from apps.accounts.services import token_create
from tests.conftest import REPO, make_user

pytestmark = pytest.mark.django_db(transaction=True)

LOGIN = "/accounts/login/"
RIGHT = "correct-horse-battery"


@pytest.fixture(autouse=True)
def small_limits(settings):
    settings.CLAIMWRIGHT_SIGN_IN_PER_ACCOUNT = 3
    settings.CLAIMWRIGHT_SIGN_IN_PER_ADDRESS = 6
    settings.CLAIMWRIGHT_SIGN_IN_MINUTES = 15


def sign_in(client, name="agent", password="wrong", url=LOGIN, address="192.0.2.1", **headers):
    return client.post(url, {"username": name, "password": password}, REMOTE_ADDR=address, headers=headers)


def pass_time(minutes: int) -> None:
    for attempt in SignInAttempt.objects.all():
        SignInAttempt.objects.filter(pk=attempt.pk).update(at=attempt.at - timedelta(minutes=minutes))


@pytest.mark.parametrize("url", [LOGIN, "/admin/login/"])
def test_an_account_is_closed_after_its_failures_from_any_address(client, user, url):
    user.is_staff = True
    user.save()
    for n in range(3):
        assert sign_in(client, address=f"192.0.2.{n}", url=url).status_code == 200
    page = sign_in(client, "AGENT", RIGHT, address="192.0.2.9", url=url)
    assert page.status_code == (429 if url == LOGIN else 200)
    assert "登录失败次数过多" in page.content.decode() and "15 分钟" in page.content.decode()
    assert "_auth_user_id" not in client.session
    pass_time(16)
    assert sign_in(client, password=RIGHT, url=url).status_code == 302


def test_the_message_names_the_time_left_in_the_readers_language(client, user):
    for _ in range(3):
        sign_in(client)
    pass_time(10)
    page = sign_in(client, password=RIGHT, **{"Accept-Language": "en"})
    assert "Wait 5 minutes" in page.content.decode()
    assert 0 < int(page["Retry-After"]) <= 300


def test_refused_attempts_do_not_prolong_the_wait(client, user):
    for _ in range(3):
        sign_in(client)
    for _ in range(5):
        assert sign_in(client).status_code == 429
    assert SignInAttempt.objects.count() == 3


def test_an_address_is_closed_for_every_account(client, user):
    for n in range(6):
        assert sign_in(client, f"guess{n}").status_code == 200
    assert sign_in(client, password=RIGHT).status_code == 429
    assert sign_in(client, password=RIGHT, address="192.0.2.2").status_code == 302


def test_a_right_password_forgets_the_failures_of_its_account_only(client, user):
    make_user("other", "甲专利代理事务所")
    for name in ("other", "agent", "agent"):
        sign_in(client, name)
    assert sign_in(client, password=RIGHT).status_code == 302
    assert list(SignInAttempt.objects.values_list("account", flat=True)) == ["other"]


def test_unknown_names_are_limited_like_known_ones(client, user):
    for _ in range(3):
        sign_in(client, "nobody")
    assert sign_in(client, "nobody").status_code == 429


def test_no_limit(client, user, settings):
    settings.CLAIMWRIGHT_SIGN_IN_PER_ACCOUNT = settings.CLAIMWRIGHT_SIGN_IN_PER_ADDRESS = 0
    for _ in range(8):
        assert sign_in(client).status_code == 200


def test_attempts_of_one_moment_count_each_other(user):
    """Each thread has its own connection, as a process would."""
    answers, barrier = [], threading.Barrier(8)

    def guess():
        barrier.wait()
        answers.append(sign_in(Client()).status_code)
        connection.close()

    threads = [threading.Thread(target=guess) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers.count(200) <= 3 and len(answers) == 8


def test_another_process_counts_too(client, user, settings):
    database = connection.settings_dict["NAME"]
    if connection.vendor != "sqlite":
        pytest.skip("the other process is started on SQLite")
    code = f"""
import django; from django.conf import settings
settings.DATABASES["default"]["NAME"] = {str(database)!r}
django.setup()
from apps.accounts import attempts
for _ in range(3): attempts.begin(account="agent", address="192.0.2.7")
"""
    environment = {"DJANGO_SETTINGS_MODULE": "apps.config.settings", "PYTHONPATH": str(REPO), "CLAIMWRIGHT_VAR": str(settings.VAR)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, timeout=60)
    assert sign_in(client, password=RIGHT).status_code == 429


def token_call(client, secret, address="192.0.2.1"):
    return client.get("/api/v1/jobs/", headers={"Authorization": f"Token {secret}"}, REMOTE_ADDR=address)


def test_wrong_tokens_are_slowed_down_and_right_ones_are_not(client, user):
    secret = token_create(user=user, name="script")[1]
    assert [token_call(client, "cw_wrong").status_code for _ in range(8)] == [401] * 6 + [429] * 2
    answer = token_call(client, "cw_wrong")
    assert answer.json()["code"] == "sign_in_blocked" and int(answer["Retry-After"]) > 0
    assert SignInAttempt.objects.count() == 6
    assert token_call(client, secret).status_code == 200
    assert sign_in(client, password=RIGHT).status_code == 302


@pytest.mark.parametrize(
    ("proxies", "forwarded", "peer", "address"),
    [
        (0, "203.0.113.5", "192.0.2.1", "192.0.2.1"),
        (1, "198.51.100.1, 203.0.113.5", "127.0.0.1", "203.0.113.5"),
        (2, "198.51.100.1, 203.0.113.5", "127.0.0.1", "198.51.100.1"),
        (2, "203.0.113.5", "192.0.2.1", "192.0.2.1"),
        (1, "x" * 300, "127.0.0.1", "x" * 45),
        (0, "", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ],
)
def test_the_address_behind_proxies(rf, settings, proxies, forwarded, peer, address):
    settings.CLAIMWRIGHT_PROXIES = proxies
    request = rf.get("/", headers={"X-Forwarded-For": forwarded} if forwarded else {}, REMOTE_ADDR=peer)
    assert attempts.address_of(request) == address


def test_old_rows_go(user):
    attempts.begin(account="agent", address="a")
    SignInAttempt.objects.update(at=timezone.now() - timedelta(hours=1))
    attempts.begin(account="agent", address="a")
    assert SignInAttempt.objects.count() == 1
