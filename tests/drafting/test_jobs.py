"""Jobs: claiming, leases, fencing, events, cancel, attempts, firm scoping."""

import threading
import time
from datetime import timedelta

import pytest
from django.utils import timezone, translation

from apps.common.errors import Conflict, NotFound, TooMany
from apps.drafting import lease as leases
from apps.drafting.events import EventWriter
from apps.drafting.lease import Heartbeat, LeaseLost, claim
from apps.drafting.models import DraftJob, JobEvent
from apps.drafting.runner import reconcile, work, work_once
from apps.drafting.selectors import events_after, job_get
from apps.drafting.services import job_again, job_cancel, job_execute, job_submit
from tests.pipelines import CLAIMS

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def quick(settings, monkeypatch):
    settings.CLAIMWRIGHT_PIPELINE = "tests.pipelines.claims"
    settings.CLAIMWRIGHT_ENGINE = "tests.pipelines.no_engine"
    monkeypatch.setattr(leases, "BEAT_SECONDS", 0.05)


@pytest.fixture
def job(user, matter):
    return job_submit(user=user, matter=matter, seed=7)


def expire(job) -> None:
    DraftJob.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_a_job_runs_to_its_end(job):
    work(once=True)
    job.refresh_from_db()
    assert (job.state, job.percent, job.attempts) == ("done", 100, 1)
    assert [claim["number"] for claim in job.result["claims"]] == list(range(1, CLAIMS + 1))
    assert job.result["seed"] == 7
    assert job.started_at and job.finished_at and job.lease_until is None
    kinds = [event.kind for event in events_after(job.pk)]
    assert kinds[0] == "stage" and kinds[-1] == "done" and kinds.count("claim") == CLAIMS


def test_nothing_the_engine_keeps_is_shared_between_firms(job, settings, monkeypatch):
    from tests.drafting.scripted import DISCLOSURE, ScriptedEngine
    from tests.drafting.test_pipeline import ANSWERS

    class Salted(ScriptedEngine):
        salts = set()

        def generate(self, request):
            self.salts.add(request.salt)
            yield from super().generate(request)

    settings.CLAIMWRIGHT_PIPELINE = "apps.drafting.pipeline.draft_filing"
    monkeypatch.setattr("apps.drafting.services.get_engine", lambda name: Salted(ANSWERS))
    job.disclosure.text = DISCLOSURE
    job.disclosure.save()
    DraftJob.objects.filter(pk=job.pk).update(options={"firm": "another"})
    work(once=True)
    job.refresh_from_db()
    assert job.state == "done" and Salted.salts == {str(job.matter.firm_id)}


def test_events_resume_after_an_id_and_text_is_joined(job):
    work(once=True)
    events = events_after(job.pk)
    assert [event.pk for event in events_after(job.pk, after=events[2].pk)] == [event.pk for event in events[3:]]
    for number in range(1, CLAIMS + 1):
        text = "".join(e.data["text"] for e in events if e.kind == "text" and e.data["claim"] == number)
        assert text == "0123456789"
    assert sum(event.kind == "text" for event in events) < 2 * CLAIMS


