"""Three levels between a proposal and the text, each of which only ever shortens a draft.

    token filter   the draft model proposes from its `draft_model_top_k` best legal tokens, and stops where its best logit
                   leads the second by less than `logit_gap` (in `engine.speculation.draft_model`)
    gram filter    a draft ends before a token that the n-gram table knows to be rare in its context: probability below
                   `grammar_confidence_threshold` (here)
    verification   the model decides every token itself, in one forward pass (in `engine.core`)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.speculation.ngram import GramModel
from engine.speculation.proposer import Draft


@dataclass(frozen=True)
class Chain:
    """Thresholds; 0 turns a filter off. `logit_gap` is in logits, the threshold a probability."""

    draft_model_top_k: int = 3
    logit_gap: float = 0.85
    grammar_confidence_threshold: float = 0.1

    def grams(self, draft: Draft, context: Sequence[int], table: GramModel) -> Draft:
        """The draft up to its first improbable token. Forced text passes whole."""
        if not self.grammar_confidence_threshold or draft.source == "forced":
            return draft
        before = list(context[-8:])
        for at, token in enumerate(draft.tokens):
            known = table.probability(before, token)
            if known is not None and known < self.grammar_confidence_threshold:
                return draft.cut(at)
            before.append(token)
        return draft
