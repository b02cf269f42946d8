"""Reading the environment: the only input of `settings`.

Every helper takes a variable name and a default and returns a typed value; a value that cannot be
understood raises `ImproperlyConfigured` naming the variable, so that a typing error never starts a server.
"""

import os
import secrets
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"", "0", "false", "no", "off"}


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, default).strip()


def flag(name: str, default: bool = False) -> bool:
    value = os.environ.get(name)
    if value is None:
        return default
    lowered = value.strip().lower()
    if lowered in TRUE or lowered in FALSE:
        return lowered in TRUE
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}")


def number(name: str, default: int) -> int:
    value = os.environ.get(name, "").strip()
    try:
        return int(value) if value else default
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}") from error


def words(name: str, default: str = "") -> list[str]:
    """A comma-separated list; empty items are dropped."""
    return [item.strip() for item in text(name, default).split(",") if item.strip()]


def choice(name: str, allowed: tuple[str, ...]) -> str:
    """One of `allowed`; the first is the default."""
    value = text(name, allowed[0])
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(allowed)}, not {value!r}")
    return value


def data_folder(base: Path) -> Path:
    """Where data is kept by default: `var` in a checkout, the user's data folder when the product is installed."""
    if (base / "manage.py").is_file():
        return base / "var"
    return Path(text("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "claimwright"


def terminal_language() -> str:
    """The language of the person at the terminal, by the locale: English where it is English, else Chinese."""
    locale = text("LC_ALL") or text("LC_MESSAGES") or text("LANG")
    return "en" if locale.startswith("en") else "zh-hans"


def secret(name: str, path: Path, size: int = 40) -> str:
    """The variable when set, else the content of `path`, created with `size` random bytes and mode 0600."""
    if value := text(name):
        return value
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        value = path.read_text().strip()
        if value:
            return value
        path.chmod(0o600)
        handle = os.open(path, os.O_WRONLY | os.O_TRUNC)
    value = secrets.token_urlsafe(size)
    with os.fdopen(handle, "w") as file:
        file.write(value)
    return value


def database(name: str, sqlite: Path) -> dict:
    """Django database settings from a URL: `postgres://user:password@host:port/db` or `sqlite:///path`.

    SQLite (the default) runs in WAL with IMMEDIATE transactions and a 20 s busy timeout: without these,
    concurrent writers fail with "database is locked".
    """
    url = urlsplit(text(name) or f"sqlite:///{sqlite}")
    if url.scheme == "sqlite":
        path = Path(unquote(url.path[1:]))
        path.parent.mkdir(parents=True, exist_ok=True)
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": path,
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
            },
        }
    if url.scheme in {"postgres", "postgresql"}:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(url.path.lstrip("/")),
            "USER": unquote(url.username or ""),
            "PASSWORD": unquote(url.password or ""),
            "HOST": url.hostname or "",
            "PORT": str(url.port or ""),
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": dict(parse_qsl(url.query)),
        }
    raise ImproperlyConfigured(f"{name}: unknown scheme {url.scheme!r}; use postgres:// or sqlite:///")
