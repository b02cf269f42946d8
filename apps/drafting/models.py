"""A drafting job and its events. The job row is the truth; queues and brokers only wake somebody to look at it.

A worker owns a running job while `lease_until` is in the future. `(owner, attempts)` is the fence: a worker
that lost the lease can no longer write. `checkpoint` holds finished stages and claims, so that a second
worker goes on where the first one died.
"""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.common.models import FirmModel
from apps.matters.models import Disclosure, Matter


class DraftJob(FirmModel):
    """One run of the pipeline over one disclosure."""

    FIRM_PATH = "matter__firm"

    class State(models.TextChoices):
        QUEUED = "queued", _("queued")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    ACTIVE = (State.QUEUED, State.RUNNING)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    matter = models.ForeignKey(Matter, on_delete=models.CASCADE, related_name="jobs", verbose_name=_("matter"))
    disclosure = models.ForeignKey(
        Disclosure, on_delete=models.CASCADE, related_name="jobs", verbose_name=_("disclosure")
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("created by")
    )
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.QUEUED)
    stage = models.CharField(_("stage"), max_length=40, blank=True)
    percent = models.PositiveSmallIntegerField(_("percent"), default=0)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    owner = models.CharField(_("worker"), max_length=120, blank=True)
    lease_until = models.DateTimeField(_("lease until"), null=True, blank=True)
    woken_at = models.DateTimeField(_("last wake-up sent"), null=True, blank=True)
    cancel_requested = models.BooleanField(_("cancel requested"), default=False)
    seed = models.BigIntegerField(_("seed"), default=0)
    model_name = models.CharField(_("model"), max_length=200, blank=True)
    options = models.JSONField(_("options"), default=dict, blank=True)
    checkpoint = models.JSONField(_("checkpoint"), default=dict, blank=True)
    result = models.JSONField(_("result"), null=True, blank=True)
    error_code = models.CharField(_("error code"), max_length=60, blank=True)
    error_message = models.TextField(_("error message"), blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        verbose_name = _("drafting job")
        verbose_name_plural = _("drafting jobs")
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["state", "lease_until", "created_at"], name="job_state_lease")]

    def __str__(self) -> str:
        return f"{self.matter_id} {self.state}"

    @property
    def is_active(self) -> bool:
        return self.state in self.ACTIVE


class JobEvent(FirmModel):
    """One line of a job's story, in order of `id`. Pages read it live; the id is the resume point."""

    FIRM_PATH = "job__matter__firm"

    class Kind(models.TextChoices):
        STAGE = "stage", _("stage")
        CLAIM = "claim", _("claim")
        TEXT = "text", _("text")
        SPEED = "speed", _("speed")
        FINDING = "finding", _("finding")
        DONE = "done", _("done")
        ERROR = "error", _("error")

    id = models.BigAutoField(primary_key=True)
    job = models.ForeignKey(DraftJob, on_delete=models.CASCADE, related_name="events", verbose_name=_("job"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    data = models.JSONField(_("data"), default=dict)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("job event")
        verbose_name_plural = _("job events")
        ordering = ["id"]
        indexes = [models.Index(fields=["job", "id"], name="event_job_id")]

    def __str__(self) -> str:
        return f"{self.id} {self.kind}"

    def to_dict(self) -> dict:
        return {"id": self.id, "kind": self.kind, "data": self.data, "at": self.created_at.isoformat()}
