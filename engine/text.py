"""Tokens to text as they come: only whole characters leave, and never a part of a stop string."""

from __future__ import annotations

import codecs
from collections.abc import Sequence


class Detokeniser:
    """Collects token bytes and returns whole characters. Bytes that can never become UTF-8 turn into U+FFFD."""

    def __init__(self, token_bytes: Sequence[bytes | None]):
        self._bytes = token_bytes
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def push(self, token: int) -> str:
        """The characters that this token completes; ids that are not text give none."""
        data = self._bytes[token] if token < len(self._bytes) else None
        return self._decoder.decode(data or b"")


class StopScanner:
    """Holds back text that may be the beginning of a stop string."""

    def __init__(self, stops: Sequence[str]):
        self._stops, self._held = tuple(stops), ""
        self.stopped = False

    def push(self, text: str) -> str:
        """Text that is safe to show. After a stop string was found, `stopped` is set and the rest is dropped."""
        text = self._held + text
        self._held = ""
        found = [at for at in (text.find(stop) for stop in self._stops) if at >= 0]
        if found:
            self.stopped = True
            return text[: min(found)]
        keep = max((_overlap(text, stop) for stop in self._stops), default=0)
        self._held = text[len(text) - keep :]
        return text[: len(text) - keep]

    def flush(self) -> str:
        """What was held back, at the end of a text that did not stop."""
        held, self._held = self._held, ""
        return held


def _overlap(text: str, stop: str) -> int:
    """Length of the longest end of `text` that begins `stop`, shorter than `stop`."""
    return next((n for n in range(min(len(text), len(stop) - 1), 0, -1) if text.endswith(stop[:n])), 0)
