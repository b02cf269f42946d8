"""The fixed order: mask, repetition penalty, no-repeat n-gram, temperature, top-k, top-p, min-p, draw.

The mask comes before every truncation, so that top-k counts legal tokens only and the sampled distribution is the model's
own, renormalised over legal continuations. Greedy and drawn ties go to the lowest id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.request import GenerationError, Sampling, TokenLogprobs
from engine.sampling import processors
from engine.sampling.rng import Purpose, uniform


def distribution(
    logits: np.ndarray, mask: np.ndarray | None, generated: Sequence[int], sampling: Sampling
) -> tuple[np.ndarray, np.ndarray]:
    """Candidate ids (ascending) and their probabilities; one candidate when greedy.

    `logits` may be longer than the vocabulary; `mask` bool[V] says how long that is. `generated` is the text up to the
    position that is decided, also while several positions are verified together. Raises GenerationError when a logit is
    not a number, when one is +inf, or when nothing is left to choose from.
    """
    if mask is not None:
        logits = logits[: len(mask)]
    if not logits.max() < np.inf:
        raise GenerationError("the model returned logits that are not numbers")
    ids = np.flatnonzero(logits > -np.inf if mask is None else mask[: len(logits)] & (logits > -np.inf))
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
    logits: np.ndarray,
    mask: np.ndarray | None,
    generated: Sequence[int],
    sampling: Sampling,
    position: int,
    stream: int = 0,
) -> int:
    """One token for the position-th generated token of a request's stream-th text. The same arguments give the same
    token: the draw inverts the distribution function at one number that belongs to the position."""
    ids, probabilities = distribution(logits, mask, generated, sampling)
    if len(ids) == 1:
        return int(ids[0])
    edges = np.cumsum(probabilities)
    drawn = uniform(sampling.seed, position, Purpose.TOKEN, stream) * edges[-1]
    return int(ids[min(int(np.searchsorted(edges, drawn, side="right")), len(ids) - 1)])


def logprobs(
    logits: np.ndarray, mask: np.ndarray | None, generated: Sequence[int], sampling: Sampling, token: int
) -> TokenLogprobs:
    """The natural logarithm of the probability that `token` had in `distribution`, and of its `sampling.logprobs` most
    probable tokens, ties by lowest id. A greedy choice is reported with temperature 1, which does not change it."""
    if sampling.temperature == 0.0:
        sampling = replace(sampling, temperature=1.0, top_k=0, top_p=1.0, min_p=0.0)
    ids, probabilities = distribution(logits, mask, generated, sampling)
    with np.errstate(divide="ignore"):
        values = np.log(probabilities)
    best = np.argsort(-values, kind="stable")[: sampling.logprobs]
    at = int(np.searchsorted(ids, token))
    return TokenLogprobs(token, float(values[at]), tuple((int(ids[i]), float(values[i])) for i in best))
