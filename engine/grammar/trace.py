"""SHIFT / REDUCE / ACCEPT of a text while it is written, by an incremental generalised parser over the rules.

    parser = Parser(rules, "independent", slots)
    for piece in pieces:
        events += parser.feed(piece)      what all derivations still alive agree on
    events += parser.finish()             the rest, and ACCEPT

Every derivation of the text so far is a stack, kept in the order of priority. Stacks share their tails (a graph-structured
stack, Tomita 1985; descent as in Scott and Johnstone's GLL, 2010), and of two derivations that meet in the same stack only
the first goes on: whatever follows is open to both. Histories form a tree; an event leaves it once nothing alive differs.

Priority, where a text has several derivations: at the first difference the earlier alternative, one more round of a
repetition, the longer string of a slot. A round beyond the least number reads something. This is the leftmost-first rule
of backtracking parsers, so the events are those of a replay over the finished text, however it was cut into pieces.

Events are dicts: op, start, end (characters), and for SHIFT the text and its `token` (an upper-case rule) or `slot`; for
REDUCE the rule and its alternative, counted from 1; for ACCEPT the rule.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.grammar.findings import GrammarError
from engine.grammar.ir import Alt, Chars, Literal, Node, Repeat, Rules, Seq
from engine.grammar.words import Graph

Event = dict[str, object]
MAX_STACKS = 20_000
_KEPT = 100_000  # remembered closures; then all are forgotten


class Refused(ValueError):
    """The text has no derivation: it dies at character `at`, or lacks its end when `at` is its length."""

    def __init__(self, rule: str, at: int):
        super().__init__(f"the text is no {rule}: nothing in it goes on at character {at}")
        self.at = at


class Item(NamedTuple):
    """One way to go on: the rules open, outermost first, and what is read next ("" for the end of the text)."""

    rules: tuple[str, ...]
    expects: str


@dataclass(eq=False)
class _Read:
    """One character. `shown` is what a reader of an explanation sees: the rest of a literal, or a set."""

    low: list[int]
    high: list[int]
    shown: str
    then: _Step

    def reads(self, code: int) -> bool:
        at = bisect_right(self.low, code) - 1
        return at >= 0 and code <= self.high[at]


@dataclass(eq=False)
class _Slot:
    """A string of a host slot, character by character through its trie."""

    name: str
    edges: list[dict[str, int]]
    accepting: list[bool]
    then: _Step


@dataclass(eq=False)
class _Split:
    options: list[_Step]


@dataclass(eq=False)
class _Mark:
    mark: _Event
    then: _Step


@dataclass(eq=False)
class _Call:
    rule: str
    silent: bool  # inside a token
    then: _Step


@dataclass(eq=False)
class _Loop:
    low: int
    high: int | None
    then: _Step
    body: _Step | None = None


@dataclass(eq=False)
class _Return:
    """The end of a rule, of a round, or of the text."""


_Step = _Read | _Slot | _Split | _Mark | _Call | _Loop | _Return
_RETURN = _Return()


class _Event(NamedTuple):
    """open, close: of a rule; begin, end: of a token."""

    kind: str
    name: str = ""
    key: str = ""
    alternative: int = 0


@dataclass(eq=False)
class _Frame:
    """What goes on when a rule or a round ends. `fresh`: a round that has read nothing so far."""

    node: _Call | _Loop
    count: int
    fresh: bool
    parent: _Frame | None


_Config = tuple[_Read | _Slot | _Return, int, _Frame | None]
_Leaf = tuple[_Config, tuple[_Event, ...]]


@dataclass(eq=False)
class _History:
    """Events at one place, behind those of the parent. It lives while a derivation or a child holds it."""

    parent: _History | None
    events: tuple[_Event, ...]
    at: int
    holders: int = 0
    children: dict[_History, None] = field(default_factory=dict)

    def after(self, events: tuple[_Event, ...], at: int) -> _History:
        child = _History(self, events, at)
        self.children[child] = None
        return child

    def release(self) -> None:
        self.holders -= 1
        node: _History | None = self
        while node and not node.holders and not node.children and node.parent:
            node.parent.children.pop(node, None)
            node = node.parent


class Parser:
    """Reads a text of rule `start` piece by piece. `slots`: host slot -> its strings; `span`: what SPAN may be, asked for
    when the rules want it. Raises GrammarError for an undefined start, an unbound slot, and recursion without a depth."""

    def __init__(
        self, rules: Rules, start: str, slots: Mapping[str, Sequence[str]], span: Callable[[], Graph] | None = None
    ):
        if start not in rules:
            raise GrammarError("undefined-rule", f"there is no start rule {start}")
        for loop in rules.unbounded:
            raise GrammarError("recursion", f"{loop[0]}: recursion has no depth bound", *rules.rule(loop[0]).at)
        self.rules, self.start, self.text = rules, start, ""
        self._slots, self._span = slots, span
        self._entries: dict[str, _Step] = {}
        self._tries: dict[str, tuple[list[dict[str, int]], list[bool]]] = {}
        self._frames: dict[tuple[object, ...], _Frame] = {}
        self._closures: dict[tuple[_Step, _Frame | None], tuple[_Leaf, ...]] = {}
        self._opened: list[tuple[_Event, int]] = []
        self._begun: tuple[_Event, int] = (_Event("begin"), 0)
        self._root = _History(None, (), 0)
        call = _Call(start, False, _RETURN)
        leaves = self._closure(self._reference(call), None)
        self._alive: dict[_Config, _History] = {}
        for config, events in leaves:
            history = self._alive[config] = self._root.after(events, 0)
            history.holders += 1

    def feed(self, piece: str) -> list[Event]:
        """The events that are certain after this piece. Raises Refused; what stood before the bad character is kept."""
        out: list[Event] = []
        for char in piece:
            self._advance(char)
            out += self._certain()
        return out

    def finish(self) -> list[Event]:
        """The remaining events, of the first whole derivation. Raises Refused when the end is missing."""
        done: _Config = (_RETURN, 0, None)
        if done not in self._alive:
            raise Refused(self.start, len(self.text))
        for config, history in self._alive.items():
            if config != done:
                history.release()
        self._alive = {done: self._alive[done]}
        out = self._certain()
        return [*out, {"op": "ACCEPT", "rule": self.start, "start": 0, "end": len(self.text)}]

    @property
    def accepting(self) -> bool:
        """Whether the text may end here, by form."""
        return (_RETURN, 0, None) in self._alive

    @property
    def stacks(self) -> int:
        """Derivations alive."""
        return len(self._alive)

    def items(self) -> list[Item]:
        """The ways to go on, by priority, each once."""
        return list(dict.fromkeys(self._item(config) for config in self._alive))

    def _item(self, config: _Config) -> Item:
        node, at, frame = config
        rules = []
        while frame is not None:
            if isinstance(frame.node, _Call):
                rules.append(frame.node.rule)
            frame = frame.parent
        expects = node.name if isinstance(node, _Slot) else node.shown if isinstance(node, _Read) else ""
        return Item(tuple(reversed(rules)), expects)

    def _advance(self, char: str) -> None:
        found: dict[_Config, _History] = {}
        at = len(self.text) + 1
        for config, history in self._alive.items():
            shared: dict[tuple[_Event, ...], _History] = {}
            for leaf, events in self._after(config, char):
                if leaf not in found:
                    if events not in shared:
                        shared[events] = history.after(events, at) if events else history
                    found[leaf] = shared[events]
        if not found:
            raise Refused(self.start, at - 1)
        if len(found) > MAX_STACKS:
            raise GrammarError("too-large", f"the text has more than {MAX_STACKS} derivations side by side")
        for history in found.values():
            history.holders += 1
        for history in self._alive.values():
            history.release()
        self._alive = found
        self.text += char

    def _after(self, config: _Config, char: str) -> Iterable[_Leaf]:
        node, at, frame = config
        if isinstance(node, _Read):
            return self._closure(node.then, frame) if node.reads(ord(char)) else ()
        if isinstance(node, _Slot) and (to := node.edges[at].get(char)) is not None:
            on: tuple[_Leaf, ...] = (((node, to, frame), ()),) if node.edges[to] else ()
            return (*on, *self._closure(node.then, frame)) if node.accepting[to] else on
        return ()

    def _certain(self) -> list[Event]:
        """Takes the events off the tree that all derivations share."""
        out: list[Event] = []
        root = self._root
        while not root.holders and len(root.children) == 1:
            (root,) = root.children
            out += self._told(root)
            root.parent = None
        self._root = root
        return out

    def _told(self, history: _History) -> Iterable[Event]:
        at = history.at
        for event in history.events:
            if event.kind == "open":
                self._opened.append((event, at))
            elif event.kind == "begin":
                self._begun = event, at
            elif event.kind == "close":
                opened, start = self._opened.pop()
                yield {"op": "REDUCE", "rule": opened.name, "alternative": opened.alternative, "start": start, "end": at}
            else:
                begun, start = self._begun
                shift: Event = {"op": "SHIFT", "text": self.text[start:at], "start": start, "end": at}
                yield {**shift, begun.key: begun.name} if begun.key else shift

    # The closure: everything reached without reading.

    def _closure(self, node: _Step, frame: _Frame | None) -> tuple[_Leaf, ...]:
        key = node, frame
        found = self._closures.get(key)
        if found is None:
            if len(self._closures) > _KEPT:
                self._closures.clear()
            found = self._closures[key] = tuple(self._find_closure(node, frame).items())
        return found

    def _find_closure(self, node: _Step, frame: _Frame | None) -> dict[_Config, tuple[_Event, ...]]:
        found: dict[_Config, tuple[_Event, ...]] = {}
        seen: set[tuple[_Step, _Frame | None]] = set()
        todo: list[tuple[_Step, _Frame | None, tuple[_Event, ...]]] = [(node, frame, ())]

        def rounds(loop: _Loop, count: int, outside: _Frame | None, events: tuple[_Event, ...]) -> None:
            if count >= loop.low:
                todo.append((loop.then, outside, events))
            if loop.high is None or count < loop.high:
                assert loop.body is not None
                kept = count if loop.high is not None else min(count, loop.low)
                todo.append((loop.body, self._frame(loop, kept, True, outside), events))

        while todo:
            node, frame, events = todo.pop()
            if (node, frame) in seen:
                continue
            seen.add((node, frame))
            if isinstance(node, _Read | _Slot):
                found.setdefault((node, 0, self._settled(frame)), events)
            elif isinstance(node, _Split):
                todo += [(option, frame, events) for option in reversed(node.options)]
            elif isinstance(node, _Mark):
                todo.append((node.then, frame, (*events, node.mark)))
            elif isinstance(node, _Call):
                if self._may_open(node.rule, frame):
                    todo.append((self._entry(node), self._frame(node, 0, False, frame), events))
            elif isinstance(node, _Loop):
                rounds(node, 0, frame, events)
            elif frame is None:
                found.setdefault((_RETURN, 0, None), events)
            elif isinstance(frame.node, _Call):
                closing = () if frame.node.silent or frame.node.rule.isupper() else (_Event("close"),)
                todo.append((frame.node.then, frame.parent, (*events, *closing)))
            elif not frame.fresh or frame.count < frame.node.low:
                rounds(frame.node, frame.count + 1, frame.parent, events)
        return found

    def _frame(self, node: _Call | _Loop, count: int, fresh: bool, parent: _Frame | None) -> _Frame:
        return self._frames.setdefault((node, count, fresh, parent), _Frame(node, count, fresh, parent))

    def _settled(self, frame: _Frame | None) -> _Frame | None:
        """The frame after a character has been read."""
        fresh, below = [], frame
        while below is not None and (below.fresh or isinstance(below.node, _Call)):
            fresh.append(below)
            below = below.parent
        for above in reversed(fresh):
            below = self._frame(above.node, above.count, False, below)
        return below

    def _may_open(self, rule: str, frame: _Frame | None) -> bool:
        if rule not in self.rules.recursive:
            return True
        depth = self.rules.rule(rule).max_depth
        if depth is None:  # another rule on its loop has one
            return True
        while frame is not None:
            depth -= isinstance(frame.node, _Call) and frame.node.rule == rule
            frame = frame.parent
        return depth >= 0

    # The rules as steps.

    def _entry(self, call: _Call) -> _Step:
        key = f"{call.rule} silent" if call.silent else call.rule
        if key not in self._entries:
            body = self.rules[call.rule]
            silent = call.silent or call.rule.isupper()
            options = body.options if isinstance(body, Alt) and not silent else (body,)
            steps = [self._build(option, _RETURN, silent) for option in options]
            if not silent:
                steps = [_Mark(_Event("open", call.rule, "", n), step) for n, step in enumerate(steps, 1)]
            self._entries[key] = steps[0] if len(steps) == 1 else _Split(steps)
        return self._entries[key]

    def _reference(self, call: _Call) -> _Step:
        """A call, as a token where it is one."""
        if call.silent or not call.rule.isupper():
            return call
        return _Mark(_Event("begin", call.rule, "token"), _Call(call.rule, False, _Mark(_Event("end"), call.then)))

    def _build(self, node: Node, then: _Step, silent: bool) -> _Step:
        if isinstance(node, Literal | Chars):
            if isinstance(node, Literal) and not node.text:
                return then
            then = then if silent else _Mark(_Event("end"), then)
            if isinstance(node, Chars):
                low, high = [first for first, _ in node.ranges], [last for _, last in node.ranges]
                then = _Read(low, high, shown(node), then)
            else:
                for at in range(len(node.text) - 1, -1, -1):
                    code = ord(node.text[at])
                    then = _Read([code], [code], repr(node.text[at:]), then)
            return then if silent else _Mark(_Event("begin"), then)
        if isinstance(node, Seq):
            for item in reversed(node.items):
                then = self._build(item, then, silent)
            return then
        if isinstance(node, Alt):
            return _Split([self._build(option, then, silent) for option in node.options])
        if isinstance(node, Repeat):
            loop = _Loop(node.low, node.high, then)
            loop.body = self._build(node.item, _RETURN, silent)
            return loop
        if node.name in self.rules:
            return self._reference(_Call(node.name, silent, then))
        edges, accepting = self._trie(node.name)
        if silent:
            return _Slot(node.name, edges, accepting, then)
        return _Mark(_Event("begin", node.name, "slot"), _Slot(node.name, edges, accepting, _Mark(_Event("end"), then)))

    def _trie(self, name: str) -> tuple[list[dict[str, int]], list[bool]]:
        if name not in self._tries:
            if name == "SPAN" and self._span is not None:
                self._tries[name] = _graph_edges(self._span())
            elif name in self._slots:
                self._tries[name] = _trie_edges(self._slots[name])
            else:
                raise GrammarError("unbound-slot", f"the request gives no strings for {name}")
        return self._tries[name]


def shown(node: Chars) -> str:
    """A set as explanations show it: its first ranges."""
    parts = [chr(low) if low == high else f"{chr(low)}-{chr(high)}" for low, high in node.ranges[:4]]
    return f"[{''.join(part if part.isprintable() else ascii(part)[1:-1] for part in parts)}{'…' * (len(node.ranges) > 4)}]"


def _trie_edges(strings: Iterable[str]) -> tuple[list[dict[str, int]], list[bool]]:
    edges: list[dict[str, int]] = [{}]
    accepting = [False]
    for string in strings:
        at = 0
        for char in string:
            if char not in edges[at]:
                edges[at][char] = len(edges)
                edges.append({})
                accepting.append(False)
            at = edges[at][char]
        accepting[at] = True
    return edges, accepting


def _graph_edges(graph: Graph) -> tuple[list[dict[str, int]], list[bool]]:
    chars, to, bounds = [chr(code) for code in graph.code.tolist()], graph.to.tolist(), graph.offset.tolist()
    edges = [dict(zip(chars[low:high], to[low:high], strict=True)) for low, high in zip(bounds, bounds[1:], strict=False)]
    return edges, graph.accepting.tolist()
