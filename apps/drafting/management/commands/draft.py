"""`manage.py draft FILE`: a disclosure file in, a filing in a directory out, without the web application.

Exit codes: 0 done, 1 another failure (the directory cannot be written, no invention found), 3 unreadable file,
4 empty disclosure, 5 model missing or damaged, 6 out of memory, 130 cancelled. Only a finished filing is written;
a cancelled run goes on where it stopped when it is started again with the same --out.
"""

import errno
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from apps.drafting.stages import STAGES

UNREADABLE, EMPTY, NO_MODEL, NO_MEMORY, CANCELLED = 3, 4, 5, 6, 130
EXIT_CODES = {
    "empty": EMPTY, "too_short": EMPTY, "empty_disclosure": EMPTY, "out_of_memory": NO_MEMORY,
    "model_missing": NO_MODEL, "model_corrupt": NO_MODEL,
}  # fmt: skip
CHECKPOINT = ".draft-checkpoint.json"
# Seconds until an interrupt that nobody heard is given again.
AGAIN = 0.5


class Command(BaseCommand):
    help = "Draft a filing from a disclosure file (docx, md, txt)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser) -> None:
        parser.add_argument("file", type=Path, help="the disclosure")
        parser.add_argument("--out", type=Path, default=Path("out"), help="directory for the filing (default: out)")
        parser.add_argument("--trace", action="store_true", help="also write trace.jsonl, every SHIFT and REDUCE, while the text is written")
        parser.add_argument("--seed", type=int, default=0, help="seed of the sampler (default: 0)")
        parser.add_argument("--model", default="", help="model name or path (default: CLAIMWRIGHT_MODEL)")
        parser.add_argument("--no-grammar", action="store_true", help="decode freely, to see what the grammar prevents")

    def handle(self, *args, **options) -> None:
        text = self._read(options["file"])
        try:
            with _directory(options["out"]) as out:
                with _streamed(out / "trace.jsonl" if options["trace"] else None) as on_trace:
                    filing = self._draft(text, out / CHECKPOINT, options, on_trace)
                self._write(filing, out, options["trace"])
        except KeyboardInterrupt as stop:
            raise _failure(_("Cancelled; run the same command again to go on."), CANCELLED) from stop
        except OSError as error:
            raise _failure(f"{options['out']}: {_reason(error)}", 1) from error

    def _read(self, path: Path) -> str:
        from apps.matters.importing import MAX_BYTES, ImportProblem, loss_sentences, read_disclosure

        try:
            with path.open("rb") as file:
                imported = read_disclosure(path.name, file.read(MAX_BYTES + 1))
        except ImportProblem as error:
            raise _failure(f"{path}: {error.message}", EXIT_CODES.get(error.code, UNREADABLE)) from error
        except OSError as error:
            raise _failure(f"{path}: {_reason(error)}", UNREADABLE) from error
        for sentence in loss_sentences(imported.losses):
            self._progress(sentence)
        return imported.text

    def _draft(
        self, text: str, saved: Path, options: dict[str, Any], on_trace: Callable[[dict[str, Any]], None] | None
    ) -> dict[str, Any]:
        from apps.drafting.engine_access import get_engine
        from apps.drafting.failures import explain
        from apps.drafting.pipeline import Cancelled, Options, draft_filing

        try:
            self._progress(str(STAGES["start"]))
            with _insistent():
                engine = get_engine(options["model"])
            with _cancellable() as cancelled:
                filing = draft_filing(
                    text,
                    engine=engine,
                    options=Options(seed=options["seed"], grammar=not options["no_grammar"]),
                    on_event=self._show,
                    checkpoint=_load(saved),
                    save_checkpoint=lambda data: _save(saved, data),
                    cancelled=cancelled,
                    on_trace=on_trace,
                )
        except Cancelled as error:
            raise KeyboardInterrupt from error
        except Exception as error:
            code, message = explain(error)
            if code == "internal":
                raise
            raise _failure(message, EXIT_CODES.get(code, 1)) from error
        saved.unlink(missing_ok=True)
        return filing

    def _write(self, filing: dict[str, Any], out: Path, trace: bool) -> None:
        from apps.exports.files import write_all

        paths = write_all(filing, out, trace=trace)
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
            part = f" {event['claim']}/{event['claims']}" if "claim" in event else ""
            bar = "█" * (event["percent"] // 5)
            self._progress(f"{event['percent']:3d}% {bar:░<20} {STAGES.get(event['stage'], event['stage'])}{part}")
        elif kind == "text" and "claim" in event:
            self.stdout.write(event["text"], ending="")
            self.stdout.flush()
        elif kind == "claim":
            self.stdout.write(event["text"] if event.get("resumed") else "")
        elif kind == "finding":
            where = _("claim %d") % event["claim"] if event.get("claim") else _("filing")
            message = event["message_zh"] if (get_language() or "").startswith("zh") else event["message"]
            self._progress(f"{event['severity']} {event['rule']} {where}: {message}")

    def _progress(self, line: str) -> None:
        self.stderr.write(line, style_func=lambda text: text)
        sys.stderr.flush()


@contextmanager
def _directory(out: Path) -> Iterator[Path]:
    """The directory of the filing, made before the long work; taken away again when nothing came of it."""
    made = [path for path in (out, *out.parents) if not path.exists()]
    out.mkdir(parents=True, exist_ok=True)
    try:
        if not os.access(out, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        yield out
    finally:
        for path in made:
            if any(path.iterdir()):
                break
            path.rmdir()


@contextmanager
def _streamed(path: Path | None) -> Iterator[Callable[[dict[str, Any]], None] | None]:
    """Writes trace events to a file as they come, a line each; the finished filing's trace takes its place, failure removes it."""
    if path is None:
        yield None
        return
    with ExitStack() as opened:
        files: list[TextIO] = []

        def tell(event: dict[str, Any]) -> None:
            if not files:
                files.append(opened.enter_context(path.open("w", encoding="utf-8", buffering=1)))
            files[0].write(json.dumps(event, ensure_ascii=False) + "\n")

        try:
            yield tell
        except BaseException:
            path.unlink(missing_ok=True)
            raise


@contextmanager
def _insistent() -> Iterator[None]:
    """Ctrl-C interrupts again until it is heard: a library that is being imported may swallow it."""

    def interrupt(*_args: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGALRM)}
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _cancellable() -> Iterator[Callable[[], bool]]:
    """Ctrl-C asks the draft to stop at its next token; a second one interrupts at once."""
    asked = threading.Event()

    def ask(*_args: object) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    previous = signal.signal(signal.SIGINT, ask)
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGINT, previous)


def _failure(message: str, code: int) -> CommandError:
    return CommandError(" ".join(message.split()), returncode=code)


def _reason(error: OSError) -> str:
    """What is wrong with a path, with the next step where there is a usual one."""
    if isinstance(error, FileNotFoundError):
        return _("There is no such file. Check the path.")
    if isinstance(error, IsADirectoryError | NotADirectoryError | FileExistsError):
        return _("A file was expected where a folder is, or the other way round. Check the path.")
    if isinstance(error, PermissionError):
        return _("You may not read or write here. Check the rights, or choose another place.")
    if error.errno == errno.ENAMETOOLONG:
        return _("The name is too long. Give it a shorter one.")
    return error.strerror or str(error)


def _load(saved: Path) -> dict[str, Any]:
    try:
        data = json.loads(saved.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _save(saved: Path, data: dict[str, Any]) -> None:
    part = saved.with_name(f"{saved.name}.part")
    part.write_text(json.dumps(data, ensure_ascii=False), "utf-8")
    part.replace(saved)
