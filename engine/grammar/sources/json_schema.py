"""Reads a JSON Schema (draft 2020-12) as the language of its compact documents.

Written is what `json.dumps(value, ensure_ascii=False, separators=(",", ":"))` writes: no blanks between tokens, members
in the order of `properties`, only declared members, one spelling per character. Every accepted text is a valid document;
every valid document of this form is accepted, save that a whole number has neither fraction nor exponent.

    type (one or several)  enum  const  string: pattern or minLength maxLength  array: items minItems maxItems
    object: properties required additionalProperties (a boolean)  anyOf  oneOf of provably disjoint branches
    $defs and $ref inside the document
    own keywords: "slot": "SPAN" on a string (a host slot between the quotes, already free of characters that JSON escapes)
                  "maxDepth": 2 on the schema or a definition (how often it may be open inside itself)

The rules are `root`, one a definition, named like it, and one a member that more than one place refers to, named by its
JSON Pointer. Annotations are read over; anything else is refused with its place and pointer.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from engine.grammar.findings import Finding, GrammarError, guess, refused, unusable
from engine.grammar.ir import (
    NOWHERE,
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
    children,
    complement,
    references,
)
from engine.grammar.sources import json_text
from engine.grammar.sources.json_text import Array, Object, step
from engine.grammar.sources.regex import Branch, Regex

ROOT = "root"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
MAX_OPTIONAL = 64
ANNOTATIONS = frozenset(("$comment", "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"))
ON_DEFINITIONS = frozenset(("maxDepth",))
ON_ROOT = frozenset(("$schema", "$id", "$defs"))
BY_TYPE: dict[str, set[str]] = {
    "string": {"pattern", "minLength", "maxLength", "slot"},
    "array": {"items", "minItems", "maxItems"},
    "object": {"properties", "required", "additionalProperties"},
    "integer": set(),
    "number": set(),
    "boolean": set(),
    "null": set(),
}
ESCAPED = ((0, 0x1F), (0x22, 0x22), (0x5C, 0x5C))
DIGIT, NONZERO = Chars(((48, 57),)), Chars(((49, 57),))
DIGITS = Repeat(DIGIT, 1, None)
INTEGER = Seq((Repeat(Literal("-"), 0, 1), NONZERO, Repeat(DIGIT, 0, None)))
FRACTION = Seq((Literal("."), DIGITS))
EXPONENT = Seq((Chars(((69, 69), (101, 101))), Repeat(Chars(((43, 43), (45, 45))), 0, 1), DIGITS))
NUMBER = Seq(
    (
        Repeat(Literal("-"), 0, 1),
        Alt((Literal("0"), Seq((NONZERO, Repeat(DIGIT, 0, None))))),
        Repeat(FRACTION, 0, 1),
        Repeat(EXPONENT, 0, 1),
    )
)


def compact(value: Any) -> str:
    """The one spelling of a value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read(text: str) -> Rules:
    """The rules of a JSON Schema text. Raises GrammarError with every finding of the reader."""
    schema = json_text.read(text)
    if not isinstance(schema, Object):
        values = {"what": "the schema", "pointer": "#", "wanted": "an object", "wanted_zh": "对象"}
        raise refused("schema-value", Place(1, 1), **values)
    return _Reader(schema).rules()


