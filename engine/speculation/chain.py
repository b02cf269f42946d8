"""Three levels between a proposal and the text, each of which only ever shortens a draft.

    token filter   the draft model proposes from its `draft_model_top_k` best legal tokens, and stops where its best logit
                   leads the second by less than `logit_gap` (in `engine.speculation.draft_model`)
    gram filter    a guess of the n-gram table or the draft model ends before a token that the table knows to be rare in
                   its context: probability below `grammar_confidence_threshold` (here). Forced text and copies pass: what
                   the grammar says, and a match that is longer than any n-gram, are better evidence
    verification   the model decides every token itself, in one forward pass (in `engine.core`)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.speculation.ngram import GramModel
from engine.speculation.proposer import Draft

FILTERED = ("ngram", "model")


@dataclass(frozen=True)
class Chain:
    """Thresholds; 0 turns a filter off. `logit_gap` is in logits, the threshold a probability."""

    draft_model_top_k: int = 3
    logit_gap: float = 0.85
    grammar_confidence_threshold: float = 0.1

    def grams(self, draft: Draft, context: Sequence[int], table: GramModel) -> Draft:
        """The draft up to its first improbable token."""
        if not self.grammar_confidence_threshold or draft.source not in FILTERED:
            return draft
        before = list(context[-8:])
        for at, token in enumerate(draft.tokens):
            known = table.probability(before, token)
            if known is not None and known < self.grammar_confidence_threshold:
                return draft.cut(at)
            before.append(token)
        return draft
