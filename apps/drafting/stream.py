"""A job as others follow it: its state as a dict, its events after an id, the same as a live stream (SSE),
and the reason it waits.

Server-sent events: every message is one JSON object `{"id", "kind", "data"}`; its `id:` line is the resume
point of `Last-Event-ID`. Two kinds are not stored and have no id: `status` (the job row now, sent when it
changed and as a heartbeat) and `end` (the job is over). A stream lasts `STREAM_SECONDS`, then the client
reconnects, so that no server thread is held for as long as a job runs.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import close_old_connections
from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from .models import DraftJob
from .selectors import events_after

STREAM_SECONDS = 30.0
STEP_SECONDS = 0.4
BEAT_SECONDS = 5.0
WAIT_GRACE = timedelta(seconds=8)


def waiting_reason(job: DraftJob) -> str:
    """Why a job makes no progress, in the reader's language; empty when it does."""
    now = timezone.now()
    if job.state == DraftJob.State.QUEUED and now - job.created_at > WAIT_GRACE:
        active = DraftJob.objects.filter(state=DraftJob.State.RUNNING, lease_until__gt=now)
        if not active.exists():
            return _("No worker is running. The draft begins as soon as one is started: manage.py runworker.")
        ahead = DraftJob.objects.filter(state=DraftJob.State.QUEUED, created_at__lt=job.created_at).count()
        return _("Waiting for a worker; drafts before this one: %(n)d.") % {"n": ahead + active.count()}
    if job.state == DraftJob.State.RUNNING and job.lease_until and job.lease_until < now:
        return _("The worker has not been heard from. Another one goes on from the last finished claim.")
    return ""


def job_status(job: DraftJob) -> dict:
    """The job row as pages and API clients see it; `seconds` since its work began."""
    return {
        "id": str(job.pk),
        "state": job.state,
        "stage": job.stage,
        "percent": job.percent,
        "seconds": round((timezone.now() - job.started_at).total_seconds()) if job.started_at else None,
        "cancel_requested": job.cancel_requested,
        "waiting": waiting_reason(job),
        "error_code": job.error_code,
        "error_message": job.error_message,
    }


def events_page(job: DraftJob, after: int) -> list[dict]:
    """The stored events with an id above `after`, oldest first, at most 500."""
    return [event.to_dict() for event in events_after(job.pk, after)]


def message(event: dict) -> str:
    """One SSE message."""
    head = f"id: {event['id']}\n" if event.get("id") else ""
    return f"{head}data: {json.dumps(event, ensure_ascii=False)}\n\n"


def follow(job: DraftJob, after: int, language: str, seconds: float | None = None) -> Iterator[str | None]:
    """The stream of a job in a language: first what was missed, then what happens, `end` when it is over.

    None stands for a pause of `STEP_SECONDS`, during which the stream holds no database connection.
    """
    until = time.monotonic() + (STREAM_SECONDS if seconds is None else seconds)
    shown, beat = None, 0.0
    yield "retry: 1000\n\n"
    while True:
        job.refresh_from_db()
        over = not job.is_active
        while events := events_page(job, after):
            after = events[-1]["id"]
            yield "".join(map(message, events))
        with translation.override(language):
            status = job_status(job)
        if {**status, "seconds": 0} != shown or time.monotonic() >= beat:
            shown, beat = {**status, "seconds": 0}, time.monotonic() + BEAT_SECONDS
            yield message({"kind": "status", "data": status})
        if over:
            yield message({"kind": "end", "data": {"state": job.state}})
            return
        if time.monotonic() >= until:
            return
        close_old_connections()
        yield None


def _paced(steps: Iterator[str | None]) -> Iterator[str]:
    for step in steps:
        if step is None:
            time.sleep(STEP_SECONDS)
        else:
            yield step


async def _paced_async(steps: Iterator[str | None]) -> AsyncIterator[str]:
    """The same on the event loop: a waiting stream costs no thread of work, and a dropped client ends it here."""
    advance = sync_to_async(next)
    while (step := await advance(steps, "")) != "":
        if step is None:
            await asyncio.sleep(STEP_SECONDS)
        else:
            yield step


def sse_response(request: HttpRequest, job: DraftJob, after: int) -> StreamingHttpResponse:
    """The stream as a response that no proxy buffers and no cache keeps, in the language of the request."""
    paced = _paced_async if isinstance(request, ASGIRequest) else _paced
    steps = follow(job, after, translation.get_language() or settings.LANGUAGE_CODE)
    response = StreamingHttpResponse(paced(steps), content_type="text/event-stream; charset=utf-8")
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response


def event_id(text: str | None) -> int:
    """A resume point from a header or a query; 0 when absent or not a number."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else 0
