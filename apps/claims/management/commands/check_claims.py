"""`manage.py check_claims FILE [--rules SET] [--profile draft|granted] [--json]`

FILE is a .json list of {number, text}, a .txt, .md, .xml or .docx. SET is "all" or rule ids and groups joined
by commas (CN-DEP,CN-TRM-001). Exit codes: 0 no error finding, 1 at least one error finding, 2 unreadable
file or unknown rule set.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _

from apps.claims.check import check_claims, select
from apps.claims.reading import Unreadable, read_claims

REASONS = {
    "kind": gettext_noop("This kind of file cannot be read. Use .json, .txt, .md, .xml or .docx."),
    "data": gettext_noop("The file cannot be read (%(detail)s). Save it again, as UTF-8 when it is text."),
    "word": gettext_noop("This is not a Word document, or it is damaged or locked. Save it again from Word as .docx."),
    "no_claims": gettext_noop("No claims were found. Number them as “1. 一种…”."),
}


class Command(BaseCommand):
    """Checks a claim set against the formal drafting rules."""

    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--rules", default="all", metavar="SET")
        parser.add_argument("--profile", choices=("draft", "granted"), default="draft")
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            claims = read_claims(options["file"])
            findings = select(check_claims(claims, profile=options["profile"]), options["rules"])
        except Unreadable as error:
            self.stderr.write(f"{options['file'].name}: {_(REASONS[error.code]) % {'detail': error.detail}}")
            sys.exit(2)
        except ValueError:
            self.stderr.write(_("There is no such rule or group of rules: %s. See rule ids in a list of findings.") % options["rules"])
            sys.exit(2)
        if options["as_json"]:
            self.stdout.write(json.dumps({"findings": [f.to_dict() for f in findings]}, ensure_ascii=False, indent=1))
        else:
            chinese = (get_language() or "").startswith("zh")
            for f in findings:
                message = f.message_zh if chinese else f.message_en
                where = _("claim %d") % f.claim if f.claim else _("filing")
                self.stdout.write(f"{f.severity:7} {f.rule} {where} [{f.start}:{f.end}] {message}")
            if not findings:
                self.stdout.write(_("No formal defect found."))
        if any(f.severity == "error" for f in findings):
            sys.exit(1)
