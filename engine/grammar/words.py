"""Word lists as automata: tries, Aho-Corasick automata, and the spans of a source, all in one array form.

A graph has its edges in CSR form, sorted by character within a node:

    offset  int32[nodes + 1]    code, to  int32[edges]

`trie` and `spans` make graphs whose node 0 is the entry; `Words` is a trie with failure links (Aho and Corasick 1975).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba import njit

# A span of the source never crosses one of these, and never begins with one of the second.
CLAUSE_BREAKS = frozenset("。；;！？!?：:\n\r\t \"“”\\#*|>`")
_NO_START = frozenset("，、,.）)」』 ")


class Graph(NamedTuple):
    """Edges in CSR form, and which nodes may be the last of a string: bool[nodes]."""

    offset: np.ndarray
    code: np.ndarray
    to: np.ndarray
    accepting: np.ndarray


class Tree(NamedTuple):
    """A trie. word: int32[nodes], index into the sorted words or -1; parent and depth: int32[nodes]."""

    offset: np.ndarray
    code: np.ndarray
    to: np.ndarray
    word: np.ndarray
    parent: np.ndarray
    depth: np.ndarray


def code_points(text: str) -> np.ndarray:
    """int32 code points."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.int32).copy()


@njit(cache=True, inline="always")
def child(offset, code, to, node, char):
    """The node behind `char`, or -1."""
    low = offset[node]
    high = offset[node + 1]
    while low < high:
        middle = (low + high) >> 1
        if code[middle] < char:
            low = middle + 1
        else:
            high = middle
    if low < offset[node + 1] and code[low] == char:
        return to[low]
    return -1


@njit(cache=True)
def _by_parent(parents, codes, targets, nodes):
    """CSR edges, stable within a parent."""
    offset = np.zeros(nodes + 1, np.int32)
    for parent in parents:
        offset[parent + 1] += 1
    for node in range(nodes):
        offset[node + 1] += offset[node]
    fill = offset[:nodes].copy()
    code = np.empty(len(parents), np.int32)
    to = np.empty(len(parents), np.int32)
    for i in range(len(parents)):
        at = fill[parents[i]]
        fill[parents[i]] += 1
        code[at] = codes[i]
        to[at] = targets[i]
    return offset, code, to


@njit(cache=True)
def _tree(flat, starts):
    """The trie of sorted, distinct, non-empty words."""
    total = len(flat) + 1
    parent = np.zeros(total, np.int32)
    char = np.zeros(total, np.int32)
    depth = np.zeros(total, np.int32)
    word = np.full(total, -1, np.int32)
    path = np.zeros(total + 1, np.int32)
    count = 1
    for index in range(len(starts) - 1):
        begin = starts[index]
        length = starts[index + 1] - begin
        common = 0
        if index:
            before = starts[index - 1]
            limit = min(length, begin - before)
            while common < limit and flat[before + common] == flat[begin + common]:
                common += 1
        for i in range(common, length):
            parent[count] = path[i]
            char[count] = flat[begin + i]
            depth[count] = i + 1
            path[i + 1] = count
            count += 1
        word[path[length]] = index
    offset, code, to = _by_parent(parent[1:count], char[1:count], np.arange(1, count).astype(np.int32), count)
    return offset, code, to, word[:count].copy(), parent[:count].copy(), depth[:count].copy()


def tree(words: Sequence[str]) -> Tree:
    """The trie of sorted, distinct, non-empty words."""
    starts = np.zeros(len(words) + 1, np.int64)
    np.cumsum([len(word) for word in words], out=starts[1:])
    return Tree(*_tree(code_points("".join(words)), starts))


def trie(words: Iterable[str]) -> Graph:
    """A graph of exactly these strings."""
    found = tree(sorted(set(words)))
    return Graph(found.offset, found.code, found.to, found.word >= 0)


@njit(cache=True)
def _links(offset, code, to, depth, word):
    """Failure links, and per node the longest word that ends there (index or -1)."""
    nodes = len(offset) - 1
    fail = np.zeros(nodes, np.int32)
    longest = word.copy()
    order = np.argsort(depth, kind="mergesort")
    for node in order:
        for edge in range(offset[node], offset[node + 1]):
            target = to[edge]
            if node:
                at = fail[node]
                found = child(offset, code, to, at, code[edge])
                while at and found < 0:
                    at = fail[at]
                    found = child(offset, code, to, at, code[edge])
                fail[target] = max(found, 0)
            if longest[target] < 0:
                longest[target] = longest[fail[target]]
    return fail, longest


@njit(cache=True)
def _below(parent, word, width):
    """Bit sets uint64[nodes, width] of the words at or below each node; children come after their parents."""
    bits = np.zeros((len(parent), width), np.uint64)
    for node in range(len(parent) - 1, -1, -1):
        if word[node] >= 0:
            bits[node, word[node] >> 6] |= np.uint64(1) << np.uint64(word[node] & 63)
        if node:
            for i in range(width):
                bits[parent[node], i] |= bits[node, i]
    return bits


