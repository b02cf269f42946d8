"""The grammar state of a sequence: masks over token ids, advance, forced text, and a legal ending that is always known.

A state is a point of a `Space`, the bytes of an unfinished character, and the budget. It is immutable: rollback is keeping
the old object, a fork is keeping it twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.grammar.masks import Row
from engine.grammar.rewrite import USE, Rewrite, rewrite
from engine.grammar.space import UNBOUNDED, Space
from engine.grammar.vocabulary import Vocabulary


class Illegal(ValueError):
    """A token that the grammar refuses at this position."""


@dataclass(frozen=True)
class State:
    """`max_chars` bounds the whole text, in characters. Below `min_chars` the text does not end as long as anything else
    is legal."""

    space: Space
    origin: int
    point: int
    text: str
    partial: bytes
    max_chars: int
    min_chars: int = 0

    @property
    def vocabulary(self) -> Vocabulary:
        return self.space.vocabulary

    @property
    def accepting(self) -> bool:
        return not self.partial and self.space.accepts(self.point)

    @property
    def done(self) -> bool:
        """Accepting, and nothing may follow."""
        return self.accepting and self.space.only_char(self.point) == -1

    @property
    def distance(self) -> int:
        """Tokens that suffice to end legally."""
        if not self.partial:
            return self.space.tokens(self.point)
        after = self.space.complete(self.point, self.partial)
        lead = self.partial[0]
        size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        return size - len(self.partial) + self.space.tokens(after)

    @property
    def ending(self) -> str:
        """A text that legally ends from here; empty inside a character."""
        return "" if self.partial else self.space.ending(self.point)

    @property
    def introduced(self) -> list[str]:
        """Terms in scope at this point."""
        use, candidate, scope = self.space.reading(self.point)
        terms = self.space.terms.texts
        held = {at for at in range(len(terms)) if int(scope[at >> 6]) >> (at & 63) & 1}
        return [term for at, term in enumerate(terms) if at in held or at == candidate]

    @property
    def longest_term(self) -> int:
        """Characters of the longest known term."""
        return max((len(term) for term in self.space.terms.texts), default=0)

    @property
    def open_use(self) -> str | None:
        """What stands after 所述 while the term there is not finished; None outside a use site."""
        use = self.space.reading(self.point)[0]
        return None if use < 0 else self.space.terms.path(use)

    @property
    def unsettled(self) -> bool:
        """Behind 所述 the model may want something else than a term in scope."""
        return self.open_use is not None

    @property
    def rewrite_chars(self) -> int:
        """Characters that a rewrite takes back at most; 0 when there is nothing to rewrite."""
        return self.longest_term + len(USE) if self.longest_term else 0

    def rewrite(self, wanted: str) -> Rewrite | None:
        """The change of 所述 that makes refused text legal (`engine.grammar.rewrite`)."""
        return rewrite(self, wanted)

    def rewritten(self, text: str) -> State | None:
        """The state in which `text` would be the whole text; None when it is not the beginning of a legal one."""
        point = self.space.feed(self.origin, text)
        if point < 0 or len(text) + self.space.length(point) > self.max_chars:
            return None
        return replace(self, point=point, text=text, partial=b"")

    def row(self, tokens_left: int | None = None) -> Row:
        """The tokens after which a legal ending is still within both budgets (characters and tokens), as a shared row."""
        space, written = self.space, len(self.text)
        row = space.rows.get((self.point, self.partial)) or space.row(self.point, self.partial)
        chars = self.max_chars - written
        if row.chars <= chars and (tokens_left is None or row.length < tokens_left) and written >= self.min_chars:
            return row.whole or row
        tokens = UNBOUNDED if tokens_left is None else tokens_left
        row = space.walk(self.point, self.partial, chars, tokens, max(self.min_chars - written, 0))
        if row.short and not row.count:
            row = space.walk(self.point, self.partial, chars, tokens, 0)
        return row.ended(space.vocabulary.eos_ids) if self.accepting else row

    def mask(self, tokens_left: int | None = None) -> np.ndarray:
        """bool[V], read-only: the row spelt out."""
        return self.row(tokens_left).allowed

    def walk(self, draft: Sequence[int], tokens_left: int | None = None) -> list[Row]:
        """One row per position: before each token of the draft and after the last. It stops behind the first refused token."""
        state, rows = self, [self.row(tokens_left)]
        for count, token in enumerate(draft, 1):
            if not 0 <= token < rows[-1].size or not rows[-1].allowed[token] or token in self.vocabulary.eos_ids:
                break
            state = state.advance(token)
            rows.append(state.row(None if tokens_left is None else tokens_left - count))
        return rows

    def forced_run(self, tokens_left: int | None = None) -> list[int]:
        """The tokens that must come next because each is the only legal one."""
        state: State = self
        run: list[int] = []
        while (row := state.row(None if tokens_left is None else tokens_left - len(run))).count == 1:
            run.append(int(row.allowed.argmax()))
            if run[-1] in self.vocabulary.eos_ids:
                break
            state = state.advance(run[-1])
        return run

    def advance(self, token: int) -> State:
        """The state after a token. Raises Illegal when the grammar refuses it."""
        moves = self.space.moves
        key = self.point, self.partial, token
        found = moves.get(key)
        if found is None:
            if token in self.vocabulary.eos_ids:
                if not self.accepting:
                    raise Illegal("the text may not end here")
                return self
            found = moves[key] = self._move(token)
        point, text, partial = found
        return State(
            self.space, self.origin, point, self.text + text, partial, self.max_chars, self.min_chars
        )

    def _move(self, token: int) -> tuple[int, str, bytes]:
        data = self.vocabulary.token_bytes[token] if 0 <= token < self.vocabulary.size else None
        if not data:
            raise Illegal(f"token {token} is not text")
        text, partial = split(self.partial + data)
        if text is None:
            raise Illegal(f"token {token} is not UTF-8 here")
        point = self.space.feed(self.point, text) if text else self.point
        if point < 0:
            raise Illegal(f"{text!r} may not follow {self.text[-20:]!r}")
        if partial and self.space.complete(point, partial) < 0:
            after = (self.text + text)[-20:]
            raise Illegal(f"no character that starts with {partial.hex()} may follow {after!r}")
        return point, text, partial

    def forced_text(self) -> str:
        """The text that must come next because nothing else is legal; empty inside a character."""
        if self.partial:
            return ""
        out, point = "", self.point
        while not self.space.accepts(point) and (char := self.space.only_char(point)) >= 0:
            out += chr(char)
            point = self.space.feed(point, chr(char))
        return out


def split(data: bytes) -> tuple[str | None, bytes]:
    """Whole characters and the bytes of an unfinished last one; (None, b"") when the bytes are not UTF-8."""
    for cut in range(min(4, len(data) + 1)):
        try:
            text = data[: len(data) - cut].decode("utf-8")
        except UnicodeDecodeError:
            continue
        partial = data[len(data) - cut :]
        if not partial:
            return text, partial
        lead = partial[0]
        size = 2 if 0xC2 <= lead < 0xE0 else 3 if 0xE0 <= lead < 0xF0 else 4 if 0xF0 <= lead <= 0xF4 else 0
        if len(partial) < size and all(byte & 0xC0 == 0x80 for byte in partial[1:]):
            return text, partial
    return None, b""
