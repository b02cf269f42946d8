"""What makes rules unusable, or hardly what their author meant: `check` finds it without compiling anything.

    names       undefined-rule  duplicate-rule  unused-rule  unreachable-rule
    recursion   left-recursion  mutual-left-recursion  recursion (without a depth)
    language    unproductive  epsilon-loop  free-text  unbounded-run
    words       forbidden-literal  forbidden-option
    cost        state-budget  cost

Errors make a grammar unusable; `load` raises them. Text from outside goes through `engine.grammar.sandbox`.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple, TypeVar

from engine.grammar.compiler import COUNTED, MAX_STATES
from engine.grammar.findings import Finding, guess, unusable
from engine.grammar.ir import (
    Alt,
    Chars,
    Literal,
    Node,
    Place,
    Ref,
    Repeat,
    Rules,
    Seq,
    children,
    strong_components,
    walk,
)
from engine.grammar.sources import read

MAX_NESTING = 200
BUILT_IN_SLOTS = frozenset(("SPAN",))
# A set of at least so many characters is free text.
WIDE = 500
# Blanks and punctuation, ASCII and Chinese: a run of these alone says nothing, however long.
BARE = (
    (0x09, 0x0D), (0x20, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E), (0xA0, 0xA0), (0x2010, 0x2027),
    (0x3000, 0x3003), (0x3008, 0x3011), (0x3014, 0x301F), (0xFF01, 0xFF0F), (0xFF1A, 0xFF20), (0xFF3B, 0xFF40),
    (0xFF5B, 0xFF65),
)  # fmt: skip
# So many repetitions at the end of a rule are followed up.
MAX_ENDS = 50
_MOST = 10**12
_Endless = dict[int, tuple[Repeat, tuple[tuple[int, int], ...]]]


def load(text: str, suffix: str = ".g4") -> Rules:
    """The rules of a text. Raises GrammarError with the reader's findings, or with the errors that `check` finds."""
    rules = read(text, suffix)
    errors = [finding for finding in check(rules) if finding.severity == "error"]
    if errors:
        raise unusable(errors)
    return rules


def check(
    rules: Rules,
    starts: Collection[str] = (),
    *,
    slots: Collection[str] | None = None,
    forbid: Iterable[str] = (),
    guards: Iterable[str] = (),
    budget: int = MAX_STATES,
) -> list[Finding]:
    """Findings in the order of their places.

    starts: the rules that texts start from; without them the source's own start and every parser rule that no rule uses.
    slots: the host slots that a request fills; without them those that the source declares, or every upper-case name.
    forbid: words that must never be completed; inside a text of `guards` they may (接近 in 接近开关).
    """
    deep = [name for name in rules if _nesting(rules[name]) > MAX_NESTING]
    if deep:
        return [Finding("nesting", rules.rule(name).at, name, {"limit": MAX_NESTING}) for name in deep]
    checks = _Checks(rules, starts, slots)
    findings = [
        *checks.undefined(),
        *checks.duplicates(),
        *checks.left_recursion(),
        *checks.recursion(),
        *checks.unproductive(),
        *checks.epsilon_loops(),
        *checks.unused(),
        *checks.free_text(),
        *checks.forbidden(forbid, guards),
        *checks.cost(budget),
    ]
    return sorted(findings, key=lambda finding: finding.at)


def start_rules(rules: Rules, starts: Collection[str] = ()) -> list[str]:
    """The starts that are rules; without any, the source's own start and every parser rule that no rule uses."""
    used = _used(rules)
    own = [
        name
        for name in rules
        if name == rules.start or not (name in used or rules.rule(name).fragment or name[:1].isupper())
    ]
    return [name for name in dict.fromkeys(starts) if name in rules] or own


def _used(rules: Rules) -> set[str]:
    return {other for name in rules for other in rules.uses[name] if other != name}


class _Cost(NamedTuple):
    """States before minimisation, counters, and whether the automaton calls slots or counters."""

    states: int
    counters: int
    plugs: bool

    def plus(self, other: _Cost) -> _Cost:
        counters = min(self.counters + other.counters, _MOST)
        return _Cost(min(self.states + other.states, _MOST), counters, self.plugs or other.plugs)

    def times(self, count: int) -> _Cost:
        return _Cost(min(self.states * count, _MOST), min(self.counters * count, _MOST), self.plugs and count > 0)


