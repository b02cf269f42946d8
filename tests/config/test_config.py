"""Configuration: the environment's types and errors, secrets on disk, databases, headers, health, migrations."""

import os
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import DatabaseError, connection

from apps.config import env
from tests.conftest import REPO


def test_typed_values(monkeypatch):
    monkeypatch.setenv("A", " x, ,y ")
    monkeypatch.setenv("B", "Yes")
    monkeypatch.setenv("C", "7")
    assert (env.words("A"), env.flag("B"), env.number("C", 1)) == (["x", "y"], True, 7)
    assert (env.words("D"), env.flag("D"), env.number("D", 1), env.choice("D", ("a", "b"))) == ([], False, 1, "a")


@pytest.mark.parametrize(
    "read",
    [env.flag, lambda name: env.number(name, 1), lambda name: env.choice(name, ("a",)), lambda name: env.database(name, "x")],
    ids=["flag", "number", "choice", "database"],
)
def test_a_value_that_makes_no_sense_names_its_variable(monkeypatch, read):
    monkeypatch.setenv("ODD", "mysql://perhaps")
    with pytest.raises(ImproperlyConfigured, match="ODD"):
        read("ODD")


def test_a_secret_is_made_once_and_private(monkeypatch, tmp_path):
    path = tmp_path / "new" / "secret"
    first = env.secret("SECRET_OF_TEST", path)
    assert len(first) > 40 and env.secret("SECRET_OF_TEST", path) == first
    assert path.stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv("SECRET_OF_TEST", "given")
    assert env.secret("SECRET_OF_TEST", path) == "given"


def test_database_urls(monkeypatch, tmp_path):
    default = env.database("NO_URL", tmp_path / "a.sqlite3")
    assert default["NAME"] == tmp_path / "a.sqlite3"
    assert default["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    monkeypatch.setenv("URL", "postgres://me:p%40ss@db.example:5433/cw?sslmode=require")
    server = env.database("URL", tmp_path)
    assert (server["USER"], server["PASSWORD"], server["HOST"], server["PORT"]) == ("me", "p@ss", "db.example", "5433")
    assert (server["NAME"], server["OPTIONS"]) == ("cw", {"sslmode": "require"})


@pytest.mark.parametrize(("locale", "said"), [("en_US.UTF-8", "There is no such file"), ("zh_CN.UTF-8", "没有这个文件"), ("C", "没有这个文件")])
def test_the_terminal_speaks_its_own_language(tmp_path, locale, said):
    environment = {**os.environ, "LC_ALL": locale, "PYTHONUTF8": "1", "CLAIMWRIGHT_VAR": str(tmp_path)}
    command = [sys.executable, "manage.py", "draft", str(tmp_path / "absent.md")]
    done = subprocess.run(command, cwd=REPO, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 3 and said in done.stderr


@pytest.mark.django_db
def test_sqlite_waits_and_logs_ahead():
    if connection.vendor != "sqlite":
        pytest.skip("the tests run on another database")
    with connection.cursor() as cursor:
        values = [cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "busy_timeout", "foreign_keys")]
    assert values == ["wal", 20000, 1]


@pytest.mark.django_db
def test_the_policy_allows_nothing_inline(client):
    policy = client.get("/accounts/login/")["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy


@pytest.mark.django_db
def test_health(client, monkeypatch):
    assert client.get("/healthz").json() == {"status": "ok", "database": True}

    def down(*_args):
        raise DatabaseError

    monkeypatch.setattr(connection, "cursor", down)
    assert client.get("/healthz").status_code == 503


@pytest.mark.django_db
def test_models_and_migrations_agree():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
