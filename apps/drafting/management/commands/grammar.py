"""`manage.py grammar check FILE`: what is wrong with a grammar (.g4, .lark, JSON Schema), in Chinese and English.

Each finding has its line, column, code and a suggested fix. Exit codes: 0 no error, 1 errors, 2 wrong arguments.
"""

import json
import sys
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from engine.grammar.findings import Finding

SEVERITY_ZH = {"error": "错误", "warning": "警告", "note": "说明"}


class Command(BaseCommand):
    help = "Check a grammar file."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        check = actions.add_parser("check", help="findings with line, column, code and fix; exit code 1 on errors")
        check.add_argument("file", type=Path, help="a .g4, .lark or .json file")
        check.add_argument("--start", action="append", default=[], metavar="RULE", help="a start rule (may be repeated)")
        check.add_argument("--slot", action="append", metavar="NAME", help="a host slot that requests fill (may be repeated)")
        check.add_argument("--forbid", type=Path, metavar="FILE", help="words never to be written: a lexicon, # for comments")
        check.add_argument("--guard", type=Path, metavar="FILE", help="longer words that may hold a forbidden one")
        check.add_argument("--json", action="store_true", help="findings as JSON")

    def handle(self, *args, **options) -> None:
        from engine.grammar.sandbox import check_text

        path: Path = options["file"]
        findings = check_text(
            _read(path),
            path.suffix,
            options["start"],
            slots=options["slot"],
            forbid=_words(options["forbid"]),
            guards=_words(options["guard"]),
        )
        if options["json"]:
            self.stdout.write(json.dumps({"findings": [finding.as_json() for finding in findings]}, ensure_ascii=False))
        else:
            self._show(path, findings)
        if any(finding.severity == "error" for finding in findings):
            sys.exit(1)

    def _show(self, path: Path, findings: list[Finding]) -> None:
        for finding in findings:
            severity = f"{SEVERITY_ZH[finding.severity]} {finding.severity}"
            self.stdout.write(f"{path}:{finding.at.line}:{finding.at.column}: {severity} {finding.code}")
            for language in ("zh", "en"):
                fix = "" if finding.severity == "note" else finding.fix(language)
                self.stdout.write(f"    {finding.text(language)}{'。' if language == 'zh' else '. '}{fix}".rstrip())
        errors = sum(finding.severity == "error" for finding in findings)
        warnings = sum(finding.severity == "warning" for finding in findings)
        self.stdout.write(f"错误 {errors}，警告 {warnings} · errors: {errors}, warnings: {warnings}")


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=2) from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path}: 不是 UTF-8 编码，请另存为 UTF-8 · not UTF-8, save it as UTF-8", returncode=2) from error


def _words(path: Path | None) -> list[str]:
    if path is None:
        return []
    return [word for line in _read(path).splitlines() for word in line.partition("#")[0].split()]
