"""The kernels of the run time: one step of a character, the proof that an ending exists, and the mask walk.

A *set* is where the text may stand in the form: sorted configurations, packed into int64 as

    kind (2 bits)  back (20)  at (24)  left (16)       0: main state `at`
                                                       1: node `at` of a plugged graph, the rule goes on in `back`
                                                       2: state `at` of a counted item, `left` rounds with this one

Of two configurations that differ in `left` only, the larger accepts whatever the smaller does, so one is kept. A *point*
is a set with its reading: the state of the forbidden words, and of the terms (`engine.grammar.semantics`). Sets, points and
their transitions are interned as they are met. When a pool is full a kernel gives up with FULL; the caller makes room and
calls it again.

`ending` never guesses: a point is alive when a legal text to the end is known. Most are by one argument: a form path whose
characters neither end a forbidden word nor touch a term is legal from every settled reading (`safe` distances). The rest is
searched and remembered.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from engine.grammar.arrays import field
from engine.grammar.vocabulary import FOREST, PARTIAL, char_bit
from engine.grammar.words import child

FAR = 1 << 28
FULL, TOO_FAR = -9, -8
USE_FIRST, USE_LAST = ord("所"), ord("述")
USE_OF = ord("的")
# Where the counters of the pools stand in `count`.
CFGS, SETS, POINTS, MOVES, FORM_MOVES, SCOPES, IS_FULL, MARK, TERMS = range(9)
# Columns of `about`, one row a set, and of `memo`, one row a point.
DIST, VIA, SAFE, SAFE_VIA, ENDS, PREFIX = range(6)
STATUS, LENGTH, NEXT = range(3)
UNKNOWN, ALIVE, DEAD = range(3)
_DEPTH, _SEEN = 6000, 60_000
_PAIRS = 400
# A budget that never binds.
UNBOUNDED = 1 << 40


MACHINE = (
    ("bounds", np.int32, 1),
    ("columns", np.int32, 1),
    ("table", np.int32, 2),
    ("accepting", np.bool_, 1),
    ("call_off", np.int32, 1),
    ("call_plug", np.int32, 1),
    ("call_to", np.int32, 1),
    ("start_of", np.int32, 1),
    ("high", np.int32, 1),
    ("item_start", np.int32, 1),
    ("reach_off", np.int32, 1),
    ("reach_low", np.int32, 1),
    ("reach_high", np.int32, 1),
    ("state_bits", np.uint64, 1),
    ("prefix_of", np.int32, 1),
    ("plane", np.int16, 1),
    ("extra_code", np.int32, 1),
    ("extra_class", np.int32, 1),
    ("form_of", np.int32, 1),
    ("reps", np.int32, 1),
    ("g_off", np.int32, 1),
    ("g_code", np.int32, 1),
    ("g_to", np.int32, 1),
    ("g_accepting", np.bool_, 1),
    ("g_bits", np.uint64, 1),
    ("root", np.int32, 1),
    ("state_dist", np.int32, 2),
    ("main_dist", np.int32, 2),
    ("state_via", np.int32, 2),
    ("g_dist", np.int32, 2),
    ("g_via", np.int32, 2),
    ("b_off", np.int32, 1),
    ("b_code", np.int32, 1),
    ("b_to", np.int32, 1),
    ("b_fail", np.int32, 1),
    ("b_longest", np.int32, 1),
    ("b_depth", np.int32, 1),
    ("t_off", np.int32, 1),
    ("t_code", np.int32, 1),
    ("t_to", np.int32, 1),
    ("t_fail", np.int32, 1),
    ("t_depth", np.int32, 1),
    ("t_word", np.int32, 1),
    ("t_longest", np.int32, 1),
    ("t_length", np.int32, 1),
    ("t_below", np.uint64, 2),
    ("cfg", np.int64, 1),
    ("set_off", np.int64, 1),
    ("about", np.int32, 2),
    ("set_bits", np.uint64, 1),
    ("set_hash", np.uint64, 1),
    ("set_slots", np.int32, 1),
    ("point_a", np.int64, 1),
    ("point_b", np.int64, 1),
    ("memo", np.int32, 2),
    ("point_slots", np.int32, 1),
    ("move_key", np.int64, 1),
    ("move_to", np.int32, 1),
    ("form_key", np.int64, 1),
    ("form_to", np.int32, 1),
    ("scopes", np.uint64, 2),
    ("scope_slots", np.int32, 1),
    ("count", np.int64, 1),
)
"""Arrays of one form under one frame, in this order; those from `cfg` on grow."""

m_bounds = field(MACHINE, "bounds")
m_columns = field(MACHINE, "columns")
m_table = field(MACHINE, "table")
m_accepting = field(MACHINE, "accepting")
m_call_off = field(MACHINE, "call_off")
m_call_plug = field(MACHINE, "call_plug")
m_call_to = field(MACHINE, "call_to")
m_start_of = field(MACHINE, "start_of")
m_high = field(MACHINE, "high")
m_item_start = field(MACHINE, "item_start")
m_reach_off = field(MACHINE, "reach_off")
m_reach_low = field(MACHINE, "reach_low")
m_reach_high = field(MACHINE, "reach_high")
m_state_bits = field(MACHINE, "state_bits")
m_prefix_of = field(MACHINE, "prefix_of")
m_plane = field(MACHINE, "plane")
m_extra_code = field(MACHINE, "extra_code")
m_extra_class = field(MACHINE, "extra_class")
m_form_of = field(MACHINE, "form_of")
m_reps = field(MACHINE, "reps")
m_g_off = field(MACHINE, "g_off")
m_g_code = field(MACHINE, "g_code")
m_g_to = field(MACHINE, "g_to")
m_g_accepting = field(MACHINE, "g_accepting")
m_g_bits = field(MACHINE, "g_bits")
m_root = field(MACHINE, "root")
m_state_dist = field(MACHINE, "state_dist")
m_main_dist = field(MACHINE, "main_dist")
m_state_via = field(MACHINE, "state_via")
m_g_dist = field(MACHINE, "g_dist")
m_g_via = field(MACHINE, "g_via")
m_b_off = field(MACHINE, "b_off")
m_b_code = field(MACHINE, "b_code")
m_b_to = field(MACHINE, "b_to")
m_b_fail = field(MACHINE, "b_fail")
m_b_longest = field(MACHINE, "b_longest")
m_b_depth = field(MACHINE, "b_depth")
m_t_off = field(MACHINE, "t_off")
m_t_code = field(MACHINE, "t_code")
m_t_to = field(MACHINE, "t_to")
m_t_fail = field(MACHINE, "t_fail")
m_t_depth = field(MACHINE, "t_depth")
m_t_word = field(MACHINE, "t_word")
m_t_longest = field(MACHINE, "t_longest")
m_t_length = field(MACHINE, "t_length")
m_t_below = field(MACHINE, "t_below")
m_cfg = field(MACHINE, "cfg")
m_set_off = field(MACHINE, "set_off")
m_about = field(MACHINE, "about")
m_set_bits = field(MACHINE, "set_bits")
m_set_hash = field(MACHINE, "set_hash")
m_set_slots = field(MACHINE, "set_slots")
m_point_a = field(MACHINE, "point_a")
m_point_b = field(MACHINE, "point_b")
m_memo = field(MACHINE, "memo")
m_point_slots = field(MACHINE, "point_slots")
m_move_key = field(MACHINE, "move_key")
m_move_to = field(MACHINE, "move_to")
m_form_key = field(MACHINE, "form_key")
m_form_to = field(MACHINE, "form_to")
m_scopes = field(MACHINE, "scopes")
m_scope_slots = field(MACHINE, "scope_slots")
m_count = field(MACHINE, "count")
f_code = field(FOREST, "code")
f_end = field(FOREST, "end")
f_bits = field(FOREST, "bits")
f_first = field(FOREST, "first")
f_tokens = field(FOREST, "tokens")
f_tops = field(FOREST, "tops")
f_top_code = field(FOREST, "top_code")
f_group_off = field(FOREST, "group_off")
f_partial_low = field(FOREST, "partial_low")
f_partial_high = field(FOREST, "partial_high")
f_partial_size = field(FOREST, "partial_size")
f_group_bytes = field(FOREST, "group_bytes")
f_group_size = field(FOREST, "group_size")
f_own_off = field(FOREST, "own_off")
f_own = field(FOREST, "own")


@njit(cache=True, inline="always")
def _mixed(value):
    value = np.uint64(value) * np.uint64(0x9E3779B97F4A7C15)
    return value ^ (value >> np.uint64(32))


@njit(cache=True)
def classify(m, char):
    """The class of a character under the frame: its own when the frame mentions it, else its form class."""
    if char < 65536:
        return np.int64(m_plane(m)[char])
    at = np.searchsorted(m_extra_code(m), char)
    if at < len(m_extra_code(m)) and m_extra_code(m)[at] == char:
        return np.int64(m_extra_class(m)[at])
    return np.int64(m_columns(m)[np.searchsorted(m_bounds(m), char, side="right") - 1])


@njit(cache=True, inline="always")
def _pack(kind, back, at, left):
    return np.int64(kind) << 60 | np.int64(back) << 40 | np.int64(at) << 16 | np.int64(left)


@njit(cache=True, inline="always")
def _push(buffer, size, value):
    """Adds a configuration unless it, or one with more rounds left, is there."""
    for i in range(size):
        if buffer[i] >> 16 == value >> 16:
            if value > buffer[i]:
                buffer[i] = value
            return size
    buffer[size] = value
    return size + 1


@njit(cache=True)
def _enter(m, buffer, size, state):
    """Adds main state `state` and everything that may be called there."""
    if m_main_dist(m)[0, state] >= FAR:
        return size
    if m_accepting(m)[state] or m_reach_off(m)[state + 1] > m_reach_off(m)[state]:
        size = _push(buffer, size, _pack(0, 0, state, 0))
    for call in range(m_call_off(m)[state], m_call_off(m)[state + 1]):
        plug = m_call_plug(m)[call]
        back = m_call_to(m)[call]
        if m_main_dist(m)[0, back] >= FAR:
            continue
        start = m_start_of(m)[plug]
        if start >= 0:
            size = _push(buffer, size, _pack(2, back, start, m_high(m)[plug]))
        elif m_root(m)[plug] >= 0 and m_g_dist(m)[0, m_root(m)[plug]] < FAR:
            size = _push(buffer, size, _pack(1, back, m_root(m)[plug], 0))
    return size


@njit(cache=True)
def _intern_set(m, buffer, size):
    """The set of these configurations, or FULL."""
    configs = buffer[:size]
    configs.sort()
    value = np.uint64(size)
    for i in range(size):
        value = _mixed(value ^ np.uint64(configs[i]))
    slots = len(m_set_slots(m))
    at = np.int64(value & np.uint64(slots - 1))
    while m_set_slots(m)[at] > 0:
        found = m_set_slots(m)[at] - 1
        if m_set_hash(m)[found] == value and m_set_off(m)[found + 1] - m_set_off(m)[found] == size:
            same = True
            for i in range(size):
                if m_cfg(m)[m_set_off(m)[found] + i] != configs[i]:
                    same = False
                    break
            if same:
                return np.int64(found)
        at = (at + 1) & (slots - 1)
    new = m_count(m)[SETS]
    used = m_count(m)[CFGS]
    if new + 1 >= len(m_set_hash(m)) or used + size > len(m_cfg(m)) or 2 * new > slots:
        m_count(m)[IS_FULL] = 1 if 2 * new > slots or new + 1 >= len(m_set_hash(m)) else 2
        return np.int64(FULL)
    bits = np.uint64(0)
    about = m_about(m)[new]
    about[DIST] = about[SAFE] = FAR
    about[VIA] = about[SAFE_VIA] = -1
    about[ENDS] = 0
    for i in range(size):
        config = configs[i]
        m_cfg(m)[used + i] = config
        kind = config >> 60
        back = config >> 40 & 0xFFFFF
        here = config >> 16 & 0xFFFFFF
        bits |= m_g_bits(m)[here] if kind == 1 else m_state_bits(m)[here]
        for safe in range(2):
            if kind == 0:
                dist = 0 if m_accepting(m)[here] else m_state_dist(m)[safe, here]
                via = m_state_via(m)[safe, here]
            elif kind == 1:
                dist = m_g_dist(m)[safe, here] + m_main_dist(m)[safe, back]
                via = m_g_via(m)[safe, here]
            else:
                dist = m_state_dist(m)[safe, here] + m_main_dist(m)[safe, back]
                via = m_state_via(m)[safe, here]
            if dist < about[2 * safe]:
                about[2 * safe] = dist
                about[2 * safe + 1] = via
        if kind == 0 and m_accepting(m)[here]:
            about[ENDS] = 1
    about[PREFIX] = -1
    if size == 1 and configs[0] >> 60 == 0:
        about[PREFIX] = m_prefix_of(m)[configs[0] >> 16 & 0xFFFFFF]
    m_set_bits(m)[new] = bits
    m_set_hash(m)[new] = value
    m_set_off(m)[new + 1] = used + size
    m_set_slots(m)[at] = new + 1
    m_count(m)[SETS] = new + 1
    m_count(m)[CFGS] = used + size
    return np.int64(new)


@njit(cache=True)
def entry_set(m, state):
    """The set before the first character of main state `state`."""
    buffer = np.empty(64 + 2 * len(m_call_to(m)), np.int64)
    return _intern_set(m, buffer, _enter(m, buffer, 0, state))


@njit(cache=True)
def _form_step(m, here, kind_class, char):
    """The set after a character, -1 when the form refuses it, or FULL."""
    key = (here << 16 | kind_class) + 1
    slots = len(m_form_key(m))
    at = np.int64(_mixed(np.uint64(key))) & (slots - 1)
    while m_form_key(m)[at] != 0:
        if m_form_key(m)[at] == key:
            return np.int64(m_form_to(m)[at])
        at = (at + 1) & (slots - 1)
    column = m_form_of(m)[kind_class]
    first = m_set_off(m)[here]
    last = m_set_off(m)[here + 1]
    buffer = np.empty((last - first) * (3 + len(m_call_to(m))) + 8, np.int64)
    size = 0
    for i in range(first, last):
        config = m_cfg(m)[i]
        kind = config >> 60
        back = config >> 40 & 0xFFFFF
        place = config >> 16 & 0xFFFFFF
        if kind == 0:
            to = m_table(m)[place, column]
            if to >= 0:
                size = _enter(m, buffer, size, to)
        elif kind == 1:
            to = child(m_g_off(m), m_g_code(m), m_g_to(m), place, char)
            if to >= 0:
                if m_g_dist(m)[0, to] < FAR:
                    size = _push(buffer, size, _pack(1, back, to, 0))
                if m_g_accepting(m)[to]:
                    size = _enter(m, buffer, size, back)
        else:
            to = m_table(m)[place, column]
            if to >= 0:
                left = config & 0xFFFF
                if m_state_dist(m)[0, to] < FAR:
                    size = _push(buffer, size, _pack(2, back, to, left))
                if m_accepting(m)[to]:
                    size = _enter(m, buffer, size, back)
                    if left > 1:
                        size = _push(buffer, size, _pack(2, back, m_item_start(m)[place], left - 1))
    result = np.int64(-1)
    if size:
        result = _intern_set(m, buffer, size)
        if result == FULL:
            return result
    if 2 * m_count(m)[FORM_MOVES] > slots:
        m_count(m)[IS_FULL] = 4
        return np.int64(FULL)
    m_form_key(m)[at] = key
    m_form_to(m)[at] = result
    m_count(m)[FORM_MOVES] += 1
    return result


@njit(cache=True)
def _intern_point(m, a, b):
    slots = len(m_point_slots(m))
    at = np.int64(_mixed(np.uint64(a) ^ _mixed(np.uint64(b))) & np.uint64(slots - 1))
    while m_point_slots(m)[at] > 0:
        found = m_point_slots(m)[at] - 1
        if m_point_a(m)[found] == a and m_point_b(m)[found] == b:
            return np.int64(found)
        at = (at + 1) & (slots - 1)
    new = m_count(m)[POINTS]
    if new >= len(m_point_a(m)) or 2 * new > slots:
        m_count(m)[IS_FULL] = 3
        return np.int64(FULL)
    m_point_a(m)[new] = a
    m_point_b(m)[new] = b
    m_memo(m)[new, STATUS] = UNKNOWN
    m_point_slots(m)[at] = new + 1
    m_count(m)[POINTS] = new + 1
    return np.int64(new)


@njit(cache=True, inline="always")
def _part_a(here, banned, use, half):
    return np.int64(here) << 40 | np.int64(banned) << 20 | np.int64(use + 1) << 1 | np.int64(half)


@njit(cache=True, inline="always")
def _part_b(node, candidate, age, fresh, scope):
    return (
        np.int64(node) << 46
        | np.int64(candidate + 1) << 32
        | np.int64(age) << 24
        | np.int64(fresh) << 16
        | np.int64(scope)
    )


@njit(cache=True)
def entry_point(m, here, fresh, scope):
    """The point of a set before any text."""
    return _intern_point(m, _part_a(here, 0, -1, 0), _part_b(0, -1, 0, fresh, scope))


@njit(cache=True)
def intern_scope(m, bits):
    """The number of a bit set of terms, or FULL."""
    value = np.uint64(0)
    for i in range(len(bits)):
        value = _mixed(value ^ bits[i])
    slots = len(m_scope_slots(m))
    at = np.int64(value & np.uint64(slots - 1))
    while m_scope_slots(m)[at] > 0:
        found = m_scope_slots(m)[at] - 1
        same = True
        for i in range(len(bits)):
            if m_scopes(m)[found, i] != bits[i]:
                same = False
                break
        if same:
            return np.int64(found)
        at = (at + 1) & (slots - 1)
    new = m_count(m)[SCOPES]
    if new >= len(m_scopes(m)) or 2 * new > slots:
        m_count(m)[IS_FULL] = 5
        return np.int64(FULL)
    m_scopes(m)[new] = bits
    m_scope_slots(m)[at] = new + 1
    m_count(m)[SCOPES] = new + 1
    return np.int64(new)


@njit(cache=True, inline="always")
def _in_scope(m, scope, word):
    return m_scopes(m)[scope, word >> 6] >> np.uint64(word & 63) & np.uint64(1) != 0


@njit(cache=True)
def _introduce(m, scope, word):
    """The scope with one more term."""
    bits = m_scopes(m)[scope].copy()
    bits[word >> 6] |= np.uint64(1) << np.uint64(word & 63)
    return intern_scope(m, bits)


@njit(cache=True)
def _follow(off, code, to, fail, node, char):
    """One step of an Aho-Corasick automaton."""
    found = child(off, code, to, node, char)
    while node and found < 0:
        node = fail[node]
        found = child(off, code, to, node, char)
    return max(found, 0)


@njit(cache=True)
def _spot(m, node, candidate, age, fresh, scope, char, cap):
    """(node, candidate, age, fresh, scope) after a character outside a use site; scope -1 when refused, or FULL."""
    fresh = min(fresh + 1, cap)
    node = _follow(m_t_off(m), m_t_code(m), m_t_to(m), m_t_fail(m), node, char)
    while m_t_depth(m)[node] > fresh:
        node = m_t_fail(m)[node]
    if candidate >= 0:
        age += 1
        if m_t_depth(m)[node] >= m_t_length(m)[candidate] + age:
            if m_t_word(m)[node] >= 0:
                candidate, age = m_t_word(m)[node], 0
            return node, candidate, age, fresh, scope
        if _in_scope(m, scope, candidate):
            return node, candidate, age, fresh, np.int64(-1)
        scope = _introduce(m, scope, candidate)
        if scope == FULL:
            return node, candidate, age, fresh, scope
        fresh = min(age, cap)
        while m_t_depth(m)[node] > fresh:
            node = m_t_fail(m)[node]
    candidate = m_t_longest(m)[node]
    return node, candidate, 0, fresh, scope


@njit(cache=True)
def step(m, point, char):
    """The point after a character, -1 when the form or the reading refuses it, or FULL."""
    kind_class = classify(m, char)
    key = (point << 16 | kind_class) + 1
    slots = len(m_move_key(m))
    at = np.int64(_mixed(np.uint64(key))) & (slots - 1)
    while m_move_key(m)[at] != 0:
        if m_move_key(m)[at] == key:
            return np.int64(m_move_to(m)[at])
        at = (at + 1) & (slots - 1)
    result = _new_step(m, point, kind_class, char)
    if result == FULL:
        return result
    if 2 * m_count(m)[MOVES] > slots:
        m_count(m)[IS_FULL] = 6
        return np.int64(FULL)
    m_move_key(m)[at] = key
    m_move_to(m)[at] = result
    m_count(m)[MOVES] += 1
    return result


@njit(cache=True)
def _new_step(m, point, kind_class, char):
    a = m_point_a(m)[point]
    here = _form_step(m, a >> 40, kind_class, char)
    if here < 0:
        return here
    banned = a >> 20 & 0xFFFFF
    if len(m_b_off(m)) > 2:
        banned = np.int64(_follow(m_b_off(m), m_b_code(m), m_b_to(m), m_b_fail(m), banned, char))
        if m_b_longest(m)[banned] >= 0:
            return np.int64(-1)
    b = m_point_b(m)[point]
    if m_count(m)[TERMS] == 0:
        return _intern_point(m, _part_a(here, banned, -1, 0), b)
    use = (a >> 1 & 0x7FFFF) - 1
    half = a & 1
    node = b >> 46
    candidate = (b >> 32 & 0x3FFF) - 1
    age = b >> 24 & 0xFF
    fresh = b >> 16 & 0xFF
    scope = b & 0xFFFF
    cap = m_count(m)[TERMS]
    if use >= 0:
        to = child(m_t_off(m), m_t_code(m), m_t_to(m), use, char)
        if to >= 0:
            open_ = False
            for i in range(m_scopes(m).shape[1]):
                if m_t_below(m)[to, i] & m_scopes(m)[scope, i] != 0:
                    open_ = True
                    break
            if not open_:
                return np.int64(-1)
            use = to
        elif use == 0:
            if char != USE_OF:
                return np.int64(-1)
        else:
            word = m_t_word(m)[use]
            if word < 0 or not _in_scope(m, scope, word):
                return np.int64(-1)
            use = np.int64(-1)
            node, candidate, age, fresh, scope = _spot(m, 0, -1, 0, 0, scope, char, cap)
    else:
        node, candidate, age, fresh, scope = _spot(m, node, candidate, age, fresh, scope, char, cap)
    if scope < 0:
        return np.int64(scope)
    if half and char == USE_LAST:
        if candidate >= 0:
            if _in_scope(m, scope, candidate):
                return np.int64(-1)
            scope = _introduce(m, scope, candidate)
            if scope == FULL:
                return scope
        use = np.int64(0)
        node, candidate, age, fresh = np.int64(0), np.int64(-1), np.int64(0), np.int64(0)
    half = 1 if char == USE_FIRST else 0
    return _intern_point(m, _part_a(here, banned, use, half), _part_b(node, candidate, age, fresh, scope))


@njit(cache=True)
def may_end(m, point):
    """Whether the reading allows an end, or a character that has nothing to do with terms."""
    if m_count(m)[TERMS] == 0:
        return True
    use = (m_point_a(m)[point] >> 1 & 0x7FFFF) - 1
    b = m_point_b(m)[point]
    scope = b & 0xFFFF
    if use >= 0:
        word = m_t_word(m)[use]
        return word >= 0 and _in_scope(m, scope, word)
    candidate = (b >> 32 & 0x3FFF) - 1
    return candidate < 0 or not _in_scope(m, scope, candidate)


@njit(cache=True)
def accepts(m, point):
    return m_about(m)[m_point_a(m)[point] >> 40, ENDS] == 1 and may_end(m, point)


@njit(cache=True)
def _obvious(m, point):
    """Whether the point is alive by the safe distance; notes it."""
    here = m_point_a(m)[point] >> 40
    if m_about(m)[here, SAFE] < FAR and may_end(m, point):
        m_memo(m)[point, STATUS] = ALIVE
        m_memo(m)[point, LENGTH] = m_about(m)[here, SAFE]
        m_memo(m)[point, NEXT] = m_about(m)[here, SAFE_VIA]
        return True
    return False


@njit(cache=True)
def alive(m, point):
    """Whether a legal ending is known; its length and first character are then in `memo`. FULL leaves it open."""
    status = m_memo(m)[point, STATUS]
    if status != UNKNOWN:
        return status == ALIVE
    if _obvious(m, point):
        return True
    return _search(m, point)


@njit(cache=True)
def _gather(m, point, out):
    """Characters that may follow, as distance << 32 | character, nearest to the end first; their number.

    One character for each class. -1 when `out` is too small or a pool is full.
    """
    a, b = m_point_a(m)[point], m_point_b(m)[point]
    here = a >> 40
    size = 0
    use = (a >> 1 & 0x7FFFF) - 1
    stuck = m_count(m)[TERMS] > 0 and not may_end(m, point)
    if stuck:
        # Only characters that go on with a term.
        node = use if use >= 0 else b >> 46
        while use >= 0 or node > 0:
            for edge in range(m_t_off(m)[node], m_t_off(m)[node + 1]):
                if size == len(out):
                    return -1
                out[size] = m_t_code(m)[edge]
                size += 1
            if use >= 0:
                break
            node = np.int64(m_t_fail(m)[node])
        if use == 0:
            if size == len(out):
                return -1
            out[size] = USE_OF
            size += 1
    else:
        for i in range(m_set_off(m)[here], m_set_off(m)[here + 1]):
            config = m_cfg(m)[i]
            place = config >> 16 & 0xFFFFFF
            if config >> 60 == 1:
                for edge in range(m_g_off(m)[place], m_g_off(m)[place + 1]):
                    if size == len(out):
                        return -1
                    out[size] = m_g_code(m)[edge]
                    size += 1
                continue
            for r in range(m_reach_off(m)[place], m_reach_off(m)[place + 1]):
                at = np.searchsorted(m_reps(m), m_reach_low(m)[r])
                while at < len(m_reps(m)) and m_reps(m)[at] <= m_reach_high(m)[r]:
                    if size == len(out):
                        return -1
                    out[size] = m_reps(m)[at]
                    size += 1
                    at += 1
    out[:size].sort()
    kept = 0
    for i in range(size):
        char = out[i]
        if i and char == out[i - 1] & 0xFFFFFFFF:
            continue
        to = _form_step(m, here, classify(m, char), char)
        if to == FULL:
            return -1
        if to >= 0:
            out[i] = char
            out[kept] = np.int64(m_about(m)[to, DIST]) << 32 | char
            kept += 1
    out[:kept].sort()
    return kept


@njit(cache=True)
def _search(m, start):
    """Looks for a legal ending, nearest first, and notes it for every point on the way.

    When there is none, every point met is dead. When the search grows too long the point counts as dead: it is never
    entered, so the promise holds.
    """
    path = np.empty(_DEPTH, np.int64)
    chars = np.empty(_DEPTH, np.int64)
    low = np.empty(_DEPTH + 1, np.int64)
    at = np.empty(_DEPTH, np.int64)
    seen = np.empty(_SEEN, np.int64)
    pool = np.empty(1 << 12, np.int64)
    # A point that this search has met carries -mark as its status.
    m_count(m)[MARK] += 1
    mark = -m_count(m)[MARK]
    depth = 0
    met = 1
    path[0] = start
    low[0] = at[0] = 0
    low[1] = -1
    seen[0] = start
    m_memo(m)[start, STATUS] = mark
    outcome = 0
    while depth >= 0:
        point = path[depth]
        if low[depth + 1] < 0:
            size = _gather(m, point, pool[low[depth] :])
            if size < 0:
                if m_count(m)[IS_FULL]:
                    outcome = FULL
                    break
                larger = np.empty(2 * len(pool), np.int64)
                larger[: len(pool)] = pool
                pool = larger
                continue
            low[depth + 1] = low[depth] + size
        if at[depth] >= low[depth + 1]:
            depth -= 1
            continue
        char = pool[at[depth]] & 0xFFFFFFFF
        at[depth] += 1
        following = step(m, point, char)
        if following == FULL:
            outcome = FULL
            break
        if following < 0:
            continue
        status = m_memo(m)[following, STATUS]
        if status == DEAD or status == mark:
            continue
        chars[depth] = char
        if status == ALIVE or _obvious(m, following):
            length = m_memo(m)[following, LENGTH]
            for i in range(depth, -1, -1):
                length += 1
                m_memo(m)[path[i], STATUS] = ALIVE
                m_memo(m)[path[i], LENGTH] = length
                m_memo(m)[path[i], NEXT] = chars[i]
            outcome = ALIVE
            break
        if depth + 1 >= _DEPTH or met >= _SEEN:
            outcome = DEAD
            break
        m_memo(m)[following, STATUS] = mark
        seen[met] = following
        met += 1
        depth += 1
        path[depth] = following
        low[depth + 1] = -1
        at[depth] = low[depth]
    for i in range(met):
        if m_memo(m)[seen[i], STATUS] == mark:
            m_memo(m)[seen[i], STATUS] = DEAD if outcome == 0 else UNKNOWN
    if outcome == DEAD:
        m_memo(m)[start, STATUS] = DEAD
    return outcome == ALIVE


@njit(cache=True)
def feed(m, point, chars, start):
    """The point after chars[start:], alive; -1 when they are refused, or FULL."""
    for i in range(start, len(chars)):
        point = step(m, point, np.int64(chars[i]))
        if point < 0:
            return point
    if alive(m, point):
        return point
    return np.int64(FULL if m_count(m)[IS_FULL] else -1)


@njit(cache=True)
def complete(m, point, low, high):
    """The alive point after some character from `low` to `high`, that of the known ending first; -1, or FULL."""
    if alive(m, point) and m_memo(m)[point, LENGTH] > 0:
        char = np.int64(m_memo(m)[point, NEXT])
        if low <= char <= high:
            return step(m, point, char)
    here = m_point_a(m)[point] >> 40
    for i in range(m_set_off(m)[here], m_set_off(m)[here + 1]):
        config = m_cfg(m)[i]
        place = config >> 16 & 0xFFFFFF
        if config >> 60 == 1:
            for edge in range(m_g_off(m)[place], m_g_off(m)[place + 1]):
                char = np.int64(m_g_code(m)[edge])
                if low <= char <= high:
                    to = step(m, point, char)
                    if to >= 0 and alive(m, to):
                        return to
                    if m_count(m)[IS_FULL]:
                        return np.int64(FULL)
            continue
        for r in range(m_reach_off(m)[place], m_reach_off(m)[place + 1]):
            char = np.int64(max(low, m_reach_low(m)[r]))
            dead = np.int64(-1)
            while char <= min(high, m_reach_high(m)[r]):
                kind_class = classify(m, char)
                if kind_class != dead:
                    to = step(m, point, char)
                    if to >= 0 and alive(m, to):
                        return to
                    if m_count(m)[IS_FULL]:
                        return np.int64(FULL)
                    dead = kind_class
                char += 1
    return np.int64(-1)


@njit(cache=True)
def only_char(m, point):
    """The one character that may follow; -1 when there is none, -2 when there are more, or FULL."""
    here = m_point_a(m)[point] >> 40
    found = np.int64(-1)
    for i in range(m_set_off(m)[here], m_set_off(m)[here + 1]):
        config = m_cfg(m)[i]
        place = config >> 16 & 0xFFFFFF
        if config >> 60 == 1:
            for edge in range(m_g_off(m)[place], m_g_off(m)[place + 1]):
                char = np.int64(m_g_code(m)[edge])
                to = step(m, point, char) if char != found else np.int64(-1)
                if to >= 0 and alive(m, to):
                    if found >= 0:
                        return np.int64(-2)
                    found = char
                if m_count(m)[IS_FULL]:
                    return np.int64(FULL)
            continue
        for r in range(m_reach_off(m)[place], m_reach_off(m)[place + 1]):
            dead = np.int64(-1)
            for code in range(m_reach_low(m)[r], m_reach_high(m)[r] + 1):
                char = np.int64(code)
                kind_class = classify(m, char)
                if char == found or kind_class == dead:
                    continue
                to = step(m, point, char)
                if to >= 0 and alive(m, to):
                    if found >= 0:
                        return np.int64(-2)
                    found = char
                else:
                    dead = kind_class
                if m_count(m)[IS_FULL]:
                    return np.int64(FULL)
    return found


@njit(cache=True, inline="always")
def _bytes_of(char):
    return 1 if char < 0x80 else 2 if char < 0x800 else 3 if char < 0x10000 else 4


@njit(cache=True)
def tokens_to_end(m, f, point):
    """Tokens of the known ending, each the longest that fits; a character that is no token counts its bytes. Or FULL."""
    total = 0
    while m_memo(m)[point, LENGTH] > 0:
        char = np.int64(m_memo(m)[point, NEXT])
        low = np.searchsorted(f_top_code(f)[f_group_off(f)[0] : f_group_off(f)[1]], char)
        node = -1
        if low < f_group_off(f)[1] and f_top_code(f)[low] == char:
            node = f_tops(f)[low]
        best = np.int64(-1)
        here = point
        while node >= 0:
            here = step(m, here, char)
            if here == FULL:
                return FULL
            if f_first(f)[node + 1] > f_first(f)[node]:
                best = here
            if not alive(m, here):
                return FULL
            if m_memo(m)[here, LENGTH] == 0:
                break
            char = np.int64(m_memo(m)[here, NEXT])
            at = node + 1
            last = f_end(f)[node]
            node = -1
            while at < last:
                if f_code(f)[at] == char:
                    node = at
                    break
                at = f_end(f)[at]
        if best >= 0:
            total += 1
            point = best
        else:
            char = np.int64(m_memo(m)[point, NEXT])
            total += _bytes_of(char)
            point = step(m, point, char)
            if point == FULL or not alive(m, point):
                return FULL
    return total


@njit(cache=True)
def _fits(m, f, point, extra, tokens_left):
    """Whether the ending from `point`, behind `extra` bytes of a character, fits into the tokens after this one."""
    if extra + 4 * m_memo(m)[point, LENGTH] <= tokens_left - 1:
        return True
    return extra + tokens_to_end(m, f, point) <= tokens_left - 1


@njit(cache=True)
def _mark_tokens(f, low, high, bits):
    for i in range(low, high):
        token = f_tokens(f)[i]
        bits[token >> 5] |= np.uint32(1) << np.uint32(token & 31)


# What a walk found beside the tokens: characters and tokens that endings need at most, tokens refused for the budgets,
# tokens that end the text below its floor.
NEED_CHARS, NEED_LENGTH, REFUSED, SHORT = range(4)


@njit(cache=True)
def _take(m, f, whole, node, point, adds, extra, budget, bits, found):
    """Marks the tokens of a node that leads to an alive point, `extra` bytes of a character still to come."""
    length = m_memo(m)[point, LENGTH] + (1 if extra else 0)
    found[NEED_CHARS] = max(found[NEED_CHARS], adds + length)
    found[NEED_LENGTH] = max(found[NEED_LENGTH], 4 * length)
    if adds + length > budget[0] or not _fits(m, whole, point, extra, budget[1]):
        found[REFUSED] += 1
    elif length == 0 and adds < budget[2]:
        found[SHORT] += 1
    else:
        _mark_tokens(f, f_first(f)[node], f_first(f)[node + 1], bits)


@njit(cache=True)
def _subtree(m, f, whole, top, origin, used, budget, bits, found, ends, points):
    """Walks one root node and all below it. Returns FULL when a pool is."""
    codes, end, first, tokens, below = f_code(f), f_end(f), f_first(f), f_tokens(f), f_bits(f)
    plane, keys, moves, memo = m_plane(m), m_move_key(m), m_move_to(m), m_memo(m)
    point_a, set_bits = m_point_a(m), m_set_bits(m)
    last_slot = np.int64(len(keys) - 1)
    free = budget[0] >= UNBOUNDED and budget[1] >= UNBOUNDED and budget[2] <= 0
    node = np.int64(top)
    depth = 0
    ends[0] = end[node]
    points[0] = origin
    while True:
        while node >= ends[depth]:
            if depth == 0:
                return 0
            depth -= 1
        here = points[depth]
        code = np.int64(codes[node])
        last = np.int64(end[node])
        if code >= PARTIAL:
            symbol = code - PARTIAL
            to = complete(m, here, f_partial_low(f)[symbol], f_partial_high(f)[symbol])
            if to == FULL:
                return FULL
            if to >= 0:
                extra = _bytes_of(f_partial_high(f)[symbol]) - f_partial_size(f)[symbol]
                _take(m, f, whole, node, to, used + depth, extra, budget, bits, found)
            node = last
            continue
        # `step`, its look-up written out.
        key = (here << 16 | (np.int64(plane[code]) if code < 65536 else classify(m, code))) + 1
        at = np.int64(_mixed(np.uint64(key))) & last_slot
        while keys[at] != key and keys[at] != 0:
            at = (at + 1) & last_slot
        to = np.int64(moves[at]) if keys[at] == key else step(m, here, code)
        if to < 0:
            if to == FULL:
                return FULL
            node = last
            continue
        begin, stop = first[node], first[node + 1]
        if stop > begin:
            if memo[to, STATUS] == ALIVE or alive(m, to):
                if free:
                    length = memo[to, LENGTH]
                    found[NEED_CHARS] = max(found[NEED_CHARS], used + depth + 1 + length)
                    found[NEED_LENGTH] = max(found[NEED_LENGTH], 4 * length)
                    for i in range(begin, stop):
                        bits[tokens[i] >> 5] |= np.uint32(1) << np.uint32(tokens[i] & 31)
                else:
                    _take(m, f, whole, node, to, used + depth + 1, 0, budget, bits, found)
            elif m_count(m)[IS_FULL]:
                return FULL
        if last > node + 1 and below[node] & set_bits[point_a[to] >> 40] != 0:
            depth += 1
            if depth >= len(ends):
                return FULL
            ends[depth] = last
            points[depth] = to
            node += 1
        else:
            node = last


@njit(cache=True)
def _try_top(m, f, whole, at, origin, budget, bits, found, ends, points, visited):
    if visited[at]:
        return 0
    visited[at] = True
    return _subtree(m, f, whole, f_tops(f)[at], origin, 0, budget, bits, found, ends, points)


@njit(cache=True)
def walk(m, f, whole, point, budget, bits, found):
    """Marks in uint32 `bits` every token of the forest that may follow at a character boundary.

    `whole` is the forest of all tokens, which endings are counted in.
    budget: characters left, tokens left (this one counted), characters below the floor; all int64.
    Returns 0 or FULL; `found` is int64[4].
    """
    bits[:] = 0
    found[:] = 0
    ends = np.empty(520, np.int64)
    points = np.empty(520, np.int64)
    tops = f_group_off(f)[1]
    codes = f_top_code(f)[:tops]
    visited = np.zeros(tops, np.bool_)
    here = m_point_a(m)[point] >> 40
    chars = np.searchsorted(codes, PARTIAL)
    if m_count(m)[TERMS] > 0 and not may_end(m, point):
        b = m_point_b(m)[point]
        use = (m_point_a(m)[point] >> 1 & 0x7FFFF) - 1
        node = use if use >= 0 else b >> 46
        while use >= 0 or node > 0:
            for edge in range(m_t_off(m)[node], m_t_off(m)[node + 1]):
                at = np.searchsorted(codes, m_t_code(m)[edge])
                if at < tops and codes[at] == m_t_code(m)[edge]:
                    if _try_top(m, f, whole, at, point, budget, bits, found, ends, points, visited) == FULL:
                        return FULL
            if use >= 0:
                break
            node = np.int64(m_t_fail(m)[node])
        if use == 0:
            at = np.searchsorted(codes, USE_OF)
            if at < tops and codes[at] == USE_OF:
                if _try_top(m, f, whole, at, point, budget, bits, found, ends, points, visited) == FULL:
                    return FULL
    else:
        for i in range(m_set_off(m)[here], m_set_off(m)[here + 1]):
            config = m_cfg(m)[i]
            place = config >> 16 & 0xFFFFFF
            if config >> 60 == 1:
                for edge in range(m_g_off(m)[place], m_g_off(m)[place + 1]):
                    at = np.searchsorted(codes, m_g_code(m)[edge])
                    if at < tops and codes[at] == m_g_code(m)[edge]:
                        if _try_top(m, f, whole, at, point, budget, bits, found, ends, points, visited) == FULL:
                            return FULL
                continue
            for r in range(m_reach_off(m)[place], m_reach_off(m)[place + 1]):
                at = np.searchsorted(codes, m_reach_low(m)[r])
                while at < chars and codes[at] <= m_reach_high(m)[r]:
                    if _try_top(m, f, whole, at, point, budget, bits, found, ends, points, visited) == FULL:
                        return FULL
                    at += 1
    for at in range(chars, tops):
        if _try_top(m, f, whole, at, point, budget, bits, found, ends, points, visited) == FULL:
            return FULL
    return 0


@njit(cache=True)
def _clear(f, low, high, bits):
    tokens = f_tokens(f)
    for i in range(low, high):
        bits[tokens[i] >> 5] &= ~(np.uint32(1) << np.uint32(tokens[i] & 31))


@njit(cache=True)
def classes_of(m, codes):
    out = np.empty(len(codes), np.int32)
    for i in range(len(codes)):
        out[i] = classify(m, np.int64(codes[i]))
    return out


@njit(cache=True)
def alike(m, point, other):
    """Whether two points have the same row: the same begun texts, and the same reading."""
    if point == other:
        return True
    if point < 0 or other < 0:
        return False
    a, b = m_point_a(m)[point], m_point_a(m)[other]
    prefix = m_about(m)[a >> 40, PREFIX]
    return (
        prefix >= 0
        and prefix == m_about(m)[b >> 40, PREFIX]
        and a & 0xFFFFFFFFFF == b & 0xFFFFFFFFFF
        and m_point_b(m)[point] == m_point_b(m)[other]
    )


@njit(cache=True)
def difference(m, segments, point, like, most):
    """Nodes of the forest that `walk_like` would look at, or FULL; it stops counting at `most`. segments: see there."""
    total = 0
    known = np.zeros(len(m_form_of(m)), np.int8)
    for i in range(len(segments)):
        kind_class = segments[i, 0]
        if known[kind_class] == 0:
            char = np.int64(segments[i, 1])
            own, other = step(m, point, char), step(m, like, char)
            if own == FULL or other == FULL:
                return FULL
            known[kind_class] = 1 if alike(m, own, other) else 2
        if known[kind_class] == 2:
            total += segments[i, 5] - segments[i, 4]
            if total >= most:
                break
    return total


@njit(cache=True)
def _pair(own, others, count, point, like):
    """The place of a pair of points in the list, or -1."""
    for i in range(count - 1, -1, -1):
        if own[i] == point and others[i] == like:
            return i
    return -1


@njit(cache=True)
def walk_like(m, f, segments, point, like, bits, found):
    """`walk` without budgets, given the row of the point `like` in `bits`: only what differs is looked at.

    Two points that read the same character into the same point agree on everything behind it. Returns TOO_FAR, and
    nonsense in `bits`, when too many pairs of points are met. segments, int32[n, 6]: runs
    of root nodes of one class: class, a character of it, first and last + 1 root, first and last + 1 node.
    """
    codes, end, first, below, tops = f_code(f), f_end(f), f_first(f), f_bits(f), f_tops(f)
    point_a, set_bits, plane = m_point_a(m), m_set_bits(m), m_plane(m)
    ends = np.empty(520, np.int64)
    pair_at = np.empty(520, np.int64)
    # Pairs of points met, and per class whether they agree (1) or not (2).
    own = np.empty(_PAIRS, np.int64)
    others = np.empty(_PAIRS, np.int64)
    known = np.zeros((_PAIRS, len(m_form_of(m))), np.int8)
    own[0], others[0] = point, like
    pairs = 1
    free = np.array([UNBOUNDED, UNBOUNDED, 0])
    count = np.int64(f_group_off(f)[1])
    part = 0
    at = np.int64(0)
    while at < count:
        if part < len(segments) and at == segments[part, 2]:
            kind_class = segments[part, 0]
            if known[0, kind_class] == 0:
                char = np.int64(segments[part, 1])
                known[0, kind_class] = 1 if alike(m, step(m, point, char), step(m, like, char)) else 2
            part += 1
            if known[0, kind_class] == 1:
                at = np.int64(segments[part - 1, 3])
                continue
        node = np.int64(tops[at])
        at += 1
        depth = 0
        ends[0] = end[node]
        pair_at[0] = 0
        while True:
            while depth >= 0 and node >= ends[depth]:
                depth -= 1
            if depth < 0:
                break
            pair = pair_at[depth]
            code = np.int64(codes[node])
            last = np.int64(end[node])
            if code >= PARTIAL:
                symbol = code - PARTIAL
                to = complete(m, own[pair], f_partial_low(f)[symbol], f_partial_high(f)[symbol])
                if to == FULL:
                    return FULL
                _clear(f, first[node], first[node + 1], bits)
                if to >= 0:
                    extra = _bytes_of(f_partial_high(f)[symbol]) - f_partial_size(f)[symbol]
                    _take(m, f, f, node, to, depth, extra, free, bits, found)
                node = last
                continue
            kind_class = np.int64(plane[code]) if code < 65536 else classify(m, code)
            if known[pair, kind_class] == 1:
                node = last
                continue
            to = step(m, own[pair], code)
            other = step(m, others[pair], code) if others[pair] >= 0 else np.int64(-1)
            if to == FULL or other == FULL:
                return FULL
            if alike(m, to, other):
                known[pair, kind_class] = 1
                node = last
                continue
            if to < 0:
                _clear(f, first[node], first[last], bits)
                node = last
                continue
            if first[node + 1] > first[node]:
                _clear(f, first[node], first[node + 1], bits)
                if alive(m, to):
                    _take(m, f, f, node, to, depth + 1, 0, free, bits, found)
                if m_count(m)[IS_FULL]:
                    return FULL
            if last == node + 1:
                node = last
            elif below[node] & set_bits[point_a[to] >> 40] == 0:
                _clear(f, first[node + 1], first[last], bits)
                node = last
            else:
                pair = _pair(own, others, pairs, to, other)
                if pair < 0:
                    if pairs == _PAIRS:
                        return TOO_FAR
                    pair = pairs
                    own[pair], others[pair] = to, other
                    pairs += 1
                depth += 1
                ends[depth] = last
                pair_at[depth] = pair
                node += 1
    return 0


@njit(cache=True)
def walk_partial(m, f, point, begun, begun_size, budget, bits, found):
    """The same inside a character of which `begun_size` bytes (big-endian in `begun`) are written."""
    bits[:] = 0
    found[:] = 0
    ends = np.empty(520, np.int64)
    points = np.empty(520, np.int64)
    lead = begun >> (8 * (begun_size - 1))
    size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    for group in range(1, len(f_group_size(f))):
        have = begun_size + f_group_size(f)[group]
        if have > size:
            continue
        data = begun << (8 * f_group_size(f)[group]) | f_group_bytes(f)[group]
        code = np.int64(lead & (0x7F >> size))
        for i in range(1, have):
            code = code << 6 | (data >> (8 * (have - 1 - i)) & 0x3F)
        rest = 6 * (size - have)
        low = max(code << rest, 0x80 if size == 2 else 0x800 if size == 3 else 0x10000)
        high = min((code << rest) | ((np.int64(1) << rest) - 1), 0x10FFFF)
        if high < low or 0xD800 <= low and high <= 0xDFFF:
            continue
        if have < size:
            if f_own_off(f)[group + 1] == f_own_off(f)[group]:
                continue
            to = complete(m, point, low, high)
            if to == FULL:
                return FULL
            if to >= 0:
                _own(m, f, group, to, 0, size - have, budget, bits, found)
            continue
        to = step(m, point, low)
        if to == FULL:
            return FULL
        if to < 0:
            continue
        if f_own_off(f)[group + 1] > f_own_off(f)[group]:
            if alive(m, to):
                _own(m, f, group, to, 1, 0, budget, bits, found)
            if m_count(m)[IS_FULL]:
                return FULL
        for at in range(f_group_off(f)[group], f_group_off(f)[group + 1]):
            if _subtree(m, f, f, f_tops(f)[at], to, 1, budget, bits, found, ends, points) == FULL:
                return FULL
    return 0


@njit(cache=True)
def _own(m, f, group, point, adds, extra, budget, bits, found):
    length = m_memo(m)[point, LENGTH] + (1 if extra else 0)
    found[NEED_CHARS] = max(found[NEED_CHARS], adds + length)
    found[NEED_LENGTH] = max(found[NEED_LENGTH], 4 * length)
    if adds + length > budget[0] or not _fits(m, f, point, extra, budget[1]):
        found[REFUSED] += 1
    elif length == 0 and adds < budget[2]:
        found[SHORT] += 1
    else:
        for i in range(f_own_off(f)[group], f_own_off(f)[group + 1]):
            token = f_own(f)[i]
            bits[token >> 5] |= np.uint32(1) << np.uint32(token & 31)


@njit(cache=True)
def _refuse(m, f, top, banned, bits, ends, states):
    """Marks tokens at and below a root node that end a forbidden word, begun before them unless `banned` is the root."""
    code, end, longest, depth_of = f_code(f), f_end(f), m_b_longest(m), m_b_depth(m)
    node = np.int64(top)
    depth = 0
    ends[0] = end[node]
    states[0] = banned
    while True:
        while node >= ends[depth]:
            if depth == 0:
                return
            depth -= 1
        symbol = np.int64(code[node])
        last = np.int64(end[node])
        if symbol < PARTIAL:
            state = _follow(m_b_off(m), m_b_code(m), m_b_to(m), m_b_fail(m), states[depth], symbol)
            if longest[state] >= 0:
                _mark_tokens(f, f_first(f)[node], f_first(f)[last], bits)
            elif last > node + 1 and (banned == 0 or depth_of[state] > depth + 1):
                depth += 1
                ends[depth] = last
                states[depth] = state
                node += 1
                continue
        node = last


@njit(cache=True)
def refused(m, f, banned, bits):
    """Marks tokens of group 0 that end a forbidden word; with `banned` not the root, one begun before them."""
    ends = np.empty(520, np.int64)
    states = np.empty(520, np.int64)
    tops, count = f_tops(f), f_group_off(f)[1]
    if banned == 0:
        for at in range(count):
            _refuse(m, f, tops[at], banned, bits, ends, states)
    codes = f_top_code(f)[:count]
    node = np.int64(banned)
    while node:
        for edge in range(m_b_off(m)[node], m_b_off(m)[node + 1]):
            char = m_b_code(m)[edge]
            at = np.searchsorted(codes, char)
            if at < count and codes[at] == char:
                _refuse(m, f, tops[at], banned, bits, ends, states)
        node = np.int64(m_b_fail(m)[node])


@njit(cache=True)
def graph_distances(off, code, to, accepting, unsafe, dist, via):
    """Least characters from each node to the end of a string, at least one; `unsafe` is sorted code points to avoid."""
    nodes = len(off) - 1
    changed = True
    while changed:
        changed = False
        for node in range(nodes - 1, -1, -1):
            for edge in range(off[node], off[node + 1]):
                target = to[edge]
                length = 1 if accepting[target] else 1 + dist[target]
                if length < dist[node]:
                    at = np.searchsorted(unsafe, code[edge])
                    if at < len(unsafe) and unsafe[at] == code[edge]:
                        continue
                    dist[node] = length
                    via[node] = code[edge]
                    changed = True


@njit(cache=True)
def state_distances(table, accepting, main, call_off, call_plug, call_to, least, char_of, dist, full, via):
    """Least characters to acceptance: `dist` by reading a class first, `full` also by a call or at once.

    least: characters of the shortest string of each plug; char_of: a character of each class, -1 where there is none.
    """
    states, classes = table.shape
    for state in range(states):
        if accepting[state]:
            full[state] = 0
    changed = True
    while changed:
        changed = False
        for state in range(states - 1, -1, -1):
            best = full[state]
            for column in range(classes):
                to = table[state, column]
                if to >= 0 and char_of[column] >= 0 and full[to] + 1 < dist[state]:
                    dist[state] = full[to] + 1
                    via[state] = char_of[column]
                    changed = True
            best = min(best, dist[state])
            if state < main:
                for call in range(call_off[state], call_off[state + 1]):
                    best = min(best, least[call_plug[call]] + full[call_to[call]])
            if best < full[state]:
                full[state] = best
                changed = True


@njit(cache=True)
def rehash(m, pool):
    """Fills the enlarged tables of a pool from the old ones."""
    if pool == 1:
        slots = len(m_set_slots(m))
        for index in range(m_count(m)[SETS]):
            at = np.int64(m_set_hash(m)[index] & np.uint64(slots - 1))
            while m_set_slots(m)[at] > 0:
                at = (at + 1) & (slots - 1)
            m_set_slots(m)[at] = index + 1
    elif pool == 3:
        slots = len(m_point_slots(m))
        for index in range(m_count(m)[POINTS]):
            mixed = _mixed(np.uint64(m_point_a(m)[index]) ^ _mixed(np.uint64(m_point_b(m)[index])))
            at = np.int64(mixed & np.uint64(slots - 1))
            while m_point_slots(m)[at] > 0:
                at = (at + 1) & (slots - 1)
            m_point_slots(m)[at] = index + 1
    elif pool == 5:
        slots = len(m_scope_slots(m))
        for index in range(m_count(m)[SCOPES]):
            value = np.uint64(0)
            for i in range(m_scopes(m).shape[1]):
                value = _mixed(value ^ m_scopes(m)[index, i])
            at = np.int64(value & np.uint64(slots - 1))
            while m_scope_slots(m)[at] > 0:
                at = (at + 1) & (slots - 1)
            m_scope_slots(m)[at] = index + 1


@njit(cache=True)
def refill(old_key, old_to, key, to):
    """Enters the moves of a table into a larger one."""
    slots = len(key)
    for index in range(len(old_key)):
        if old_key[index] != 0:
            at = np.int64(_mixed(np.uint64(old_key[index])) & np.uint64(slots - 1))
            while key[at] != 0:
                at = (at + 1) & (slots - 1)
            key[at] = old_key[index]
            to[at] = old_to[index]


@njit(cache=True)
def range_bits(offset, low, high):
    """uint64 per node: hashes of the characters in its ranges, all ones when they are many."""
    bits = np.zeros(len(offset) - 1, np.uint64)
    for node in range(len(bits)):
        for i in range(offset[node], offset[node + 1]):
            if high[i] - low[i] > 200:
                bits[node] = ~np.uint64(0)
            else:
                for char in range(low[i], high[i] + 1):
                    bits[node] |= char_bit(char)
    return bits


@njit(cache=True)
def edge_bits(offset, code):
    bits = np.zeros(len(offset) - 1, np.uint64)
    for node in range(len(bits)):
        for edge in range(offset[node], offset[node + 1]):
            bits[node] |= char_bit(code[edge])
    return bits
