"""Reads of jobs and events, for the user's firm only."""

from uuid import UUID

from django.db.models import QuerySet

from apps.common.errors import NotFound

from .models import DraftJob, JobEvent


def jobs_for_user(user) -> QuerySet[DraftJob]:
    """The jobs of the user's firm, newest first. Large columns are read when they are asked for."""
    jobs = DraftJob.objects.for_user(user).select_related("matter", "disclosure")
    return jobs.defer("checkpoint", "result", "disclosure__text")


def job_get(*, user, id: UUID | str) -> DraftJob:
    """One job. Raises `NotFound`."""
    job = jobs_for_user(user).filter(pk=id).first()
    if job is None:
        raise NotFound
    return job


def events_after(job_id: UUID, after: int = 0, limit: int = 500) -> list[JobEvent]:
    """Events of a job with an id above `after`, in order."""
    return list(JobEvent.objects.filter(job_id=job_id, id__gt=after).order_by("id")[:limit])
