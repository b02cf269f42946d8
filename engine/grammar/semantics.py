"""What a form cannot say: which terms are in scope, and which words are never written.

Terms are known beforehand (the invention model), so they are *spotted* while the text grows: leftmost, longest match,
one character at a time. A term completed outside a use site is introduced; after 所述 only a term in scope may follow;
a term in scope may not be named again without 所述 (指南 II-2-3.3, antecedent basis; strict house profile).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Frame:
    """The semantic frame of one request.

    slots: host slot -> the strings it may be. source: the disclosure, for SPAN. terms: every known term of the matter.
    scope: the terms that the claim's ancestors introduced. forbid: strings that must never be completed.
    """

    slots: dict[str, Sequence[str]]
    source: str = ""
    terms: Sequence[str] = ()
    scope: Sequence[str] = ()
    forbid: Sequence[str] = ()


class Words:
    """An Aho-Corasick automaton over a word list; node 0 is the root."""

    def __init__(self, words: Sequence[str]):
        self.words = list(dict.fromkeys(word for word in words if word))
        self.children: list[dict[str, int]] = [{}]
        self.depth, self.fail, self.word = [0], [0], [-1]
        self.parent: list[tuple[int, str]] = [(0, "")]
        for index, text in enumerate(self.words):
            node = 0
            for char in text:
                following = self.children[node].get(char)
                if following is None:
                    following = len(self.children)
                    self.children[node][char] = following
                    self.children.append({})
                    self.parent.append((node, char))
                    self.depth.append(self.depth[node] + 1)
                    self.fail.append(0)
                    self.word.append(-1)
                node = following
            self.word[node] = index
        self.longest = list(self.word)
        queue = list(self.children[0].values())
        for node in queue:
            for char, child in self.children[node].items():
                self.fail[child] = self.step(self.fail[node], char)
                if self.longest[child] < 0:
                    self.longest[child] = self.longest[self.fail[child]]
                queue.append(child)
        # Bit set of the words at or below each node.
        self.below = [0] * len(self.children)
        for node in range(len(self.children) - 1, -1, -1):
            bits = 1 << self.word[node] if self.word[node] >= 0 else 0
            for child in self.children[node].values():
                bits |= self.below[child]
            self.below[node] = bits

    def step(self, node: int, char: str) -> int:
        while node and char not in self.children[node]:
            node = self.fail[node]
        return self.children[node].get(char, 0)

    def trim(self, node: int, depth: int) -> int:
        """The longest suffix state that is at most `depth` characters long."""
        while self.depth[node] > depth:
            node = self.fail[node]
        return node

    def bits(self, words: Sequence[str]) -> int:
        index = {text: at for at, text in enumerate(self.words)}
        return sum(1 << index[text] for text in dict.fromkeys(words) if text in index)


class Reading(NamedTuple):
    """The semantic state after some text.

    node, candidate, age, fresh: the spotter (candidate term or -1, characters since it ended, characters since the last
    committed term). half: the last character was 所. use: trie node of an open use site, or -1. banned: node of the
    forbidden words. scope: bit set of the terms introduced.
    """

    node: int
    candidate: int
    age: int
    fresh: int
    half: bool
    use: int
    banned: int
    scope: int


class Semantics:
    """The transition function of `Reading` under one frame."""

    def __init__(self, frame: Frame):
        self.terms, self.banned = Words(frame.terms), Words(frame.forbid)
        self._cap = max((len(term) for term in self.terms.words), default=0) + 1
        self.start = Reading(0, -1, 0, self._cap, False, -1, 0, self.terms.bits(frame.scope))

    def step(self, reading: Reading, char: str) -> Reading | None:
        """The reading after `char`; None when the rules refuse it."""
        banned = 0
        if len(self.banned.children) > 1:
            banned = self.banned.step(reading.banned, char)
            if self.banned.longest[banned] >= 0:
                return None
        if not self.terms.words:
            return reading._replace(banned=banned)
        if reading.use >= 0:
            following = self._use(reading, char)
        else:
            following = self._spot(reading, char)
        if following is None:
            return None
        if char == "述" and reading.half:
            closed = self._commit(following)
            if closed is None:
                return None
            following = closed._replace(use=0)
        return following._replace(half=char == "所", banned=banned)

    def _use(self, reading: Reading, char: str) -> Reading | None:
        terms, at = self.terms, reading.use
        child = terms.children[at].get(char)
        if child is not None:
            return reading._replace(use=child) if terms.below[child] & reading.scope else None
        if at == 0:
            return reading if char == "的" else None
        word = terms.word[at]
        if word < 0 or not reading.scope >> word & 1:
            return None
        left = Reading(0, -1, 0, 0, False, -1, reading.banned, reading.scope)
        return self._spot(left, char)

    def _spot(self, reading: Reading, char: str) -> Reading | None:
        terms = self.terms
        fresh = min(reading.fresh + 1, self._cap)
        node = terms.trim(terms.step(reading.node, char), fresh)
        candidate, age = reading.candidate, reading.age
        if candidate >= 0:
            age += 1
            if terms.depth[node] >= len(terms.words[candidate]) + age:
                if terms.word[node] >= 0:
                    candidate, age = terms.word[node], 0
                return reading._replace(node=node, candidate=candidate, age=age, fresh=fresh)
            committed = self._commit(reading)
            if committed is None:
                return None
            reading, fresh = committed, min(age, self._cap)
            node, candidate = terms.trim(node, fresh), -1
        candidate, age = terms.longest[node], 0
        return reading._replace(node=node, candidate=candidate, age=age, fresh=fresh)

    def _commit(self, reading: Reading) -> Reading | None:
        """Closes the candidate as an introduction; None when it was in scope already."""
        if reading.candidate < 0:
            return reading
        bit = 1 << reading.candidate
        if reading.scope & bit:
            return None
        return reading._replace(candidate=-1, age=0, scope=reading.scope | bit)

    def may_end(self, reading: Reading) -> bool:
        """Whether text may stop here: no open use site, no repeated introduction."""
        if reading.use >= 0:
            word = self.terms.word[reading.use]
            return word >= 0 and bool(reading.scope >> word & 1)
        return self._commit(reading) is not None

    def open_use(self, reading: Reading) -> str | None:
        """The characters after 所述 of a use site whose term may still go on; None outside one."""
        node, written = reading.use, ""
        if node < 0:
            return None
        while node:
            node, char = self.terms.parent[node]
            written = char + written
        return written

    def introduced(self, reading: Reading) -> list[str]:
        closed = self._commit(reading) or reading
        return [term for at, term in enumerate(self.terms.words) if closed.scope >> at & 1]
