"""Text that the grammar makes come next, cut into tokens as the tokenizer would; the model may cut it otherwise."""

from __future__ import annotations

from engine.speculation.proposer import Draft, View, Walk


class Forced:
    source = "forced"

    def __init__(self, walk: Walk):
        self._walk = walk

    def propose(self, view: View, k: int) -> Draft:
        text = view.state.forced_text() if view.state is not None else ""
        if not text:
            return Draft()
        tokens = tuple(self._walk.legal(self._walk.encode(text)[:k], view.state))
        return Draft(tokens, self.source, (0,) * len(tokens))
