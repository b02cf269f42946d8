"""`manage.py demo`: the whole product on this computer, stopped by Ctrl-C.

Migrates, seeds the demonstration firm, then runs the web server on 127.0.0.1 (the first free port from --port)
and one worker as child processes. The second run keeps its data. Exit code 1 when a child ends by itself.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from io import StringIO

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from apps.ops.active import active
from apps.ops.processes import Processes, free_port, listening

HOST = "127.0.0.1"


def web_server(host: str, port: int) -> list[str]:
    """The command of the web server. Open event streams do not hold up its end."""
    place = ["--app-dir", str(settings.BASE_DIR), "--host", host, "--port", str(port)]
    options = ["--lifespan", "off", "--log-level", "warning", "--no-access-log", "--timeout-graceful-shutdown", "2"]
    return [sys.executable, "-m", "uvicorn", "apps.config.asgi:application", *place, *options]


class Command(BaseCommand):
    help = "Runs the web server and one worker on this computer with demonstration data."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="first port to try (default 8000)")

    def handle(self, *args: object, port: int = 8000, **options: object) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        login = StringIO()
        call_command("seed_demo", stdout=login)
        port = free_port(port, HOST)
        os.environ.setdefault("CLAIMWRIGHT_LOG", "WARNING")
        manage = [sys.executable, "-m", "django"]
        try:
            with Processes() as processes:
                processes.start("web", web_server(HOST, port))
                processes.start("worker", [*manage, "runworker"])
                ended = processes.wait(until=lambda: listening(port, HOST))
                if ended is None:
                    self._welcome(f"http://{HOST}:{port}/", login.getvalue().strip())
                    ended = processes.wait()
        except KeyboardInterrupt:
            self.stdout.write(_("Stopped."))
            return
        raise CommandError(_("%(name)s ended by itself; see its last lines above.") % {"name": ended})

    def _welcome(self, url: str, login: str) -> None:
        lines = [self.style.MIGRATE_HEADING(url), login, ""]
        for name, on, what in active():
            mark = self.style.SUCCESS(_("on")) if on else self.style.WARNING(_("off"))
            lines.append(f"  {name}: {mark}  {what}")
        lines += [
            "",
            _("Three things to try:"),
            "  1. " + _("Open an example matter, press “Start the draft”, and watch the claims being written."),
            "  2. " + _("Open the result: claim tree, findings with their source of law, DOCX and report."),
            "  3. " + _("Make a matter of your own and give it your disclosure (.docx, .md or .txt)."),
            "",
            _("Ctrl-C stops everything."),
        ]
        self.stdout.write("\n".join(lines))
        self.stdout.flush()
