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
from django.utils.translation import get_language

from apps.claims.check import check_claims, select
from apps.claims.reading import Unreadable, read_claims


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
        except (Unreadable, ValueError) as error:
            self.stderr.write(str(error))
            sys.exit(2)
        if options["as_json"]:
            self.stdout.write(json.dumps({"findings": [f.to_dict() for f in findings]}, ensure_ascii=False, indent=1))
        else:
            chinese = (get_language() or "").startswith("zh")
            for f in findings:
                message = f.message_zh if chinese else f.message_en
                self.stdout.write(f"{f.severity:7} {f.rule} claim {f.claim} [{f.start}:{f.end}] {message}")
        if any(f.severity == "error" for f in findings):
            sys.exit(1)
