"""What an engine has done since it was opened, and what it does now: `Engine.snapshot()`. Counters only grow."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class EngineStats:
    """Counts of texts (a request of n texts counts n times), of tokens, and of cache blocks of 16 positions.

    `prefix_queries` are the prompt tokens that were looked up in the cache, `prefix_hits` those found there. `drafts` are
    passes with a guess. `constraint_violations` are tokens that a mask forbade and a text has all the same; always 0 unless
    the engine is wrong. `exact`: a token's logits have the same bits however many rows run together.
    """

    running: int = 0
    waiting: int = 0
    blocks_used: int = 0
    blocks_free: int = 0
    finished: int = 0
    failed: int = 0
    cancelled: int = 0
    preemptions: int = 0
    prompt_tokens: int = 0
    generated_tokens: int = 0
    forced_tokens: int = 0
    prefix_queries: int = 0
    prefix_hits: int = 0
    drafts: int = 0
    drafted_tokens: int = 0
    accepted_tokens: int = 0
    constraint_violations: int = 0
    busy_seconds: float = 0.0
    exact: bool = False

    @property
    def prefix_hit_rate(self) -> float:
        return self.prefix_hits / self.prefix_queries if self.prefix_queries else 0.0

    @property
    def acceptance_length(self) -> float:
        """Tokens of a pass with a guess, the one that the model adds included; 1 without guesses."""
        return 1.0 + self.accepted_tokens / self.drafts if self.drafts else 1.0

    @property
    def reject_ratio(self) -> float:
        return 1.0 - self.accepted_tokens / self.drafted_tokens if self.drafted_tokens else 0.0

    @property
    def forced_share(self) -> float:
        return self.forced_tokens / self.generated_tokens if self.generated_tokens else 0.0

    @property
    def tokens_per_second(self) -> float:
        """Generated tokens of all texts by the seconds in which a step ran."""
        return self.generated_tokens / self.busy_seconds if self.busy_seconds else 0.0
