"""Reads the safe ANTLR4 subset (`.g4`) into the intermediate form.

Rules, alternatives, quoted literals, character sets, `? * +` and our bounded repetition `{m,n}`. Actions, predicates
and options are refused with line and column: rule text is data and never runs.
"""

from __future__ import annotations

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, VisitError

from engine.grammar.findings import GrammarError
from engine.grammar.ir import (
    Alt,
    Chars,
    Literal,
    Place,
    Ref,
    Repeat,
    Rule,
    Rules,
    Seq,
    char_ranges,
    references,
)

_G4 = r"""
start: "grammar" NAME ";" rule+
rule: ["fragment"] NAME ":" alternatives ";"
alternatives: sequence ("|" sequence)*
sequence: element*
element: atom suffix?
suffix: "?" -> optional | "*" -> star | "+" -> plus | "{" INT "," INT "}" -> bounded
atom: NAME -> name | STRING -> string | SET -> charset | "(" alternatives ")" -> group
NAME: /[A-Za-z_][A-Za-z_0-9]*/
STRING: /'(\\.|[^'\\\n])+'/
SET: /\[(\\.|[^\]\\\n])+\]/
INT: /[0-9]+/
COMMENT: /\/\/[^\n]*/ | /\/\*(.|\n)*?\*\//
%import common.WS
%ignore WS
%ignore COMMENT
"""
_PARSER = Lark(_G4, parser="lalr")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def _unescape(text: str) -> list[tuple[str, bool]]:
    """Characters of a literal body, each with whether it was escaped."""
    out, i = [], 0
    while i < len(text):
        if text[i] != "\\":
            out.append((text[i], False))
            i += 1
        elif text[i + 1] == "u":
            if text[i + 2] == "{":
                end = text.index("}", i)
                out.append((chr(int(text[i + 3 : end], 16)), True))
                i = end + 1
            else:
                out.append((chr(int(text[i + 2 : i + 6], 16)), True))
                i += 6
        else:
            out.append((_ESCAPES.get(text[i + 1], text[i + 1]), True))
            i += 2
    return out


class _Build(Transformer):
    def start(self, parts):
        rules: dict[str, Rule] = {}
        for name, node in parts[1:]:
            if str(name) in rules:
                raise GrammarError("duplicate-rule", f"rule {name} is defined twice", name.line, name.column)
            rules[str(name)] = Rule(str(name), node, Place(name.line, name.column))
        return Rules(rules.values())

    def rule(self, parts):
        parts = [part for part in parts if part is not None]
        return parts[0], parts[1]

    def alternatives(self, parts):
        return parts[0] if len(parts) == 1 else Alt(tuple(parts))

    group = alternatives

    def sequence(self, parts):
        return parts[0] if len(parts) == 1 else Seq(tuple(parts))

    def element(self, parts):
        if len(parts) == 1:
            return parts[0]
        low, high = parts[1]
        return Repeat(parts[0], low, high)

    def optional(self, _):
        return 0, 1

    def star(self, _):
        return 0, None

    def plus(self, _):
        return 1, None

    def bounded(self, parts):
        low, high = int(parts[0]), int(parts[1])
        if high < low or high == 0:
            raise GrammarError("bad-bounds", f"{{{low},{high}}} is empty", parts[0].line, parts[0].column)
        return low, high

    def name(self, parts):
        return Ref(str(parts[0]))

    def string(self, parts: list[Token]):
        return Literal("".join(char for char, _ in _unescape(parts[0][1:-1])))

    def charset(self, parts: list[Token]):
        chars, ranges, i = _unescape(parts[0][1:-1]), [], 0
        while i < len(chars):
            low = chars[i][0]
            if i + 2 < len(chars) and chars[i + 1] == ("-", False):
                high, i = chars[i + 2][0], i + 3
            else:
                high, i = low, i + 1
            if high < low:
                raise GrammarError(
                    "bad-range", f"[{low}-{high}] is empty", parts[0].line or 0, parts[0].column or 0
                )
            ranges.append((ord(low), ord(high)))
        return Chars(char_ranges(ranges))


def parse_g4(text: str) -> Rules:
    """The rules of a `.g4` text. Raises GrammarError with line and column."""
    try:
        rules = _Build().transform(_PARSER.parse(text.removeprefix("\ufeff")))
    except VisitError as error:
        if isinstance(error.orig_exc, GrammarError):
            raise error.orig_exc from None
        raise
    except UnexpectedCharacters as error:
        code = "action" if error.char in "{@" else "syntax"
        what = "actions and predicates are not allowed" if code == "action" else f"unexpected {error.char!r}"
        raise GrammarError(code, what, error.line, error.column) from None
    except UnexpectedInput as error:
        token = getattr(error, "token", "")
        code = "action" if str(token) == "{" else "syntax"
        what = "actions and predicates are not allowed" if code == "action" else f"unexpected {str(token)!r}"
        raise GrammarError(code, what, error.line, error.column) from None
    _check(rules)
    return rules


def _check(rules: Rules) -> None:
    for name, node in rules.items():
        for used in references(node).keys() - set(rules):
            if not used.isupper():
                raise GrammarError("undefined-rule", f"rule {name} uses {used}, which is not defined")
    done: set[str] = set()

    def visit(name: str, open_rules: tuple[str, ...]) -> None:
        if name in open_rules:
            loop = " -> ".join([*open_rules[open_rules.index(name) :], name])
            raise GrammarError("recursion", f"{loop}: recursion has no depth bound; use repetition instead")
        if name in done or name not in rules:
            return
        for used in sorted(references(rules[name])):
            visit(used, (*open_rules, name))
        done.add(name)

    for name in rules:
        visit(name, ())
