"""What may be done with a drafting job: submit it, cancel it, execute it.

`job_execute` is the body of every worker, embedded or Celery: it claims the job, runs the pipeline named by
`CLAIMWRIGHT_PIPELINE`, writes events and checkpoints under the lease, and ends the job.
"""

import importlib
import logging
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import OperationalError, transaction
from django.db.models.functions import Now
from django.utils import translation
from django.utils.module_loading import import_string
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from apps.common.errors import Conflict, NotFound, TooMany
from apps.matters.models import Disclosure, Matter
from apps.matters.selectors import disclosure_latest

from .engine_access import get_engine
from .events import EventWriter
from .failures import explain
from .lease import Heartbeat, Lease, LeaseLost, claim
from .models import DraftJob, JobEvent

State = DraftJob.State
Kind = JobEvent.Kind
log = logging.getLogger(__name__)


def job_submit(
    *,
    user,
    matter: Matter,
    disclosure: Disclosure | None = None,
    options: dict | None = None,
    seed: int = 0,
    model_name: str = "",
    checkpoint: dict | None = None,
) -> DraftJob:
    """Queue a job for the matter's disclosure (the newest unless one is given). Its messages will be in the language
    that is active now.

    Raises `NotFound` for a foreign matter, `Conflict` ("no_disclosure"), `TooMany` ("too_many_jobs").
    """
    if matter.firm_id != user.firm_id:
        raise NotFound
    disclosure = disclosure or disclosure_latest(matter)
    if disclosure is None:
        raise Conflict("no_disclosure", _("The matter has no disclosure yet. Add one first."))
    if disclosure.matter_id != matter.pk:
        raise NotFound
    with transaction.atomic():
        active = DraftJob.objects.filter(matter__firm_id=matter.firm_id, state__in=DraftJob.ACTIVE).count()
        if active >= settings.CLAIMWRIGHT_JOBS_PER_FIRM:
            raise TooMany("too_many_jobs", _("Your firm has %d jobs waiting or running. Try again when some are done.") % active)
        job = DraftJob.objects.create(
            matter=matter,
            disclosure=disclosure,
            created_by=user,
            options={**(options or {}), "language": get_language() or settings.LANGUAGE_CODE},
            seed=seed,
            model_name=model_name or settings.CLAIMWRIGHT_MODEL,
            checkpoint=checkpoint or {},
            woken_at=Now(),
        )
        transaction.on_commit(lambda: job_wake(job.pk))
    job.refresh_from_db()
    return job


def job_again(*, user, job: DraftJob) -> DraftJob:
    """A new job that goes on after the last finished claim of one that failed or was cancelled.

    Raises `NotFound` for a foreign job, `Conflict` ("not_over") for one that is done or active, and what `job_submit` does.
    """
    if not DraftJob.objects.for_user(user).filter(pk=job.pk).exists():
        raise NotFound
    if job.state not in (State.FAILED, State.CANCELLED):
        raise Conflict("not_over", _("This draft has not stopped. Start another one from the matter."))
    return job_submit(
        user=user,
        matter=job.matter,
        disclosure=job.disclosure,
        options=job.options,
        seed=job.seed,
        model_name=job.model_name,
        checkpoint=job.checkpoint,
    )


def job_wake(job_id: UUID) -> None:
    """Tell a Celery worker to look at the job. A lost wake-up is sent again by the reconciler."""
    if settings.CLAIMWRIGHT_JOBS != "celery":
        return
    from kombu.exceptions import OperationalError as BrokerDown

    from .tasks import execute

    try:
        execute.apply_async((str(job_id),), retry=False)
    except BrokerDown as error:
        log.warning("no wake-up for job %s, the broker is down: %s", job_id, error)


