"""A form under one frame: the machine's arrays, the request's strings plugged in, and the rows computed so far.

Spaces are shared: requests with equal slots, source, terms and forbidden words find each other's rows. What differs
between them (the scope at the start, budgets) is in the state. Threads may share a space.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from engine.grammar import machine
from engine.grammar.arrays import Arrays
from engine.grammar.dfa import LAST
from engine.grammar.findings import GrammarError
from engine.grammar.form import Form
from engine.grammar.machine import FAR, MACHINE, UNBOUNDED
from engine.grammar.masks import Row, Slices
from engine.grammar.semantics import Frame
from engine.grammar.vocabulary import PARTIAL, Vocabulary, partial_range
from engine.grammar.words import Graph, Words, code_points, spans, trie

# Points after which a space is given up for a fresh one.
MAX_POINTS = 3_000_000
# Tokens of a row that others may be told from, such rows tried beside the primed ones, forest nodes that telling may cost,
# and how few make looking for a better one pointless.
_WIDE_ROW, _REFERENCES, _LIKE, _CLOSE = 2000, 8, 120_000, 3000
_MAX_TERM, _MAX_TERMS = 250, 16_000
_GROWS = {
    1: ("set_off", "about", "set_bits", "set_hash", "set_slots"),
    2: ("cfg",),
    3: ("point_a", "point_b", "memo", "point_slots"),
    4: ("form_key", "form_to"),
    5: ("scopes", "scope_slots"),
    6: ("move_key", "move_to"),
}
_HASHED = {name for names in _GROWS.values() for name in names if name.endswith(("_slots", "_key", "_to"))}


class Space:
    """Points are numbers; `start` is the one before the text when `scope` holds the terms in scope."""

    def __init__(self, form: Form, frame: Frame, cuts: tuple[int, ...], vocabulary: Vocabulary):
        self.form, self.vocabulary = form, vocabulary
        self.terms, self.banned = Words(frame.terms), Words(frame.forbid)
        self.has_terms = bool(self.terms.texts)
        if len(self.terms.texts) > _MAX_TERMS or max(map(len, self.terms.texts), default=0) > _MAX_TERM:
            raise GrammarError("too-large", f"a frame holds at most {_MAX_TERMS} terms of {_MAX_TERM} characters")
        self._lock = threading.Lock()
        self._machine = self._arrays(frame, cuts)
        self.forest = vocabulary.forest
        self.rows: dict[tuple[int, bytes], Row] = {}
        self.moves: dict[tuple[int, bytes, int], tuple[int, str, bytes]] = {}
        self._refused: np.ndarray | None = None
        self._wide: list[int] = []
        self._primed: list[int] = []
        self._alike: dict[tuple[int, int, int], Row] = {}
        self.slices = Slices(self)

    @property
    def arrays(self) -> Arrays:
        return self._machine

    def configurations(self, point: int) -> np.ndarray:
        """int64: the set of a point (`machine`)."""
        here = int(self._machine["point_a"][point]) >> 40
        offset = self._machine["set_off"]
        return self._machine["cfg"][offset[here] : offset[here + 1]]

    def banned_state(self, point: int) -> int:
        """The state of the forbidden words."""
        return int(self._machine["point_a"][point]) >> 20 & 0xFFFFF

    def refused(self, banned: int) -> np.ndarray:
        """uint32 bits: tokens that end a forbidden word after state `banned` of the words."""
        bits = np.zeros(self.vocabulary.words, np.uint32)
        machine.refused(self._machine.table, self.forest.table, banned, bits)
        if banned:
            bits |= self.refused(0) if self._refused is None else self._refused
        else:
            self._refused = bits
        return bits

    @property
    def points(self) -> int:
        return int(self._machine["count"][machine.POINTS])

    def start(self, scope: Sequence[str]) -> int:
        """The point before the text; -1 when no legal text exists."""
        bits = self.terms.bits(scope)
        entry = self._call(machine.entry_set, 0)
        number = self._call(machine.intern_scope, bits)
        cap = max((len(term) for term in self.terms.texts), default=0) + 1
        point = self._call(machine.entry_point, entry, cap, number)
        return point if self._call(machine.alive, point) else -1

    def _call(self, kernel, *arguments):  # type: ignore[no-untyped-def]
        """Runs a kernel on the machine, and again with more room while a pool is full."""
        count = self._machine["count"]
        with self._lock:
            while True:
                count[machine.IS_FULL] = 0
                result = kernel(self._machine.table, *arguments)
                if not count[machine.IS_FULL]:
                    return result
                self._grow(int(count[machine.IS_FULL]))

    def _grow(self, pool: int) -> None:
        m = self._machine
        before = {name: m[name] for name in _GROWS[pool]}
        for name, array in before.items():
            wider = np.zeros((4 * len(array), *array.shape[1:]), array.dtype)
            if name not in _HASHED:
                wider[: len(array)] = array
            m[name] = wider
        keys = [name for name in before if name.endswith("_key")]
        if keys:
            machine.refill(before[keys[0]], before[keys[0][:-3] + "to"], m[keys[0]], m[keys[0][:-3] + "to"])
        else:
            machine.rehash(m.table, pool)

    def length(self, point: int) -> int:
        """Characters of the known ending of an alive point."""
        self._call(machine.alive, point)
        return int(self._machine["memo"][point, machine.LENGTH])

    def ending(self, point: int) -> str:
        """The known legal text from an alive point to the end."""
        out = ""
        while self.length(point):
            char = int(self._machine["memo"][point, machine.NEXT])
            out += chr(char)
            point = int(self._call(machine.step, point, char))
        return out

    def tokens(self, point: int) -> int:
        """Tokens that suffice for it."""
        self._call(machine.alive, point)
        return int(self._call(machine.tokens_to_end, self.forest.table, point))

    def accepts(self, point: int) -> bool:
        return bool(machine.accepts(self._machine.table, point))

    def feed(self, point: int, text: str) -> int:
        """The alive point after some text, -1 when it is refused."""
        return int(self._call(machine.feed, point, code_points(text), 0))

    def complete(self, point: int, partial: bytes) -> int:
        """An alive point behind a character that begins with these bytes; -1 when there is none."""
        low, high = partial_range(partial)
        return int(self._call(machine.complete, point, low, high))

    def only_char(self, point: int) -> int:
        """The one character that may follow, -1 for none, -2 for several."""
        return int(self._call(machine.only_char, point))

    def reading(self, point: int) -> tuple[int, int, np.ndarray]:
        """(trie node of an open use site or -1, candidate term or -1, scope bits)."""
        a, b = int(self._machine["point_a"][point]), int(self._machine["point_b"][point])
        return (a >> 1 & 0x7FFFF) - 1, (b >> 32 & 0x3FFF) - 1, self._machine["scopes"][b & 0xFFFF]

    def row(self, point: int, partial: bytes) -> Row:
        """The tokens that may follow when no budget binds; computed once."""
        key = point, partial
        row = self.rows.get(key)
        if row is None:
            row = self._new_row(point, partial)
            if not partial and self.accepts(point):
                row.whole = row.ended(self.vocabulary.eos_ids)
            self.rows[key] = row
        return row

    def prime(self) -> None:
        """Computes the rows of the main states that free text runs through, so that others can be told from them."""
        form = self.form
        if self.has_terms or self._primed:
            return
        fresh = max((len(term) for term in self.terms.texts), default=0) + 1
        for state in form.wide.tolist():
            here = self._call(machine.entry_set, state)
            if here >= 0:
                point = int(self._call(machine.entry_point, here, fresh, 0))
                self.row(point, b"")
                self._primed.append(point)
        self._wide.clear()

    def _new_row(self, point: int, partial: bytes) -> Row:
        """Taken from a point with the same row, told from one that differs little, or walked."""
        if partial:
            return self.walk(point, partial, UNBOUNDED, UNBOUNDED, 0)
        m = self._machine
        a, b = int(m["point_a"][point]), int(m["point_b"][point])
        key = int(m["about"][a >> 40, machine.PREFIX]), a & 0xFFFFFFFFFF, b
        if key[0] >= 0 and key in self._alike:
            return self._borrowed(self._alike[key].bits)
        row = self._like_another(point) or self.walk(point, partial, UNBOUNDED, UNBOUNDED, 0)
        self._alike[key] = row
        if row.count > _WIDE_ROW:
            self._wide = [point, *self._wide[: _REFERENCES - 1]]
        return row

    def _borrowed(self, bits: np.ndarray, chars: int = 0, length: int = 0) -> Row:
        """A row whose bits come from another point's: its endings are bounded by the farthest there are."""
        far = self._far
        return Row(bits, self.vocabulary.size, max(chars, self.longest_token + far), max(length, 4 * far))

    def _like_another(self, point: int) -> Row | None:
        """The row of a point that differs little from one whose row is known; None when there is no such point."""
        best, least = -1, _LIKE
        for other in (*self._wide, *self._primed):
            nodes = int(self._call(machine.difference, self._segments, point, other, least))
            if nodes < least:
                best, least = other, nodes
            if least < _CLOSE:
                break
        if best < 0:
            return None
        bits, found = self.rows[best, b""].bits.copy(), np.zeros(4, np.int64)
        like = self._call(machine.walk_like, self.forest.table, self._segments, point, best, bits, found)
        if like == machine.TOO_FAR:
            return None
        return self._borrowed(bits, int(found[0]), int(found[1]))

    @cached_property
    def _segments(self) -> np.ndarray:
        """Runs of root nodes of one class (`machine.walk_like`)."""
        forest = self.forest
        codes, tops = forest["top_code"][: forest["group_off"][1]], forest["tops"]
        codes = codes[: np.searchsorted(codes, PARTIAL)]
        kinds = machine.classes_of(self._machine.table, codes)
        starts = np.flatnonzero(np.concatenate([[True], kinds[1:] != kinds[:-1]])) if len(codes) else np.empty(0, int)
        ends = np.append(starts[1:], len(codes))
        last = forest["end"][tops[ends - 1]] if len(starts) else starts
        columns = (kinds[starts], codes[starts], starts, ends, tops[starts], last)
        return np.stack(columns, axis=1).astype(np.int32)

    def walk(self, point: int, partial: bytes, chars: int, tokens: int, floor: int) -> Row:
        """A row under budgets: characters left, tokens left, and characters before which the text does not end."""
        budget = np.array([chars, tokens, floor], np.int64)
        found = np.zeros(4, np.int64)
        bits = np.zeros(self.vocabulary.words, np.uint32)
        self._call(machine.alive, point)
        if partial:
            begun = int.from_bytes(partial, "big")
            self._call(machine.walk_partial, self.forest.table, point, begun, len(partial), budget, bits, found)
        else:
            forest, sliced = self.slices.choose(point, chars, tokens, floor)
            self._call(machine.walk, forest.table, self.forest.table, point, budget, bits, found)
            if sliced is not None:
                bits |= sliced.bits
                found[0], found[1] = max(found[0], sliced.chars), max(found[1], sliced.length)
        return Row(bits, self.vocabulary.size, *(int(value) for value in found))

    def _arrays(self, frame: Frame, cuts: tuple[int, ...]) -> Arrays:
        form = self.form
        graph, roots, least_plain, codes = _plugged(form, frame, cuts)
        mentioned = [codes, self.terms.tree.code, self.banned.tree.code]
        if self.has_terms:
            mentioned.append(code_points("所述的"))
        singles = np.unique(np.concatenate(mentioned)).astype(np.int32)
        plane, form_of, reps = _classes(form, singles)
        high = singles[singles >= 65536]
        unsafe = self._unsafe()
        g_dist = np.full((2, len(graph.accepting)), FAR, np.int32)
        g_via = np.full((2, len(graph.accepting)), -1, np.int32)
        states = len(form.table)
        dist = np.full((2, states), FAR, np.int32)
        full = np.full((2, states), FAR, np.int32)
        via = np.full((2, states), -1, np.int32)
        for safe, avoided in enumerate((np.empty(0, np.int32), unsafe)):
            machine.graph_distances(*graph, avoided, g_dist[safe], g_via[safe])
            self._state_distances(roots, g_dist[safe], _rep_of(form, singles, avoided), dist[safe], full[safe], via[safe])
        width = self.terms.width
        # States with equal rows: unless the frame can tell them apart, or an ending needs a proof of its own.
        main = full[:, : form.main]
        plain = not self.has_terms and bool((main < FAR).all())
        prefixes = form.prefix_of if plain else np.full(states, -1, np.int32)
        self._far = int(main[main < FAR].max(initial=0))
        return Arrays(
            MACHINE,
            form.bounds, form.columns, form.table, form.accepting, form.call_off, form.call_plug, form.call_to,
            form.start_of, form.high, form.item_start, form.reach_off, form.reach_low, form.reach_high,
            _state_bits(form), prefixes, plane, high, (form.classes + np.searchsorted(singles, high)).astype(np.int32), form_of, reps,
            *graph, _graph_bits(graph), roots, dist, full, via, g_dist, g_via,
            *self.banned.tree[:3], self.banned.fail, self.banned.longest, self.banned.tree.depth,
            *self.terms.tree[:3], self.terms.fail, self.terms.tree.depth, self.terms.tree.word, self.terms.longest,
            self.terms.length, self.terms.below,
            np.zeros(1 << 13, np.int64),
            np.zeros(1 << 11, np.int64),
            np.zeros((1 << 11, 6), np.int32),
            np.zeros(1 << 11, np.uint64),
            np.zeros(1 << 11, np.uint64),
            np.zeros(1 << 12, np.int32),
            np.zeros(1 << 12, np.int64),
            np.zeros(1 << 12, np.int64),
            np.zeros((1 << 12, 3), np.int32),
            np.zeros(1 << 13, np.int32),
            np.zeros(1 << 14, np.int64),
            np.zeros(1 << 14, np.int32),
            np.zeros(1 << 13, np.int64),
            np.zeros(1 << 13, np.int32),
            np.zeros((64, width), np.uint64),
            np.zeros(128, np.int32),
            np.array([0, 0, 0, 0, 0, 0, 0, 10, self._cap()], np.int64),
        )  # fmt: skip

    def _cap(self) -> int:
        """One more than the longest term; 0 without terms."""
        return max(map(len, self.terms.texts)) + 1 if self.has_terms else 0

    def _unsafe(self) -> np.ndarray:
        """Sorted code points that may end a forbidden word or mean something to the terms."""
        last = {word[-1] for word in self.banned.texts}
        if self.has_terms:
            last.update("述", *self.terms.texts)
        return np.array(sorted(map(ord, last)), np.int32)

    def _state_distances(self, roots, g_dist, char_of, dist, full, via):  # type: ignore[no-untyped-def]
        form = self.form
        rest = (form.bounds[:0], form.call_off, form.call_plug, form.call_to)
        least = np.array([g_dist[root] if root >= 0 else FAR for root in roots], np.int64)
        none = np.zeros(len(form.call_off), np.int32)
        empty = np.empty(0, np.int32)
        # Items first: the shortest one round is what a counter costs.
        items = np.where(form.item_start >= 0)[0]
        if len(items):
            machine.state_distances(
                form.table, form.accepting & (form.item_start >= 0), 0, none, empty, empty, least, char_of, dist, full, via
            )
            for plug, start in enumerate(form.start_of):
                if start >= 0:
                    least[plug] = dist[start]
        machine.state_distances(
            form.table, form.accepting, form.main, *rest[1:], least, char_of, dist, full, via
        )  # fmt: skip

    @cached_property
    def longest_token(self) -> int:
        return int(self.vocabulary.lengths.max(initial=1))


