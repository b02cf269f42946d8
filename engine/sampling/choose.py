"""The fixed order: mask, repetition penalty, no-repeat n-gram, temperature, top-k, top-p, min-p, draw.

The mask comes before every truncation, so that top-k counts legal tokens only and the sampled distribution is the model's
own, renormalised over legal continuations. Greedy and drawn ties go to the lowest id.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.request import GenerationError, Sampling
from engine.sampling import processors
from engine.sampling.rng import Purpose, uniform


def distribution(
    logits: np.ndarray, mask: np.ndarray | None, generated: Sequence[int], sampling: Sampling
) -> tuple[np.ndarray, np.ndarray]:
    """Candidate ids (ascending) and their probabilities; one candidate when greedy.

    `logits` may be longer than the vocabulary; `mask` bool[V] says how long that is. Raises GenerationError when a logit
    is not a number, when one is +inf, or when nothing is left to choose from.
    """
    if mask is not None:
        logits = logits[: len(mask)]
    if np.isnan(logits).any() or np.isposinf(logits).any():
        raise GenerationError("the model returned logits that are not numbers")
    allowed = np.isfinite(logits) if mask is None else mask[: len(logits)] & np.isfinite(logits)
    ids = np.flatnonzero(allowed)
    if not len(ids):
        raise GenerationError("no legal token has a finite logit")
    values = logits[ids].astype(np.float64)
    ids, values = processors.penalise_repetition(ids, values, generated, sampling.repetition_penalty)
    ids, values = processors.forbid_repeated_ngram(ids, values, generated, sampling.no_repeat_ngram)
    if sampling.temperature == 0.0 or len(ids) == 1:
        return ids[[values.argmax()]], np.ones(1)
    values = (values - values.max()) / sampling.temperature
    ids, values = processors.keep_top_k(ids, values, sampling.top_k)
    ids, values = processors.keep_top_p(ids, values, sampling.top_p)
    ids, values = processors.keep_min_p(ids, values, sampling.min_p)
    return ids, processors.softmax(values)


def choose(
    logits: np.ndarray, mask: np.ndarray | None, generated: Sequence[int], sampling: Sampling, position: int
) -> int:
    """One token for the position-th generated token. The same arguments give the same token."""
    ids, probabilities = distribution(logits, mask, generated, sampling)
    if len(ids) == 1:
        return int(ids[0])
    edges = np.cumsum(probabilities)
    at = np.searchsorted(edges, uniform(sampling.seed, position, Purpose.TOKEN) * edges[-1], side="right")
    return int(ids[min(int(at), len(ids) - 1)])
