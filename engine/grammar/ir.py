"""The grammar's intermediate form: rules over six node kinds, the same for every source language.

Text is read character by character: there is no lexer, a lexer rule is a rule like any other. A name in upper case
without a rule is a *host slot*: the request's frame supplies its strings (SPAN is built in).

    Seq(()) is the empty text, Alt(()) and Chars(()) match nothing
    Alt     options in priority order: the first that fits wins in the trace
    Repeat  is kept as a count, never expanded by a source
    Rule    body, place, and how often it may stand inside itself (`max_depth`)

Nodes compare by content; their places in the source (`at`) take no part in that, nor in `Rules.hash`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

UNICODE = ((0, 0xD7FF), (0xE000, 0x10FFFF))


class Place(NamedTuple):
    """Where something stands in the source: 1-based; line 0 when the source has no such place."""

    line: int = 0
    column: int = 0


NOWHERE = Place()


@dataclass(frozen=True)
class Literal:
    text: str
    at: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Chars:
    """One character out of inclusive code point ranges: sorted, disjoint, not adjacent, free of surrogates."""

    ranges: tuple[tuple[int, int], ...]
    at: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Ref:
    """A rule or a host slot, by name."""

    name: str
    at: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Seq:
    items: tuple[Node, ...]
    at: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Alt:
    """Alternatives in priority order: the first that fits wins in the trace."""

    options: tuple[Node, ...]
    at: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Repeat:
    """`item` at least `low` and at most `high` times; `high` None is unbounded."""

    item: Node
    low: int
    high: int | None
    at: Place = field(default=NOWHERE, compare=False)


Node = Literal | Chars | Ref | Seq | Alt | Repeat


@dataclass(frozen=True)
class Rule:
    """One rule. `max_depth`: how often it may be open inside itself (0: never); None when its source does not say.

    fragment: a part of other rules, not a start. priority: the number its source gave (Lark); higher first, and
    already expressed in the order of `Alt.options`.
    """

    name: str
    body: Node
    at: Place = field(default=NOWHERE, compare=False)
    max_depth: int | None = None
    fragment: bool = False
    priority: int = 0


class Rules(Mapping[str, Node]):
    """Rule name -> body, in source order, and what else the source said.

    declared: every rule as written, duplicates included; the first of a name counts. start: the source's own start rule.
    slots: the host slots that the source declares; None when it leaves that to the naming convention.
    """

    def __init__(self, declared: Iterable[Rule], start: str = "", slots: frozenset[str] | None = None):
        self.declared = tuple(declared)
        self.slots = slots
        self._rules: dict[str, Rule] = {}
        for rule in self.declared:
            self._rules.setdefault(rule.name, rule)
        self.start = start or next(iter(self._rules), "")
        self._hashes: dict[str, str] = {}

    def __getitem__(self, name: str) -> Node:
        return self._rules[name].body

    def __iter__(self) -> Iterator[str]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)

    def rule(self, name: str) -> Rule:
        return self._rules[name]

    @cached_property
    def uses(self) -> dict[str, tuple[str, ...]]:
        """Rule -> the rules its body mentions, in order of first mention; slots left out."""
        return {name: tuple(used for used in references(self[name]) if used in self._rules) for name in self}

    @cached_property
    def components(self) -> list[tuple[str, ...]]:
        """Strongly connected groups of rules, used before using: a compiler can go through them in order."""
        return strong_components(self.uses)

    @cached_property
    def recursive(self) -> frozenset[str]:
        """Rules that can stand inside themselves."""
        return frozenset(
            name for group in self.components for name in group if len(group) > 1 or name in self.uses[name]
        )

    @cached_property
    def unbounded(self) -> list[tuple[str, ...]]:
        """Groups of rules that can stand inside themselves by a loop on which no rule has a `max_depth`."""
        free = {name: self.uses[name] for name in self if self.rule(name).max_depth is None}
        loops = {name: tuple(used for used in uses if used in free) for name, uses in free.items()}
        return [group for group in strong_components(loops) if len(group) > 1 or group[0] in loops[group[0]]]

    def hash(self, name: str) -> str:
        """SHA-256 of what the rule accepts: its body with every other rule replaced by that rule's hash.

        Names and places take no part, except names inside a recursive group. Equal hashes accept equal texts.
        """
        if not self._hashes:
            for group in self.components:
                self._hashes.update(self._hash_group(group))
        return self._hashes[name]

    def _hash_group(self, group: tuple[str, ...]) -> dict[str, str]:
        recursive = group[0] in self.recursive
        inside = set(group) if recursive else set()

        def key(name: str) -> str:
            return f"rule {name}" if name in inside else self._hashes.get(name) or f"slot {name}"

        depths = {name: self.rule(name).max_depth if recursive else None for name in group}
        own = {name: _digest(f"{depths[name]} {_content(self[name], key)}") for name in sorted(group)}
        if not recursive:
            return own
        whole = " ".join(f"{name}={digest}" for name, digest in own.items())
        return {name: _digest(f"{name} in {whole}") for name in group}


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, outer before inner, left to right."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def children(node: Node) -> tuple[Node, ...]:
    if isinstance(node, Seq):
        return node.items
    if isinstance(node, Alt):
        return node.options
    return (node.item,) if isinstance(node, Repeat) else ()


def references(node: Node) -> dict[str, Place]:
    """Names of the rules and slots that a node mentions, each with the place of its first mention, in that order."""
    found: dict[str, Place] = {}
    for ref in walk(node):
        if isinstance(ref, Ref):
            found.setdefault(ref.name, ref.at)
    return found


def char_ranges(ranges: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Inclusive ranges brought into the form that `Chars` asks for."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(pair for r in ranges for pair in _without_surrogates(*r)):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def complement(ranges: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Every code point outside the ranges, surrogates left out."""
    out, free = [], 0
    for low, high in char_ranges(ranges):
        out.append((free, low - 1))
        free = high + 1
    out.append((free, 0x10FFFF))
    return char_ranges(out)


def _without_surrogates(low: int, high: int) -> Iterator[tuple[int, int]]:
    for first, last in UNICODE:
        if max(low, first) <= min(high, last):
            yield max(low, first), min(high, last)


def _content(node: Node, key: Callable[[str], str]) -> str:
    if isinstance(node, Literal):
        return repr(node.text)
    if isinstance(node, Chars):
        return f"[{node.ranges}]"
    if isinstance(node, Ref):
        return f"<{key(node.name)}>"
    if isinstance(node, Repeat):
        return f"({_content(node.item, key)}){{{node.low},{node.high}}}"
    return f"{'|' if isinstance(node, Alt) else '&'}({' '.join(_content(child, key) for child in children(node))})"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def strong_components(uses: Mapping[str, tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Tarjan's algorithm, with its own stack."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    groups: list[tuple[str, ...]] = []
    for root in uses:
        if root in index:
            continue
        work = [(root, iter(uses[root]))]
        while work:
            name, rest = work[-1]
            if name not in index:
                index[name] = low[name] = len(index)
                path.append(name)
                on_path.add(name)
            for used in rest:
                if used not in index:
                    work.append((used, iter(uses[used])))
                    break
                if used in on_path:
                    low[name] = min(low[name], index[used])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[name])
                if low[name] == index[name]:
                    group = [path.pop()]
                    while group[-1] != name:
                        group.append(path.pop())
                    on_path.difference_update(group)
                    groups.append(tuple(reversed(group)))
    return groups
