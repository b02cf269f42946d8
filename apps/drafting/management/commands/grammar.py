"""`manage.py grammar ACTION FILE`: grammars (.g4, .lark, JSON Schema) and what they make of a text, in Chinese and English.

    check FILE                      findings with line, column, code and a suggested fix
    export FILE --form l2           the grammar for another engine (`engine.grammar.export`)
    trace TEXT [--grammar G]        SHIFT, REDUCE and ACCEPT of a text; without G of every claim of a published claim set
    why TEXT --at N --token T       why T may not follow the first N characters

Exit codes: 0 no error, 1 errors or a refused text, 2 wrong arguments.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine.grammar.export import FORMS, export, spelt
from engine.grammar.findings import Finding, GrammarError
from engine.grammar.ir import Alt

SEVERITY_ZH = {"error": "错误", "warning": "警告", "note": "说明"}
# A published claim, when no grammar is named.
PUBLISHED = "claims_granted_zh"
FRAME_KEYS = ("source", "terms", "scope", "forbid")
HINTS_ZH = {
    "unbound-slot": "槽没有取值，请在 --slots 文件中补上", "empty-slot": "槽的取值中有空串，请在 --slots 文件中删去",
    "undefined-rule": "没有这个起始规则，请检查 --start", "dead-end": "在这些取值下没有任何合法文本，请检查 --slots",
    "too-large": "文法过大，请改用 --form l1",
}  # fmt: skip


class Command(BaseCommand):
    help = "Check or export a grammar; trace a text, or tell why it is refused."
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
        exported = actions.add_parser("export", help="write a grammar out for another engine")
        exported.add_argument("file", type=Path, help="a .g4, .lark or .json file")
        exported.add_argument("--form", choices=FORMS, required=True, help="see engine/grammar/export.py")
        traced = actions.add_parser("trace", help="SHIFT and REDUCE of a text")
        traced.add_argument("file", type=Path, help="the text")
        asked = actions.add_parser("why", help="why a token may not follow")
        asked.add_argument("file", type=Path, help="the text")
        asked.add_argument("--at", type=int, help="behind so many characters (default: behind the whole text)")
        asked.add_argument("--token", default="", help="what may not follow (default: the end of the text)")
        asked.add_argument("--max-chars", type=int, help="the budget of the text, in characters")
        for action in (traced, asked):
            action.add_argument("--grammar", help="a grammar file, or the name of a shipped one (default: a published claim)")
            action.add_argument("--json", action="store_true", help="events or refusal as JSON, one a line")
        for action in (exported, traced, asked):
            action.add_argument("--start", default="", metavar="RULE", help="the start rule (default: the grammar's own)")
            action.add_argument(
                "--slots", type=Path, metavar="FILE", help='JSON: {"SLOT": [strings], …}, and source, terms, scope, forbid'
            )

    def handle(self, *args, **options) -> None:
        try:
            getattr(self, f"_{options['action']}")(options)
        except GrammarError as error:
            for finding in error.findings:
                self.stderr.write(f"{finding.text('zh')}。{finding.fix('zh')}")
            hint = HINTS_ZH.get(error.code, "")
            raise CommandError(f"{error}{hint and f' · {hint}'}", returncode=2) from error

    def _export(self, options: dict[str, Any]) -> None:
        grammar, start = _grammar(str(options["file"]), options["start"])
        self.stdout.write(export(grammar.rules, start, _frame(options["slots"]), options["form"]), ending="")

    def _trace(self, options: dict[str, Any]) -> None:
        from engine.grammar.why import recheck

        grammar, start = _grammar(options["grammar"] or PUBLISHED, options["start"])
        frame, refused = _frame(options["slots"]), False
        for text in _texts(options["file"], options["grammar"]):
            found = recheck(text, grammar, start, frame)
            refused |= bool(found)
            died = next((refusal.start for refusal in found if refusal.items), None)
            parser = grammar.parser(start, frame)
            events = [*parser.feed(text[:died]), *(parser.finish() if died is None else ())]
            for line in self._lines(grammar, text, found, events, options["json"]):
                self.stdout.write(line)
        if refused:
            sys.exit(1)

    def _lines(self, grammar: Any, text: str, found: Iterable[Any], events: Iterable[Any], as_json: bool) -> Iterator[str]:
        if as_json:
            yield from (json.dumps(event, ensure_ascii=False) for event in events)
            yield from (json.dumps({"op": "REFUSED", **refusal.as_json()}, ensure_ascii=False) for refusal in found)
            return
        for event in events:
            span = f"[{event['start']}:{event['end']}]"
            name = event.get("token") or event.get("slot") or ""
            what = event["text"] if event["op"] == "SHIFT" else _production(grammar.rules, event)
            yield f"{event['op']:6} {span:>11} {what}{f'  ({name})' if name else ''}"
        yield from (_told(refusal, text) for refusal in found)

    def _why(self, options: dict[str, Any]) -> None:
        from engine.grammar.why import why

        grammar, start = _grammar(options["grammar"] or PUBLISHED, options["start"])
        text = _text(options["file"])
        at = len(text) if options["at"] is None else options["at"]
        if not 0 <= at <= len(text):
            raise CommandError(f"--at 须在 0 与 {len(text)} 之间 · --at is between 0 and {len(text)}", returncode=2)
        refusal = why(grammar, start, _frame(options["slots"]), text[:at], options["token"], options["max_chars"])
        if options["json"]:
            self.stdout.write(json.dumps(refusal and refusal.as_json(), ensure_ascii=False))
        elif refusal is None:
            self.stdout.write("可以接续 · it may follow")
        else:
            self.stdout.write(_told(refusal, text[:at] + options["token"]))
        if refusal is not None:
            sys.exit(1)

    def _check(self, options: dict[str, Any]) -> None:
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


def _grammar(name: str, start: str) -> tuple[Any, str]:
    """A grammar by path, or a shipped one by name (of a profile what it accepts), and its start rule."""
    from engine.grammar import Grammar
    from engine.grammar.language import GRAMMARS, Profile

    if (GRAMMARS / f"{name}.json").is_file():
        profile = Profile.load(name)
        return Grammar(profile.rules, ""), start or profile.declared["start"]
    path = GRAMMARS / f"{name}.g4" if (GRAMMARS / f"{name}.g4").is_file() else Path(name)
    _read(path)
    grammar = Grammar.load(path)
    return grammar, start or grammar.rules.start


def _frame(path: Path | None) -> Any:
    """The frame of a slots file: upper-case names are slots, the others what `Frame` calls them."""
    from engine.grammar import Frame

    try:
        data = json.loads(_read(path)) if path else {}
    except ValueError as error:
        raise CommandError(f"{path}: 不是 JSON（{error}）· not JSON", returncode=2) from error
    slots = {name: value for name, value in data.items() if name.isupper()} if isinstance(data, dict) else {}
    others = {name: data[name] for name in FRAME_KEYS if name in data} if isinstance(data, dict) else {}
    lists = [*slots.values(), *(value for name, value in others.items() if name != "source")]
    good = all(isinstance(value, list) and all(isinstance(item, str) for item in value) for value in lists)
    if not isinstance(data, dict) or len(slots) + len(others) < len(data) or not good or not isinstance(data.get("source", ""), str):
        wanted = '{"SLOT": ["…"], "source": "…", "terms": ["…"], "scope": ["…"], "forbid": ["…"]}'
        raise CommandError(f"{path}: 应为 · expected {wanted}", returncode=2)
    return Frame(slots, **others)


def _texts(path: Path, grammar: str | None) -> list[str]:
    """The whole text; for published claims each claim with its number."""
    if grammar:
        return [_text(path)]
    from apps.claims.reading import Unreadable, read_claims

    try:
        return [f"{claim.number}. {claim.text}" for claim in read_claims(path).claims]
    except Unreadable as error:
        why = "请逐项编号，如“1. 一种…” · number the claims as “1. 一种…”, or name a grammar with --grammar"
        raise CommandError(f"{path}: {why}", returncode=2) from error


def _text(path: Path) -> str:
    return _read(path).removeprefix("\ufeff").rstrip("\r\n")


def _production(rules: Any, event: dict[str, Any]) -> str:
    """rule -> the alternative that was taken."""
    name = str(event["rule"])
    if event["op"] == "ACCEPT":
        return name
    body = rules[name]
    taken = body.options[event["alternative"] - 1] if isinstance(body, Alt) else body
    return f"{name} -> {spelt(taken)}"


def _told(refusal: Any, text: str) -> str:
    quoted = text[max(0, refusal.start - 12) : refusal.start] + "⟦" + text[refusal.start : refusal.end] + "⟧"
    return f"{refusal.start}: {refusal.code} …{quoted}\n    {refusal.text('zh')}\n    {refusal.text('en')}"


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
