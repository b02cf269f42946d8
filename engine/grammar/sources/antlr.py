"""Reads the safe ANTLR 4 subset (`.g4`).

Parser and lexer rules, fragments, alternatives, groups, ? * +, sets, ranges, ~ and `.` mean what they mean in ANTLR,
save that there is no lexer. Added: x{m,n}, x{m,} and x{m}, which ANTLR reads as actions and skips, so that the text
stays valid there; `options { max_depth = 2; }` of a recursive rule. `tokens` declares host slots; without it every
upper-case name that has no rule is one. EOF may close an alternative of a rule that no rule uses, and changes nothing.

Refused with line and column: actions, predicates, named actions, imports, commands, modes, channels, other options,
labels, arguments, non-greedy repetition. The parser is generated from `grammars/meta/ClaimwrightGrammar.g4`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import regex
from antlr4 import CommonTokenStream, InputStream
from antlr4.atn.PredictionMode import PredictionMode
from antlr4.error.ErrorListener import ErrorListener

from engine.grammar.findings import Finding, guess, refused, syntax, unusable
from engine.grammar.ir import (
    UNICODE,
    Alt,
    Chars,
    Literal,
    Node,
    Place,
    Ref,
    Repeat,
    Rule,
    Rules,
    Seq,
    char_ranges,
    complement,
    references,
)
from grammars.meta.ClaimwrightGrammarLexer import ClaimwrightGrammarLexer as Lexer
from grammars.meta.ClaimwrightGrammarParser import ClaimwrightGrammarParser as Parser

MAX_NESTING = 64
MAX_SYNTAX_ERRORS = 10
MAX_DIGITS = 9
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "\\": "\\"}
_BRACKETS = re.compile(r"'(?:\\.|[^'\\\n])*'?|\[(?:\\.|[^\]\\\n])*\]?|//[^\n]*|/\*(?:.*?\*/|.*)|[(){}]", re.S)
_PROPERTY = re.compile(r"\\[pP]\{([A-Za-z0-9_=\- ]{1,60})\}")
Ranges = tuple[tuple[int, int], ...]


def read(text: str) -> Rules:
    """The rules of a `.g4` text. Raises GrammarError with every finding of the reader."""
    _check_nesting(text)
    try:
        return _Reader().grammar(_parse(text))
    except _TooManyErrors as error:
        raise unusable(error.findings) from None


def _parse(text: str) -> Any:
    listener = _Listener()
    lexer = Lexer(InputStream(text))
    lexer.removeErrorListeners()
    lexer.addErrorListener(listener)
    stream = CommonTokenStream(lexer)
    stream.fill()
    unread = list(listener.findings)
    for mode in (PredictionMode.SLL, PredictionMode.LL):
        # SLL is the faster one and may refuse what LL takes, never the other way round.
        listener.findings = list(unread)
        stream.seek(0)
        parser = Parser(stream)
        parser._interp.predictionMode = mode
        parser.removeErrorListeners()
        parser.addErrorListener(listener)
        tree = parser.grammarFile()
        if listener.findings == unread:
            break
    if listener.findings:
        raise unusable(sorted(listener.findings, key=lambda finding: finding.at))
    return tree


def _check_nesting(text: str) -> None:
    depth = 0
    for match in _BRACKETS.finditer(text):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(match[0], 0)
        if depth > MAX_NESTING:
            line = text.count("\n", 0, match.start()) + 1
            at = Place(line, match.start() - text.rfind("\n", 0, match.start()))
            raise refused("nesting", at, limit=MAX_NESTING)


def _place(token: Any) -> Place:
    return Place(token.line, token.column + 1)


class _TooManyErrors(Exception):
    def __init__(self, findings: list[Finding]):
        self.findings = sorted(findings, key=lambda finding: finding.at)


class _Listener(ErrorListener):
    def __init__(self) -> None:
        self.findings: list[Finding] = []

    def syntaxError(self, recognizer, offendingSymbol, line, column, msg, e):  # noqa: N802, N803
        if offendingSymbol is None:
            found = recognizer.inputStream.getText(e.startIndex, recognizer.inputStream.index)
            self.findings.append(syntax(Place(line, column + 1), _shorten(found), ["RULE"]))
        else:
            found = None if offendingSymbol.type < 0 else _shorten(offendingSymbol.text)
            self.findings.append(syntax(Place(line, column + 1), found, _expected(recognizer)))
        if len(self.findings) == MAX_SYNTAX_ERRORS:
            raise _TooManyErrors(self.findings)


# Read only to be refused by name.
_NEVER = frozenset((Lexer.ACTION, Lexer.ARROW, Lexer.POUND, Lexer.AT, Lexer.IMPORT, Lexer.MODE, Lexer.CHANNELS))


def _expected(parser: Any) -> list[str]:
    """Names of the tokens that the parser would have taken."""
    names = []
    for interval in parser.getExpectedTokens().intervals or []:
        for kind in range(interval.start, interval.stop):
            if kind < 0:
                names.append("END")
            elif kind not in _NEVER:
                literal = parser.literalNames[kind] if kind < len(parser.literalNames) else "<INVALID>"
                names.append(parser.symbolicNames[kind] if literal == "<INVALID>" else literal)
    return names[:10] or ["RULE"]


class _Reader:
    """Parse tree -> rules. Goes on after a refusal, so that one reading reports them all."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.rule = ""
        self.lexer_rule = False
        self.ended: dict[str, Any] = {}

    def grammar(self, tree: Any) -> Rules:
        slots: set[str] | None = None
        for prequel in tree.prequel():
            if prequel.optionList():
                self.options(prequel.optionList())
            elif prequel.tokenList():
                if slots is not None:
                    self.findings.append(syntax(_place(prequel.start), "tokens {", ["RULE"]))
                slots = slots or set()
                for name in prequel.tokenList().name():
                    self.slot_name(name.start)
                    slots.add(name.start.text)
            else:
                self.refused(prequel.refused())
        declared = [self.grammar_rule(rule) for rule in tree.grammarRule()]
        for mode in tree.lexerMode():
            self.refuse("command", mode.start, text=f"mode {mode.name().start.text}")
        self.check_names(declared)
        if self.findings:
            raise unusable(sorted(self.findings, key=lambda finding: finding.at))
        return Rules(declared, slots=None if slots is None else frozenset(slots))

    def refuse(self, code: str, token: Any, **values: object) -> None:
        self.findings.append(Finding(code, _place(token), self.rule, values))

    def unsupported(self, token: Any, what: str, what_zh: str, instead: str, instead_zh: str) -> None:
        self.refuse("unsupported", token, what=what, what_zh=what_zh, instead=instead, instead_zh=instead_zh)

    def refused(self, node: Any) -> None:
        if node.namedAction():
            self.named_action(node.namedAction())
        elif node.IMPORT():
            self.refuse("import", node.start, text=node.name(0).start.text)
        else:
            self.refuse("command", node.start, text="channels")

    def named_action(self, node: Any) -> None:
        self.refuse("action", node.start, what="named action", what_zh="命名动作", text=f"@{node.getChild(1).getText()}")

    def slot_name(self, token: Any) -> None:
        if not token.text.isupper():
            hint = (" in upper case", "，使用大写")
            self.refuse("reserved-name", token, text=token.text, what="a host slot", what_zh="宿主插槽", hint=hint[0], hint_zh=hint[1])

    def options(self, node: Any) -> int | None:
        """The rule's max_depth, if its options say it."""
        depth = None
        for option in node.option():
            if self.rule and not self.lexer_rule and option.name(0).start.text == "max_depth" and _is_small(option.INT()):
                depth = int(option.INT().symbol.text)
            else:
                self.refuse("option", option.start, text=option.getText())
        return depth

    def check_names(self, declared: list[Rule]) -> None:
        """What ANTLR asks of names beyond their form; undefined parser rules are the business of `checks`."""
        names = {rule.name for rule in declared}
        if not any(not rule.name[0].isupper() for rule in declared) and not self.findings:
            self.findings.append(Finding("no-rules", Place(1, 1)))
        for rule in declared:
            for used, at in references(rule.body).items():
                if used in self.ended:
                    self.refuse("end-of-file", self.ended.pop(used))
                elif rule.name[0].isupper() and used[0].isupper() and used not in names | {"EOF"}:
                    self.findings.append(Finding("slot-in-lexer", at, rule.name, {"used": used, **guess(used, names)}))

    def grammar_rule(self, node: Any) -> Rule:
        token = node.name().start
        self.rule, self.lexer_rule = token.text, token.text[0].isupper()
        if self.rule == "EOF":
            self.refuse("reserved-name", token, text="EOF", what="a rule", what_zh="规则", hint="", hint_zh="")
        if node.FRAGMENT() and not self.lexer_rule:
            self.refuse("fragment-parser", node.start)
        for action in node.namedAction():
            self.named_action(action)
        depths = [self.options(options) for options in node.optionList()]
        depth = next((depth for depth in depths if depth is not None), None)
        body = self.alternatives(node.alternatives(), outermost=not self.lexer_rule)
        rule = Rule(self.rule, body, _place(token), depth, fragment=bool(node.FRAGMENT()))
        self.rule = ""
        return rule

    def alternatives(self, node: Any, outermost: bool = False) -> Node:
        options = tuple(self.sequence(sequence, outermost) for sequence in node.sequence())
        return options[0] if len(options) == 1 else Alt(options, _place(node.start))

    def sequence(self, node: Any, outermost: bool) -> Node:
        if node.command():
            self.refuse("command", node.command().start, text=node.command().getText())
        if node.POUND():
            self.refuse("label", node.POUND().symbol, text=f"# {node.name().start.text}")
        elements = node.element()
        if outermost and elements and elements[-1].getText() == "EOF":
            self.ended[self.rule] = elements.pop().start
        items = tuple(item for element in elements if (item := self.element(element)) is not None)
        return items[0] if len(items) == 1 else Seq(items, _place(node.start))

    def element(self, node: Any) -> Node | None:
        if node.action():
            predicate = node.action().QUESTION()
            what, what_zh = ("predicate", "谓词") if predicate else ("action", "动作")
            self.refuse("action", node.start, what=what, what_zh=what_zh, text=_shorten(node.action().getText()))
            return None
        if node.label():
            self.refuse("label", node.start, text=node.label().getText())
        item = self.atom(node.atom())
        if not node.suffix():
            return item
        low, high = self.bounds(node.suffix())
        return Repeat(item, low, high, _place(node.atom().start))

    def bounds(self, node: Any) -> tuple[int, int | None]:
        sign = node.start.text
        if not node.BOUNDS():
            if len(node.QUESTION()) > (sign == "?"):
                self.unsupported(
                    node.start,
                    "non-greedy repetition",
                    "非贪婪重复",
                    "Delete the second sign; what must not be repeated is taken out of the set: ~['。']*.",
                    "删除第二个符号；不应被重复的字符从字符集中排除：~['。']*。",
                )
            return {"?": (0, 1), "*": (0, None), "+": (1, None)}[sign]
        low, comma, high = sign[1:-1].partition(",")
        if max(len(low.strip()), len(high.strip())) > MAX_DIGITS:
            self.refuse("bad-bounds", node.start, text=_shorten(sign))
            return 0, 1
        least, most = int(low), int(high) if high.strip() else None if comma else int(low)
        if most is not None and (most < least or most == 0):
            self.refuse("bad-bounds", node.start, text=sign)
            return 0, 1
        return least, most

    def atom(self, node: Any) -> Node:
        token = node.start
        at = _place(token)
        if node.name() and not node.NOT():
            return self.reference(token)
        if node.alternatives():
            return self.alternatives(node.alternatives())
        if token.type == Lexer.STRING and not node.RANGE():
            return Literal(self.string(token), at)
        if not self.lexer_rule:
            self.refuse("parser-set", token, text=node.getText())
            return Chars((), at)
        if node.RANGE():
            return Chars(char_ranges(self.range(*node.STRING())), at)
        if node.DOT():
            return Chars(UNICODE, at)
        if node.NOT():
            parts = node.setPart() or [node]
            return Chars(complement(pair for part in parts for pair in self.set_part(part)), at)
        return Chars(char_ranges(self.set(token)), at)

    def reference(self, token: Any) -> Ref:
        if token.text == "EOF":
            self.refuse("end-of-file", token)
        elif self.lexer_rule and not token.text[0].isupper():
            self.refuse("lexer-uses-parser", token, used=token.text)
        return Ref(token.text, _place(token))

    def set_part(self, node: Any) -> list[tuple[int, int]]:
        if node.name():
            instead = ("Write the characters themselves.", "直接写出字符。")
            self.unsupported(node.name().start, "a rule inside a set", "集合中引用规则", *instead)
            return []
        strings = node.STRING() if isinstance(node.STRING(), list) else [node.STRING()]
        if node.SET():
            return self.set(node.SET().symbol)
        if len(strings) == 2:
            return self.range(*strings)
        text = self.string(strings[0].symbol)
        if len(text) > 1:
            self.refuse("bad-range", strings[0].symbol, text=strings[0].symbol.text)
        return [(ord(char), ord(char)) for char in text]

    def range(self, first: Any, last: Any) -> list[tuple[int, int]]:
        low, high = self.string(first.symbol), self.string(last.symbol)
        if len(low) != 1 or len(high) != 1 or high < low:
            self.refuse("bad-range", first.symbol, text=f"{first.symbol.text}..{last.symbol.text}")
            return []
        return [(ord(low), ord(high))]

    def string(self, token: Any) -> str:
        if len(token.text) == 2:
            self.refuse("empty-literal", token, text=token.text)
        return "".join(str(char) for char, _ in self.unescape(token, "'"))

    def set(self, token: Any) -> list[tuple[int, int]]:
        parts, ranges, i = self.unescape(token, "]-pP"), [], 0
        if len(token.text) == 2:
            self.refuse("empty-literal", token, text=token.text)
        while i < len(parts):
            low = high = parts[i][0]
            i += 1
            if i + 1 < len(parts) and parts[i] == ("-", False):
                high, i = parts[i + 1][0], i + 2
            if isinstance(low, str) and isinstance(high, str) and low <= high:
                ranges.append((ord(low), ord(high)))
            elif low is high and isinstance(low, tuple):
                ranges += low
            else:
                ends = (end if isinstance(end, str) else "\\p{...}" for end in (low, high))
                self.refuse("bad-range", token, text=f"[{'-'.join(ends)}]")
        return ranges

    def unescape(self, token: Any, special: str) -> list[tuple[str | Ranges, bool]]:
        """What stands between the token's quotes or brackets: characters, each with whether it was escaped, and the
        ranges of properties."""
        text, out, i = token.text[1:-1], [], 0
        while i < len(text):
            if text[i] != "\\":
                out.append((text[i], False))
                i += 1
                continue
            sign = text[i + 1]
            part: str | Ranges
            if sign == "u":
                end = text.find("}", i) + 1 if text[i + 2 : i + 3] == "{" else i + 6
                part = _code_point(text[i + 2 : end])
            elif sign in "pP" and sign in special:
                match = _PROPERTY.match(text, i)
                end = match.end() if match else i + 2
                part = _property(sign, match[1]) if match else ""
            else:
                end, part = i + 2, _ESCAPES.get(sign, sign if sign in special else "")
            if not part:
                self.refuse("bad-escape", token, text=text[i : max(end, i + 2)])
            out.append((part or " ", True))
            i = max(end, i + 2)
        return out


def _code_point(digits: str) -> str:
    match = re.fullmatch(r"[0-9A-Fa-f]{4}|\{([0-9A-Fa-f]{1,6})\}", digits)
    code = int(match[1] or match[0], 16) if match else -1
    return chr(code) if any(low <= code <= high for low, high in UNICODE) else ""


@cache
def _property(sign: str, name: str) -> Ranges:
    """The code points with a Unicode property, by the tables of the package `regex`; none for an unknown one."""
    try:
        fits = regex.compile(f"\\{sign}{{{name}}}+")
    except regex.error:
        return ()
    ranges = []
    for low, high in UNICODE:
        text = "".join(map(chr, range(low, high + 1)))
        ranges += [(low + match.start(), low + match.end() - 1) for match in fits.finditer(text)]
    return char_ranges(ranges)


def _is_small(number: Any) -> bool:
    return number is not None and len(number.symbol.text) <= MAX_DIGITS


def _shorten(text: str) -> str:
    return text if len(text) <= 30 else text[:29] + "…"
