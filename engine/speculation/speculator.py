"""One text's speculation as the engine's step uses it: propose, verify elsewhere, learn; and its statistics.

    speculator.look(limit, rows)            # its best draft; the controller shares the rows of a pass among all texts
    guess = speculator.take(width, rows)    # tokens to verify beside `rows` pending ones; empty is the plain step
    speculator.learn(written)               # what the step wrote, whether guessed or not
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.speculation.chain import Chain
from engine.speculation.controller import Controller
from engine.speculation.draft_model import SLICE, DraftModel, DraftProposer
from engine.speculation.forced import Forced
from engine.speculation.ngram import NgramProposer, NgramTable
from engine.speculation.proposer import Ahead, Draft, Proposer, View, Walk
from engine.speculation.suffix import SuffixMatch

FORCED_TOKENS = 32
"""Forced text is proposed up to this length whatever the limit of guesses: it is nearly always right."""
_TEXT = 128
"""Tokens over which a draft model's reading of the prompt should pay: the length of a usual text."""
SOURCES = ("forced", "suffix", "ngram", "model")


class Speculation:
    """What the texts of an engine share: the controller, the filters and the draft model.

    `sources` are the proposers in use; it may be replaced while texts run, and `forget` drops what was measured.
    """

    def __init__(
        self,
        token_bytes: Sequence[bytes | None],
        encode: Callable[[str], list[int]],
        free: np.ndarray,
        chain: Chain | None = None,
        sources: Sequence[str] = SOURCES,
    ):
        self.walk, self.free = Walk(token_bytes, encode), free
        self.chain = chain or Chain()
        self.sources = tuple(sources)
        self.controller = Controller()
        self.draft: DraftModel | None = None

    def speculator(self, view: View) -> Speculator:
        return Speculator(view, self)


class Speculator:
    """For one text. Nothing is indexed before the first proposal is asked for."""

    def __init__(self, view: View, shared: Speculation):
        self._view, self._shared = view, shared
        self._table = NgramTable()
        self._proposers: dict[str, Proposer] = {}
        self._model: DraftProposer | None = None
        self._drafts: list[Draft] = []
        self._used = self.draft = Draft()
        self._limit, self.fixed = 0, False
        self.steps = 0
        self.proposed: Counter[str] = Counter()
        self.accepted: Counter[str] = Counter()

    def look(self, limit: int, rows: int, looks: bool = True) -> None:
        """Finds the best draft of at most `limit` tokens that costs no forward pass. `limit` 0 is the plain path and costs
        nothing; nor does it where `looks` is false, unless the request fixes the length of its guesses."""
        self._drafts, self._used, self.draft = [], Draft(), Draft()
        asked = self._view.request.speculation
        self.fixed = asked not in ("auto", "off")
        if self.fixed:
            limit = min(limit, int(asked))
        room = self._view.left - 1
        self._limit = 0 if asked == "off" else max(0, min(limit, room))
        if not self._limit or not looks and not self.fixed:
            return
        self._drafts = [draft for draft in self._free(self._limit, room, rows) if draft.tokens]
        if self._drafts:
            self.draft = self._drafts[0] if self.fixed else self._best(self._drafts, rows)

    def take(self, width: int, rows: int, texts: int = 1) -> list[int]:
        """The tokens to verify: `width` of the draft that was found (all where the request fixes the length), or a draft of
        the draft model where there is none and that pays in a pass of `rows` rows and `texts` texts."""
        best = self.draft
        if self.fixed:
            width = len(best.tokens)
        if not width and self._limit and "model" in self._shared.sources and self._shared.draft is not None:
            best = self._ahead(self._limit, rows, texts)
            width = len(best.tokens)
        self._used = best.cut(width)
        return list(self._used.tokens)

    def learn(self, written: list[int]) -> None:
        """`written` are the tokens that now stand from where the last guess began."""
        used = self._used
        if used.tokens:
            self.steps += 1
            self.proposed.update(used.sources)
            for token, source, actual in zip(used.tokens, used.sources, written, strict=False):
                if token != actual:
                    break
                self.accepted[source] += 1
            if used.source == "model":
                self._shared.controller.learn(used, written)
        for draft in self._drafts:
            self._shared.controller.learn(draft, written)

    def stats(self) -> dict[str, Any]:
        """acceptance_length: tokens of a step with a guess, the one that the model adds included (1 without guesses)."""
        accepted = sum(self.accepted.values())
        return {
            "guessed_steps": self.steps,
            "drafted_tokens": sum(self.proposed.values()),
            "accepted_tokens": accepted,
            "acceptance_length": 1.0 + accepted / self.steps if self.steps else 1.0,
            "drafts": {
                source: {"drafted": self.proposed[source], "accepted": self.accepted[source]}
                for source in SOURCES
                if self.proposed[source]
            },
        }

    def _free(self, k: int, room: int, rows: int) -> list[Draft]:
        """Drafts that cost no forward pass; forced text stands alone, with the best guess of what follows it."""
        if "forced" in self._shared.sources:
            forced = self._proposer("forced").propose(self._view, min(FORCED_TOKENS, room))
            if forced.tokens:
                reach = k - len(forced.tokens)
                after = self._guesses(Ahead.of(self._view, forced), reach) if reach > 0 else []
                return [forced.then(self._best(after, rows + len(forced.tokens)))]
        return self._guesses(self._view, k)

    def _guesses(self, view: View, k: int) -> list[Draft]:
        chain, sources = self._shared.chain, self._shared.sources
        made = [self._proposer(source).propose(view, k) for source in ("suffix", "ngram") if source in sources]
        return [chain.grams(draft, view.tokens, self._table) for draft in made]

    def _best(self, drafts: list[Draft], rows: int) -> Draft:
        """The draft with the highest expected rate, of equal ones the first."""
        return max(drafts, key=lambda draft: self._shared.controller.gain(draft, rows), default=Draft())

    def _ahead(self, k: int, rows: int, texts: int) -> Draft:
        """A draft of the draft model, if it is worth its time."""
        shared, view = self._shared, self._view
        if self._model is None:
            assert shared.draft is not None
            self._model = shared.draft.proposer()
        tokens = view.tokens
        behind = self._model.behind(tokens)
        steps = max(1, min(view.left, _TEXT) // 2)
        wanted = k if self.fixed else shared.controller.wants("model", k, rows, behind, steps, texts)
        if not wanted:
            return Draft()
        began = time.perf_counter()
        ready = self._model.catch_up(tokens, wanted)
        draft = self._model.propose(view, wanted) if ready else Draft()
        spent = time.perf_counter() - began
        shared.controller.drafted("model" if ready else "model read", len(draft.tokens) if ready else SLICE, spent)
        self._table.follow(tokens)
        return shared.chain.grams(draft, tokens, self._table)

    def _proposer(self, source: str) -> Proposer:
        if source not in self._proposers:
            self._proposers[source] = self._make(source)
        return self._proposers[source]

    def _make(self, source: str) -> Proposer:
        shared = self._shared
        if source == "forced":
            return Forced(shared.walk)
        if source == "suffix":
            return SuffixMatch(shared.walk)
        return NgramProposer(shared.walk, self._table, shared.chain.grammar_confidence_threshold or 0.1)