class _Reader:
    def __init__(self, schema: Object):
        self.schema = schema
        self.findings: list[Finding] = []
        self.declared: list[Rule] = []
        self.rule = ROOT
        self.compared: dict[tuple[int, int], bool] = {}

    def rules(self) -> Rules:
        definitions = self.schema.get("$defs", Object(self.schema.at, "/$defs"))
        if not isinstance(definitions, Object):
            self.wrong(self.schema, "$defs", "an object", "对象")
            definitions = Object(self.schema.at, "/$defs")
        if self.schema.get("$schema", DRAFT) not in (DRAFT, DRAFT + "#"):
            self.wrong(self.schema, "$schema", DRAFT, f" {DRAFT}")
        bodies = [(ROOT, self.schema, self.schema.at, "")]
        bodies += [(_rule_name(name), body, definitions.keys_at[name], step("/$defs", name)) for name, body in definitions.items()]
        for name, body, at, pointer in bodies:
            self.rule = name
            node = self.node(body, at, pointer)
            depth = self.count(body, "maxDepth", None) if isinstance(body, Object) else None
            self.declared.append(Rule(name, node, at, depth))
        self.declared.sort(key=lambda rule: rule.name != ROOT)
        if self.findings:
            raise unusable(sorted(self.findings, key=lambda finding: finding.at))
        return Rules(self.declared, ROOT, frozenset(self.slots()))

    def slots(self) -> Iterator[str]:
        names = {rule.name for rule in self.declared}
        for rule in self.declared:
            yield from references(rule.body).keys() - names

    def refuse(self, code: str, at: Place, pointer: str, **values: object) -> None:
        self.findings.append(Finding(code, at, self.rule, {"pointer": f"#{pointer}", **values}))

    def wrong(self, schema: Object, key: str, wanted: str, wanted_zh: str) -> None:
        at, pointer = schema.places.get(key, schema.at), f"{schema.pointer}/{key}"
        self.refuse("schema-value", at, pointer, what=key, wanted=wanted, wanted_zh=wanted_zh)

    def node(self, schema: Any, at: Place, pointer: str) -> Node:
        if schema is False:
            return Alt((), at)
        if not isinstance(schema, Object):
            self.refuse("any-value", at, pointer)
            return Alt((), at)
        if "$ref" in schema:
            self.only(schema, {"$ref"})
            return self.reference(schema, "$ref")
        for key in ("const", "enum"):
            if key in schema:
                self.only(schema, {key, "type"})
                return self.values(schema, key)
        for key in ("anyOf", "oneOf"):
            if key in schema:
                self.only(schema, {key})
                return self.branches(schema, key)
        types = schema.get("type")
        if not isinstance(types, Array):
            types = [types]
        known = [kind for kind in types if isinstance(kind, str) and kind in BY_TYPE]
        if len(known) < len(types) or not known or len(set(known)) < len(known):
            if "type" in schema:
                self.wrong(schema, "type", "one of " + ", ".join(BY_TYPE), "以下之一：" + "、".join(BY_TYPE))
            else:
                self.only(schema, set().union(*BY_TYPE.values()))
                self.refuse("any-value", schema.at, schema.pointer)
            return Alt((), at)
        self.only(schema, {"type"}.union(*(BY_TYPE[kind] for kind in known)))
        if "number" in known and "integer" in known:
            known.remove("integer")
        options = tuple(getattr(self, kind)(schema) for kind in known)
        return options[0] if len(options) == 1 else Alt(options, at)

    def only(self, schema: Object, allowed: set[str]) -> None:
        """Refuses every keyword that is neither allowed here nor an annotation."""
        known = allowed | ANNOTATIONS
        if schema is self.schema:
            known |= ON_ROOT | ON_DEFINITIONS
        elif schema.pointer.startswith("/$defs/") and schema.pointer.count("/") == 2:
            known |= ON_DEFINITIONS
        for key in schema.keys() - known:
            beside = ", ".join(sorted(allowed & schema.keys())) or "-"
            self.refuse("keyword", schema.keys_at[key], f"{schema.pointer}/{key}", name=key, beside=beside)

    def reference(self, schema: Object, key: str) -> Node:
        target, at, pointer = schema[key], schema.places[key], f"{schema.pointer}/{key}"
        if target == "#":
            return Ref(ROOT, at)
        if not isinstance(target, str) or not target.startswith("#/$defs/") or "/" in target[8:]:
            self.refuse("remote-ref", at, pointer, text=target)
            return Seq((), at)
        name = _definition(target)
        definitions = self.schema.get("$defs")
        if not isinstance(definitions, Object) or name not in definitions:
            known = definitions if isinstance(definitions, Object) else ()
            self.refuse("undefined-rule", at, pointer, used=name, **guess(name, known))
        return Ref(_rule_name(name), at)

    def values(self, schema: Object, key: str) -> Node:
        at = schema.places[key]
        values = schema[key] if key == "enum" else [schema[key]]
        if not isinstance(values, list) or not values:
            self.wrong(schema, key, "a list of values", "非空的取值列表")
            return Alt((), at)
        types = schema.get("type", list(BY_TYPE))
        types = types if isinstance(types, list) else [types]
        fitting = [value for value in values if any(_is(value, kind) for kind in types)]
        if not fitting:
            names = list(map(str, types))
            self.wrong(schema, key, f"a value of type {', '.join(names)}", f"类型为 {'、'.join(names)} 的值")
        options = tuple(Literal(text, at) for text in dict.fromkeys(map(compact, fitting)))
        return options[0] if len(options) == 1 else Alt(options, at)

    def branches(self, schema: Object, key: str) -> Node:
        branches = schema[key]
        if not isinstance(branches, Array) or not branches:
            self.wrong(schema, key, "a list of schemas", "非空的模式列表")
            return Alt((), schema.at)
        parts = enumerate(zip(branches, branches.places, strict=True))
        options = tuple(self.node(branch, at, f"{branches.pointer}/{i}") for i, (branch, at) in parts)
        if key == "oneOf":
            for i, first in enumerate(branches):
                for j in range(i + 1, len(branches)):
                    if not self.disjoint(first, branches[j]):
                        pointer = f"{branches.pointer}/{j}"
                        self.refuse("one-of", branches.places[j], pointer, first=i + 1, second=j + 1)
        return options[0] if len(options) == 1 else Alt(options, schema.places[key])

    def disjoint(self, a: Any, b: Any) -> bool:
        """Whether no value can fit both: by type, by enumeration, or by a required member that tells them apart."""
        a, b = self.resolve(a), self.resolve(b)
        if a is False or b is False:
            return True
        if not isinstance(a, Object) or not isinstance(b, Object):
            return False
        pair = (id(a), id(b))
        if pair not in self.compared:
            self.compared[pair] = False  # what refers to itself is not told apart by that
            self.compared[pair] = self._disjoint(a, b)
        return self.compared[pair]

    def _disjoint(self, a: Object, b: Object) -> bool:
        if "anyOf" in a or "oneOf" in a or "anyOf" in b or "oneOf" in b:
            parts = [part.get("anyOf", part.get("oneOf", [part])) for part in (a, b)]
            return all(isinstance(part, list) for part in parts) and all(self.disjoint(x, y) for x in parts[0] for y in parts[1])
        values_a, values_b = _values(a), _values(b)
        if values_a is not None and values_b is not None:
            return not set(map(_canonical, values_a)) & set(map(_canonical, values_b))
        if not _types(a) & _types(b):
            return True
        if _types(a) & _types(b) != {"object"}:
            return False
        (must_a, members_a, closed_a), (must_b, members_b, closed_b) = _members(a), _members(b)
        if (closed_b and must_a - members_b.keys()) or (closed_a and must_b - members_a.keys()):
            return True
        both = must_a & must_b & members_a.keys() & members_b.keys()
        return any(self.disjoint(members_a[name], members_b[name]) for name in both)

    def resolve(self, schema: Any) -> Any:
        definitions = self.schema.get("$defs")
        for _ in range(16):
            target = schema.get("$ref") if isinstance(schema, Object) else None
            if not isinstance(target, str):
                return schema
            known = definitions if isinstance(definitions, Object) else {}
            schema = self.schema if target == "#" else known.get(_definition(target))
        return None

    def count(self, schema: Object, key: str, default: int | None) -> int | None:
        value = schema.get(key, default)
        if value is None and key not in schema:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            self.wrong(schema, key, "a whole number", "非负整数")
            return default
        return value

    def limits(self, schema: Object, low_key: str, high_key: str) -> tuple[int, int | None]:
        low, high = self.count(schema, low_key, 0) or 0, self.count(schema, high_key, None)
        if high is not None and high < low:
            text = f"{low_key} {low}, {high_key} {high}"
            self.refuse("bad-bounds", schema.places[high_key], f"{schema.pointer}/{high_key}", text=text)
            return 0, high
        return low, high

    def string(self, schema: Object) -> Node:
        at = schema.places["type"]
        low, high = self.limits(schema, "minLength", "maxLength")
        if "slot" in schema:
            if not isinstance(schema["slot"], str) or not schema["slot"].isupper():
                self.wrong(schema, "slot", "an upper-case name", "大写名称")
            for other in sorted({"minLength", "maxLength", "pattern"} & schema.keys()):
                self.refuse("keyword", schema.keys_at[other], f"{schema.pointer}/{other}", name=other, beside="slot")
            return Seq((Literal('"', at), Ref(str(schema["slot"]), schema.places["slot"]), Literal('"', at)), at)
        body: Node = _repeat(json_chars(UNICODE, at), low, high, at)
        if "pattern" in schema:
            body = self.pattern(schema, low, high)
        return Seq((Literal('"', at), body, Literal('"', at)), at)

    def pattern(self, schema: Object, low: int, high: int | None) -> Node:
        at, pattern = schema.places["pattern"], schema["pattern"]
        pointer = f"#{schema.pointer}/pattern"
        if not isinstance(pattern, str):
            self.wrong(schema, "pattern", "a string", "字符串")
            return Alt((), at)
        try:
            branches = Regex(pattern, at, python=False).branches()
        except GrammarError as error:
            self.findings += [Finding(f.code, f.at, self.rule, {**f.values, "pointer": pointer}) for f in error.findings]
            return Alt((), at)
        options = tuple(_searched(branch, at) for branch in branches)
        node = options[0] if len(options) == 1 else Alt(options, at)
        shortest, longest = text_length(node)
        if shortest < low or (high is not None and longest > high):
            key = "maxLength" if high is not None and longest > high else "minLength"
            self.refuse("pattern-length", schema.keys_at[key], f"{schema.pointer}/{key}", name=key)
        return _in_json(node)

    def integer(self, schema: Object) -> Node:
        return Alt((Literal("0"), INTEGER), schema.places["type"])

    def number(self, schema: Object) -> Node:
        return NUMBER

    def boolean(self, schema: Object) -> Node:
        return Alt((Literal("true"), Literal("false")), schema.places["type"])

    def null(self, schema: Object) -> Node:
        return Literal("null", schema.places["type"])

    def array(self, schema: Object) -> Node:
        at = schema.places["type"]
        low, high = self.limits(schema, "minItems", "maxItems")
        if high == 0:
            return Literal("[]", at)
        if "items" not in schema:
            self.refuse("any-value", at, f"{schema.pointer}/items")
            return Literal("[]", at)
        pointer = f"{schema.pointer}/items"
        item = self.shared(self.node(schema["items"], schema.places["items"], pointer), pointer)
        more = _repeat(Seq((Literal(",", at), item), at), max(low - 1, 0), None if high is None else high - 1, at)
        some = Seq((Literal("[", at), item, more, Literal("]", at)), at)
        return some if low else Alt((some, Literal("[]", at)), at)

    def shared(self, node: Node, pointer: str) -> Node:
        """A rule for a part that stands in several places, so that nested parts do not multiply."""
        if not children(node):
            return node
        self.declared.append(Rule(pointer, node, node.at, fragment=True))
        return Ref(pointer, node.at)

    def object(self, schema: Object) -> Node:
        at = schema.places["type"]
        members, required = schema.get("properties", Object(schema.at)), schema.get("required", [])
        if not isinstance(members, Object):
            self.wrong(schema, "properties", "an object", "对象")
            return Alt((), at)
        if not isinstance(required, list) or any(not isinstance(name, str) for name in required):
            self.wrong(schema, "required", "a list of names", "名称列表")
            required = []
        if not isinstance(schema.get("additionalProperties", False), bool):
            self.wrong(schema, "additionalProperties", "true or false", "true 或 false")
        for name in required:
            if name not in members:
                self.refuse("undefined-member", schema.places["required"], f"{schema.pointer}/required", name=name)
        must = next((i for i, name in enumerate(members) if name in required), len(members))
        if must > MAX_OPTIONAL:
            self.refuse("optional-members", at, schema.pointer, limit=MAX_OPTIONAL)
            return Alt((), at)
        parts = []
        for name, member in members.items():
            place, pointer = members.keys_at[name], step(members.pointer, name)
            value = self.node(member, members.places[name], pointer)
            if must:
                value = self.shared(value, pointer)
            parts.append((Seq((Literal(compact(name) + ":", place), value), place), name in required))
        return Seq((Literal("{", at), self.members(parts, must, at), Literal("}", at)), at)

    def members(self, parts: list[tuple[Seq, bool]], must: int, at: Place) -> Node:
        """Members in order, the optional ones left out at will, with the commas between those that are there.

        Each of the members up to `must`, the first required one, may come first, and repeats what follows it.
        """
        tail: list[Node] = []
        options: list[Node] = []
        for i in range(len(parts) - 1, -1, -1):
            body, required = parts[i]
            if i <= must:
                options.append(Seq((body, *tail), at))
            following = Seq((Literal(",", at), body), at)
            tail.insert(0, following if required else Repeat(following, 0, 1, at))
        options.reverse()
        if must == len(parts):
            options.append(Seq((), at))
        return options[0] if len(options) == 1 else Alt(tuple(options), at)


