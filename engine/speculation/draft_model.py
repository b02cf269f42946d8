"""A small model that writes ahead of the large one. It must have the same vocabulary, token by token.

Its cache is a ring over the last `window` positions: rejected tokens are forgotten by moving the pointer back, and when the
ring is full its oldest blocks take the newest positions. It catches up in slices, so that no step waits for a whole prompt,
and it starts at most half a window back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from engine.kv.cache import BLOCK
from engine.request import GrammarState, Sampling
from engine.sampling import distribution
from engine.sampling.rng import Purpose, uniform
from engine.speculation.chain import Chain
from engine.speculation.proposer import Draft, View, Walk, advance, bucket, shared_prefix

SLICE = 64
"""Tokens that one step reads to catch up."""


class DraftMismatch(ValueError):
    """The draft model does not have the vocabulary of the model that it should write ahead of."""


class DraftModel:
    """`temperature` None draws as the request does; otherwise the draft has its own. `window` in positions."""

    def __init__(self, model: Any, walk: Walk, chain: Chain, free: np.ndarray, window: int = 1024, temperature: float | None = None):
        self.model, self.walk, self.chain, self.free = model, walk, chain, free
        self.window, self.temperature = -(-window // BLOCK) * BLOCK, temperature

    def proposer(self) -> DraftProposer:
        return DraftProposer(self)


class DraftProposer:
    """`start` is the position in the text of the first one in the ring."""

    source = "model"

    def __init__(self, draft: DraftModel):
        self._draft = draft
        self._cache = draft.model.new_cache(draft.window)
        self.start = 0
        self._held: list[int] = []

    @property
    def length(self) -> int:
        """Positions that the ring holds."""
        return len(self._held)

    def propose(self, view: View, k: int) -> Draft:
        tokens = view.tokens
        if not self.catch_up(tokens, k):
            return Draft()
        pending, state = tokens[self.start + len(self._held) :], view.state
        out: list[int] = []
        chances: list[float] = []
        while len(out) < k:
            row = self._forward(pending)
            found = self._next(row, view, state, out)
            if found is None:
                break
            written, chance = found
            for token in written:
                state = advance(state, token) if state is not None else None
            out += written
            chances += [chance] * len(written)
            pending = list(written)
            if any(token in view.eos_ids for token in written):
                break
        out, chances = out[:k], chances[:k]
        return Draft(tuple(out), self.source, tuple(map(bucket, chances)), tuple(chances))

    def behind(self, tokens: list[int]) -> int:
        """Tokens that it would have to read before it could write, but for the last slice."""
        missing = len(tokens) - self.start - len(self._held)
        return max(0, min(missing, self._draft.window // 2) - SLICE)

    def agree(self, tokens: list[int]) -> None:
        """Forgets what the text does not have; its last token always runs again."""
        self._rewind(shared_prefix(self._held, tokens[self.start : -1]))

    def _rewind(self, length: int) -> None:
        self._cache.rollback(len(self._held) - length)
        del self._held[length:]

    def catch_up(self, tokens: list[int], k: int) -> bool:
        """Whether the draft stands where the text does, but for at most a slice."""
        self.agree(tokens)
        behind = len(tokens) - self.start - len(self._held)
        if behind > self._draft.window // 2:
            self._rewind(0)
            self.start = max(0, len(tokens) - self._draft.window // 2)
            self._cache.base = self.start
        over = len(tokens) + k - self.start - self._draft.window
        if over > 0:
            dropped = min(-(-max(over, self._draft.window // 4) // BLOCK) * BLOCK, len(self._held) // BLOCK * BLOCK)
            self._cache.drop(dropped)
            del self._held[:dropped]
            self.start += dropped
        pending = tokens[self.start + len(self._held) :]
        if len(pending) <= SLICE:
            return True
        self._forward(pending[:SLICE])
        return False

    def _forward(self, ids: Sequence[int]) -> np.ndarray:
        with torch.inference_mode():
            logits = self._draft.model.forward(torch.tensor(ids, dtype=torch.long), self._cache, last_only=True)
        self._held += ids
        return logits[-1].float().cpu().numpy()

    def _next(
        self, row: np.ndarray, view: View, state: GrammarState | None, out: list[int]
    ) -> tuple[tuple[int, ...], float] | None:
        """What the draft writes next and its probability; None where it is unsure, or where the grammar takes back what is
        written."""
        draft, size = self._draft, len(self._draft.free)
        mask = draft.free if state is None else state.mask(view.left - len(out))
        wanted = int(row[:size].argmax())
        if state is not None and state.rewrite_chars and not mask[wanted] and not state.unsettled:
            written, after = draft.walk.instead(state, wanted)
            if after is not None and written:
                return written, 0.5
        legal = np.flatnonzero(mask)
        if not len(legal):
            return None
        top = np.sort(row[legal])[-2:]
        if len(top) == 2 and top[1] - top[0] < draft.chain.logit_gap:
            return None
        sampling = self._sampling(view.request.sampling)
        ids, p = distribution(row, mask, view.generated + out, sampling)
        at = 0
        if len(ids) > 1:
            edges = np.cumsum(p)
            drawn = uniform(sampling.seed, len(view.generated) + len(out), Purpose.TOKEN, view.stream) * edges[-1]
            at = min(int(np.searchsorted(edges, drawn, side="right")), len(ids) - 1)
        weights = np.exp(row[legal].astype(np.float64) - top[-1])
        return (int(ids[at]),), float(np.exp(float(row[ids[at]]) - float(top[-1])) / weights.sum())

    def _sampling(self, asked: Sampling) -> Sampling:
        own = self._draft.temperature
        temperature = asked.temperature if own is None or asked.temperature == 0.0 else own
        limit = self._draft.chain.draft_model_top_k
        narrow = min(limit, asked.top_k) if limit and asked.top_k else limit or asked.top_k
        return replace(asked, temperature=temperature, top_k=narrow)


def require_same_vocabulary(target: Any, draft: Any) -> None:
    """Compares two tokenizers. A longer list of ids that are no text is padding and no difference.

    Raises DraftMismatch that names the first id that differs.
    """
    ours, theirs = list(target.token_bytes), list(draft.token_bytes)
    size = max(len(ours), len(theirs))
    ours += [None] * (size - len(ours))
    theirs += [None] * (size - len(theirs))
    for token, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        if mine != other:
            raise DraftMismatch(
                f"the draft model has another vocabulary: token {token} is {_shown(mine)} in the model and "
                f"{_shown(other)} in the draft; choose a draft model of the same family, or none"
            )
    if set(target.eos_ids) != set(draft.eos_ids):
        raise DraftMismatch(
            f"the draft model ends texts with tokens {sorted(draft.eos_ids)}, the model with {sorted(target.eos_ids)}; "
            "choose a draft model of the same family, or none"
        )


def _shown(data: bytes | None) -> str:
    return "no text" if data is None else repr(data.decode("utf-8", "replace"))
