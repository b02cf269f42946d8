"""Event streams from the real web server: events come when they happen, a dropped client is let go, none is lost.

A gate stands before each claim of the draft, so that what a client has read by then proves what was sent by then.
"""

import http.client
import json
import os
import socket
from pathlib import Path

import pytest

from apps.ops.management.commands.demo import web_server
from apps.ops.processes import listening
from tests.pipelines import CLAIMS
from tests.workers import Workplace, wait

pytestmark = pytest.mark.integration

TOKEN = """
import django; django.setup()
from apps.accounts.models import User
from apps.accounts.services import token_create
print(token_create(user=User.objects.get(), name="test")[1])
"""


class Place(Workplace):
    """A workplace with a job, a web server and a worker, and a gate before each claim."""

    def __init__(self, folder: Path):
        self.gate = folder / "gate"
        self.gate.mkdir()
        super().__init__(folder, CLAIMWRIGHT_PIPELINE="tests.pipelines.gated", CLAIMWRIGHT_TEST_GATE=str(self.gate))
        self.job = self.submit()
        self.secret = self.run("-c", TOKEN).strip()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.server = self.start(*web_server("127.0.0.1", self.port)[1:])
        self.start("manage.py", "runworker")
        wait(lambda: listening(self.port))

    def open(self, number: int) -> None:
        (self.gate / str(number)).touch()

    def stream(self, after: int = 0) -> "Stream":
        return Stream(self, after)

    def threads(self) -> int:
        return len(os.listdir(f"/proc/{self.server.pid}/task"))


class Stream:
    """A client of the job's stream."""

    def __init__(self, place: Place, after: int):
        self.connection = http.client.HTTPConnection("127.0.0.1", place.port, timeout=20)
        headers = {"Authorization": f"Token {place.secret}", "Accept": "text/event-stream", "Last-Event-ID": str(after)}
        self.connection.request("GET", f"/api/v1/jobs/{place.job}/events", headers=headers)
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200 and self.answer.getheader("Content-Type").startswith("text/event-stream")

    def until(self, wanted) -> list[dict]:
        """The stored events read up to the first message of which `wanted` is true."""
        seen = []
        while line := self.answer.readline():
            if not line.startswith(b"data: "):
                continue
            event = json.loads(line[6:])
            if "id" in event:
                seen.append(event)
            if wanted(event):
                return seen
        raise AssertionError("the stream ended early")

    def drop(self) -> None:
        self.answer.close()
        self.connection.close()


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path)
    yield place
    place.close()


def is_claim(number: int):
    return lambda event: event["kind"] == "claim" and event["data"]["number"] == number


def at_end(event: dict) -> bool:
    return event["kind"] == "end"


def test_events_come_one_by_one_and_a_second_connection_goes_on_where_the_first_broke(place):
    first = place.stream()
    seen = []
    for number in (1, 2, 3):
        place.open(number)
        seen += first.until(is_claim(number))
    first.drop()
    place.open(4)
    second = place.stream(after=seen[-1]["id"])
    seen += second.until(is_claim(4))
    for number in (5, 6):
        place.open(number)
    seen += second.until(at_end)
    whole = place.stream().until(at_end)
    assert [event["id"] for event in seen] == [event["id"] for event in whole]
    assert [e["data"]["number"] for e in seen if e["kind"] == "claim"] == list(range(1, CLAIMS + 1))


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted in /proc")
def test_dropped_clients_free_what_served_them(place):
    idle = place.stream()
    idle.until(lambda event: event["kind"] == "status")
    before = place.threads()
    clients = [place.stream() for _ in range(12)]
    for client in clients:
        client.until(lambda event: event["kind"] == "status")
    assert place.threads() > before
    for client in clients:
        client.drop()
    wait(lambda: place.threads() <= before, 10)
    place.open(1)
    idle.until(is_claim(1))