class _Checks:
    def __init__(self, rules: Rules, starts: Collection[str], slots: Collection[str] | None):
        self.rules = rules
        self.named_starts = list(dict.fromkeys(starts))
        self.slots = slots if slots is not None else rules.slots
        self.used = _used(rules)
        self.starts = start_rules(rules, starts)
        self.shortest = self._shortest(frozenset())

    def finding(self, code: str, at: Place, rule: str, **values: object) -> Finding:
        return Finding(code, at if at.line else self.rules.rule(rule).at, rule, values)

    # Names

    def is_slot(self, name: str) -> bool:
        if self.slots is None:
            return name.isupper()
        return name in self.slots or name in BUILT_IN_SLOTS

    def undefined(self) -> Iterator[Finding]:
        known = [*self.rules, *(self.slots or ())]
        for name in self.named_starts:
            if name not in self.rules:
                yield Finding("no-start", Place(1, 1), name, guess(name, known))
        for name in self.rules:
            for node in walk(self.rules[name]):
                if isinstance(node, Ref) and node.name not in self.rules and not self.is_slot(node.name):
                    yield self.finding("undefined-rule", node.at, name, used=node.name, **guess(node.name, known))

    def duplicates(self) -> Iterator[Finding]:
        for rule in self.rules.declared:
            first = self.rules.rule(rule.name)
            if rule is not first:
                yield Finding("duplicate-rule", rule.at, rule.name, {"first": first.at.line})

    def unused(self) -> Iterator[Finding]:
        reached, todo = set(self.starts), list(self.starts)
        while todo:
            for name in self.rules.uses[todo.pop()]:
                if name not in reached:
                    reached.add(name)
                    todo.append(name)
        for name in self.rules:
            if name not in reached:
                code = "unreachable-rule" if name in self.used else "unused-rule"
                yield Finding(code, self.rules.rule(name).at, name, {"starts": ", ".join(self.starts[:8])})

    # Recursion

    @cached_property
    def left_corners(self) -> dict[str, tuple[str, ...]]:
        """Rule -> the rules that may stand at its beginning."""
        return {name: tuple(dict.fromkeys(self._corners(self.rules[name]))) for name in self.rules}

    def _corners(self, node: Node) -> Iterator[str]:
        if isinstance(node, Ref) and node.name in self.rules:
            yield node.name
        elif isinstance(node, Seq):
            for item in node.items:
                yield from self._corners(item)
                if self.length(item) > 0:
                    break
        else:
            for child in children(node):
                yield from self._corners(child)

    @cached_property
    def left_loops(self) -> list[tuple[str, ...]]:
        """Groups of rules that begin with each other, or with themselves."""
        corners = self.left_corners
        return [group for group in strong_components(corners) if len(group) > 1 or group[0] in corners[group[0]]]

    def left_recursion(self) -> Iterator[Finding]:
        for group in self.left_loops:
            for name in group:
                if name in self.left_corners[name]:
                    yield Finding("left-recursion", self.rules.rule(name).at, name, {"loop": f"{name} -> {name}"})
            if len(group) > 1:
                first, loop = self._loop(group, self.left_corners)
                yield Finding("mutual-left-recursion", self.rules.rule(first).at, first, {"loop": loop})

    def recursion(self) -> Iterator[Finding]:
        """Loops that no rule with a depth interrupts; those at the left have been told already."""
        told = {name for group in self.left_loops for name in group}
        for group in self.rules.unbounded:
            if not told & set(group):
                first, loop = self._loop(group, self.rules.uses)
                yield Finding("recursion", self.rules.rule(first).at, first, {"loop": loop})

    def _loop(self, group: tuple[str, ...], graph: Mapping[str, tuple[str, ...]]) -> tuple[str, str]:
        """The first rule of the group in source order, and a shortest loop through it."""
        inside = set(group)
        first = next(name for name in self.rules if name in inside)
        came: dict[str, str] = {}
        todo = [first]
        for name in todo:
            for used in graph[name]:
                if used in inside and used not in came:
                    came[used] = name
                    todo.append(used)
        path = [first, came[first]]
        while path[-1] != first:
            path.append(came[path[-1]])
        return first, " -> ".join(reversed(path))

    # Language

    def _shortest(self, dead: frozenset[int]) -> dict[str, float]:
        """Rule -> the length of its shortest text in characters, infinite when it has none. `dead`: ids of impossible nodes."""
        return _settled(self.rules, math.inf, lambda name, known: _length(self.rules[name], known, dead))

    def length(self, node: Node) -> float:
        return _length(node, self.shortest, frozenset())

    def unproductive(self) -> Iterator[Finding]:
        for name in self.rules:
            if math.isinf(self.shortest[name]):
                cause = next((used for used in self.rules.uses[name] if math.isinf(self.shortest[used])), name)
                yield Finding("unproductive", self.rules.rule(name).at, name, {"because": cause})

    def epsilon_loops(self) -> Iterator[Finding]:
        for name, node in self.repeats():
            if node.high is None and self.length(node.item) == 0:
                yield self.finding("epsilon-loop", node.at, name)

    def repeats(self) -> Iterator[tuple[str, Repeat]]:
        for name in self.rules:
            for node in walk(self.rules[name]):
                if isinstance(node, Repeat):
                    yield name, node

    def free_text(self) -> Iterator[Finding]:
        told: set[int] = set()
        for name in self.rules:
            for node in walk(self.rules[name]):
                if isinstance(node, Seq):
                    for finding, repeat in self._free_before_literal(name, node):
                        if id(repeat) not in told:
                            told.add(id(repeat))
                            yield finding
        bare = _settled(self.rules, (False, False), lambda name, known: _bare(self.rules[name], known))
        rules_told = set()
        for name, node in self.repeats():
            if node.high is None and id(node) not in told and name not in rules_told and _bare(node.item, bare)[1]:
                rules_told.add(name)
                yield self.finding("unbounded-run", node.at, name)

    def _free_before_literal(self, name: str, seq: Seq) -> Iterator[tuple[Finding, Repeat]]:
        for i, item in enumerate(seq.items[:-1]):
            after = next((other for other in seq.items[i + 1 :] if self.length(other) > 0), None)
            literal = self._literal_at_start(after, 0) if after is not None else None
            if literal is None:
                continue
            for repeat, ranges in self._endless_at_end(item, self._endless).values():
                holds = all(_inside(ord(char), ranges) for char in literal.text)
                if not holds and sum(high - low + 1 for low, high in ranges) < WIDE:
                    continue
                values = {"literal": repr(literal.text), "also": "", "also_zh": "", "fix": "", "fix_zh": ""}
                if holds:
                    char = repr(literal.text[0])
                    values |= {"also": ", and can hold it", "also_zh": "，且其中可含有它"}
                    values |= {"fix": f", and take {char} out of the set", "fix_zh": f"，并从字符集中排除 {char}"}
                yield self.finding("free-text", repeat.at, name, **values), repeat

    def _literal_at_start(self, node: Node, depth: int) -> Literal | None:
        """The literal that every text of the node begins with, if there is one."""
        if isinstance(node, Literal) and node.text:
            return node
        if isinstance(node, Ref) and node.name in self.rules and depth < MAX_NESTING:
            return self._literal_at_start(self.rules[node.name], depth + 1)
        if isinstance(node, Seq) and node.items:
            return self._literal_at_start(node.items[0], depth + 1)
        if isinstance(node, Repeat) and node.low:
            return self._literal_at_start(node.item, depth + 1)
        return None

    def _endless_at_end(self, node: Node, known: Mapping[str, _Endless]) -> _Endless:
        """Repetitions of a set without a bound that may end a text of the node, by identity."""
        if isinstance(node, Ref):
            return known.get(node.name, {})
        if isinstance(node, Repeat):
            item = node.item
            if isinstance(item, Ref) and isinstance(self.rules.get(item.name), Chars):
                item = self.rules[item.name]
            if node.high is None and isinstance(item, Chars):
                return {id(node): (node, item.ranges)}
            return self._endless_at_end(item, known)
        found: _Endless = {}
        for child in reversed(children(node)):
            found |= self._endless_at_end(child, known)
            if isinstance(node, Seq) and self.length(child) > 0:
                break
        return found

    @cached_property
    def _endless(self) -> dict[str, _Endless]:
        def ends(name: str, known: dict[str, _Endless]) -> _Endless:
            found = known[name] | self._endless_at_end(self.rules[name], known)
            return dict(list(found.items())[:MAX_ENDS])

        return _settled(self.rules, {}, ends)

    # Words

    def forbidden(self, words: Iterable[str], guards: Iterable[str]) -> Iterator[Finding]:
        folded = {word: _folded(word) for word in dict.fromkeys(words)}
        kept = [text for text in map(_folded, dict.fromkeys(guards)) if text]
        hits: list[tuple[str, _Run, str]] = []
        for name in self.rules:
            for run in self._runs(self.rules[name]):
                hits += [(name, run, word) for word, text in folded.items() if text and run.holds(text, kept)]
        without = self._shortest(frozenset(id(run.node) for _, run, _ in hits))
        for name, run, word in hits:
            must = math.isinf(without[name]) and not math.isinf(self.shortest[name])
            code = "forbidden-literal" if must else "forbidden-option"
            text = run.text if len(run.text) <= 24 else f"{run.text[:23]}…"
            yield self.finding(code, run.at, name, literal=repr(text), word=word)

    def _runs(self, node: Node) -> Iterator[_Run]:
        """Stretches of the node that can be only one text; neighbours in a sequence are one stretch."""
        if isinstance(node, Seq):
            parts: list[tuple[str, bool]] = []
            at = node.at
            for item in (*node.items, None):
                text = self._only_text(item) if item is not None else None
                if text is not None and item is not None:
                    at = at if parts else item.at
                    parts.append((text, isinstance(item, Ref)))
                    continue
                if parts:
                    yield _Run(node, at, parts)
                parts = []
                if item is not None:
                    yield from self._runs(item)
        elif isinstance(node, Literal):
            yield _Run(node, node.at, [(node.text, False)])
        else:
            for child in children(node):
                yield from self._runs(child)

    def _only_text(self, node: Node) -> str | None:
        if isinstance(node, Literal):
            return node.text
        if isinstance(node, Ref):
            return self._only_texts.get(node.name)
        if isinstance(node, Seq):
            texts = [self._only_text(item) for item in node.items]
            return None if None in texts else "".join(text for text in texts if text)
        return None

    @cached_property
    def _only_texts(self) -> dict[str, str]:
        found: dict[str, str] = {}
        self.__dict__["_only_texts"] = found
        for group in self.rules.components:
            text = self._only_text(self.rules[group[0]]) if group[0] not in self.rules.recursive else None
            if text is not None and len(text) <= 1000:
                found[group[0]] = text
        return found

    # Cost

    def cost(self, budget: int) -> Iterator[Finding]:
        costs = self._costs()
        for name in self.rules:
            if budget < self.shortest[name] < math.inf:
                why, why_zh = "its shortest text has so many characters", "其最短文本就有这么多字符"
                values = {"states": int(self.shortest[name]), "budget": budget, "why": why, "why_zh": why_zh}
                yield Finding("state-budget", self.rules.rule(name).at, name, values)
        for name in self.starts:
            if math.isinf(self.shortest[name]):
                continue
            reached, todo = {name}, [name]
            while todo:
                following = [used for used in self.rules.uses[todo.pop()] if used not in reached]
                reached.update(following)
                todo += following
            states = f"{costs[name].states:,}" if costs[name].states < _MOST else f"over {_MOST:,}"
            values = {"rules": len(reached), "states": states, "counters": costs[name].counters}
            values["shortest"] = int(self.shortest[name])
            yield Finding("cost", self.rules.rule(name).at, name, values)

    def _costs(self) -> dict[str, _Cost]:
        """Rule -> the size of its automaton before minimisation; a recursive rule as deep as it may go, about."""
        found = dict.fromkeys(self.rules, _Cost(0, 0, False))
        for group in self.rules.components:
            depths = [self.rules.rule(name).max_depth for name in group]
            rounds = min(64, sum(depth + 1 for depth in depths if depth is not None) or 1)
            for _ in range(rounds if group[0] in self.rules.recursive else 1):
                for name in group:
                    found[name] = self._cost(self.rules[name], found)
        return found

    def _cost(self, node: Node, known: Mapping[str, _Cost]) -> _Cost:
        if isinstance(node, Literal):
            return _Cost(len(node.text), 0, False)
        if isinstance(node, Chars):
            return _Cost(1, 0, False)
        if isinstance(node, Ref):
            return known.get(node.name, _Cost(1, 0, True))
        if isinstance(node, Repeat):
            item = self._cost(node.item, known)
            if node.high is None:
                return item.times(node.low + 1).plus(_Cost(1, 0, False))
            if node.high - node.low >= COUNTED and not item.plugs:
                return item.times(max(node.low, 1)).plus(_Cost(1, 1, True))
            return item.times(node.high)
        total = _Cost(1 if isinstance(node, Alt) else 0, 0, False)
        for child in children(node):
            total = total.plus(self._cost(child, known))
        return total


