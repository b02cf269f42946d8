"""Following a job: the SSE stream, its resume point, the polling page, the reason for waiting."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from apps.drafting import stream
from apps.drafting.models import DraftJob
from tests.ui.test_pages import start
from tests.webkit import run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def job(client, people, small):
    client.force_login(people[0])
    return start(client)


def read(answer) -> list[dict]:
    text = b"".join(answer.streaming_content).decode()
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]


def test_stream_tells_all_then_ends(client, job):
    run_jobs()
    answer = client.get(f"/jobs/{job.pk}/events")
    assert answer["Content-Type"].startswith("text/event-stream")
    events = read(answer)
    assert [e["data"]["number"] for e in events if e["kind"] == "claim"] == [1, 2, 3, 4]
    assert events[-1] == {"kind": "end", "data": {"state": "done"}}
    ids = [e["id"] for e in events if "id" in e]
    assert ids == sorted(set(ids))
    rest = read(client.get(f"/jobs/{job.pk}/events", headers={"Last-Event-ID": str(ids[2])}))
    assert [e["id"] for e in rest if "id" in e] == ids[3:]


def test_polling_gives_the_same_events(client, job):
    run_jobs()
    page = client.get(f"/jobs/{job.pk}/events.json").json()
    assert page["job"]["state"] == "done"
    after = page["events"][1]["id"]
    assert client.get(f"/jobs/{job.pk}/events.json?after={after}").json()["events"] == page["events"][2:]
    assert client.get(f"/jobs/{job.pk}/events.json?after=abc").json()["events"] == page["events"]


def test_stream_ends_after_its_time(job):
    text = "".join(filter(None, stream.follow(job, 0, "en", seconds=0)))
    assert '"kind": "status"' in text and '"kind": "end"' not in text


def test_no_worker_is_said(client, job):
    assert stream.waiting_reason(job) == ""
    DraftJob.objects.update(created_at=timezone.now() - timedelta(minutes=1))
    job.refresh_from_db()
    assert "runworker" in stream.waiting_reason(job)
    assert "runworker" in client.get(f"/jobs/{job.pk}/").content.decode()


def test_a_silent_worker_is_said(job):
    job.state, job.lease_until = "running", timezone.now() - timedelta(minutes=1)
    assert stream.waiting_reason(job)