class Words:
    """An Aho-Corasick automaton. `texts` are the words in sorted order: a word's index is its place there.

    below: uint64[nodes, width], the words at or below a node; length: int32[words].
    """

    def __init__(self, words: Iterable[str]):
        self.texts = sorted({word for word in words if word})
        self.index = {text: at for at, text in enumerate(self.texts)}
        self.tree = tree(self.texts)
        self.width = max(1, (len(self.texts) + 63) // 64)
        self.fail, self.longest = _links(*self.tree[:3], self.tree.depth, self.tree.word)
        self.below = _below(self.tree.parent, self.tree.word, self.width)
        self.length = np.array([len(text) for text in self.texts], np.int32)

    def bits(self, words: Iterable[str]) -> np.ndarray:
        """uint64[width] of those words that are known."""
        out = np.zeros(self.width, np.uint64)
        for word in words:
            at = self.index.get(word)
            if at is not None:
                out[at >> 6] |= np.uint64(1 << (at & 63))
        return out

    def path(self, node: int) -> str:
        """The characters from the root to a node."""
        out = ""
        while node:
            parent = int(self.tree.parent[node])
            edges = range(int(self.tree.offset[parent]), int(self.tree.offset[parent + 1]))
            out = chr(next(int(self.tree.code[edge]) for edge in edges if self.tree.to[edge] == node)) + out
            node = parent
        return out


@njit(cache=True)
def _longer(array):
    out = np.zeros(2 * len(array) + 64, array.dtype)
    out[: len(array)] = array
    return out


@njit(cache=True)
def _spans(text, broken, cuts, entry):
    """The automaton of all stretches of `text` from an entry place to a cut, free of breaks.

    A node is the set of places that the stretch may have reached; a set of one place is that place's own node. Node 0
    is the entry, node 1 + i is "the next character is text[i]", larger sets follow.
    """
    size = len(text)
    singles = size + 2
    capacity = 4 * size + 64
    begin = np.zeros(capacity + 1, np.int64)
    pool = np.empty(8 * size + 64, np.int32)
    parents = np.empty(16 * size + 64, np.int32)
    codes = np.empty(16 * size + 64, np.int32)
    targets = np.empty(16 * size + 64, np.int32)
    edges = 0
    table = np.full(1 << 10, -1, np.int64)
    hashes = np.zeros(capacity, np.uint64)
    sets = 1
    used = 0
    for place in range(size):
        if entry[place]:
            pool[used] = place
            used += 1
    begin[1] = used
    at = 0
    accepting = np.zeros(capacity + singles, np.bool_)
    while at < sets:
        members = pool[begin[at] : begin[at + 1]].copy()
        letters = np.empty(len(members), np.int64)
        for i in range(len(members)):
            place = members[i]
            letters[i] = -1 if place >= size or broken[place] else np.int64(text[place]) * (size + 1) + place
        letters.sort()
        i = 0
        while i < len(letters) and letters[i] < 0:
            i += 1
        while i < len(letters):
            char = letters[i] // (size + 1)
            last = i
            while last < len(letters) and letters[last] // (size + 1) == char:
                last += 1
            ends = False
            value = np.uint64(last - i)
            for k in range(i, last):
                place = letters[k] % (size + 1) + 1
                ends = ends or cuts[place]
                value = (value ^ np.uint64(place)) * np.uint64(0x100000001B3)
            if last - i == 1:
                target = 1 + letters[i] % (size + 1) + 1
            else:
                value ^= value >> np.uint64(29)
                slot = np.int64(value & np.uint64(len(table) - 1))
                found = -1
                while table[slot] >= 0:
                    other = table[slot]
                    if hashes[other] == value and begin[other + 1] - begin[other] == last - i:
                        same = True
                        for k in range(i, last):
                            if pool[begin[other] + k - i] != letters[k] % (size + 1) + 1:
                                same = False
                                break
                        if same:
                            found = other
                            break
                    slot = (slot + 1) & (len(table) - 1)
                if found < 0:
                    if sets >= capacity - 1:
                        capacity *= 2
                        begin = _longer(begin)
                        hashes = _longer(hashes)
                        accepting = _longer(accepting)
                    while used + last - i > len(pool):
                        pool = _longer(pool)
                    for k in range(i, last):
                        pool[used] = letters[k] % (size + 1) + 1
                        used += 1
                    found = sets
                    hashes[sets] = value
                    sets += 1
                    begin[sets] = used
                    table[slot] = found
                    if 2 * sets > len(table):
                        table = np.full(2 * len(table), -1, np.int64)
                        for other in range(1, sets):
                            slot = np.int64(hashes[other] & np.uint64(len(table) - 1))
                            while table[slot] >= 0:
                                slot = (slot + 1) & (len(table) - 1)
                            table[slot] = other
                target = singles + found
            accepting[target] = ends
            if edges == len(parents):
                parents, codes, targets = _longer(parents), _longer(codes), _longer(targets)
            parents[edges] = 0 if at == 0 else singles + at
            codes[edges] = char
            targets[edges] = target
            edges += 1
            i = last
        at += 1
    for place in range(size):
        accepting[1 + place + 1] = cuts[place + 1]
        if not broken[place]:
            if edges == len(parents):
                parents, codes, targets = _longer(parents), _longer(codes), _longer(targets)
            parents[edges] = 1 + place
            codes[edges] = text[place]
            targets[edges] = 1 + place + 1
            edges += 1
    return parents[:edges], codes[:edges], targets[:edges], accepting, singles + sets


@lru_cache(maxsize=8)
def spans(text: str, cuts: tuple[int, ...]) -> Graph:
    """All stretches of whole words inside one clause of the text; `cuts` are the offsets between words."""
    size = len(text)
    is_cut = np.zeros(size + 1, bool)
    is_cut[list(cuts)] = True
    broken = np.array([char in CLAUSE_BREAKS for char in text], bool)
    entry = is_cut[:size] & ~broken & np.array([char not in _NO_START for char in text], bool)
    parents, codes, targets, accepting, nodes = _spans(code_points(text), broken, is_cut, entry)
    offset, code, to = _by_parent(parents, codes, targets, nodes)
    return Graph(offset, code, to, accepting[:nodes])
