"""The Celery application: `celery -A apps.config worker -P solo`.

Celery carries only wake-ups (a job id). Each worker also runs the reconciler in a thread, which wakes
jobs whose worker died; there is no beat process to operate.
"""

import os

from celery import Celery
from celery.signals import worker_ready, worker_shutting_down

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")

app = Celery("claimwright")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["apps.drafting"])


@worker_ready.connect
def start_reconciler(**_kwargs) -> None:
    from apps.drafting.runner import start_reconciler

    start_reconciler()


@worker_shutting_down.connect
def release_job(**_kwargs) -> None:
    from apps.drafting.runner import STOPPING

    STOPPING.set()