class _Run:
    """One text made of parts, each with whether it comes from another rule; `node` is impossible without it."""

    def __init__(self, node: Node, at: Place, parts: list[tuple[str, bool]]):
        self.node, self.at = node, at
        self.text = "".join(text for text, _ in parts)
        self._folded = "".join(_folded(text) for text, _ in parts)
        self._foreign: list[tuple[int, int]] = []
        end = 0
        for text, foreign in parts:
            start, end = end, end + len(_folded(text))
            if foreign:
                self._foreign.append((start, end))

    def holds(self, word: str, guards: list[str]) -> bool:
        """Whether the word stands in it, outside the guards and not wholly inside another rule's part."""
        safe = [*self._foreign, *(span for guard in guards if word in guard for span in _spans(self._folded, guard))]
        return any(
            not any(low <= start and end <= high for low, high in safe) for start, end in _spans(self._folded, word)
        )


_Value = TypeVar("_Value")


def _settled(rules: Rules, nothing: _Value, value: Callable[[str, dict[str, _Value]], _Value]) -> dict[str, _Value]:
    """Rule -> its value out of the values of the rules that it uses, to the least fixed point above `nothing`."""
    found = dict.fromkeys(rules, nothing)
    for group in rules.components:
        again = True
        while again:
            again = False
            for name in group:
                new = value(name, found)
                again |= name in rules.recursive and new != found[name]
                found[name] = new
    return found


