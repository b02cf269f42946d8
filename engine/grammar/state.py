"""Grammar states: masks over token ids, advance, forced text, and a legal ending that is always known.

A character state pairs the form with the semantic reading and is *alive* only when a complete ending was found from it;
dead states are never entered, so decoding cannot get stuck. A token state adds the bytes of an unfinished character and
the budget, and is immutable: rollback is keeping the old object.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from engine.grammar.automaton import FormAutomaton, FormState
from engine.grammar.rewrite import USE, Rewrite, rewrite
from engine.grammar.semantics import Reading, Semantics

_SEARCH_DEPTH = 240


class Illegal(ValueError):
    """A token that the grammar refuses at this position."""


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

    def rewrite(self, wanted: str) -> Rewrite | None:
        """The change of 所述 that makes refused text legal (`engine.grammar.rewrite`)."""
        return rewrite(self, wanted)

    @property
    def rewrite_chars(self) -> int:
        """Characters that a rewrite takes back at most; 0 when there is nothing to rewrite."""
        return self.longest_term + len(USE) if self.longest_term else 0

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
    def longest_term(self) -> int:
        """Characters of the longest known term."""
        return max((len(term) for term in self.at._space.semantics.terms.words), default=0)

    @property
    def open_use(self) -> str | None:
        """What stands after 所述 while the term there is not finished; None outside a use site."""
        return self.at._space.semantics.open_use(self.at.reading)

    @property
    def unsettled(self) -> bool:
        """Behind 所述 the model may want something else than a term in scope."""
        return self.open_use is not None

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
            (char, at), = at.chars.items()
            out += char
        return out

    def forced(self) -> list[int]:
        """The one legal token, if there is exactly one."""
        allowed = np.flatnonzero(self.mask())
        return [int(allowed[0])] if len(allowed) == 1 else []
