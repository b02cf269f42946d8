"""Fixtures every test may use: a database in a file (threads share it), two firms, a matter, a client.

The folder with corpora is `CLAIMWRIGHT_SHARED`, by default `shared` beside the repository; tests that need
it skip by name when it is absent.
"""

import os
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parent.parent
DISCLOSURE = (
    "一种门锁防夹装置\n本实用新型涉及门锁技术领域。现有门锁在关门时容易夹手。"
    "本装置包括锁体、缓冲件和感应件，缓冲件设置在锁体的端面，感应件与缓冲件连接，"
    "感应件检测到阻力时，锁体停止伸出，从而避免夹手。"
)


@pytest.fixture(scope="session")
def shared() -> Path:
    folder = Path(os.environ.get("CLAIMWRIGHT_SHARED", REPO.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"no corpora at {folder}; set CLAIMWRIGHT_SHARED")
    return folder


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, tmp_path_factory) -> None:
    from django.db import connection

    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(tmp_path_factory.mktemp("db") / "test.sqlite3")


@pytest.fixture(scope="session", autouse=True)
def quick_passwords():
    """The real hash takes a second; no test is about its strength."""
    from django.test import override_settings

    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


def make_user(name: str, firm_name: str):
    from apps.accounts.models import Firm, User

    firm, _ = Firm.objects.get_or_create(name=firm_name)
    return User.objects.create_user(name, password="correct-horse-battery", firm=firm)


@pytest.fixture
def user(db):
    return make_user("agent", "甲专利代理事务所")


@pytest.fixture
def stranger(db):
    """A user of another firm."""
    return make_user("stranger", "乙专利代理事务所")


@pytest.fixture
def matter(user):
    from apps.matters.models import Disclosure, Matter

    matter = Matter.objects.create(firm=user.firm, title="门锁防夹装置", created_by=user)
    Disclosure.objects.create(matter=matter, name="交底书.md", text=DISCLOSURE)
    return matter


@pytest.fixture
def logged_in(client, user):
    """A browser of `user`."""
    client.force_login(user)
    return client
