"""Reads the regular subset of regular expressions: characters, classes, `.`, groups, |, ? * + {m,n}.

Refused by name: look-around, back references, named groups, flags, lazy and possessive repetition, word boundaries.
Anchors ^ and $ stand at the ends of a top-level alternative, and only where the caller searches (JSON Schema).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from engine.grammar.findings import Finding, GrammarError, unusable
from engine.grammar.ir import UNICODE, Alt, Chars, Literal, Node, Place, Repeat, Seq, char_ranges, complement

MAX_NESTING = 64
MAX_LENGTH = 10_000
Ranges = tuple[tuple[int, int], ...]

ASCII_CLASSES: dict[str, Ranges] = {
    "d": ((48, 57),),
    "w": ((48, 57), (65, 90), (95, 95), (97, 122)),
    "s": char_ranges((ord(c), ord(c)) for c in "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff")
    + ((0x2000, 0x200A),),
}
LINE_ENDS: Ranges = ((10, 10), (13, 13), (0x2028, 0x2029))
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "0": "\0"}
_COUNT = re.compile(r"\{(\d{1,9})(,?)(\d{0,9})\}", re.ASCII)


@cache
def python_class(sign: str) -> Ranges:
    r"""What \d, \w or \s match in Python's `re`, as ranges: Lark's meaning."""
    fits = re.compile("\\" + sign).match
    return char_ranges((code, code) for low, high in UNICODE for code in range(low, high + 1) if fits(chr(code)))


@dataclass(frozen=True)
class Branch:
    """A top-level alternative and whether it is tied to the start and to the end."""

    node: Node
    start: bool
    end: bool


class Regex:
    """One pass over `text`, which begins at `at` in the source. python: Lark's dialect; else ECMA 262 with the u flag."""

    def __init__(self, text: str, at: Place, python: bool, dot_all: bool = False):
        self.text, self.at, self.python, self.i, self.depth = text, at, python, 0, 0
        self.dot = UNICODE if dot_all else complement([(10, 10)] if python else LINE_ENDS)

    def branches(self) -> list[Branch]:
        """Raises GrammarError at the first thing outside the subset."""
        if len(self.text) > MAX_LENGTH:
            raise self.fail("regex", why=f"it is longer than {MAX_LENGTH} characters", why_zh=f"长度超过 {MAX_LENGTH} 个字符")
        out = [self.branch()]
        while self.take("|"):
            out.append(self.branch())
        if self.i < len(self.text):
            raise self.fail("regex", why="a bracket closes that was not opened", why_zh="多出右括号")
        return out

    def node(self) -> Node:
        """The whole expression, without anchors."""
        options = tuple(branch.node for branch in self.branches())
        return options[0] if len(options) == 1 else Alt(options, self.at)

    def branch(self) -> Branch:
        start = not self.python and self.take("^")
        node = self.sequence()
        end = not self.python and self.take("$")
        return Branch(node, start, end)

    def sequence(self) -> Node:
        items, at = [], self.here
        while self.i < len(self.text) and self.text[self.i] not in "|)":
            if not self.python and self.depth == 0 and self.ends_branch():
                break
            items.append(self.repeated())
        return items[0] if len(items) == 1 else Seq(tuple(items), at)

    def ends_branch(self) -> bool:
        return self.text[self.i] == "$" and self.text[self.i + 1 : self.i + 2] in ("", "|")

    def repeated(self) -> Node:
        at = self.here
        item = self.atom()
        sign = self.text[self.i : self.i + 1]
        count = _COUNT.match(self.text, self.i)
        if sign and sign in "?*+":
            self.i += 1
            low, high = {"?": (0, 1), "*": (0, None), "+": (1, None)}[sign]
        elif count:
            self.i = count.end()
            low = int(count[1])
            high = int(count[3]) if count[3] else None if count[2] else low
            if high is not None and high < low:
                raise self.fail("bad-bounds", text=count[0])
        elif sign == "{":
            raise self.fail("regex", why="a brace that is no count; write \\{", why_zh="花括号不是重复次数，应写作 \\{")
        else:
            return item
        if self.text[self.i : self.i + 1] in ("?", "+", "*", "{") and self.text[self.i : self.i + 1]:
            raise self.fail("regex", why="lazy, possessive or doubled repetition", why_zh="不支持惰性、占有或连续的重复")
        return Seq((), at) if high == 0 else Repeat(item, low, high, at)

    def atom(self) -> Node:
        at, char = self.here, self.text[self.i]
        self.i += 1
        if char == "(":
            return self.group(at)
        if char == "[":
            return Chars(self.set(), at)
        if char == ".":
            return Chars(self.dot, at)
        if char == "\\":
            escaped = self.escape(in_set=False)
            return Literal(escaped, at) if isinstance(escaped, str) else Chars(escaped, at)
        if char in "?*+{":
            self.i -= 1
            raise self.fail("regex", why="nothing to repeat", why_zh="缺少可重复的内容")
        if char in "^$":
            self.i -= 1
            raise self.fail("regex", why="an anchor inside the expression", why_zh="锚点不在表达式两端")
        return Literal(char, at)

    def group(self, at: Place) -> Node:
        if self.text[self.i : self.i + 1] == "?":
            if self.text[self.i : self.i + 2] != "?:":
                raise self.fail("regex", why="look-around, flags or named groups", why_zh="不支持环视、标志和命名分组")
            self.i += 2
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.fail("nesting", limit=MAX_NESTING)
        options = [self.sequence()]
        while self.take("|"):
            options.append(self.sequence())
        if not self.take(")"):
            raise self.fail("regex", why="a bracket is not closed", why_zh="括号未闭合")
        self.depth -= 1
        return options[0] if len(options) == 1 else Alt(tuple(options), at)

    def set(self) -> Ranges:
        outside = self.take("^")
        ranges: list[tuple[int, int]] = []
        first = self.python  # there a bracket right behind the opening one is a character
        while first or not self.take("]"):
            first = False
            low = self.set_char()
            if isinstance(low, str) and self.text[self.i : self.i + 1] == "-" and self.text[self.i + 1 : self.i + 2] != "]":
                self.i += 1
                high = self.set_char()
                if not isinstance(high, str) or high < low:
                    raise self.fail("bad-range", text=f"[{low}-{high if isinstance(high, str) else '…'}]")
                ranges.append((ord(low), ord(high)))
            elif isinstance(low, str):
                ranges.append((ord(low), ord(low)))
            else:
                ranges.extend(low)
        return complement(ranges) if outside else char_ranges(ranges)

    def set_char(self) -> str | Ranges:
        if self.i >= len(self.text):
            raise self.fail("regex", why="a set is not closed", why_zh="字符集未闭合")
        char = self.text[self.i]
        self.i += 1
        return self.escape(in_set=True) if char == "\\" else char

    def escape(self, in_set: bool) -> str | Ranges:
        sign = self.text[self.i : self.i + 1]
        self.i += 1
        if sign.lower() in ("d", "w", "s") and sign:
            inside = python_class(sign.lower()) if self.python else char_ranges(ASCII_CLASSES[sign.lower()])
            return complement(inside) if sign.isupper() else inside
        if sign in _ESCAPES and not (sign == "0" and self.text[self.i : self.i + 1].isdigit()):
            return _ESCAPES[sign]
        if sign in ("u", "x"):
            return self.code_point(sign)
        if sign and (sign in r"^$\.*+?()[]{}|/-" or (self.python and not sign.isalnum())):
            return sign
        if sign == "b" and in_set:
            return "\b"
        self.i -= 1
        raise self.fail("regex", why=f"escape \\{sign}", why_zh=f"不支持转义 \\{sign}")

    def code_point(self, sign: str) -> str:
        match = re.compile(r"\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{4})" if sign == "u" else r"()([0-9A-Fa-f]{2})").match(self.text, self.i)
        code = int(match[1] or match[2], 16) if match else -1
        if not match or not any(low <= code <= high for low, high in UNICODE) or (self.python and match[1]):
            raise self.fail("regex", why=f"escape \\{sign} without its digits, or a surrogate", why_zh=f"转义 \\{sign} 缺少数字，或为代理码位")
        self.i = match.end()
        return chr(code)

    def take(self, char: str) -> bool:
        if self.text.startswith(char, self.i):
            self.i += 1
            return True
        return False

    @property
    def here(self) -> Place:
        """Inside a Lark file the column counts on; in a JSON string escapes hide it."""
        return Place(self.at.line, self.at.column + self.i) if self.python else self.at

    def fail(self, code: str, **values: object) -> GrammarError:
        return unusable([Finding(code, self.here, values=values)])
