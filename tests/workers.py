"""Worker processes of kill tests: start one on a database of its own, watch it, kill it, read the outcome.

The database is a SQLite file in a temporary folder, migrated by the real command, so that the processes under
test share nothing with the test run.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.conftest import DISCLOSURE, REPO

SETUP = f"""
import django; django.setup()
from apps.accounts.models import Firm, User
from apps.matters.models import Disclosure, Matter
from apps.drafting.services import job_submit
firm = Firm.objects.create(name="甲")
user = User.objects.create_user("agent", firm=firm)
matter = Matter.objects.create(firm=firm, title="装置", created_by=user)
Disclosure.objects.create(matter=matter, name="a.md", text={DISCLOSURE!r})
print(job_submit(user=user, matter=matter).pk)
"""
SHOW = """
import django, json; django.setup()
from apps.drafting.models import DraftJob
job = DraftJob.objects.get()
events = [e.data.get("number") for e in job.events.order_by("id") if e.kind == "claim"]
print(json.dumps({"state": job.state, "attempts": job.attempts, "result": job.result, "claims": events,
                  "error": job.error_message}))
"""


class Workplace:
    """A folder with a database and a log of claims, and the processes that work there."""

    def __init__(self, folder: Path, **environment: str):
        self.log = folder / "claims.log"
        self.environment = {
            **os.environ,
            "CLAIMWRIGHT_VAR": str(folder),
            "DATABASE_URL": f"sqlite:///{folder / 'jobs.sqlite3'}",
            "DJANGO_SETTINGS_MODULE": "apps.config.settings",
            "CLAIMWRIGHT_PIPELINE": "tests.pipelines.claims",
            "CLAIMWRIGHT_ENGINE": "tests.pipelines.no_engine",
            "CLAIMWRIGHT_TEST_LOG": str(self.log),
            "CLAIMWRIGHT_TEST_STEP": "0.05",
            "PYTHONPATH": str(REPO),
            **environment,
        }
        self.processes: list[subprocess.Popen] = []
        self.run("manage.py", "migrate", "-v0", "--skip-checks")

    def run(self, *arguments: str) -> str:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=REPO, env=self.environment, check=True, stdout=subprocess.PIPE, text=True, timeout=120,
        ).stdout  # fmt: skip

    def start(self, *arguments: str) -> subprocess.Popen:
        process = subprocess.Popen([sys.executable, *arguments], cwd=REPO, env=self.environment)
        self.processes.append(process)
        return process

    def submit(self) -> str:
        return self.run("-c", SETUP).strip()

    def outcome(self) -> dict:
        import json

        return json.loads(self.run("-c", SHOW))

    def notes(self) -> list[tuple[str, int, int]]:
        """(begin or end, claim number, process id), in order."""
        lines = self.log.read_text().split("\n")[:-1] if self.log.exists() else []
        return [(what, int(number), int(pid)) for what, number, pid in (line.split() for line in lines)]

    def kill_inside(self, process: subprocess.Popen, number: int) -> None:
        """kill -9 the process while it writes claim `number`."""
        wait(lambda: ("begin", number) in [note[:2] for note in self.notes()])
        time.sleep(0.1)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
        assert ("end", number) not in [note[:2] for note in self.notes()]

    def close(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait(10)


def wait(condition, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)
