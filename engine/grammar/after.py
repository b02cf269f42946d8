"""A grammar that begins behind a marker: what a thinking model writes before `</think>` is free, what follows is not.

    state = After(grammar.start("independent", vocabulary, frame, 400), "</think>")

Where a token holds the end of the marker and more, the grammar decides over the rest. When the tokens left are just
enough for the marker and a legal text, the marker is the only way on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from engine.grammar.state import Illegal, State, split
from engine.grammar.vocabulary import Vocabulary


@dataclass(frozen=True)
class After:
    """`tail` is the end of the free text, shorter than the marker. Behind the marker, `advance` gives the grammar's own state."""

    inner: State
    marker: str
    tail: bytes = b""

    text = ""
    partial = b""
    accepting = unsettled = False
    rewrite_chars = 0

    @property
    def distance(self) -> int:
        """Tokens that suffice to end legally: the rest of the marker byte by byte, then a text."""
        return len(self._marked) - self._begun + self.inner.distance

    def mask(self, tokens_left: int | None = None) -> np.ndarray:
        """bool[V], read-only: any text that leaves room for the marker and a legal text; never an end token."""
        free, ending = _tokens(self.inner.vocabulary, self._marked)
        narrow = tokens_left is not None and self.distance + len(self._marked) >= tokens_left
        mask = np.zeros(len(free), bool) if narrow else free.copy()
        mask[ending] = False
        rest = self._marked[self._begun :]
        for token in ending:
            data = self._bytes(token)
            if narrow and not rest.startswith(data) and self._marked not in self.tail + data:
                continue
            try:
                after = self.advance(token)
            except Illegal:
                continue
            mask[token] = tokens_left is None or after.distance < tokens_left
        mask.setflags(write=False)
        return mask

    def advance(self, token: int) -> After | State:
        """Raises Illegal for what is no text, and for a rest behind the marker that the grammar refuses."""
        written = self.tail + self._bytes(token)
        at = written.find(self._marked)
        if at < 0:
            return replace(self, tail=written[-(len(self._marked) - 1) :] if len(self._marked) > 1 else b"")
        text, partial = split(written[at + len(self._marked) :])
        state = None if text is None else self.inner.rewritten(text)
        if state is None or partial and state.space.complete(state.point, partial) < 0:
            raise Illegal(f"{written[at:]!r} is not the beginning of a legal text")
        return replace(state, partial=partial)

    def forced_text(self) -> str:
        return ""

    def rewrite(self, wanted: str) -> None:
        return None

    @cached_property
    def _marked(self) -> bytes:
        return self.marker.encode()

    @cached_property
    def _begun(self) -> int:
        """Bytes of the marker that the free text ends with."""
        return next(size for size in range(len(self.tail), -1, -1) if self._marked.startswith(self.tail[len(self.tail) - size :]))

    def _bytes(self, token: int) -> bytes:
        known = self.inner.vocabulary.token_bytes
        data = known[token] if 0 <= token < len(known) else None
        if not data or token in self.inner.vocabulary.eos_ids:
            raise Illegal(f"token {token} is not text")
        return data


@lru_cache(maxsize=8)
def _tokens(vocabulary: Vocabulary, marker: bytes) -> tuple[np.ndarray, np.ndarray]:
    """(bool[V] of the text tokens, ids of those that may begin, continue or complete the marker)."""
    free = np.array([bool(data) for data in vocabulary.token_bytes], bool)
    free[list(vocabulary.eos_ids)] = False
    ends = [marker[at:] for at in range(len(marker))]
    marking = [
        token
        for token in np.flatnonzero(free).tolist()
        if marker in (data := vocabulary.token_bytes[token] or b"")
        or any(data.startswith(end) or end.startswith(data) for end in ends)
    ]
    return free, np.array(marking, np.int64)