def _plugged(form: Form, frame: Frame, cuts: tuple[int, ...]) -> tuple[Graph, np.ndarray, np.ndarray, np.ndarray]:
    """All host slots as one graph, the root of each plug in it (-1 for counters and empty slots), and its characters."""
    parts: list[Graph] = []
    roots = np.full(len(form.plugs), -1, np.int32)
    size = 0
    for index, name in enumerate(form.plugs):
        if form.start_of[index] >= 0:
            continue
        if name == "SPAN":
            part = spans(frame.source, cuts)
        elif name not in frame.slots:
            raise GrammarError("unbound-slot", f"the request gives no strings for {name}")
        elif "" in frame.slots[name]:
            raise GrammarError("empty-slot", "a host slot holds an empty string")
        else:
            part = trie(frame.slots[name])
        roots[index] = size
        size += len(part.accepting)
        parts.append(part)
    graph = _joined(parts)
    return graph, roots, graph.offset, graph.code


def _joined(parts: Sequence[Graph]) -> Graph:
    offsets, targets, nodes, edges = [np.zeros(1, np.int32)], [np.empty(0, np.int32)], 0, 0
    for part in parts:
        offsets.append(part.offset[1:] + edges)
        targets.append(part.to + nodes)
        nodes += len(part.accepting)
        edges += len(part.to)
    return Graph(
        np.concatenate(offsets).astype(np.int32),
        np.concatenate([np.empty(0, np.int32), *(part.code for part in parts)]).astype(np.int32),
        np.concatenate(targets).astype(np.int32),
        np.concatenate([np.empty(0, bool), *(part.accepting for part in parts)]),
    )


