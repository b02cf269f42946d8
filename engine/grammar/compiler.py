"""Rules -> minimal automata, one per rule, bottom-up: each is determinised and minimised before its users embed it.

    compiled = compile_rule(rules, "independent")     a Dfa; its plugs are the host slots and the counters

An automaton depends only on the content of its rule (`Rules.hash`), so a changed rule costs itself and its ancestors.
Automata are kept in memory, and on disk under `$XDG_CACHE_HOME/claimwright/grammar/<compiler version>/<rule hash>`.
A repeat of many is a register, not states: see `COUNTED`.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import threading
from collections import OrderedDict
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from engine.grammar.dfa import Counter, Dfa, determinise, merge_classes, minimise, reduced
from engine.grammar.findings import GrammarError, StateBudgetExceeded
from engine.grammar.ir import Alt, Chars, Literal, Node, Ref, Repeat, Rules, Seq

# From this many optional rounds on a repeat is a counter, provided that its item has no plugs.
COUNTED = 8
MAX_STATES = 60_000
_MAX_CELLS = 40_000_000
_KEPT, _KEPT_FILES = 1024, 4000

Open = tuple[tuple[str, int], ...]


def compile_rule(rules: Rules, name: str, max_states: int = MAX_STATES) -> Dfa:
    """The automaton of one rule.

    Raises GrammarError for a name that is no rule and for recursion without a depth, StateBudgetExceeded for a rule that
    needs more than `max_states`.
    """
    if name not in rules:
        raise GrammarError("undefined-rule", f"there is no start rule {name}")
    return _Compiler(rules, max_states).rule(name, ())


class _Compiler:
    def __init__(self, rules: Rules, max_states: int):
        self._rules, self._max_states = rules, max_states
        self._group = {name: group for group in rules.components for name in group}
        self._unbounded = {name for group in rules.unbounded for name in group}

    def rule(self, name: str, opened: Open) -> Dfa:
        rule = self._rules.rule(name)
        counts = {used: count for used, count in opened if used in self._group[name]}
        if name in self._unbounded:
            raise GrammarError("recursion", f"{name}: recursion has no depth bound", *rule.at)
        if rule.max_depth is not None and counts.get(name, 0) > rule.max_depth:
            return _dfa_of_nothing()
        key = self._rules.hash(name) + "".join(f"-{used}{count}" for used, count in sorted(counts.items()))
        found = _CACHE.get(key)
        if found is None:
            if rule.max_depth is not None:
                counts[name] = counts.get(name, 0) + 1
            inside = tuple(sorted(counts.items())) if name in self._rules.recursive else ()
            found = self.node(rule.body, inside, name)
            _CACHE.put(key, found)
        return found

    def node(self, node: Node, opened: Open, owner: str) -> Dfa:
        """A minimal automaton of one node of the rule `owner`."""
        parts: dict[Node, Dfa | None] = {}
        self._collect(node, opened, owner, parts)
        return _Assembly(parts, owner, self._max_states, self._rules.rule(owner).at).automaton(node)

    def _collect(self, node: Node, opened: Open, owner: str, parts: dict[Node, Dfa | None]) -> None:
        """The automata that `node` embeds: of rules, and of the items of its repeats. None for a host slot."""
        if node in parts:
            return
        if isinstance(node, Ref):
            parts[node] = self.rule(node.name, opened) if node.name in self._rules else None
        elif isinstance(node, Repeat):
            parts[node] = self.node(node.item, opened, owner)
        elif isinstance(node, Seq | Alt):
            for child in node.items if isinstance(node, Seq) else node.options:
                self._collect(child, opened, owner, parts)


class _Assembly:
    """A Thompson automaton whose fragments are minimal already; `automaton` makes it deterministic and minimal."""

    def __init__(self, parts: Mapping[Node, Dfa | None], owner: str, max_states: int, at: tuple[int, int]):
        self._parts, self._owner, self._max_states, self._at = parts, owner, max_states, at
        self._blocks: list[np.ndarray] = []
        self._size = 0
        self._epsilon: list[tuple[np.ndarray, np.ndarray]] = []
        self._pairs: list[tuple[int, int]] = []
        self._counters: dict[str, Counter] = {}
        self._plugs: dict[str, int] = {}

    def automaton(self, node: Node) -> Dfa:
        self._classes(node)
        for part in self._parts.values():
            if part is not None:
                self._counters.update(part.counters)
                for name in part.plugs:
                    self._plugs.setdefault(name, len(self._plugs))
        for ref, part in self._parts.items():
            if part is None and isinstance(ref, Ref):
                self._plugs.setdefault(ref.name, len(self._plugs))
        self._count_repeats()
        self._symbols = self._count + len(self._plugs)
        final = self._add(np.full((1, self._symbols), -1, np.int32))
        start = self._build(node, final)
        table, accepting = self._solve(start, final)
        return reduced(self._bounds, self._columns, table, accepting, list(self._plugs), self._counters)

    def _classes(self, node: Node) -> None:
        """Partitions the code points so that every leaf and every embedded automaton treats a class as one."""
        texts: set[int] = set()
        sets: dict[tuple[tuple[int, int], ...], None] = {}
        for leaf in _own_leaves(node):
            if isinstance(leaf, Literal):
                texts.update(map(ord, leaf.text))
            else:
                sets[leaf.ranges] = None
        marks = [np.array([0], np.int64)]
        marks += [np.array([[low, high + 1] for low, high in ranges]).reshape(-1) for ranges in sets]
        singles = np.array(sorted(texts), np.int64)
        marks += [singles, singles + 1]
        automata = [part for part in self._parts.values() if part is not None]
        marks += [part.bounds.astype(np.int64) for part in automata]
        bounds = np.unique(np.concatenate(marks))
        self._bounds = bounds[bounds <= 0x10FFFF].astype(np.int32)
        signature = [np.where(np.isin(self._bounds, singles), self._bounds, -1)]
        for ranges in sets:
            low, high = np.array(ranges, np.int64).reshape(-1, 2).T
            at = np.searchsorted(low, self._bounds, side="right") - 1
            signature.append((at >= 0) & (self._bounds <= high[at]) if len(low) else np.zeros(len(self._bounds)))
        signature += [part.column_of(self._bounds) for part in automata]
        self._columns, first = merge_classes(np.stack(signature, axis=1).astype(np.int64))
        self._count = len(first)
        self._first = self._bounds[first]

    def _count_repeats(self) -> None:
        """Names the counters among the repeats."""
        self._counter_of: dict[Node, str] = {}
        for node, part in self._parts.items():
            if not isinstance(node, Repeat) or part is None or part.plugs or node.high is None:
                continue
            if node.high - node.low < COUNTED or not (part.table >= 0).any():
                continue
            item = _without_empty(part) if part.accepting[0] else part
            high = node.high if part.accepting[0] else node.high - max(0, node.low - 1)
            name = f"#{_digest(item)}{{{high}}}"
            self._counters[name] = Counter(item, high)
            self._counter_of[node] = name
            self._plugs.setdefault(name, len(self._plugs))

    def _add(self, block: np.ndarray) -> int:
        first = self._size
        self._size += len(block)
        if self._size * block.shape[1] > _MAX_CELLS:
            raise StateBudgetExceeded(
                self._owner, self._size, self._max_states, "its repeats write it out too often", self._place
            )
        self._blocks.append(block)
        return first

    @property
    def _place(self):  # type: ignore[no-untyped-def]
        from engine.grammar.ir import Place

        return Place(*self._at)

    def _row(self) -> np.ndarray:
        return np.full((1, self._symbols), -1, np.int32)

    def _build(self, node: Node, then: int) -> int:
        """An entry from which `node` and then `then` is read."""
        if isinstance(node, Literal):
            if not node.text:
                return then
            block = np.full((len(node.text), self._symbols), -1, np.int32)
            codes = np.array([ord(char) for char in node.text])
            columns = self._columns[np.searchsorted(self._bounds, codes, side="right") - 1]
            block[np.arange(len(codes)), columns] = np.arange(len(codes)) + self._size + 1
            block[-1, columns[-1]] = then
            return self._add(block)
        if isinstance(node, Chars):
            row = self._row()
            low, high = np.array(node.ranges, np.int64).reshape(-1, 2).T
            at = np.searchsorted(low, self._first, side="right") - 1
            if len(low):
                row[0, : self._count][(at >= 0) & (self._first <= high[at])] = then
            return self._add(row)
        if isinstance(node, Seq):
            for item in reversed(node.items):
                then = self._build(item, then)
            return then
        if isinstance(node, Alt):
            options = [self._build(option, then) for option in node.options]
            entry = self._add(self._row())
            self._pairs += [(entry, option) for option in options]
            return entry
        part = self._parts[node]
        if isinstance(node, Ref):
            return self._embed(part, then) if part is not None else self._plug(node.name, then)
        assert part is not None
        return self._build_repeat(node, part, then)

    def _plug(self, name: str, then: int) -> int:
        row = self._row()
        row[0, self._count + self._plugs[name]] = then
        return self._add(row)

    def _build_repeat(self, node: Repeat, item: Dfa, then: int) -> int:
        entry = then
        counter = self._counter_of.get(node)
        if node.high is None:
            entry = self._add(self._row())
            self._pairs += [(entry, self._embed(item, entry)), (entry, then)]
        elif counter is not None:
            return self._build_counter(node, item, counter, then)
        else:
            for _ in range(node.high - node.low):
                optional = self._add(self._row())
                self._pairs += [(optional, self._embed(item, entry)), (optional, then)]
                entry = optional
        for _ in range(node.low):
            entry = self._embed(item, entry)
        return entry

    def _build_counter(self, node: Repeat, item: Dfa, counter: str, then: int) -> int:
        entry = self._plug(counter, then)
        if node.low == 0 or item.accepting[0]:
            optional = self._add(self._row())
            self._pairs += [(optional, entry), (optional, then)]
            return optional
        for _ in range(node.low - 1):
            entry = self._embed(item, entry)
        return entry

    def _embed(self, part: Dfa, then: int) -> int:
        """A copy of the automaton whose accepting states go on to `then`."""
        block = np.full((len(part.table), self._symbols), -1, np.int32)
        block[:, : self._count] = part.table[:, part.column_of(self._first)]
        for index, name in enumerate(part.plugs):
            block[:, self._count + self._plugs[name]] = part.table[:, part.classes + index]
        block[block >= 0] += self._size
        ends = np.flatnonzero(part.accepting) + self._size
        self._epsilon.append((ends, np.full(len(ends), then)))
        return self._add(block)

    def _solve(self, start: int, final: int) -> tuple[np.ndarray, np.ndarray]:
        table = np.concatenate(self._blocks)
        pairs = np.array(self._pairs, np.int64).reshape(-1, 2)
        source = np.concatenate([pairs[:, 0], *(sources for sources, _ in self._epsilon)]).astype(np.int64)
        target = np.concatenate([pairs[:, 1], *(targets for _, targets in self._epsilon)]).astype(np.int64)
        order = np.argsort(source, kind="stable")
        offsets = np.zeros(self._size + 1, np.int64)
        np.cumsum(np.bincount(source, minlength=self._size), out=offsets[1:])
        accepting = np.zeros(self._size, bool)
        accepting[final] = True
        found, accept = determinise(table, offsets, target[order].astype(np.int32), accepting, start, self._max_states)
        if not len(found):
            raise StateBudgetExceeded(self._owner, self._max_states, self._max_states, self._why(), self._place)
        return minimise(found, accept)

    def _why(self) -> str:
        """The largest part of the rule."""
        sizes = [(len(part.table), node) for node, part in self._parts.items() if part is not None]
        size, node = max(sizes, key=lambda pair: pair[0], default=(0, None))
        name = node.name if isinstance(node, Ref) else "a repeat"
        return f"{name} ({size} states) overlaps with what stands beside it"


def _own_leaves(node: Node) -> list[Literal | Chars]:
    """Literals and sets outside repeats: those inside come with the automaton of the item."""
    if isinstance(node, Repeat):
        return []
    if isinstance(node, Literal | Chars):
        return [node]
    if isinstance(node, Ref):
        return []
    return [leaf for child in (node.items if isinstance(node, Seq) else node.options) for leaf in _own_leaves(child)]


@cache
def _dfa_of_nothing() -> Dfa:
    zero = np.zeros(1, np.int32)
    return Dfa(zero, zero, np.full((1, 1), -1, np.int32), np.zeros(1, bool), (), {})


def _without_empty(part: Dfa) -> Dfa:
    """The same texts but the empty one."""
    table = np.concatenate([part.table[:1], part.table])
    table[table >= 0] += 1
    table, accepting = minimise(table, np.concatenate([[False], part.accepting]))
    return reduced(part.bounds, part.columns, table, accepting, part.plugs, part.counters)


def _digest(part: Dfa) -> str:
    parts = (part.bounds, part.columns, part.table, part.accepting)
    return hashlib.sha256(b"".join(array.tobytes() for array in parts)).hexdigest()[:16]


def _dump(part: Dfa) -> bytes:
    out = io.BytesIO()
    head = {"plugs": part.plugs, "counters": {name: counter.high for name, counter in part.counters.items()}}
    out.write(json.dumps(head).encode() + b"\n")
    for item in (part, *(counter.item for counter in part.counters.values())):
        for array in (item.bounds, item.columns, item.table, item.accepting):
            np.save(out, array, allow_pickle=False)
    return out.getvalue()


def _parse(data: bytes) -> Dfa:
    file = io.BytesIO(data)
    head = json.loads(file.readline())

    def read(plugs: tuple[str, ...], counters: dict[str, Counter]) -> Dfa:
        bounds, columns, table, accepting = (np.load(file, allow_pickle=False) for _ in range(4))
        return Dfa(bounds, columns, table, accepting, plugs, counters)

    counters: dict[str, Counter] = {}
    whole = read(tuple(head["plugs"]), counters)
    for name, high in head["counters"].items():
        counters[name] = Counter(read((), {}), high)
    return whole


class _Cache:
    """Automata by rule hash: the last ones used in memory, all on disk as far as there is one."""

    def __init__(self) -> None:
        self._memory: OrderedDict[str, Dfa] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> Dfa | None:
        with self._lock:
            found = self._memory.get(key)
            if found is not None:
                self._memory.move_to_end(key)
                return found
        try:
            found = _parse(self._file(key).read_bytes())
        except (OSError, ValueError, EOFError):
            return None
        self._keep(key, found)
        return found

    def put(self, key: str, value: Dfa) -> None:
        self._keep(key, value)
        target = self._file(key)
        partial = target.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            partial.write_bytes(_dump(value))
            partial.replace(target)
        except OSError:
            return

    def _keep(self, key: str, value: Dfa) -> None:
        with self._lock:
            self._memory[key] = value
            while len(self._memory) > _KEPT:
                self._memory.popitem(last=False)

    def clear(self) -> None:
        """Forgets what is in memory."""
        with self._lock:
            self._memory.clear()

    @staticmethod
    def _file(key: str) -> Path:
        name = hashlib.sha256(key.encode()).hexdigest() if "-" in key else key
        return cache_folder() / name


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "claimwright" / "grammar" / compiler_version()


@cache
def compiler_version() -> str:
    """Changes with the code that makes automata."""
    here = Path(__file__)
    return hashlib.sha256(here.read_bytes() + here.with_name("dfa.py").read_bytes()).hexdigest()[:12]


_CACHE = _Cache()
