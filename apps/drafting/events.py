"""Writing a job's events: fenced by the lease, with runs of text joined into one row.

The pipeline reports each token; a row for each would drown the database. Text and claims wait up to
`HOLD_SECONDS`, and a claim is stored in one transaction with the checkpoint that contains it.
"""

import time
from collections.abc import Callable

from django.db import transaction

from .lease import Lease
from .models import JobEvent

HOLD_SECONDS = 0.3
HELD = {JobEvent.Kind.TEXT, JobEvent.Kind.CLAIM}


class EventWriter:
    """Call it with an event, a dict whose "kind" is a `JobEvent.Kind` and whose rest is the event's data."""

    def __init__(self, lease: Lease, clock: Callable[[], float] = time.monotonic):
        self._lease = lease
        self._clock = clock
        self._pending: list[tuple[str, dict]] = []
        self._since = 0.0

    def __call__(self, event: dict) -> None:
        data = dict(event)
        kind = data.pop("kind")
        if not self._joined(kind, data):
            if not self._pending:
                self._since = self._clock()
            self._pending.append((kind, data))
        if kind not in HELD or self._clock() - self._since >= HOLD_SECONDS:
            self.flush()

    def _joined(self, kind: str, data: dict) -> bool:
        """Append text to the last pending event when both belong to the same place."""
        if kind != JobEvent.Kind.TEXT or not self._pending or self._pending[-1][0] != kind:
            return False
        last = self._pending[-1][1]
        if {**last, "text": ""} != {**data, "text": ""}:
            return False
        last["text"] = last.get("text", "") + data.get("text", "")
        return True

    def flush(self, **fields) -> None:
        """Store what is pending, together with `fields` of the job row. Raises `LeaseLost`."""
        for kind, data in self._pending:
            if kind == JobEvent.Kind.STAGE:
                fields |= _progress(data)
        with transaction.atomic():
            self._lease.write(**fields)
            self._store()

    def finish(self, state: str, **fields) -> None:
        """Store what is pending and end the job in one transaction. Raises `LeaseLost`."""
        with transaction.atomic():
            self._lease.finish(state, **fields)
            self._store()

    def add(self, kind: str, **data) -> None:
        """Hold an event for the next `flush` or `finish`."""
        self._pending.append((kind, data))

    def _store(self) -> None:
        JobEvent.objects.bulk_create(
            JobEvent(job_id=self._lease.job_id, kind=kind, data=data) for kind, data in self._pending
        )
        self._pending.clear()


def _progress(data: dict) -> dict:
    """The columns of the job row that a stage event moves."""
    fields: dict = {}
    if stage := data.get("stage"):
        fields["stage"] = str(stage)[:40]
    if (percent := data.get("percent")) is not None:
        fields["percent"] = max(0, min(100, round(percent)))
    return fields