def job_cancel(*, user, job: DraftJob) -> DraftJob:
    """Cancel: at once when queued; a running job stops at its next token, within about a second.

    A finished job is left as it is. Raises `NotFound` for a foreign job.
    """
    if not DraftJob.objects.for_user(user).filter(pk=job.pk).exists():
        raise NotFound
    mine = DraftJob.objects.filter(pk=job.pk)
    with transaction.atomic():
        if mine.filter(state=State.QUEUED).update(
            state=State.CANCELLED, cancel_requested=True, finished_at=Now()
        ):
            JobEvent.objects.create(job_id=job.pk, kind=Kind.DONE, data={"state": State.CANCELLED})
        else:
            mine.filter(state=State.RUNNING).update(cancel_requested=True)
    job.refresh_from_db()
    return job


def job_execute(
    job_id: UUID | str, owner: str, stopping: Callable[[], bool] = lambda: False
) -> str | None:
    """Claim and run one job. Returns its state afterwards, or None when it was not claimed or was lost.

    `stopping` is asked with each token: when true, the job is put back with its checkpoint.
    """
    lease = claim(job_id, owner)
    if lease is None:
        return None
    try:
        job = DraftJob.objects.select_related("disclosure").get(pk=lease.job_id)
        with Heartbeat(lease) as heartbeat, translation.override(_language(job)):
            return _run(job, lease, heartbeat, stopping)
    except LeaseLost as error:
        log.warning("lease lost: %s", error)
    except OperationalError:
        log.exception("job %s left to the next worker: the database failed", job_id)
    return None


def _language(job: DraftJob) -> str:
    return job.options.get("language") or settings.LANGUAGE_CODE


def _run(job: DraftJob, lease: Lease, heartbeat: Heartbeat, stopping: Callable[[], bool]) -> str:
    emit = EventWriter(lease)
    interrupted = False

    def cancelled() -> bool:
        nonlocal interrupted
        interrupted = (
            interrupted or heartbeat.cancel_requested.is_set() or heartbeat.lost.is_set() or stopping()
        )
        return interrupted

    emit({"kind": Kind.STAGE, "stage": job.stage or "start", "percent": job.percent, "attempt": lease.attempts})
    try:
        result = _draft(job, emit, cancelled)
    except (LeaseLost, OperationalError):
        raise
    except Exception as error:
        if not interrupted:
            return _fail(emit, error)
    if not interrupted:
        emit.add(Kind.DONE, state=State.DONE)
        emit.finish(State.DONE, result=result, percent=100, error_code="", error_message="")
        return State.DONE
    if heartbeat.lost.is_set():
        raise LeaseLost(f"job {job.pk}")
    if lease.row().filter(cancel_requested=True).exists():
        emit.add(Kind.DONE, state=State.CANCELLED)
        emit.finish(State.CANCELLED)
        return State.CANCELLED
    emit.flush()
    lease.release()
    return State.QUEUED


def _draft(job: DraftJob, emit: EventWriter, cancelled: Callable[[], bool]) -> dict:
    pipeline = import_string(settings.CLAIMWRIGHT_PIPELINE)
    return pipeline(
        job.disclosure.text,
        engine=get_engine(job.model_name),
        options=_options(pipeline, job),
        on_event=emit,
        checkpoint=job.checkpoint,
        save_checkpoint=lambda checkpoint: emit.flush(checkpoint=checkpoint),
        cancelled=cancelled,
    )


def _options(pipeline: Callable, job: DraftJob) -> Any:
    """The `Options` of the pipeline's module from the job's options and seed; unknown names are ignored."""
    values = {**job.options, "seed": job.seed, "firm": str(job.matter.firm_id)}
    kind = getattr(importlib.import_module(pipeline.__module__), "Options", dict)
    if is_dataclass(kind):
        known = {field.name for field in fields(kind)}
        values = {name: value for name, value in values.items() if name in known}
    return kind(**values)


def _fail(emit: EventWriter, error: Exception) -> str:
    """End the job as failed, with a code and a message that say what to do next."""
    code, message = explain(error)
    log.error("job failed: %s", code, exc_info=error)
    emit.add(Kind.ERROR, code=code, message=message)
    emit.finish(State.FAILED, error_code=code[:60], error_message=message)
    return State.FAILED
