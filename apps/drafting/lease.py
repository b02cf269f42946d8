"""Who may work on a job: claim, heartbeat, fence.

A claim is one conditional UPDATE, so that two workers cannot both win. It gives a lease of `LEASE`, renewed
by a heartbeat thread. Every write of the worker is fenced by `(owner, attempts)`: after another worker has
taken the job over, a write of the first touches no row and raises `LeaseLost`. Times are the database's.
"""

import logging
import threading
import time
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import DatabaseError, connection, models
from django.db.models import Q
from django.db.models.functions import Coalesce, Now

from .models import DraftJob

LEASE = timedelta(seconds=10)
BEAT_SECONDS = 1.0
MAX_ATTEMPTS = 3

State = DraftJob.State
log = logging.getLogger(__name__)


class LeaseLost(Exception):
    """Another worker owns the job now, or nobody does; what this one has is to be thrown away."""


def expired() -> Q:
    return Q(state=State.RUNNING, lease_until__lt=Now())


def claimable() -> models.QuerySet[DraftJob]:
    """Jobs that wait, or whose worker has gone silent, oldest first."""
    waiting = Q(state=State.QUEUED) | expired()
    return DraftJob.objects.filter(
        waiting, cancel_requested=False, attempts__lt=MAX_ATTEMPTS
    ).order_by("created_at")


@dataclass(frozen=True)
class Lease:
    """The right to write one job row. Every method raises `LeaseLost` when it is gone."""

    job_id: UUID
    owner: str
    attempts: int

    def row(self) -> models.QuerySet[DraftJob]:
        return DraftJob.objects.filter(
            pk=self.job_id, owner=self.owner, attempts=self.attempts, state=State.RUNNING
        )

    def write(self, **fields) -> None:
        """Write the fields and renew the lease."""
        self._update(lease_until=Now() + LEASE, **fields)

    def finish(self, state: str, **fields) -> None:
        """The last write: the job ends in `state`."""
        self._update(state=state, lease_until=None, finished_at=Now(), **fields)

    def release(self) -> None:
        """Put the job back, with its checkpoint. An orderly stop is not counted as an attempt."""
        self._update(state=State.QUEUED, lease_until=None, woken_at=None, attempts=self.attempts - 1, owner="")

    def _update(self, **fields) -> None:
        if not self.row().update(**fields):
            raise LeaseLost(f"job {self.job_id}, attempt {self.attempts} of {self.owner}")


def claim(job_id: UUID | str, owner: str) -> Lease | None:
    """Take one job for `owner`, or None when it is finished, taken, cancelled or worn out."""
    won = (
        claimable()
        .filter(pk=job_id)
        .order_by()
        .update(
            state=State.RUNNING,
            owner=owner,
            attempts=models.F("attempts") + 1,
            lease_until=Now() + LEASE,
            started_at=Coalesce("started_at", Now()),
        )
    )
    if not won:
        return None
    attempts = DraftJob.objects.filter(pk=job_id, owner=owner).values_list("attempts", flat=True).first()
    return Lease(UUID(str(job_id)), owner, attempts) if attempts else None


class Heartbeat(threading.Thread):
    """Renews a lease each `BEAT_SECONDS` and learns of a cancellation. Use as a context manager."""

    def __init__(self, lease: Lease):
        super().__init__(name=f"heartbeat-{lease.job_id}", daemon=True)
        self.lease = lease
        self.cancel_requested = threading.Event()
        self.lost = threading.Event()
        self._stop_beating = threading.Event()

    def run(self) -> None:
        last = time.monotonic()
        try:
            while not self._stop_beating.wait(BEAT_SECONDS) and not self.lost.is_set():
                try:
                    self._beat()
                    last = time.monotonic()
                except LeaseLost:
                    self.lost.set()
                except DatabaseError as error:
                    log.warning("heartbeat of job %s failed: %s", self.lease.job_id, error)
                    connection.close()
                    if time.monotonic() - last > LEASE.total_seconds():
                        self.lost.set()
        finally:
            connection.close()

    def _beat(self) -> None:
        self.lease.write()
        if self.lease.row().filter(cancel_requested=True).exists():
            self.cancel_requested.set()

    def __enter__(self) -> "Heartbeat":
        self.start()
        return self

    def __exit__(self, *_exc) -> None:
        self._stop_beating.set()
        self.join()
