"""The wheel holds the whole product: every file of the tree's packages and data, nothing else, and it serves pages."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import REPO

FOLDERS = ("apps", "engine", "grammars", "templates", "static", "locale", "examples")
USE = """
import django; django.setup()
import apps, engine
from django.conf import settings
from django.core.management import call_command
from django.test import Client
assert apps.__file__.startswith({site!r}) and engine.__file__.startswith({site!r})
call_command("migrate", verbosity=0)
call_command("seed_demo")
page = Client().get("/accounts/login/", headers={{"Host": "localhost"}})
assert page.status_code == 200 and "登录" in page.content.decode(), page.status_code
assert Client().get("/static/css/app.css", headers={{"Host": "localhost"}}).status_code == 200
from apps.matters.models import Matter
print(settings.VAR, Matter.objects.count())
"""


def tree() -> list[str]:
    """The files that belong in the wheel: those under version control, or all where there is none."""
    listed = subprocess.run(["git", "ls-files", "-z", *FOLDERS], cwd=REPO, capture_output=True, text=True, check=False)
    names = [name for name in listed.stdout.split("\0") if name]
    if listed.returncode or not names:
        paths = (path for folder in FOLDERS for path in (REPO / folder).rglob("*") if "__pycache__" not in path.parts)
        names = [str(path.relative_to(REPO)) for path in paths]
    return sorted(name for name in names if (REPO / name).is_file())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in (*tree(), "pyproject.toml", "README.md"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(REPO / name, source / name)
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(out), "."]
    subprocess.run(build, cwd=source, check=True, stdout=subprocess.DEVNULL, timeout=300)
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_is_the_tree(wheel):
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == set(tree())
    kinds = {Path(name).suffix for name in packed}
    assert kinds >= {".py", ".html", ".css", ".js", ".svg", ".mo", ".g4", ".toml", ".txt", ".md"}


def test_an_unpacked_wheel_serves_pages(wheel, tmp_path):
    site, home = tmp_path / "site", tmp_path / "home"
    zipfile.ZipFile(wheel).extractall(site)
    environment = {
        **os.environ, "PYTHONPATH": str(site), "HOME": str(home), "XDG_DATA_HOME": str(home / "data"),
        "DJANGO_SETTINGS_MODULE": "apps.config.settings", "DATABASE_URL": "", "CLAIMWRIGHT_VAR": "",
    }  # fmt: skip
    code = USE.format(site=str(site))
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-2:] == [str(home / "data" / "claimwright"), "3"]
    assert not (site / "var").exists()
