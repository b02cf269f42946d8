"""A tokenizer's vocabulary as a forest of characters: what the mask walk goes through.

A token is leading continuation bytes, whole characters, and the first bytes of an unfinished last character. Tokens that
begin with a character are in group 0; those that begin with the same continuation bytes are a group of their own. The
unfinished bytes at the end are one symbol from PARTIAL on, which stands for the code points that they may begin.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numba import njit

from engine.grammar.arrays import Arrays

PARTIAL = 0x200000
# Characters that an unfinished one may still become before its token counts as free text.
ENOUGH = 32
_BUCKETS, _SLICES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64), 16


FOREST = (
    ("code", np.int32, 1),
    ("end", np.int32, 1),
    ("bits", np.uint64, 1),
    ("first", np.int32, 1),
    ("tokens", np.int32, 1),
    ("tops", np.int32, 1),
    ("top_code", np.int32, 1),
    ("group_off", np.int32, 1),
    ("partial_low", np.int32, 1),
    ("partial_high", np.int32, 1),
    ("partial_size", np.int32, 1),
    ("group_bytes", np.int64, 1),
    ("group_size", np.int64, 1),
    ("own_off", np.int32, 1),
    ("own", np.int32, 1),
)
"""A forest's arrays; nodes depth first, siblings by character.

    code     symbol of a node; end: one past its subtree; bits: hashes of its children's characters
    first    [nodes + 1] into `tokens`: the tokens that end at a node
    tops     root nodes and their symbols (top_code), group by group: group g is group_off[g] to group_off[g + 1]
    partial_low, partial_high, partial_size: code points that a partial symbol may begin, and its bytes
    group_bytes, group_size: leading bytes of a group as a big-endian number; own_off, own: the tokens that are just these
