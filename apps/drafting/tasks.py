"""The Celery task. It carries a job id and nothing else; the job row decides what happens.

A task delivered twice does no harm: the second finds the job claimed and returns.
"""

from celery import shared_task

from .runner import STOPPING, owner_name
from .services import job_execute


@shared_task(name="drafting.execute")
def execute(job_id: str) -> None:
    job_execute(job_id, owner_name(), STOPPING.is_set)