def json_chars(ranges: tuple[tuple[int, int], ...], at: Place = NOWHERE) -> Node:
    """One character of a string value as JSON text spells it."""
    plain = complement(complement(ranges) + ESCAPED)
    special = [code for low, high in ESCAPED for code in range(low, high + 1) if any(a <= code <= b for a, b in ranges)]
    options: list[Node] = [Chars(plain, at)] if plain else []
    options += [Literal(compact(chr(code))[1:-1], at) for code in special]
    return options[0] if len(options) == 1 else Alt(tuple(options), at)


def text_length(node: Node) -> tuple[float, float]:
    """Least and greatest number of characters of a node without references; an impossible node has least > greatest."""
    if isinstance(node, Literal):
        return len(node.text), len(node.text)
    if isinstance(node, Chars):
        return (1, 1) if node.ranges else (math.inf, -math.inf)
    parts = [text_length(child) for child in children(node)]
    if isinstance(node, Alt):
        return min((low for low, _ in parts), default=math.inf), max((high for _, high in parts), default=-math.inf)
    if isinstance(node, Repeat):
        low, high = parts[0]
        most = math.inf if node.high is None else node.high
        return low * node.low if node.low else 0, high * most if high > 0 and most else 0
    return sum(low for low, _ in parts), sum(high for _, high in parts)


