"""The embedded worker, and the reconciler that repairs what dead workers left.

`work` takes jobs from the database one at a time. `reconcile` ends jobs that are worn out or cancelled and,
with Celery, sends lost wake-ups again; it may run in any number of processes.
"""

import logging
import os
import socket
import threading
import time
import uuid
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from .lease import MAX_ATTEMPTS, claimable, expired
from .models import DraftJob, JobEvent
from .services import job_execute, job_wake

POLL_SECONDS = 0.5
RECONCILE_SECONDS = 2.0
WAKE_AGAIN = timedelta(seconds=15)
STOPPING = threading.Event()

State = DraftJob.State
log = logging.getLogger(__name__)


def owner_name() -> str:
    """A name no other process has or had: host, process id, random part."""
    return f"{socket.gethostname()[:60]}:{os.getpid()}:{uuid.uuid4().hex[:12]}"


def work_once(owner: str) -> str | None:
    """Run the oldest job that can be claimed. Returns its state afterwards; None when there was none."""
    for job_id in list(claimable().values_list("pk", flat=True)[:5]):
        if (state := job_execute(job_id, owner, STOPPING.is_set)) is not None:
            return state
    return None


def work(*, once: bool = False) -> None:
    """Take jobs until `STOPPING` is set; with `once`, until none is left."""
    owner = owner_name()
    reconciled = 0.0
    log.info("worker %s waits for jobs", owner)
    while not STOPPING.is_set():
        try:
            if time.monotonic() - reconciled > RECONCILE_SECONDS:
                reconcile()
                reconciled = time.monotonic()
            state = work_once(owner)
        except DatabaseError:
            log.exception("the database failed; trying again")
            connection.close()
            state = None
        if state is None:
            if once:
                return
            close_old_connections()
            STOPPING.wait(POLL_SECONDS)


def reconcile() -> None:
    """Repair. Cancelled jobs of dead workers become cancelled, worn-out ones failed, lost ones are woken."""
    dead = DraftJob.objects.filter(expired())
    for job_id in list(dead.filter(cancel_requested=True).values_list("pk", flat=True)):
        _end(job_id, State.CANCELLED)
    for job_id in list(dead.filter(attempts__gte=MAX_ATTEMPTS).values_list("pk", flat=True)):
        message = _("The draft stopped %d times without finishing. Check the memory and the log of the worker.")
        _end(job_id, State.FAILED, error_code="worn_out", error_message=message % MAX_ATTEMPTS)
    if settings.CLAIMWRIGHT_JOBS == "celery":
        stale = Q(woken_at=None) | Q(woken_at__lt=Now() - WAKE_AGAIN)
        for job_id in list(claimable().filter(stale).values_list("pk", flat=True)):
            if claimable().filter(stale, pk=job_id).order_by().update(woken_at=Now()):
                job_wake(job_id)


def _end(job_id: uuid.UUID, state: str, **fields) -> None:
    with transaction.atomic():
        dead = DraftJob.objects.filter(expired(), pk=job_id)
        if not dead.update(state=state, lease_until=None, finished_at=Now(), **fields):
            return
        if state == State.FAILED:
            data = {"code": fields["error_code"], "message": fields["error_message"]}
            JobEvent.objects.create(job_id=job_id, kind=JobEvent.Kind.ERROR, data=data)
        else:
            JobEvent.objects.create(job_id=job_id, kind=JobEvent.Kind.DONE, data={"state": state})


def start_reconciler() -> threading.Thread:
    """Reconcile for ever in a daemon thread, so that a busy solo worker still repairs."""
    thread = threading.Thread(target=_reconcile_forever, name="reconciler", daemon=True)
    thread.start()
    return thread


def _reconcile_forever() -> None:
    while not STOPPING.wait(RECONCILE_SECONDS):
        try:
            reconcile()
        except Exception:
            log.exception("the reconciler failed; trying again")
        finally:
            connection.close()