def _spans(text: str, word: str) -> Iterator[tuple[int, int]]:
    at = text.find(word)
    while at >= 0:
        yield at, at + len(word)
        at = text.find(word, at + 1)


def _folded(text: str) -> str:
    """Full-width as half-width, compatibility forms as the plain ones, without zero-width characters and case."""
    plain = unicodedata.normalize("NFKC", text)
    return "".join(char for char in plain if unicodedata.category(char) != "Cf").casefold()


def _length(node: Node, known: Mapping[str, float], dead: frozenset[int]) -> float:
    """Characters of the shortest text; a host slot holds at least one."""
    if id(node) in dead:
        return math.inf
    if isinstance(node, Literal):
        return len(node.text)
    if isinstance(node, Chars):
        return 1 if node.ranges else math.inf
    if isinstance(node, Ref):
        return known.get(node.name, 1)
    if isinstance(node, Repeat):
        return node.low * _length(node.item, known, dead) if node.low else 0
    if isinstance(node, Alt):
        return min((_length(option, known, dead) for option in node.options), default=math.inf)
    return sum(_length(item, known, dead) for item in node.items)


def _bare(node: Node, known: Mapping[str, tuple[bool, bool]]) -> tuple[bool, bool]:
    """Whether the node has the empty text, and another text of blanks and punctuation only."""
    if isinstance(node, Literal):
        return not node.text, bool(node.text) and all(_inside(ord(char), BARE) for char in node.text)
    if isinstance(node, Chars):
        return False, any(low <= last and first <= high for low, high in node.ranges for first, last in BARE)
    if isinstance(node, Ref):
        return known.get(node.name, (False, False))
    parts = [_bare(child, known) for child in children(node)]
    if isinstance(node, Repeat):
        return node.low == 0 or parts[0][0], parts[0][1]
    if isinstance(node, Alt):
        return any(empty for empty, _ in parts), any(some for _, some in parts)
    every = all(empty or some for empty, some in parts)
    return all(empty for empty, _ in parts), every and any(some for _, some in parts)


def _inside(code: int, ranges: Iterable[tuple[int, int]]) -> bool:
    return any(low <= code <= high for low, high in ranges)


def _nesting(node: Node) -> int:
    depth, level = 0, [node]
    while level and depth <= MAX_NESTING:
        level = [child for node in level for child in children(node)]
        depth += 1
    return depth