def _rule_name(definition: str) -> str:
    """Of a definition: its own name, unless that could be the root's or a pointer."""
    return f"/$defs/{definition}" if definition == ROOT or "/" in definition or definition.isupper() else definition


def _definition(reference: str) -> str:
    return reference.removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")


def _in_json(node: Node) -> Node:
    if isinstance(node, Literal):
        return Literal(compact(node.text)[1:-1], node.at)
    if isinstance(node, Chars):
        return json_chars(node.ranges, node.at)
    if isinstance(node, Seq):
        return Seq(tuple(map(_in_json, node.items)), node.at)
    if isinstance(node, Alt):
        return Alt(tuple(map(_in_json, node.options)), node.at)
    if isinstance(node, Repeat):
        return Repeat(_in_json(node.item), node.low, node.high, node.at)
    return node


def _searched(branch: Branch, at: Place) -> Node:
    anything = Repeat(Chars(UNICODE, at), 0, None, at)
    before = () if branch.start else (anything,)
    after = () if branch.end else (anything,)
    return Seq((*before, branch.node, *after), at)


def _repeat(item: Node, low: int, high: int | None, at: Place) -> Node:
    return Seq((), at) if high == 0 else Repeat(item, low, high, at)


def _is(value: Any, kind: object) -> bool:
    if kind in ("integer", "number"):
        whole = isinstance(value, int) and not isinstance(value, bool) or isinstance(value, float) and value.is_integer()
        return whole or (kind == "number" and isinstance(value, float))
    python = {"string": str, "array": list, "object": dict, "boolean": bool, "null": type(None)}.get(str(kind))
    return python is not None and isinstance(value, python)


def _values(schema: Object) -> list[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    return schema["enum"] if isinstance(schema.get("enum"), list) else None


def _canonical(value: Any) -> str:
    """Equal for values that JSON Schema holds equal: 1 and 1.0, members in any order."""

    def number(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: number(member) for key, member in value.items()}
        if isinstance(value, list):
            return [number(item) for item in value]
        return int(value) if isinstance(value, float) and value.is_integer() else value

    return json.dumps(number(value), sort_keys=True)


def _members(schema: Object) -> tuple[set[str], Object, bool]:
    """Required names, declared members, and whether there are no others."""
    required, members = schema.get("required"), schema.get("properties")
    names = {name for name in required if isinstance(name, str)} if isinstance(required, list) else set()
    known = members if isinstance(members, Object) else Object(schema.at)
    return names, known, schema.get("additionalProperties") is False


def _types(schema: Object) -> set[str]:
    """The types that a value of the schema may have; integers count as numbers."""
    values = _values(schema)
    if values is not None:
        return {kind for kind in BY_TYPE if kind != "integer" for value in values if _is(value, kind)}
    types = schema.get("type", list(BY_TYPE))
    names = types if isinstance(types, list) else [types]
    return {"number" if name == "integer" else str(name) for name in names}
