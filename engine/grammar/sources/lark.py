"""Reads the Lark dialect (`.lark`): rules, terminals, strings, ranges, regular terminals, ? * + ~n..m [ ], priorities.

Text is read without a lexer, as Lark's Earley parser with `lexer="dynamic_complete"` does. `%declare NAME` declares host
slots. Tree shaping (`?rule`, `!rule`, `_rule`, `-> alias`) is read and has no effect. A higher priority puts a rule first
among alternatives. A recursive rule gets its depth from a comment line:  //! max_depth clause = 2

Refused with line and column: templates, %import, %ignore, %override, %extend, flags (save s and u), look-around.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput
from lark.lexer import PatternStr

from engine.grammar.findings import Finding, GrammarError, guess, refused, syntax, unusable
from engine.grammar.ir import (
    NOWHERE,
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
)
from engine.grammar.sources.regex import Regex

MAX_NESTING = 64

_META = r"""
start: _NL? (item _NL)* item?
?item: rule | ignore | import | declare | changed
rule: MODIFIERS? NAME template? priority? ":" alternatives
template: "{" NAME ("," NAME)* "}"
priority: "." NUMBER
ignore: "%ignore" alternatives
import: "%import" "."? NAME ("." NAME)* ("->" NAME | "(" NAME ("," NAME)* ")")?
declare: "%declare" NAME+
changed: ("%override" | "%extend") rule
alternatives: sequence (_OR sequence)*
sequence: element* ("->" NAME)?
element: atom (SIGN | "~" NUMBER (".." NUMBER)?)?
?atom: group | maybe | range | use | name | string | regex
group: "(" alternatives ")"
maybe: "[" alternatives "]"
range: STRING ".." STRING
use: NAME "{" use_argument ("," use_argument)* "}"
?use_argument: name | string | regex | range | use
name: NAME
string: STRING
regex: REGEX
MODIFIERS: /(!|![?]?|[?]!?)(?=[_a-z])/
NAME: /_?[a-z][_a-z0-9]*|_?[A-Z][_A-Z0-9]*/
NUMBER: /[+-]?\d{1,9}/
SIGN: /[+*]|[?](?![a-z_])/
STRING: /"(\\.|[^"\\\n])*"i?/
REGEX: /\/(?!\/)(\\.|[^\/\\\n])*\/[imslux]*/
_OR: /(?:\r?\n\s*+)?\|/
_NL: /\r?\n\s*+/
COMMENT: /\s*+(?:\/\/|#)[^\n]*/
BLANK: /[ \t\f]+|\\[ ]*\r?\n/
%ignore COMMENT
%ignore BLANK
"""
_DEPTH = re.compile(r"^[ \t]*//![ \t]*max_depth[ \t]+(\w+)[ \t]*=[ \t]*(\d{1,9})[ \t]*$", re.M)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|([nrtf\\\"'/])|.)", re.S)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "f": "\f"}


@cache
def _parser() -> Lark:
    return Lark(_META, parser="lalr", propagate_positions=True, maybe_placeholders=False)


def read(text: str) -> Rules:
    """The rules of a `.lark` text. Raises GrammarError with every finding of the reader."""
    if _nesting(text) > MAX_NESTING:
        raise refused("nesting", limit=MAX_NESTING)
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as error:
        if isinstance(error, UnexpectedCharacters):
            found, expected = error.char, error.allowed
        else:
            token = getattr(error, "token", None)
            found, expected = str(token) if token else None, getattr(error, "accepts", set())
        at = Place(max(error.line, 0), max(error.column, 0)) if found else _end(text)
        raise unusable([syntax(at, found, _expected(expected or ()))]) from None
    return _Reader(text).rules(tree)


def _end(text: str) -> Place:
    return Place(text.count("\n") + 1, len(text) - text.rfind("\n"))


def _expected(names: Iterable[str]) -> list[str]:
    """Names of terminals as `wording.PARTS` has them, signs as they are; what is read only to be refused is left out."""
    patterns = {terminal.name: terminal.pattern for terminal in _parser().terminals}
    shown = []
    for name in sorted(names):
        pattern = patterns.get(name)
        sign = pattern.value if isinstance(pattern, PatternStr) else ""
        if name != "MODIFIERS" and sign not in ("{", "%import", "%ignore", "%override", "%extend"):
            shown.append("END" if name == "$END" else repr(sign) if sign else name)
    return shown[:10] or ["RULE"]


def _nesting(text: str) -> int:
    depth = most = 0
    for sign in re.findall(r'"(?:\\.|[^"\\\n])*"?|//[^\n]*|[()\[\]]', text):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(sign, 0)
        most = max(most, depth)
    return most


def _place(token: Token | Tree) -> Place:
    source = token.meta if isinstance(token, Tree) else token
    return Place(source.line or 0, source.column or 0) if hasattr(source, "line") else NOWHERE


class _Reader:
    def __init__(self, text: str):
        self.findings: list[Finding] = []
        self.rule = ""
        self.depths: dict[str, int] = {}
        self.depth_places: dict[str, Place] = {}
        for match in _DEPTH.finditer(text):
            self.depths[match[1]] = int(match[2])
            self.depth_places[match[1]] = Place(text.count("\n", 0, match.start()) + 1, 1)

    def rules(self, tree: Tree) -> Rules:
        declared: list[Rule] = []
        slots: set[str] = set()
        trees = [item for item in tree.children if isinstance(item, Tree)]
        self.priority = {
            _named(item).value: int(str(part.children[0]))
            for item in trees
            if item.data == "rule"
            for part in item.find_data("priority")
        }
        for item in trees:
            if item.data == "rule":
                declared.append(self.declared(item))
            elif item.data == "declare":
                slots.update(str(name) for name in item.children)
            elif item.data == "import":
                self.refuse("import", item, text="".join(map(str, item.children)))
            else:
                what = "%ignore" if item.data == "ignore" else "%override and %extend"
                instead = ("Write blanks into the rules where the text has them.", "文本中的空白直接写进规则。")
                if item.data != "ignore":
                    instead = ("Change the rule itself.", "直接修改该规则。")
                self.unsupported(item, what, f" {what}", *instead)
        names = {rule.name for rule in declared}
        for name, at in self.depth_places.items():
            if name not in names:
                self.findings.append(Finding("undefined-rule", at, "max_depth", {"used": name, **guess(name, names)}))
        if not declared and not self.findings:
            self.findings.append(Finding("no-rules", Place(1, 1)))
        if self.findings:
            raise unusable(sorted(self.findings, key=lambda finding: finding.at))
        return Rules(declared, "start" if "start" in names else "", frozenset(slots))

    def refuse(self, code: str, at: Token | Tree, **values: object) -> None:
        self.findings.append(Finding(code, _place(at), self.rule, values))

    def unsupported(self, at: Token | Tree, what: str, what_zh: str, instead: str, instead_zh: str) -> None:
        self.refuse("unsupported", at, what=what, what_zh=what_zh, instead=instead, instead_zh=instead_zh)

    def declared(self, tree: Tree) -> Rule:
        token = _named(tree)
        self.rule = str(token)
        for template in tree.find_data("template"):
            self.unsupported(template, "a template", "模板", "Write the rule out for each use.", "为每次使用分别写出规则。")
        body = self.alternatives(tree.children[-1])
        rule = Rule(self.rule, body, _place(token), self.depths.get(self.rule), priority=self.priority.get(self.rule, 0))
        self.rule = ""
        return rule

    def alternatives(self, tree: Tree) -> Node:
        options = [self.sequence(part) for part in tree.children]
        options.sort(key=lambda node: -self.priority.get(node.name, 0) if isinstance(node, Ref) else 0)
        return options[0] if len(options) == 1 else Alt(tuple(options), _place(tree))

    def sequence(self, tree: Tree) -> Node:
        items = tuple(self.element(part) for part in tree.children if isinstance(part, Tree))
        return items[0] if len(items) == 1 else Seq(items, _place(tree))

    def element(self, tree: Tree) -> Node:
        node = self.atom(tree.children[0])
        counts = [count for count in tree.children[1:] if isinstance(count, Token)]
        if not counts:
            return node
        if counts[0].type == "SIGN":
            low, high = {"?": (0, 1), "*": (0, None), "+": (1, None)}[str(counts[0])]
            return Repeat(node, low, high, _place(tree))
        low, high = int(counts[0]), int(counts[-1])
        if not 0 <= low <= high:
            self.refuse("bad-bounds", counts[0], text="~" + "..".join(map(str, counts)))
        return Repeat(node, low, high, _place(tree)) if high > 0 else Seq((), _place(tree))

    def atom(self, tree: Any) -> Node:
        token: Any = tree.children[0]
        at = _place(tree)
        if tree.data == "group":
            return self.alternatives(token)
        if tree.data == "maybe":
            return Repeat(self.alternatives(token), 0, 1, at)
        if tree.data == "name":
            if self.rule.isupper() and not token.isupper():
                self.refuse("lexer-uses-parser", token, used=str(token))
            return Ref(str(token), at)
        if tree.data == "string":
            return Literal(self.string(token), at)
        if tree.data == "regex":
            return self.regex(token)
        if tree.data == "range":
            low, high = (self.string(end) for end in tree.children)
            if len(low) != 1 or len(high) != 1 or high < low:
                self.refuse("bad-range", tree, text=f'"{low}".."{high}"')
                return Chars((), at)
            return Chars(char_ranges([(ord(low), ord(high))]), at)
        self.unsupported(tree, "a template", "模板", "Write the rule out for each use.", "为每次使用分别写出规则。")
        return Seq((), at)

    def string(self, token: Token) -> str:
        if token.endswith("i"):
            self.unsupported(token, "the flag i", "标志 i", "Write the letters in both cases: [Aa].", "写出大小写两种形式：[Aa]。")
        body = token.removesuffix("i")[1:-1]
        if not body:
            self.refuse("empty-literal", token, text=str(token))

        def char(match: re.Match[str]) -> str:
            code = match[1] or match[2]
            if code and not 0xD800 <= int(code, 16) <= 0xDFFF:
                return chr(int(code, 16))
            if not match[3]:
                self.refuse("bad-escape", token, text=match[0])
                return " "
            return _ESCAPES.get(match[3], match[3])

        return _ESCAPE.sub(char, body)

    def regex(self, token: Token) -> Node:
        end = token.rindex("/")
        flags = set(token[end + 1 :])
        if flags - {"s", "u"}:
            name = "".join(sorted(flags - {"s", "u"}))
            self.unsupported(token, f"the flag {name}", f"标志 {name}", "Write it out in the expression.", "在表达式中写明。")
        at = Place(token.line or 0, (token.column or 0) + 1)
        try:
            return Regex(token[1:end], at, python=True, dot_all="s" in flags).node()
        except GrammarError as error:
            self.findings += error.findings
            return Chars((), at)


def _named(tree: Tree) -> Token:
    return next(part for part in tree.children if isinstance(part, Token) and part.type == "NAME")