def test_only_one_of_many_claims_wins(job):
    won = []
    barrier = threading.Barrier(4)

    def contend(name):
        from django.db import connection

        barrier.wait()
        won.append(claim(job.pk, name))
        connection.close()

    threads = [threading.Thread(target=contend, args=(f"w{i}",)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(lease is not None for lease in won) == 1


def test_a_live_lease_is_not_taken_and_a_dead_one_is(job):
    first = claim(job.pk, "first")
    assert claim(job.pk, "second") is None
    expire(job)
    second = claim(job.pk, "second")
    assert second.attempts == 2
    with pytest.raises(LeaseLost):
        first.write(percent=99)
    with pytest.raises(LeaseLost):
        first.finish("done", result={})
    with pytest.raises(LeaseLost):
        EventWriter(first)({"kind": "stage", "stage": "late"})
    second.write(percent=5)
    job.refresh_from_db()
    assert (job.percent, job.state, job.events.count()) == (5, "running", 0)


def test_the_same_worker_is_fenced_from_its_own_earlier_attempt(job):
    first = claim(job.pk, "same")
    expire(job)
    claim(job.pk, "same")
    with pytest.raises(LeaseLost):
        first.write()


def test_the_heartbeat_renews_and_sees_the_loss(job):
    lease = claim(job.pk, "first")
    expire(job)
    with Heartbeat(lease) as heartbeat:
        time.sleep(0.3)
        job.refresh_from_db()
        assert job.lease_until > timezone.now() + timedelta(seconds=8)
        DraftJob.objects.filter(pk=job.pk).update(owner="second")
        assert heartbeat.lost.wait(2)


def test_a_worker_whose_job_was_taken_writes_nothing_more(job, settings):
    settings.CLAIMWRIGHT_PIPELINE = "tests.pipelines.never_ends"
    thread = threading.Thread(target=_execute, args=(job.pk,))
    thread.start()
    _wait(lambda: job.events.filter(kind="text").exists())
    DraftJob.objects.filter(pk=job.pk).update(owner="second", attempts=2)
    thread.join(5)
    assert not thread.is_alive()
    job.refresh_from_db()
    assert (job.state, job.owner) == ("running", "second")


def test_a_queued_job_is_cancelled_at_once(user, job):
    assert job_cancel(user=user, job=job).state == "cancelled"
    assert work_once("w") is None
    assert [event.data for event in events_after(job.pk)] == [{"state": "cancelled"}]


def test_a_running_job_is_cancelled_soon(user, job, settings):
    settings.CLAIMWRIGHT_PIPELINE = "tests.pipelines.never_ends"
    thread = threading.Thread(target=_execute, args=(job.pk,))
    thread.start()
    _wait(lambda: job.events.filter(kind="text").exists())
    assert job_cancel(user=user, job=job).state == "running"
    thread.join(3)
    job.refresh_from_db()
    assert (job.state, job.result) == ("cancelled", None)


def test_a_cancelled_job_of_a_dead_worker_ends(user, job):
    claim(job.pk, "dead")
    job_cancel(user=user, job=job)
    expire(job)
    assert work_once("w") is None
    reconcile()
    job.refresh_from_db()
    assert job.state == "cancelled"


def test_three_dead_workers_are_enough(job):
    for attempt in range(3):
        assert claim(job.pk, f"w{attempt}")
        expire(job)
    assert claim(job.pk, "w4") is None
    reconcile()
    job.refresh_from_db()
    assert (job.state, job.error_code) == ("failed", "worn_out")
    assert events_after(job.pk)[-1].data["code"] == "worn_out"


def test_an_orderly_stop_keeps_the_checkpoint_and_costs_no_attempt(job):
    def stopping() -> bool:
        return JobEvent.objects.filter(job=job, kind="claim").count() >= 2

    assert job_execute(job.pk, "w", stopping) == "queued"
    job.refresh_from_db()
    assert (job.state, job.attempts, len(job.checkpoint["claims"])) == ("queued", 0, 2)
    work(once=True)
    job.refresh_from_db()
    assert job.state == "done"
    numbers = [event.data["number"] for event in events_after(job.pk) if event.kind == "claim"]
    assert numbers == list(range(1, CLAIMS + 1))


@pytest.mark.parametrize(("pipeline", "code"), [("refuses", "too_thin"), ("crashes", "internal")])
def test_a_failure_has_a_code_and_a_message(job, settings, pipeline, code):
    settings.CLAIMWRIGHT_PIPELINE = f"tests.pipelines.{pipeline}"
    work(once=True)
    job.refresh_from_db()
    assert (job.state, job.error_code) == ("failed", code)
    assert job.error_message
    assert events_after(job.pk)[-1].kind == "error"


@pytest.mark.parametrize(("language", "word"), [("en", "Out of memory"), ("zh-hans", "内存不足")])
def test_a_failure_speaks_the_language_of_who_submitted(user, matter, settings, language, word):
    settings.CLAIMWRIGHT_PIPELINE = "tests.pipelines.no_memory"
    with translation.override(language):
        job = job_submit(user=user, matter=matter)
    with translation.override("zh-hans"):
        work(once=True)
    job.refresh_from_db()
    assert (job.state, job.error_code) == ("failed", "out_of_memory")
    assert word in job.error_message


def test_a_stopped_draft_goes_on_as_a_new_job(user, stranger, job, settings):
    def after_two() -> bool:
        return JobEvent.objects.filter(job=job, kind="claim").count() >= 2

    with pytest.raises(Conflict):
        job_again(user=user, job=job)
    job_execute(job.pk, "w", after_two)
    job_cancel(user=user, job=job)
    job.refresh_from_db()
    with pytest.raises(NotFound):
        job_again(user=stranger, job=job)
    new = job_again(user=user, job=job)
    assert (new.seed, new.disclosure_id, new.state) == (job.seed, job.disclosure_id, "queued")
    work(once=True)
    new.refresh_from_db()
    assert new.state == "done"
    assert [e.data["number"] for e in events_after(new.pk) if e.kind == "claim"] == list(range(3, CLAIMS + 1))
    assert [claim["number"] for claim in new.result["claims"]] == list(range(1, CLAIMS + 1))


def test_another_firm_finds_nothing(stranger, matter, job):
    with pytest.raises(NotFound):
        job_get(user=stranger, id=job.pk)
    with pytest.raises(NotFound):
        job_cancel(user=stranger, job=job)
    with pytest.raises(NotFound):
        job_submit(user=stranger, matter=matter)


def test_a_firm_has_a_quota(user, matter, job, settings):
    settings.CLAIMWRIGHT_JOBS_PER_FIRM = 1
    with pytest.raises(TooMany):
        job_submit(user=user, matter=matter)


@pytest.mark.parametrize("broker", ["redis://127.0.0.1:1/0", "amqp://127.0.0.1:1//"])
def test_a_broker_that_is_down_does_not_lose_the_job(user, matter, settings, monkeypatch, broker):
    from apps.config import celery_app

    settings.CLAIMWRIGHT_JOBS = "celery"
    monkeypatch.setattr(celery_app.conf, "broker_url", broker)
    job = job_submit(user=user, matter=matter)
    assert job.state == "queued"


def _execute(job_id) -> None:
    from django.db import connection

    job_execute(job_id, "first")
    connection.close()


def _wait(condition, seconds: float = 5) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)
