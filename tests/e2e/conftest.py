"""A real server, a real worker and a real Chromium. Skipped, by name, where Chromium is absent.

Screenshots go to the directory of CLAIMWRIGHT_SHOTS, or to the temporary directory of the run.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from apps.ops.management.commands.demo import web_server

ROOT = Path(__file__).parents[2]
ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SEED = """
from apps.accounts.models import Firm, User
User.objects.create_user("lin", password="correct horse", firm=Firm.objects.create(name="林氏专利"))
"""


@pytest.fixture(scope="session")
def chromium() -> str:
    path = os.environ.get("CLAIMWRIGHT_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not path:
        pytest.skip("no Chromium on this machine")
    return path


@pytest.fixture(scope="session")
def environment(tmp_path_factory) -> dict[str, str]:
    """An own data directory and the small pipeline, paced so that a person could follow it."""
    return {
        **os.environ,
        "CLAIMWRIGHT_VAR": str(tmp_path_factory.mktemp("var")),
        "CLAIMWRIGHT_PIPELINE": "tests.webkit.small_pipeline",
        "CLAIMWRIGHT_ENGINE": "tests.webkit.no_engine",
        "CLAIMWRIGHT_TEST_PACE": "0.12",
        "CLAIMWRIGHT_LOG": "WARNING",
        "DATABASE_URL": "",
    }


def manage(*words: str) -> list[str]:
    return [sys.executable, str(ROOT / "manage.py"), *words]


def stop(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()


@pytest.fixture(scope="session")
def server(environment, chromium):
    """The address of a server with one user, lin."""
    subprocess.run(manage("migrate", "-v0"), env=environment, cwd=ROOT, check=True)
    subprocess.run(manage("shell", "-c", SEED), env=environment, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"127.0.0.1:{port}"
    process = subprocess.Popen(web_server("127.0.0.1", port), env=environment, cwd=ROOT)
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen(f"http://{address}/accounts/login/", timeout=2).close()
                break
            except OSError:
                time.sleep(0.2)
        yield f"http://{address}"
    finally:
        stop(process)


@pytest.fixture
def worker(environment, server):
    """Start it when the test wants one."""
    running: list[subprocess.Popen] = []

    def begin() -> None:
        running.append(subprocess.Popen(manage("runworker"), env=environment, cwd=ROOT))

    yield begin
    for process in running:
        stop(process)


@pytest.fixture
def page(chromium, server):
    """A fresh browser, Chinese, 1366 by 768. Any script error or blocked resource fails the test; a refused form does not."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=ARGS)
        context = browser.new_context(locale="zh-CN", viewport={"width": 1366, "height": 768}, base_url=server)
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" and "status of 400" not in message.text else None)
        yield page
        browser.close()
    assert not problems


@pytest.fixture
def shot(tmp_path):
    """Save a screenshot of the whole page under a name."""
    folder = Path(os.environ.get("CLAIMWRIGHT_SHOTS") or tmp_path)
    return lambda page, name: page.screenshot(path=folder / f"{name}.png", full_page=True)
