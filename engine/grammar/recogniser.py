"""Reads finished texts: is the text in the language, where does the form die, and how is it derived?

Works on the intermediate form alone, without host slots and recursion. The rules become one Thompson automaton whose
subsets are determinised as texts need them; a second pass from the end keeps the paths that reach acceptance at the
least cost (a derivation may not be free of fault rules, but has as few as possible), a third takes the first of them
by priority (earlier alternatives first, repetitions as long as possible: leftmost-first as in Pike's algorithm). All
three passes are table look-ups once warm.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Set
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.grammar.findings import GrammarError
from engine.grammar.ir import Alt, Chars, Literal, Node, Repeat, Rules, Seq

MAX_NODES = 200_000
MAX_KEPT = 200_000  # remembered subsets, survivors and paths; then all are forgotten


class Span(NamedTuple):
    """A rule that derives text[start:end]."""

    rule: str
    start: int
    end: int


@dataclass(eq=False)
class _Subset:
    """Automaton nodes alive after some text, as far as they read a character or end the text."""

    nodes: frozenset[int]
    moves: dict[int, _Subset | None] = field(default_factory=dict, repr=False)


@dataclass(eq=False)
class _Alive:
    """Nodes from which the rest of a text is read, each with its cost above that of the cheapest."""

    cost: dict[int, int]


class Recogniser:
    """The texts of rule `start`. Rules named in `faults` are used as seldom as possible, so that a grammar can also
    describe, and name, what is wrong with a text. Raises GrammarError for slots and recursion.
    """

    def __init__(self, rules: Rules, start: str, faults: Set[str] = frozenset()):
        if start not in rules:
            raise GrammarError("undefined-rule", f"there is no start rule {start}")
        self._rules, self._faults = rules, faults
        self._edges: list[list[tuple[int, int]]] = []  # character ranges read at a node
        self._target: list[int] = []
        self._split: list[list[int]] = []  # without reading, in priority order
        self._event: list[tuple[str, bool] | None] = []  # (rule, whether it opens here)
        self._owner: list[tuple[str, ...]] = []  # rules open at the node, outermost first
        self._open: list[str] = []
        self._final = self._node()
        self._entry = self._build_rule(start, self._final)
        self._borders = sorted({edge for edges in self._edges for low, high in edges for edge in (low, high + 1)})
        self._closures: dict[int, dict[int, int]] = {}
        self._forget()

    def _forget(self) -> None:
        self._subsets: dict[frozenset[int], _Subset] = {}
        self._known: dict[frozenset[tuple[int, int]], _Alive] = {}
        self._before: dict[tuple[frozenset[int], int, _Alive], _Alive] = {}
        self._paths: dict[tuple[int, _Alive], tuple[int, tuple[tuple[str, bool], ...]]] = {}
        self._start = self._subset(frozenset(self._closure(self._entry)))
        self._end = self._alive({self._final: 0})

    def died_at(self, text: str) -> int | None:
        """The first character after which no text of the language goes on; len(text) when only the end is missing;
        None when the text is in the language."""
        if len(self._subsets) + len(self._before) + len(self._paths) > MAX_KEPT:
            self._forget()
        state = self._start
        for at, char in enumerate(text):
            following = self._move(state, self._class(char))
            if following is None:
                return at
            state = following
        return None if self._final in state.nodes else len(text)

    def open_rules(self, text: str) -> list[tuple[str, ...]]:
        """The rules open after `text`, outermost first, one line for each way to go on."""
        state: _Subset | None = self._start
        for char in text:
            state = state and self._move(state, self._class(char))
        return sorted({self._owner[node] for node in state.nodes}) if state else []

    def derive(self, text: str) -> list[Span] | None:
        """The rules of the first derivation by priority, outer before inner, left to right; lexer rules (upper case)
        are left out. None when the text is not in the language."""
        if self.died_at(text) is not None:
            return None
        classes = [self._class(char) for char in text]
        states = [self._start]
        for symbol in classes:
            following = self._move(states[-1], symbol)
            assert following is not None
            states.append(following)
        alive = [self._end]
        for at in range(len(text) - 1, -1, -1):
            alive.append(self._survivors(states[at].nodes, classes[at], alive[-1]))
        return self._spans(alive[::-1])

    def _spans(self, survivors: list[_Alive]) -> list[Span]:
        spans: list[Span] = []
        opened: list[int] = []
        entry = self._entry
        for at, alive in enumerate(survivors):
            node, events = self._path(entry, alive)
            for rule, opens in events:
                if opens:
                    opened.append(len(spans))
                    spans.append(Span(rule, at, at))
                else:
                    index = opened.pop()
                    spans[index] = spans[index]._replace(end=at)
            if node != self._final:
                entry = self._target[node]
        return spans

    def _class(self, char: str) -> int:
        return bisect_right(self._borders, ord(char))

    def _reads(self, node: int, symbol: int) -> bool:
        """Whether the node reads the characters of a class: no range begins or ends inside one."""
        if not 0 < symbol <= len(self._borders):
            return False
        low = self._borders[symbol - 1]
        return any(first <= low <= last for first, last in self._edges[node])

    def _price(self, node: int) -> int:
        """1 where a fault rule opens."""
        event = self._event[node]
        return int(event is not None and event[1] and event[0] in self._faults)

    def _closure(self, entry: int) -> dict[int, int]:
        """The nodes that read a character or end the text, reached from `entry` without reading: node -> least cost."""
        found = self._closures.get(entry)
        if found is None:
            found, cost = {}, {entry: 0}
            queue = deque([entry])
            while queue:
                node = queue.popleft()
                if self._edges[node] or node == self._final:
                    found[node] = cost[node]
                for target in self._split[node]:
                    price = cost[node] + self._price(node)
                    if price < cost.get(target, MAX_NODES):
                        cost[target] = price
                        queue.append(target)
            self._closures[entry] = found
        return found

    def _subset(self, nodes: frozenset[int]) -> _Subset:
        state = self._subsets.get(nodes)
        if state is None:
            state = self._subsets[nodes] = _Subset(nodes)
        return state

    def _move(self, state: _Subset, symbol: int) -> _Subset | None:
        if symbol not in state.moves:
            targets = {self._target[node] for node in state.nodes if self._reads(node, symbol)}
            reached: frozenset[int] = frozenset().union(*(self._closure(target) for target in targets))
            state.moves[symbol] = self._subset(reached) if reached else None
        return state.moves[symbol]

    def _alive(self, cost: dict[int, int]) -> _Alive:
        least = min(cost.values(), default=0)
        key = frozenset((node, price - least) for node, price in cost.items())
        alive = self._known.get(key)
        if alive is None:
            alive = self._known[key] = _Alive(dict(key))
        return alive

    def _survivors(self, nodes: frozenset[int], symbol: int, after: _Alive) -> _Alive:
        key = (nodes, symbol, after)
        found = self._before.get(key)
        if found is None:
            cost = {}
            for node in nodes:
                if self._reads(node, symbol):
                    ways = self._closure(self._target[node])
                    rest = [price + after.cost[leaf] for leaf, price in ways.items() if leaf in after.cost]
                    if rest:
                        cost[node] = min(rest)
            found = self._before[key] = self._alive(cost)
        return found

    def _path(self, entry: int, alive: _Alive) -> tuple[int, tuple[tuple[str, bool], ...]]:
        """The cheapest node of `alive` that `entry` reaches first by priority, and the rules opened and closed on the
        way there."""
        key = (entry, alive)
        found = self._paths.get(key)
        if found is None:
            found = self._paths[key] = self._find_path(entry, alive)
        return found

    def _find_path(self, entry: int, alive: _Alive) -> tuple[int, tuple[tuple[str, bool], ...]]:
        best = min(price + alive.cost[leaf] for leaf, price in self._closure(entry).items() if leaf in alive.cost)
        came: dict[tuple[int, int], tuple[int, int] | None] = {}
        stack: list[tuple[tuple[int, int], tuple[int, int] | None]] = [((entry, 0), None)]
        while stack:
            here, before = stack.pop()
            node, paid = here
            if here in came or paid > best:
                continue
            came[here] = before
            if node in alive.cost and paid + alive.cost[node] == best:
                break
            following = paid + self._price(node)
            stack.extend(((target, following), here) for target in reversed(self._split[node]))
        events, at = [], before
        while at is not None:
            event = self._event[at[0]]
            if event is not None:
                events.append(event)
            at = came[at]
        return node, tuple(reversed(events))

    def _node(self, split: list[int] | None = None, event: tuple[str, bool] | None = None) -> int:
        if len(self._edges) >= MAX_NODES:
            raise GrammarError("too-large", f"the grammar needs more than {MAX_NODES} automaton nodes")
        self._edges.append([])
        self._target.append(-1)
        self._split.append(split or [])
        self._event.append(event)
        self._owner.append(tuple(self._open))
        return len(self._edges) - 1

    def _reading(self, ranges: list[tuple[int, int]], then: int) -> int:
        node = self._node()
        self._edges[node], self._target[node] = ranges, then
        return node

    def _build(self, node: Node, then: int) -> int:
        """An entry node from which `node` and then `then` is read."""
        if isinstance(node, Literal):
            for char in reversed(node.text):
                then = self._reading([(ord(char), ord(char))], then)
            return then
        if isinstance(node, Chars):
            return self._reading(list(node.ranges), then)
        if isinstance(node, Seq):
            for item in reversed(node.items):
                then = self._build(item, then)
            return then
        if isinstance(node, Alt):
            return self._node([self._build(option, then) for option in node.options])
        if isinstance(node, Repeat):
            return self._build_repeat(node, then)
        if node.name not in self._rules:
            raise GrammarError("unbound-slot", f"a text is read without a request: {node.name} has no strings")
        return self._build_rule(node.name, then)

    def _build_rule(self, name: str, then: int) -> int:
        if name in self._open:
            raise GrammarError("recursion", f"rule {name} stands inside itself; use repetition instead")
        if name.isupper():
            return self._build(self._rules[name], then)
        self._open.append(name)
        closing = self._node([then], (name, False))
        entry = self._node([self._build(self._rules[name], closing)], (name, True))
        self._open.pop()
        return entry

    def _build_repeat(self, node: Repeat, then: int) -> int:
        entry = then
        if node.high is None:
            entry = self._node()
            self._split[entry] = [self._build(node.item, entry), then]
        else:
            for _ in range(node.high - node.low):
                entry = self._node([self._build(node.item, entry), then])
        for _ in range(node.low):
            entry = self._build(node.item, entry)
        return entry
