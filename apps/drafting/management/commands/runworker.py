"""`manage.py runworker`: the embedded worker. Ctrl-C or SIGTERM puts the running job back and ends.

The model is loaded while the worker waits for its first job.
"""

import logging
import signal
import threading

from django.core.management.base import BaseCommand

from apps.drafting.engine_access import get_engine
from apps.drafting.runner import STOPPING, work

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Run drafting jobs from the database until stopped."
    requires_system_checks = []

    def add_arguments(self, parser) -> None:
        parser.add_argument("--once", action="store_true", help="end when no job is left")

    def handle(self, *args, once: bool, **options) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: STOPPING.set())
        if not once:
            threading.Thread(target=_load, name="loading", daemon=True).start()
        work(once=once)


def _load() -> None:
    try:
        get_engine()
    except Exception as error:
        log.warning("no model yet, each draft will say so: %s", error)
