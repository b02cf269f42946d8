"""`manage.py draft FILE`: a disclosure file in, a filing in a directory out, without the web application.

Exit codes: 0 done, 3 unreadable file, 4 empty disclosure, 5 model missing or damaged, 6 out of memory, 130 cancelled.
A cancelled run goes on where it stopped when it is started again with the same --out.
"""

import json
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from apps.common.errors import ProductError

UNREADABLE, EMPTY, NO_MODEL, NO_MEMORY, CANCELLED = 3, 4, 5, 6, 130
CHECKPOINT = ".draft-checkpoint.json"


class Command(BaseCommand):
    help = "Draft a filing from a disclosure file (docx, md, txt)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser) -> None:
        parser.add_argument("file", type=Path, help="the disclosure")
        parser.add_argument("--out", type=Path, default=Path("out"), help="directory for the filing (default: out)")
        parser.add_argument("--trace", action="store_true", help="also write trace.jsonl, every SHIFT and REDUCE")
        parser.add_argument("--seed", type=int, default=0, help="seed of the sampler (default: 0)")
        parser.add_argument("--model", default="", help="model name or path (default: CLAIMWRIGHT_MODEL)")
        parser.add_argument("--no-grammar", action="store_true", help="decode freely, to see what the grammar prevents")

    def handle(self, *args, **options) -> None:
        text = self._read(options["file"])
        out: Path = options["out"]
        out.mkdir(parents=True, exist_ok=True)
        cancelled = threading.Event()
        previous = signal.signal(signal.SIGINT, lambda *_: cancelled.set())
        try:
            filing = self._draft(text, out / CHECKPOINT, cancelled, options)
        finally:
            signal.signal(signal.SIGINT, previous)
        self._write(filing, out, options["trace"])

    def _read(self, path: Path) -> str:
        from apps.matters.importing import ImportProblem, read_disclosure

        try:
            imported = read_disclosure(path.name, path.read_bytes())
        except ImportProblem as error:
            code = EMPTY if error.code in ("empty", "too_short") else UNREADABLE
            raise _failure(f"{path}: {error.message}", code) from error
        except OSError as error:
            raise _failure(f"{path}: {error.strerror}", UNREADABLE) from error
        for loss in imported.losses:
            self._progress(_("not read: %s") % loss)
        return imported.text

    def _draft(self, text: str, saved: Path, cancelled: threading.Event, options: dict[str, Any]) -> dict[str, Any]:
        from apps.drafting.engine_access import get_engine
        from apps.drafting.pipeline import Cancelled, Options, draft_filing

        if not text.strip():
            raise _failure(_("The disclosure is empty."), EMPTY)
        try:
            self._progress(_("loading the model"))
            engine = get_engine(options["model"])
            filing = draft_filing(
                text,
                engine=engine,
                options=Options(seed=options["seed"], grammar=not options["no_grammar"]),
                on_event=self._show,
                checkpoint=_load(saved),
                save_checkpoint=lambda data: saved.write_text(json.dumps(data, ensure_ascii=False), "utf-8"),
                cancelled=cancelled.is_set,
            )
        except Cancelled as error:
            raise _failure(_("Cancelled; run the same command again to go on."), CANCELLED) from error
        except ProductError as error:
            raise _failure(error.message, EMPTY if error.code == "empty_disclosure" else 1) from error
        except MemoryError as error:
            raise _failure(_("Out of memory; close other programs or choose a smaller model."), NO_MEMORY) from error
        except Exception as error:
            raise _engine_failure(error) from error
        saved.unlink(missing_ok=True)
        return filing

    def _write(self, filing: dict[str, Any], out: Path, trace: bool) -> None:
        from apps.exports.files import write_all

        try:
            paths = write_all(filing, out, trace=trace)
        except OSError as error:
            raise _failure(f"{out}: {error.strerror}", 1) from error
        errors = sum(finding["severity"] == "error" for finding in filing["findings"])
        self._progress(
            _("%(claims)d claims, %(errors)d errors, %(findings)d findings")
            % {"claims": len(filing["claims"]), "errors": errors, "findings": len(filing["findings"])}
        )
        for path in paths:
            self.stdout.write(str(path))

    def _show(self, event: dict[str, Any]) -> None:
        """Stages go to stderr, a line each; the text of the claims streams to stdout."""
        kind = event["kind"]
        if kind == "stage":
            what = f"{event['stage']} {event['claim']}/{event['claims']}" if "claim" in event else event["stage"]
            self._progress(f"[{event['percent']:3d}%] {what}")
        elif kind == "text" and "claim" in event:
            self.stdout.write(event["text"], ending="")
            self.stdout.flush()
        elif kind == "claim":
            self.stdout.write(event["text"] if event.get("resumed") else "")
        elif kind == "finding":
            where = _("claim %d") % event["claim"] if event.get("claim") else _("filing")
            self._progress(f"{event['severity']} {event['rule']} {where}: {event['message_zh']}")

    def _progress(self, line: str) -> None:
        self.stderr.write(line, style_func=lambda text: text)
        sys.stderr.flush()


def _failure(message: str, code: int) -> CommandError:
    return CommandError(" ".join(message.split()), returncode=code)


def _engine_failure(error: Exception) -> Exception:
    """What the engine raised as a one-line failure; anything unknown stays as it is."""
    names = {kind.__name__ for kind in type(error).__mro__}
    if names & {"ModelMissing", "ModelCorrupt"}:
        return _failure(str(error), NO_MODEL)
    if "OutOfMemoryError" in names or "not enough memory" in str(error) or "can't allocate memory" in str(error):
        return _failure(_("Out of memory; close other programs or choose a smaller model."), NO_MEMORY)
    if type(error).__module__.startswith("engine."):
        return _failure(str(error), 1)
    return error


def _load(saved: Path) -> dict[str, Any]:
    try:
        data = json.loads(saved.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}
