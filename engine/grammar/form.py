"""A compiled rule laid out for the run time: one table over main states and counter items, and what follows from it.

State s of the table is a state of the rule (s < main) or of a counter's item. What a request plugs in (host slots) and
counters are calls: `to` is the main state in which the rule goes on afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit

from engine.grammar.dfa import LAST, Dfa, merge_classes, same_prefixes

# A class of at least this weight (`_weights`) is wide; at most so many slices are kept.
_WIDE, _MOST = 500, 12
# A slice holds at least this share of what may follow.
_SHARE = 0.99
_HUBS = 8
NO_STATE = -1


@dataclass(frozen=True, eq=False)
class Form:
    """Arrays of one start rule.

    table       int32[states, classes], -1 where nothing may follow; accepting bool[states]
    call_off    int32[states + 1]; call_plug, call_to int32: the plugs of a state and where the rule goes on
    plugs       their names; start_of int32[plugs] is a counter's item start or -1, high int32[plugs] its rounds
    item_start  int32[states]: the start of the item that a state belongs to, or -1
    reach_off   int32[states + 1]; reach_low, reach_high int32: code points that may follow, as ranges
    prefix_of   int32[states]: equal for main states after which the same texts may be begun; -1 for items
    slices      class sets (sorted tuples of classes) under which free text stays free
    slice_of    int32[states]: the slice of a one-character item's start or of a closed main state, or -1
    wide        int32[k]: main states that wide classes lead to most often
    slice_states bool[slices, states]: main states that a text under the slice may reach from those
    """

    bounds: np.ndarray
    columns: np.ndarray
    table: np.ndarray
    accepting: np.ndarray
    main: int
    plugs: tuple[str, ...]
    call_off: np.ndarray
    call_plug: np.ndarray
    call_to: np.ndarray
    start_of: np.ndarray
    high: np.ndarray
    item_start: np.ndarray
    reach_off: np.ndarray
    reach_low: np.ndarray
    reach_high: np.ndarray
    prefix_of: np.ndarray
    slices: tuple[tuple[int, ...], ...]
    slice_of: np.ndarray
    slice_states: np.ndarray
    wide: np.ndarray

    @property
    def classes(self) -> int:
        return self.table.shape[1]

    @cached_property
    def basic_plane(self) -> np.ndarray:
        """int16[65536]: the class of each code point of the basic plane."""
        ends = np.append(self.bounds[1:], LAST)
        lengths = np.minimum(ends, 65536) - np.minimum(self.bounds, 65536)
        return np.repeat(self.columns, lengths).astype(np.int16)

    def ranges(self, classes: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        """The code points of some classes, as inclusive ranges."""
        inside = np.isin(self.columns, classes)
        return _ranges(self.bounds, inside)


def _ranges(bounds: np.ndarray, inside: np.ndarray) -> tuple[tuple[int, int], ...]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], inside.astype(np.int8), [0]])))
    ends = np.append(bounds, LAST)
    return tuple((int(ends[low]), int(ends[high]) - 1) for low, high in edges.reshape(-1, 2))


def _weights(bounds: np.ndarray) -> np.ndarray:
    """What each class interval counts for tokens: its unified ideographs, and printable ASCII thirtyfold."""
    ends = np.append(bounds[1:], LAST)

    def shared(low: int, high: int) -> np.ndarray:
        return np.maximum(0, np.minimum(ends, high) - np.maximum(bounds, low))

    return shared(0x4E00, 0xA000) + 30 * shared(0x20, 0x7F)


@njit(cache=True)
def _reach(table, bounds, columns):
    """Per state the code points that may follow, as ranges in CSR form."""
    offset = np.zeros(len(table) + 1, np.int32)
    low = np.empty(len(table) * len(bounds), np.int32)
    high = np.empty(len(table) * len(bounds), np.int32)
    count = 0
    for state in range(len(table)):
        open_ = False
        for i in range(len(bounds)):
            alive = table[state, columns[i]] >= 0
            if alive and not open_:
                low[count] = bounds[i]
            if open_ and not alive:
                high[count] = bounds[i] - 1
                count += 1
            open_ = alive
        if open_:
            high[count] = 0x10FFFF
            count += 1
        offset[state + 1] = count
    return offset, low[:count].copy(), high[:count].copy()


def layout(dfa: Dfa) -> Form:
    """The form of a compiled rule."""
    names = dfa.plugs
    items = {name: counter.item for name, counter in dfa.counters.items()}
    bounds = np.unique(np.concatenate([dfa.bounds, *(item.bounds for item in items.values())])).astype(np.int32)
    automata = [dfa, *items.values()]
    views = np.stack([part.column_of(bounds) for part in automata], axis=1).astype(np.int64)
    columns, first = merge_classes(views)
    total = sum(len(part.table) for part in automata)
    table = np.full((total, len(first)), NO_STATE, np.int32)
    accepting = np.zeros(total, bool)
    item_start = np.full(total, NO_STATE, np.int32)
    starts: dict[str, int] = {}
    at = 0
    for index, part in enumerate(automata):
        block = part.table[:, views[first, index]]
        table[at : at + len(block)] = np.where(block >= 0, block + at, NO_STATE)
        accepting[at : at + len(block)] = part.accepting
        if index:
            starts[list(items)[index - 1]] = at
            item_start[at : at + len(block)] = at
        at += len(block)
    main = len(dfa.table)
    state, plug = np.nonzero(dfa.table[:, dfa.classes :] >= 0)
    call_off = np.zeros(total + 1, np.int32)
    np.cumsum(np.bincount(state, minlength=total), out=call_off[1:])
    reach_off, reach_low, reach_high = _reach(table, bounds, columns)
    sizes = np.bincount(columns, weights=_weights(bounds), minlength=len(first))
    slices, slice_of, slice_states = _slices(table, accepting, main, list(starts.values()), sizes)
    return Form(
        bounds=bounds,
        columns=columns,
        table=table,
        accepting=accepting,
        main=main,
        plugs=names,
        call_off=call_off,
        call_plug=plug.astype(np.int32),
        call_to=dfa.table[state, dfa.classes + plug].astype(np.int32),
        start_of=np.array([starts.get(name, -1) for name in names], np.int32),
        high=np.array([dfa.counters[name].high if name in dfa.counters else 0 for name in names], np.int32),
        item_start=item_start,
        reach_off=reach_off,
        reach_low=reach_low,
        reach_high=reach_high,
        prefix_of=np.concatenate([same_prefixes(dfa.table, dfa.accepting), np.full(total - main, -1, np.int32)]),
        slices=slices,
        slice_of=slice_of,
        slice_states=slice_states,
        wide=_hubs(table[:main], sizes),
    )


def _hubs(table: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """States that the widest class of other states leads to, the most frequent first."""
    wide = np.where(table >= 0, sizes, 0)
    best = wide.argmax(axis=1)
    chosen = wide[np.arange(len(table)), best] >= _WIDE
    targets, counts = np.unique(table[chosen, best[chosen]], return_counts=True)
    breadth = (table[targets] >= 0) @ sizes
    order = np.argsort(-counts, kind="stable")
    return targets[order][breadth[order] >= _WIDE][:_HUBS].astype(np.int32)


def _slices(
    table: np.ndarray, accepting: np.ndarray, main: int, starts: list[int], sizes: np.ndarray
) -> tuple[tuple[tuple[int, ...], ...], np.ndarray, np.ndarray]:
    """Class sets under which a text may go on and on: read off one-character items, and closures of main states."""
    slice_of = np.full(len(table), NO_STATE, np.int32)
    found: dict[tuple[int, ...], int] = {}
    for start in starts:
        alive = np.flatnonzero(table[start] >= 0)
        ends = np.unique(table[start, alive])
        if len(ends) == 1 and accepting[ends[0]] and not (table[ends[0]] >= 0).any() and sizes[alive].sum() >= _WIDE:
            slice_of[start] = found.setdefault(tuple(alive.tolist()), len(found))
    wide = sizes >= _WIDE
    reached = np.zeros((_MOST + len(starts), len(table)), bool)
    breadth = (table[:main] >= 0) @ sizes
    for state in np.argsort(-breadth, kind="stable"):
        if breadth[state] < _WIDE or len(found) >= _MOST:
            break
        kept, inside = table[state] >= 0, np.zeros(main, bool)
        if slice_of[state] >= 0 or not _closure(table[:main], state, wide, kept, inside):
            continue
        if sizes[kept].sum() >= _SHARE * breadth[state]:
            index = found.setdefault(tuple(np.flatnonzero(kept).tolist()), len(found))
            reached[index, :main] |= inside
            slice_of[:main][inside & (slice_of[:main] < 0)] = index
    return tuple(found), slice_of, reached[: len(found)]


@njit(cache=True)
def _closure(table, state, wide, kept, inside):
    """Shrinks bool[classes] `kept` until the states reached by it, into bool[states] `inside`, refuse none of it.

    Narrow classes are given up where they lead out, or into a state that a wide class leads out of. False when no wide
    class is left.
    """
    states, classes = table.shape
    order = np.empty(states, np.int32)
    while True:
        left = False
        for column in range(classes):
            left |= kept[column] and wide[column]
        if not left:
            return False
        inside[:] = False
        inside[state] = True
        order[0] = state
        count = 1
        at = 0
        dead = np.zeros(classes, np.bool_)
        any_dead = False
        stuck = np.zeros(states, np.bool_)
        while at < count:
            here = order[at]
            at += 1
            for column in range(classes):
                if not kept[column]:
                    continue
                to = table[here, column]
                if to < 0:
                    any_dead = True
                    if wide[column]:
                        stuck[here] = True
                    else:
                        dead[column] = True
                elif not inside[to]:
                    inside[to] = True
                    order[count] = to
                    count += 1
        if not any_dead:
            return True
        if stuck[state]:
            return False
        changed = False
        for i in range(count):
            for column in range(classes):
                if kept[column] and table[order[i], column] >= 0 and stuck[table[order[i], column]]:
                    if wide[column]:
                        return False
                    dead[column] = True
        for column in range(classes):
            if dead[column] and kept[column]:
                kept[column] = False
                changed = True
        if not changed:
            return False
