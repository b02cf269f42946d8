"""The form automaton of one request: the grammar with the frame's strings in its slots.

A Thompson automaton over characters, determinised lazily. States are interned, so that equal situations share one
state and one mask.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.grammar.findings import GrammarError
from engine.grammar.ir import Alt, Chars, Literal, Node, Repeat, Rules, Seq

UNREACHABLE = 1 << 30
MAX_NODES = 400_000
# A span of the disclosure never crosses one of these.
CLAUSE_BREAKS = frozenset("。；;！？!?：:\n\r\t \"“”\\#*|>`")


@dataclass(eq=False)
class FormState:
    """Where the text stands in the form. `moves` maps a character to the next state; `distance` is the least number of
    characters to acceptance by form alone."""

    nodes: frozenset[int]
    accepting: bool
    distance: int
    _automaton: FormAutomaton = field(repr=False)
    _moves: dict[str, FormState] | None = field(default=None, repr=False)
    _nearest: list[str] | None = field(default=None, repr=False)

    @property
    def moves(self) -> dict[str, FormState]:
        if self._moves is None:
            self._moves = self._automaton._expand(self)
        return self._moves

    @property
    def nearest(self) -> list[str]:
        """The characters that may follow, those that lead to the end soonest first."""
        if self._nearest is None:
            moves = self.moves
            self._nearest = sorted(moves, key=lambda char: (moves[char].distance, char))
        return self._nearest


class FormAutomaton:
    """Form states of `start` under `slots` (name -> strings) and `spans` (name -> (text, word starts, word ends))."""

    def __init__(
        self,
        rules: Rules,
        start: str,
        slots: Mapping[str, Sequence[str]],
        source: str = "",
        boundaries: Sequence[int] = (),
    ):
        self._rules, self._slots = rules, slots
        self._source, self._boundaries = source, boundaries
        self._chars: list[dict[str, list[int]]] = []
        self._ranges: list[list[tuple[int, int, int]]] = []
        self._epsilon: list[list[int]] = []
        if start not in rules:
            raise GrammarError("undefined-rule", f"there is no start rule {start}")
        self._open: Counter[str] = Counter()
        self._final = self._node()
        entry = self._build(rules[start], self._final)
        self._distance = self._distances()
        self._states: dict[frozenset[int], FormState] = {}
        self.start = self._state({entry})
        if self.start.distance >= UNREACHABLE:
            raise GrammarError("unproductive", f"rule {start} matches no text with these slots")

    def _node(self) -> int:
        if len(self._chars) >= MAX_NODES:
            raise GrammarError("too-large", f"the grammar needs more than {MAX_NODES} automaton nodes")
        self._chars.append({})
        self._ranges.append([])
        self._epsilon.append([])
        return len(self._chars) - 1

    def _build(self, node: Node, then: int) -> int:
        """An entry node from which `node` and then `then` is read."""
        if isinstance(node, Literal):
            for char in reversed(node.text):
                before = self._node()
                self._chars[before].setdefault(char, []).append(then)
                then = before
            return then
        if isinstance(node, Chars):
            entry = self._node()
            self._ranges[entry] = [(low, high, then) for low, high in node.ranges]
            return entry
        if isinstance(node, Seq):
            for item in reversed(node.items):
                then = self._build(item, then)
            return then
        if isinstance(node, Alt):
            entry = self._node()
            self._epsilon[entry] = [self._build(option, then) for option in node.options]
            return entry
        if isinstance(node, Repeat):
            return self._build_repeat(node, then)
        if node.name in self._rules:
            return self._build_rule(node.name, then)
        if node.name == "SPAN":
            return self._build_span(then)
        if node.name not in self._slots:
            raise GrammarError("unbound-slot", f"the request gives no strings for {node.name}")
        return self._build_trie(self._slots[node.name], then)

    def _build_rule(self, name: str, then: int) -> int:
        """The rule's body; beyond its `max_depth` a node from which nothing is read."""
        depth = self._rules.rule(name).max_depth
        if depth is not None and self._open[name] > depth:
            return self._node()
        self._open[name] += 1
        entry = self._build(self._rules[name], then)
        self._open[name] -= 1
        return entry

    def _build_repeat(self, node: Repeat, then: int) -> int:
        entry = then
        if node.high is None:
            entry = self._node()
            self._epsilon[entry] = [self._build(node.item, entry), then]
        else:
            for _ in range(node.high - node.low):
                optional = self._node()
                self._epsilon[optional] = [self._build(node.item, entry), then]
                entry = optional
        for _ in range(node.low):
            entry = self._build(node.item, entry)
        return entry

    def _build_trie(self, strings: Sequence[str], then: int) -> int:
        entry = self._node()
        for text in strings:
            if not text:
                raise GrammarError("empty-slot", "a host slot holds an empty string")
            at = entry
            for char in text[:-1]:
                targets = self._chars[at].setdefault(char, [])
                inner = next((target for target in targets if target != then), None)
                if inner is None:
                    inner = self._node()
                    targets.append(inner)
                at = inner
            targets = self._chars[at].setdefault(text[-1], [])
            if then not in targets:
                targets.append(then)
        return entry

    def _build_span(self, then: int) -> int:
        """Any stretch of whole words inside one clause of the source."""
        text, cuts = self._source, set(self._boundaries)
        nodes = [self._node() for _ in range(len(text) + 1)]
        entry = self._node()
        for at, char in enumerate(text):
            if char in CLAUSE_BREAKS:
                continue
            targets = self._chars[nodes[at]].setdefault(char, [])
            if at + 1 in cuts:
                targets.append(then)
            if at + 1 < len(text) and text[at + 1] not in CLAUSE_BREAKS:
                targets.append(nodes[at + 1])
            if at in cuts and char not in "，、,.）)」』 ":
                self._epsilon[entry].append(nodes[at])
        return entry

    def _distances(self) -> list[int]:
        """Least number of characters from each node to the final one."""
        backward: list[list[tuple[int, int]]] = [[] for _ in self._chars]
        for node in range(len(self._chars)):
            for target in self._epsilon[node]:
                backward[target].append((node, 0))
            for targets in self._chars[node].values():
                for target in targets:
                    backward[target].append((node, 1))
            for _, _, target in self._ranges[node]:
                backward[target].append((node, 1))
        distance = [UNREACHABLE] * len(self._chars)
        distance[self._final] = 0
        level = [self._final]
        cost = 0
        while level:
            following: list[int] = []
            while level:
                node = level.pop()
                if distance[node] != cost:
                    continue
                for before, weight in backward[node]:
                    if cost + weight < distance[before]:
                        distance[before] = cost + weight
                        (following if weight else level).append(before)
            level, cost = following, cost + 1
        return distance

    def _state(self, entries: set[int]) -> FormState:
        closure, stack = set(entries), list(entries)
        while stack:
            for target in self._epsilon[stack.pop()]:
                if target not in closure:
                    closure.add(target)
                    stack.append(target)
        nodes = frozenset(
            node
            for node in closure
            if self._distance[node] < UNREACHABLE
            and (self._chars[node] or self._ranges[node] or node == self._final)
        )
        state = self._states.get(nodes)
        if state is None:
            distance = min((self._distance[node] for node in nodes), default=UNREACHABLE)
            state = FormState(nodes, self._final in nodes, distance, self)
            self._states[nodes] = state
        return state

    def _expand(self, state: FormState) -> dict[str, FormState]:
        targets: dict[str, set[int]] = {}
        ranges = [edge for node in state.nodes for edge in self._ranges[node]]
        for low, high, target in ranges:
            for code in range(low, high + 1):
                if not 0xD800 <= code <= 0xDFFF:
                    targets.setdefault(chr(code), set()).add(target)
        for node in state.nodes:
            for char, ends in self._chars[node].items():
                targets.setdefault(char, set()).update(ends)
        moves: dict[str, FormState] = {}
        shared: dict[frozenset[int], FormState] = {}
        for char, reached in targets.items():
            key = frozenset(reached)
            following = shared.get(key)
            if following is None:
                following = shared[key] = self._state(reached)
            if following.distance < UNREACHABLE:
                moves[char] = following
        return moves
