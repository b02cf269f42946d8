"""Deterministic automata over character classes: subset construction and minimisation, as array kernels.

    table     int32[states, symbols]: the next state, -1 where nothing may follow; the start is state 0
    symbols   first the character classes, then the plugs (what the request or a counter stands for)
    bounds    int32[k], bounds[0] = 0: class interval i holds the code points from bounds[i] to bounds[i + 1] - 1
    columns   int32[k]: the class of each interval

Subset construction follows Rabin and Scott with hashed sets; minimisation is Moore's, each round one hash per state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

LAST = 0x110000
_MIX = np.uint64(0x9E3779B97F4A7C15)
_FULL = -2


@dataclass(frozen=True, eq=False)
class Counter:
    """A counted repeat kept as a register: one to `high` times what `item` accepts. `item` has no plugs."""

    item: Dfa
    high: int


@dataclass(frozen=True, eq=False)
class Dfa:
    """A minimal automaton. `plugs` name the symbols behind the classes; those that are counters are in `counters`."""

    bounds: np.ndarray
    columns: np.ndarray
    table: np.ndarray
    accepting: np.ndarray
    plugs: tuple[str, ...]
    counters: Mapping[str, Counter]

    @property
    def classes(self) -> int:
        return self.table.shape[1] - len(self.plugs)

    def column_of(self, codes: np.ndarray) -> np.ndarray:
        """The class of each code point."""
        return self.columns[np.searchsorted(self.bounds, codes, side="right") - 1]


@njit(cache=True)
def mix(value):
    """A 64-bit finaliser (Steele, Lea and Flood 2014)."""
    value = np.uint64(value)
    value ^= value >> np.uint64(30)
    value *= np.uint64(0xBF58476D1CE4E5B9)
    value ^= value >> np.uint64(27)
    value *= np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@njit(cache=True)
def _close(targets, count, eps_off, eps_to, useful, stamp, mark, stack, out):
    """The useful nodes that are reached from `targets` without reading, sorted into `out`; their number."""
    top = 0
    found = 0
    for i in range(count):
        node = targets[i]
        if stamp[node] != mark:
            stamp[node] = mark
            stack[top] = node
            top += 1
    while top:
        top -= 1
        node = stack[top]
        if useful[node]:
            out[found] = node
            found += 1
        for e in range(eps_off[node], eps_off[node + 1]):
            to = eps_to[e]
            if stamp[to] != mark:
                stamp[to] = mark
                stack[top] = to
                top += 1
    out[:found].sort()
    return found


@njit(cache=True)
def determinise(table, eps_off, eps_to, accepting, start, budget):
    """(table, accepting) by subset construction; an empty table when it would pass `budget` states."""
    nodes, symbols = table.shape
    useful = accepting.copy()
    for node in range(nodes):
        for symbol in range(symbols):
            if table[node, symbol] >= 0:
                useful[node] = True
                break
    stamp = np.zeros(nodes, np.int64)
    stack = np.empty(nodes + 1, np.int32)
    out = np.empty(nodes + 1, np.int32)
    targets = np.empty(nodes + 1, np.int32)
    capacity = 256
    rows = np.full((capacity, symbols), -1, np.int32)
    accept = np.zeros(capacity, np.bool_)
    offset = np.zeros(capacity + 1, np.int64)
    pool = np.empty(4096, np.int32)
    slots = np.full(1024, -1, np.int32)
    hashes = np.empty(capacity, np.uint64)
    count = 0
    mark = 0
    local_hash = np.empty(symbols, np.uint64)
    local_to = np.empty(symbols, np.int32)

    mark += 1
    targets[0] = start
    size = _close(targets, 1, eps_off, eps_to, useful, stamp, mark, stack, out)
    pending = True
    current = -1
    symbol = 0
    local = 0
    key = np.uint64(0)
    while True:
        if pending:
            # Interns out[:size]; `found` is its state.
            value = np.uint64(size)
            for i in range(size):
                value = mix(value ^ (np.uint64(out[i]) + np.uint64(1)) * _MIX)
            at = np.int64(value & np.uint64(len(slots) - 1))
            found = -1
            while slots[at] >= 0:
                other = slots[at]
                if hashes[other] == value and offset[other + 1] - offset[other] == size:
                    same = True
                    for i in range(size):
                        if pool[offset[other] + i] != out[i]:
                            same = False
                            break
                    if same:
                        found = other
                        break
                at = (at + 1) & (len(slots) - 1)
            if found < 0:
                if count >= budget:
                    return np.empty((0, symbols), np.int32), np.empty(0, np.bool_)
                if count == capacity:
                    grown = np.full((2 * capacity, symbols), -1, np.int32)
                    grown[:capacity] = rows
                    rows = grown
                    more = np.zeros(2 * capacity, np.bool_)
                    more[:capacity] = accept
                    accept = more
                    longer = np.zeros(2 * capacity + 1, np.int64)
                    longer[: capacity + 1] = offset
                    offset = longer
                    wider = np.empty(2 * capacity, np.uint64)
                    wider[:capacity] = hashes
                    hashes = wider
                    capacity *= 2
                while offset[count] + size > len(pool):
                    larger = np.empty(2 * len(pool), np.int32)
                    larger[: len(pool)] = pool
                    pool = larger
                found = count
                for i in range(size):
                    pool[offset[count] + i] = out[i]
                    if accepting[out[i]]:
                        accept[count] = True
                offset[count + 1] = offset[count] + size
                hashes[count] = value
                slots[at] = count
                count += 1
                if 2 * count > len(slots):
                    slots = np.full(2 * len(slots), -1, np.int32)
                    for other in range(count):
                        at = np.int64(hashes[other] & np.uint64(len(slots) - 1))
                        while slots[at] >= 0:
                            at = (at + 1) & (len(slots) - 1)
                        slots[at] = other
            pending = False
            if current >= 0:
                local_hash[local] = key
                local_to[local] = found
                local += 1
                rows[current, symbol] = found
                symbol += 1
            else:
                current = 0
                symbol = 0
                local = 0
        if symbol == symbols:
            current += 1
            symbol = 0
            local = 0
        if current == count:
            break
        # Where the members go on this symbol; equal lists of targets are closed once.
        size = 0
        key = np.uint64(0)
        for i in range(offset[current], offset[current + 1]):
            to = table[pool[i], symbol]
            if to >= 0:
                targets[size] = to
                size += 1
                key = mix(key ^ (np.uint64(to) + np.uint64(1)) * _MIX)
        if size == 0:
            symbol += 1
            continue
        known = -1
        for i in range(local):
            if local_hash[i] == key:
                known = local_to[i]
                break
        if known >= 0:
            rows[current, symbol] = known
            symbol += 1
            continue
        mark += 1
        size = _close(targets, size, eps_off, eps_to, useful, stamp, mark, stack, out)
        pending = True
    return rows[:count].copy(), accept[:count].copy()


@njit(cache=True)
def _alive(table, accepting):
    """Which states can reach acceptance."""
    states, symbols = table.shape
    degree = np.zeros(states + 1, np.int64)
    for state in range(states):
        for symbol in range(symbols):
            to = table[state, symbol]
            if to >= 0:
                degree[to + 1] += 1
    for state in range(states):
        degree[state + 1] += degree[state]
    came = np.empty(degree[states], np.int32)
    fill = degree[:states].copy()
    for state in range(states):
        for symbol in range(symbols):
            to = table[state, symbol]
            if to >= 0:
                came[fill[to]] = state
                fill[to] += 1
    alive = accepting.copy()
    stack = np.empty(states, np.int32)
    top = 0
    for state in range(states):
        if alive[state]:
            stack[top] = state
            top += 1
    while top:
        top -= 1
        state = stack[top]
        for i in range(degree[state], degree[state + 1]):
            if not alive[came[i]]:
                alive[came[i]] = True
                stack[top] = came[i]
                top += 1
    return alive


@njit(cache=True)
def _blocks(table, accepting, alive):
    """uint64 per state: equal for states that accept the same texts; 0 for dead ones. Moore, one hash a round."""
    states, symbols = table.shape
    salt = np.empty(symbols, np.uint64)
    for symbol in range(symbols):
        salt[symbol] = mix(np.uint64(symbol + 1) * _MIX)
    block = np.empty(states, np.uint64)
    for state in range(states):
        block[state] = mix(np.uint64(1)) if accepting[state] else mix(np.uint64(2))
    parts = 0
    fresh = np.empty(states, np.uint64)
    while True:
        for state in range(states):
            if not alive[state]:
                fresh[state] = 0
                continue
            value = block[state]
            for symbol in range(symbols):
                to = table[state, symbol]
                if to >= 0 and alive[to]:
                    value += mix(block[to] ^ salt[symbol])
            fresh[state] = mix(value)
        ordered = np.sort(fresh)
        found = 1
        for i in range(1, states):
            if ordered[i] != ordered[i - 1]:
                found += 1
        block[:] = fresh
        if found == parts:
            return block
        parts = found


@njit(cache=True)
def same_prefixes(table, accepting):
    """int32 per state: equal for states after which the same texts may be begun, whether or not they may end."""
    block = _blocks(table, np.ones(len(table), np.bool_), _alive(table, accepting))
    ordered = np.unique(block)
    return np.searchsorted(ordered, block).astype(np.int32)


@njit(cache=True)
def minimise(table, accepting):
    """(table, accepting) of the minimal automaton, states numbered breadth first; one state, refusing, for no text."""
    states, symbols = table.shape
    alive = _alive(table, accepting)
    if not alive[0]:
        return np.full((1, symbols), -1, np.int32), np.zeros(1, np.bool_)
    block = _blocks(table, accepting, alive)
    ordered = np.sort(block)
    number = np.full(states, -1, np.int32)
    chosen = np.empty(states, np.int32)
    chosen[0] = 0
    number[np.searchsorted(ordered, block[0])] = 0
    count = 1
    at = 0
    while at < count:
        state = chosen[at]
        for symbol in range(symbols):
            to = table[state, symbol]
            if to >= 0 and alive[to]:
                where = np.searchsorted(ordered, block[to])
                if number[where] < 0:
                    number[where] = count
                    chosen[count] = to
                    count += 1
        at += 1
    out = np.full((count, symbols), -1, np.int32)
    accept = np.zeros(count, np.bool_)
    for state in range(count):
        accept[state] = accepting[chosen[state]]
        for symbol in range(symbols):
            to = table[chosen[state], symbol]
            if to >= 0 and alive[to]:
                out[state, symbol] = number[np.searchsorted(ordered, block[to])]
    return out, accept


def merge_classes(signatures: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Intervals with equal rows of int64[k, m] share a class, numbered by first appearance: (class of each, first of each)."""
    rng = np.random.default_rng(20)
    weight = rng.integers(1, 2**63, size=signatures.shape[1], dtype=np.int64) | 1
    keys = ((signatures + 7) * weight).sum(axis=1)
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank[inverse].astype(np.int32), first[order]


def reduced(
    bounds: np.ndarray,
    columns: np.ndarray,
    table: np.ndarray,
    accepting: np.ndarray,
    plugs: Sequence[str],
    counters: Mapping[str, Counter],
) -> Dfa:
    """The automaton with classes that behave alike merged and unused plugs left out."""
    classes = table.shape[1] - len(plugs)
    of_class, first = merge_classes(np.ascontiguousarray(table[:, :classes].T).astype(np.int64))
    interval = of_class[columns]
    starts = np.flatnonzero(np.concatenate([[True], interval[1:] != interval[:-1]]))
    kept = [i for i in range(len(plugs)) if (table[:, classes + i] >= 0).any()]
    names = tuple(plugs[i] for i in kept)
    cut = np.ascontiguousarray(table[:, [*first, *(classes + i for i in kept)]])
    used = {name: counters[name] for name in names if name in counters}
    return Dfa(bounds[starts], interval[starts], cut, accepting, names, used)
