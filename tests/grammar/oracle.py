"""The first grammar engine, kept as a slow oracle: one Thompson automaton a request, determinised character by character.

`start` has the same meaning as `Grammar.start`; states have the same members, budgets included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.grammar import Frame, Grammar, GrammarError, Illegal
from engine.grammar.ir import Alt, Chars, Literal, Node, Repeat, Rules, Seq

UNREACHABLE = 1 << 30
MAX_NODES = 400_000
# A span of the disclosure never crosses one of these.
CLAUSE_BREAKS = frozenset('。；;！？!?：:\n\r\t "“”\\#*|>`')


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
            if self._distance[node] < UNREACHABLE and (self._chars[node] or self._ranges[node] or node == self._final)
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


_SEARCH_DEPTH = 240


class Vocabulary:
    """Token bytes indexed for the mask walk. `token_bytes[i]` is None for ids that are never text."""

    def __init__(self, token_bytes: Sequence[bytes | None], eos_ids: Sequence[int]):
        self.token_bytes = list(token_bytes)
        self.size, self.eos_ids = len(self.token_bytes), tuple(eos_ids)
        # first character -> (id, the characters after it, bytes of an unfinished last character)
        self.by_char: dict[str, list[tuple[int, str, bytes]]] = {}
        # whole tokens that are the first bytes of one character
        self.heads: dict[bytes, list[int]] = {}
        # leading continuation bytes -> the same triple; whole tokens of continuation bytes have "" and b""
        self.tails: dict[bytes, list[tuple[int, str, bytes]]] = {}
        for token, data in enumerate(self.token_bytes):
            if data:
                self._index(token, data)

    def _index(self, token: int, data: bytes) -> None:
        lead = 0
        while lead < len(data) and data[lead] & 0xC0 == 0x80:
            lead += 1
        if lead > 3:
            return
        text, partial = _split(data[lead:])
        if text is None:
            return
        if lead:
            self.tails.setdefault(data[:lead], []).append((token, text, partial))
        elif text:
            self.by_char.setdefault(text[0], []).append((token, text[1:], partial))
        else:
            self.heads.setdefault(partial, []).append(token)


def _split(data: bytes) -> tuple[str | None, bytes]:
    """Whole characters and the bytes of an unfinished last one; (None, b"") when the bytes are not UTF-8."""
    for cut in range(min(4, len(data) + 1)):
        try:
            text = data[: len(data) - cut].decode("utf-8")
        except UnicodeDecodeError:
            continue
        partial = data[len(data) - cut :]
        if partial and not 0xC2 <= partial[0] <= 0xF4:
            return None, b""
        return text, partial
    return None, b""


class CharState:
    """One interned pair (form, reading)."""

    __slots__ = ("form", "reading", "_space", "_next", "_ending", "_chars", "_options")

    def __init__(self, space: Space, form: FormState, reading: Reading):
        self.form, self.reading, self._space = form, reading, space
        self._next: dict[str, CharState | None] = {}
        self._ending: str | None = None
        self._chars: dict[str, CharState] | None = None
        self._options: dict[bytes, Options] = {}

    @property
    def accepting(self) -> bool:
        return self.form.accepting and self._space.semantics.may_end(self.reading)

    def raw(self, char: str) -> CharState | None:
        if char not in self._next:
            form = self.form.moves.get(char)
            reading = self._space.semantics.step(self.reading, char) if form is not None else None
            self._next[char] = self._space.state(form, reading) if form is not None and reading is not None else None
        return self._next[char]

    @property
    def ending(self) -> str | None:
        """A text that legally ends from here, short but not always the shortest; None when there is none."""
        if self._ending is None:
            self._find_ending()
        return self._ending

    def _find_ending(self) -> None:
        if self.accepting:
            self._ending = ""
            return
        path: list[tuple[CharState, str]] = []
        stack = [(self, iter(self.form.nearest))]
        seen = {self}
        while stack:
            state, candidates = stack[-1]
            char = next(candidates, None)
            if char is None:
                stack.pop()
                if path:
                    path.pop()
                continue
            following = state.raw(char)
            if following is None:
                continue
            if following._ending is not None or following.accepting:
                ending = following._ending or ""
                following._ending = ending
                path.append((state, char))
                for before, step in reversed(path):
                    ending = step + ending
                    before._ending = ending
                return
            if following in seen or len(stack) >= _SEARCH_DEPTH:
                continue
            seen.add(following)
            if len(seen) > 4000:
                return
            path.append((state, char))
            stack.append((following, iter(following.form.nearest)))

    def step(self, char: str) -> CharState | None:
        following = self.raw(char)
        return following if following is not None and following.ending is not None else None

    @property
    def chars(self) -> dict[str, CharState]:
        if self._chars is None:
            found = {char: self.step(char) for char in self.form.moves}
            self._chars = {char: state for char, state in found.items() if state is not None}
        return self._chars

    def walk(self, text: str) -> CharState | None:
        state = self
        for char in text:
            following = state.step(char)
            if following is None:
                return None
            state = following
        return state

    def options(self, partial: bytes) -> Options:
        """Every legal token from here, given the bytes of an unfinished character."""
        if partial not in self._options:
            self._options[partial] = self._find_options(partial)
        return self._options[partial]

    def _find_options(self, partial: bytes) -> Options:
        vocab, rows = self._space.vocabulary, []

        def add(entry: tuple[int, str, bytes], state: CharState, used: int) -> None:
            token, rest, tail = entry
            end = state.walk(rest)
            if end is None:
                return
            used += len(rest)
            if not tail:
                rows.append((token, used, len(end.ending or ""), len((end.ending or "").encode())))
                return
            char = next((char for char in end.chars if char.encode().startswith(tail)), None)
            if char is not None:
                after = end.chars[char].ending or ""
                rows.append((token, used, 1 + len(after), len(char.encode()) - len(tail) + len(after.encode())))

        heads_done: set[bytes] = set()
        for char, state in self.chars.items():
            data = char.encode()
            if not data.startswith(partial):
                continue
            if not partial:
                for entry in vocab.by_char.get(char, ()):
                    add(entry, state, 1)
            else:
                for entry in vocab.tails.get(data[len(partial) :], ()):
                    add(entry, state, 1)
            for cut in range(len(partial) + 1, len(data)):
                head = data[len(partial) : cut]
                if head in heads_done:
                    continue
                heads_done.add(head)
                after = state.ending or ""
                need = len(data) - cut + len(after.encode())
                whole = vocab.tails.get(head, ()) if partial else [(t, "", b"") for t in vocab.heads.get(head, ())]
                rows += [(token, 0, 1 + len(after), need) for token, rest, tail in whole if not rest and not tail]
        return Options(rows)


class Options:
    """Legal tokens of one situation: ids, characters each adds, characters and bytes still needed to end after it."""

    def __init__(self, rows: list[tuple[int, int, int, int]]):
        table = np.array(rows, dtype=np.int64).reshape(-1, 4)
        self.ids, self.adds, self.end_chars, self.end_bytes = table.T


class Space:
    """All states of one request: form, semantics and vocabulary together."""

    def __init__(self, form: FormAutomaton, semantics: Semantics, vocabulary: Vocabulary):
        self.form, self.semantics, self.vocabulary = form, semantics, vocabulary
        self._states: dict[tuple[int, Reading], CharState] = {}
        self.start = self.state(form.start, semantics.start)

    def state(self, form: FormState, reading: Reading) -> CharState:
        key = (id(form), reading)
        state = self._states.get(key)
        if state is None:
            state = self._states[key] = CharState(self, form, reading)
        return state


@dataclass(frozen=True)
class State:
    """The grammar state of a sequence. `max_chars` bounds the whole text, in characters.

    Below `min_chars` the text does not end as long as anything else is legal.
    """

    at: CharState
    text: str
    partial: bytes
    max_chars: int
    vocabulary: Vocabulary
    min_chars: int = 0

    @property
    def accepting(self) -> bool:
        return not self.partial and self.at.accepting

    @property
    def done(self) -> bool:
        """Accepting, and nothing may follow."""
        return self.accepting and not self.at.chars

    @property
    def distance(self) -> int:
        """Tokens that suffice to end legally: every byte is a token at worst."""
        ending = self.at.ending or ""
        if self.partial:
            char, state = self._completions[0]
            ending = state.ending or ""
            return len(char.encode()) - len(self.partial) + len(ending.encode())
        return len(ending.encode())

    @cached_property
    def _completions(self) -> list[tuple[str, CharState]]:
        return [(c, s) for c, s in self.at.chars.items() if c.encode().startswith(self.partial)]

    @property
    def introduced(self) -> list[str]:
        """Terms in scope at this point, in the order of the frame's table."""
        return self.at._space.semantics.introduced(self.at.reading)

    @property
    def open_use(self) -> str | None:
        """What stands after 所述 while the term there is not finished; None outside a use site."""
        return self.at._space.semantics.open_use(self.at.reading)

    def rewritten(self, text: str) -> State | None:
        """The state in which `text` would be the whole text; None when it is not the beginning of a legal one."""
        at = self.at._space.start.walk(text)
        if at is None or len(text) + len(at.ending or "") > self.max_chars:
            return None
        return replace(self, at=at, text=text, partial=b"")

    def mask(self, tokens_left: int | None = None) -> np.ndarray:
        """bool[V]: the tokens after which a legal ending is still within both budgets (characters and tokens)."""
        options = self.at.options(self.partial)
        fits = len(self.text) + options.adds + options.end_chars <= self.max_chars
        if tokens_left is not None:
            fits &= options.end_bytes <= tokens_left - 1
        if len(self.text) < self.min_chars:
            goes_on = fits & ((options.end_chars > 0) | (len(self.text) + options.adds >= self.min_chars))
            fits = goes_on if goes_on.any() else fits
        allowed = np.zeros(self.vocabulary.size, dtype=bool)
        allowed[options.ids[fits]] = True
        if self.accepting:
            allowed[list(self.vocabulary.eos_ids)] = True
        return allowed

    def advance(self, token: int) -> State:
        """The state after a token. Raises Illegal when the grammar refuses it."""
        if token in self.vocabulary.eos_ids:
            if not self.accepting:
                raise Illegal("the text may not end here")
            return self
        data = self.vocabulary.token_bytes[token]
        if not data:
            raise Illegal(f"token {token} is not text")
        text, partial = _split(self.partial + data)
        if text is None:
            raise Illegal(f"token {token} is not UTF-8 here")
        at = self.at.walk(text)
        if at is None:
            raise Illegal(f"{text!r} may not follow {self.text[-20:]!r}")
        following = replace(self, at=at, text=self.text + text, partial=partial)
        if partial and not following._completions:
            raise Illegal(f"no character that starts with {partial.hex()} may follow {following.text[-20:]!r}")
        return following

    def forced_text(self) -> str:
        """The text that must come next because nothing else is legal; empty inside a character."""
        if self.partial:
            return ""
        out, at = "", self.at
        while not at.accepting and len(at.chars) == 1:
            ((char, at),) = at.chars.items()
            out += char
        return out

    def forced(self) -> list[int]:
        """The one legal token, if there is exactly one."""
        allowed = np.flatnonzero(self.mask())
        return [int(allowed[0])] if len(allowed) == 1 else []


def start(
    grammar: Grammar,
    rule: str,
    vocabulary: Vocabulary,
    frame: Frame,
    max_chars: int,
    min_chars: int = 0,
    cuts: Sequence[int] = (),
) -> State:
    form = FormAutomaton(grammar.rules, rule, frame.slots, frame.source, cuts)
    at = Space(form, Semantics(frame), vocabulary).start
    if at.ending is None or len(at.ending) > max_chars:
        raise GrammarError("dead-end", f"no text of rule {rule} satisfies the frame")
    return State(at, "", b"", max_chars, vocabulary, min_chars)