"""


@njit(cache=True, inline="always")
def char_bit(code):
    """One of 64 bits for a character."""
    return np.uint64(1) << ((np.uint64(code) * np.uint64(0x9E3779B1) >> np.uint64(9)) & np.uint64(63))


@njit(cache=True)
def _symbols(data, starts, out, lengths, leads):
    """Characters of each token into `out` (same offsets), length -1 where the bytes are no part of UTF-8.

    A partial end is PARTIAL plus its bytes as a number with its size on top: unique, and ordered no matter how.
    """
    for token in range(len(starts) - 1):
        at = starts[token]
        stop = starts[token + 1]
        lead = 0
        while at + lead < stop and data[at + lead] & 0xC0 == 0x80:
            lead += 1
        leads[token] = lead
        lengths[token] = 0
        if lead > 3:
            lengths[token] = -1
            continue
        base = at
        at += lead
        count = 0
        while at < stop:
            byte = data[at]
            if byte < 0x80:
                size, code, least = 1, np.int64(byte), 0
            elif 0xC2 <= byte < 0xE0:
                size, code, least = 2, np.int64(byte & 0x1F), 0x80
            elif 0xE0 <= byte < 0xF0:
                size, code, least = 3, np.int64(byte & 0x0F), 0x800
            elif 0xF0 <= byte < 0xF5:
                size, code, least = 4, np.int64(byte & 0x07), 0x10000
            else:
                count = -1
                break
            have = 1
            while have < size and at + have < stop and data[at + have] & 0xC0 == 0x80:
                code = code << 6 | np.int64(data[at + have] & 0x3F)
                have += 1
            rest = size - have
            low = code << (6 * rest)
            high = low | ((1 << (6 * rest)) - 1)
            if high < least or low > 0x10FFFF or 0xD800 <= low and high <= 0xDFFF:
                count = -1
                break
            if rest:
                if at + have < stop:
                    count = -1
                    break
                key = np.int64(0)
                for i in range(have):
                    key = key << 8 | np.int64(data[at + i])
                out[base + count] = PARTIAL + (np.int64(have) << 24 | key)
                count += 1
                break
            out[base + count] = code
            count += 1
            at += size
        lengths[token] = count


@njit(cache=True)
def _forest(flat, begin, length, ids, group, groups):
    """Nodes of tokens that are sorted so that equal beginnings stand together, group after group."""
    total = 0
    for i in range(len(ids)):
        total += length[i]
    code = np.empty(total, np.int64)
    end = np.zeros(total, np.int32)
    first = np.zeros(total + 1, np.int32)
    tokens = np.empty(len(ids), np.int32)
    tops = np.empty(total, np.int32)
    group_off = np.zeros(groups + 1, np.int32)
    own_off = np.zeros(groups + 1, np.int32)
    own = np.empty(len(ids), np.int32)
    path = np.zeros(1024, np.int64)
    nodes = 0
    placed = 0
    top = 0
    owned = 0
    depth = 0
    before = -1
    for i in range(len(ids)):
        if length[i] == 0:
            own[owned] = ids[i]
            owned += 1
            own_off[group[i] + 1] = owned
            continue
        common = 0
        if before >= 0 and group[before] == group[i]:
            limit = min(length[i], length[before])
            while common < limit and flat[begin[i] + common] == flat[begin[before] + common]:
                common += 1
        for d in range(common, depth):
            end[path[d]] = nodes
        if length[i] > len(path):
            path = np.concatenate((path, np.zeros(length[i], np.int64)))
        for d in range(common, length[i]):
            path[d] = nodes
            code[nodes] = flat[begin[i] + d]
            first[nodes] = placed
            if d == 0:
                tops[top] = nodes
                top += 1
                group_off[group[i] + 1] = top
            nodes += 1
        depth = length[i]
        tokens[placed] = ids[i]
        placed += 1
        first[nodes] = placed
        before = i
    for d in range(depth):
        end[path[d]] = nodes
    for g in range(groups):
        group_off[g + 1] = max(group_off[g + 1], group_off[g])
        own_off[g + 1] = max(own_off[g + 1], own_off[g])
    return code[:nodes], end[:nodes], first[: nodes + 1], tokens[:placed], tops[:top], group_off, own_off, own[:owned]


@njit(cache=True)
def _child_bits(code, end):
    bits = np.zeros(len(code), np.uint64)
    for node in range(len(code)):
        at = node + 1
        while at < end[node]:
            bits[node] |= ~np.uint64(0) if code[at] >= PARTIAL else char_bit(code[at])
            at = end[at]
    return bits


def _partial_range(symbol: int) -> tuple[int, int, int]:
    key, size = (symbol - PARTIAL) & 0xFFFFFF, (symbol - PARTIAL) >> 24
    return (*partial_range(key.to_bytes(size, "big")), size)


def partial_range(data: bytes) -> tuple[int, int]:
    """The code points whose UTF-8 begins with these bytes; (1, 0) when there is none."""
    lead = data[0]
    size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    code = lead & (0x7F >> size)
    for byte in data[1:]:
        code = code << 6 | byte & 0x3F
    rest = 6 * (size - len(data))
    least = {2: 0x80, 3: 0x800, 4: 0x10000}[size]
    return max(code << rest, least), min((code << rest) | (1 << rest) - 1, 0x10FFFF)


@njit(cache=True)
def flat_partials(flat, starts, lengths):
    """The partial symbols that tokens end with."""
    out = np.empty(len(lengths), np.int64)
    count = 0
    for token in range(len(lengths)):
        if lengths[token] > 0 and flat[starts[token] + lengths[token] - 1] >= PARTIAL:
            out[count] = flat[starts[token] + lengths[token] - 1]
            count += 1
    return out[:count]


@njit(cache=True)
def _inside(flat, starts, lengths, leads, low, high, symbols, enough):
    out = np.zeros(len(lengths), np.bool_)
    for token in range(len(lengths)):
        if leads[token] or lengths[token] <= 0:
            continue
        fits = True
        for i in range(lengths[token]):
            code = flat[starts[token] + i]
            if code >= PARTIAL:
                fits = enough[np.searchsorted(symbols, code)]
            else:
                at = np.searchsorted(low, code, side="right") - 1
                fits = at >= 0 and code <= high[at]
            if not fits:
                break
        out[token] = fits
    return out


def _room(within: tuple[int, int], ranges: tuple[tuple[int, int], ...]) -> int:
    return sum(max(0, min(high, within[1]) - max(low, within[0]) + 1) for low, high in ranges)


class Slice:
    """Tokens that are free text, by length: `row(n)` is those of at most n characters, `rest(n)` a forest of at least the
    others."""

    def __init__(self, vocabulary: Vocabulary, ranges: tuple[tuple[int, int], ...]):
        self._vocabulary = vocabulary
        self.tokens = vocabulary.inside(ranges)
        self._lengths = np.where(self.tokens, vocabulary.lengths, 0)
        self.longest = int(self._lengths.max(initial=0))
        self._steps = np.unique(self._lengths[self.tokens])
        self._rows: dict[int, np.ndarray] = {}
        self._rest: dict[int, Arrays] = {}

    def length(self, most: int) -> int:
        """The length of the longest token of at most `most` characters, 0 when there is none."""
        at = int(np.searchsorted(self._steps, most, side="right"))
        return int(self._steps[at - 1]) if at else 0

    def row(self, most: int) -> np.ndarray:
        """uint32 bits, as in `masks.Row`."""
        length = self.length(most)
        if length not in self._rows:
            chosen = self.tokens & (self._lengths <= length)
            self._rows[length] = packed(chosen)
        return self._rows[length]

    def rest(self, most: int) -> Arrays:
        bucket = max(step for step in (*_BUCKETS, self.longest) if step <= most or step == 1)
        if bucket not in self._rest:
            self._rest[bucket] = self._vocabulary.rest(self.tokens & (self._lengths <= bucket))
        return self._rest[bucket]


def packed(chosen: np.ndarray) -> np.ndarray:
    """bool[V] as uint32 words, bit i % 32 of word i // 32 for i."""
    out = np.zeros((len(chosen) + 31) // 32 * 4, np.uint8)
    bits = np.packbits(chosen, bitorder="little")
    out[: len(bits)] = bits
    return out.view(np.uint32)


class Vocabulary:
    """`token_bytes[i]` is what token i writes, None for ids that are never text; an end token ends the text."""

    def __init__(self, token_bytes: Sequence[bytes | None], eos_ids: Sequence[int]):
        self.token_bytes = list(token_bytes)
        self.size, self.eos_ids = len(self.token_bytes), tuple(eos_ids)
        self.words = (self.size + 31) // 32
        ends = set(self.eos_ids)
        self._ids = np.array([i for i, data in enumerate(self.token_bytes) if data and i not in ends], np.int32)
        texts = [self.token_bytes[i] or b"" for i in self._ids]
        self._starts = np.zeros(len(texts) + 1, np.int64)
        np.cumsum([len(text) for text in texts], out=self._starts[1:])
        self._texts = texts
        self._slices: dict[tuple[tuple[int, int], ...], Slice] = {}

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the vocabulary."""
        marks = ",".join(map(str, [*self._starts.tolist(), *self._ids.tolist(), *self.eos_ids, self.size]))
        return hashlib.sha256(marks.encode() + b"".join(self._texts)).hexdigest()

    @cached_property
    def _spelt(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        flat = np.empty(int(self._starts[-1]), np.int64)
        lengths = np.empty(len(self._texts), np.int64)
        leads = np.empty(len(self._texts), np.int64)
        data = np.frombuffer(b"".join(self._texts), np.uint8)
        _symbols(data, self._starts, flat, lengths, leads)
        return flat, lengths, leads

    def slice(self, ranges: tuple[tuple[int, int], ...]) -> Slice:
        """The tokens that are free text over these code points; the last few asked for are kept."""
        found = self._slices.pop(ranges, None) or Slice(self, ranges)
        self._slices[ranges] = found
        while len(self._slices) > _SLICES:
            self._slices.pop(next(iter(self._slices)))
        return found

    @cached_property
    def lengths(self) -> np.ndarray:
        """int32[V]: characters of each token, an unfinished one counted; 0 for tokens that are not in the forest."""
        _, lengths, leads = self._spelt
        out = np.zeros(self.size, np.int32)
        out[self._ids] = np.maximum(lengths, 0) + (leads > 0)
        return out

    @cached_property
    def _order(self) -> np.ndarray:
        """Places of usable tokens, sorted by leading bytes and then by what follows."""
        _, lengths, leads = self._spelt
        texts = self._texts
        usable = np.flatnonzero(lengths >= 0).tolist()
        keys = {i: (texts[i][: leads[i]], texts[i][leads[i] :]) for i in usable if leads[i]}
        plain = sorted((i for i in usable if not leads[i]), key=texts.__getitem__)
        return np.array(plain + sorted(keys, key=keys.__getitem__), np.int64)

    def inside(self, ranges: tuple[tuple[int, int], ...]) -> np.ndarray:
        """bool[V]: tokens of whole characters out of these sorted ranges.

        An unfinished last character may be any of at least ENOUGH of them: so many that no word list forbids them all.
        """
        flat, lengths, leads = self._spelt
        low, high = np.array(ranges, np.int64).reshape(-1, 2).T.copy()
        symbols = np.unique(flat_partials(flat, self._starts, lengths))
        enough = np.array([_room(_partial_range(int(symbol))[:2], ranges) >= ENOUGH for symbol in symbols], bool)
        out = np.zeros(self.size, bool)
        out[self._ids] = _inside(flat, self._starts, lengths, leads, low, high, symbols, enough)
        return out

    @cached_property
    def forest(self) -> Arrays:
        """All tokens."""
        return self._part(self._order)

    def rest(self, left_out: np.ndarray) -> Arrays:
        """The forest of the tokens that begin with a character, without those in bool[V] `left_out`."""
        leads = self._spelt[2]
        order = self._order[: np.searchsorted(leads[self._order] > 0, True)]
        return self._part(order[~left_out[self._ids[order]]])

    def _part(self, order: np.ndarray) -> Arrays:
        flat, lengths, leads = self._spelt
        heads = [self._texts[i][: leads[i]] for i in order[np.searchsorted(leads[order] > 0, True) :]]
        distinct = list(dict.fromkeys([b"", *heads]))
        number = {head: index for index, head in enumerate(distinct)}
        group = np.zeros(len(order), np.int32)
        group[len(order) - len(heads) :] = [number[head] for head in heads]
        code, end, first, tokens, tops, group_off, own_off, own = _forest(
            flat, self._starts[order] + 0, lengths[order], self._ids[order], group, len(distinct)
        )
        symbols = np.unique(code[code >= PARTIAL])
        ranges = np.array([_partial_range(int(symbol)) for symbol in symbols], np.int32).reshape(-1, 3)
        partial = code >= PARTIAL
        code[partial] = PARTIAL + np.searchsorted(symbols, code[partial])
        code = code.astype(np.int32)
        tops, top_code = _sorted_tops(tops, code, group_off)
        return Arrays(
            FOREST,
            code,
            end,
            _child_bits(code, end),
            first,
            tokens,
            tops,
            top_code,
            group_off,
            np.ascontiguousarray(ranges[:, 0]),
            np.ascontiguousarray(ranges[:, 1]),
            np.ascontiguousarray(ranges[:, 2]),
            np.array([int.from_bytes(head, "big") for head in distinct], np.int64),
            np.array([len(head) for head in distinct], np.int64),
            own_off,
            own,
        )


def _sorted_tops(tops: np.ndarray, code: np.ndarray, group_off: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Root nodes by symbol within their group: characters first, partial symbols last."""
    out = tops.copy()
    for low, high in zip(group_off, group_off[1:], strict=False):
        out[low:high] = tops[low:high][np.argsort(code[tops[low:high]], kind="stable")]
    return out, code[out]
