"""`manage.py runworker`: the embedded worker. Ctrl-C or SIGTERM puts the running job back and ends."""

import signal

from django.core.management.base import BaseCommand

from apps.drafting.runner import STOPPING, work


class Command(BaseCommand):
    help = "Run drafting jobs from the database until stopped."
    requires_system_checks = []

    def add_arguments(self, parser) -> None:
        parser.add_argument("--once", action="store_true", help="end when no job is left")

    def handle(self, *args, once: bool, **options) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: STOPPING.set())
        work(once=once)