def _classes(form: Form, singles: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(plane, form_of, reps): classes where every mentioned character is its own, behind the form's classes."""
    plane = form.basic_plane.copy()
    low = singles[singles < 65536]
    plane[low] = form.classes + np.arange(len(low))
    own = form.columns[np.searchsorted(form.bounds, singles, side="right") - 1]
    form_of = np.concatenate([np.arange(form.classes), own]).astype(np.int32)
    base = _base_chars(form, singles)
    return plane, form_of, np.sort(np.concatenate([base[base >= 0], singles])).astype(np.int32)


def _base_chars(form: Form, singles: np.ndarray) -> np.ndarray:
    """A character of each form class that the frame does not mention, -1 where it mentions all."""
    known = set(singles.tolist())
    out = np.full(form.classes, -1, np.int64)
    ends = np.append(form.bounds[1:], LAST)
    for low, high, column in zip(form.bounds.tolist(), ends.tolist(), form.columns.tolist(), strict=True):
        if out[column] < 0:
            out[column] = next((code for code in range(low, high) if code not in known), -1)
    return out


def _rep_of(form: Form, singles: np.ndarray, avoided: np.ndarray) -> np.ndarray:
    """A character of each form class outside `avoided`, -1 where there is none."""
    out = _base_chars(form, singles)
    usable = np.setdiff1d(singles, avoided)
    column = form.columns[np.searchsorted(form.bounds, usable, side="right") - 1]
    for code, at in zip(usable[::-1].tolist(), column[::-1].tolist(), strict=True):
        if out[at] < 0:
            out[at] = code
    return out


def _state_bits(form: Form) -> np.ndarray:
    """uint64[states]: hashes of the characters that may follow; all ones for wide ranges."""
    return machine.range_bits(form.reach_off, form.reach_low, form.reach_high)


def _graph_bits(graph: Graph) -> np.ndarray:
    return machine.edge_bits(graph.offset, graph.code)
