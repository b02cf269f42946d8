"""Filters and penalties over candidate tokens: `ids` ascending, `logits` float64 of the same length.

Each takes and returns (ids, logits) and keeps at least one candidate. Ties at a cut go to the lower token id.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Candidates = tuple[np.ndarray, np.ndarray]


def penalise_repetition(ids: np.ndarray, logits: np.ndarray, seen: Sequence[int], penalty: float) -> Candidates:
    """Divides positive logits of seen tokens by `penalty` and multiplies negative ones (Keskar et al. 2019)."""
    if penalty == 1.0 or not seen:
        return ids, logits
    again = np.isin(ids, np.unique(seen))
    changed = np.where(logits > 0, logits / penalty, logits * penalty)
    return ids, np.where(again, changed, logits)


def forbid_repeated_ngram(ids: np.ndarray, logits: np.ndarray, seen: Sequence[int], n: int) -> Candidates:
    """Drops tokens that would complete an n-gram of `seen`, unless that would drop every candidate."""
    if n == 0 or len(seen) < n:
        return ids, logits
    tail = tuple(seen[len(seen) - n + 1 :])
    banned = {seen[i + n - 1] for i in range(len(seen) - n + 1) if tuple(seen[i : i + n - 1]) == tail}
    return _keep(ids, logits, ~np.isin(ids, list(banned))) if banned else (ids, logits)


def keep_top_k(ids: np.ndarray, logits: np.ndarray, k: int) -> Candidates:
    """The k highest logits."""
    if k == 0 or k >= len(ids):
        return ids, logits
    cut = np.partition(logits, len(logits) - k)[len(logits) - k]
    keep = logits > cut
    keep[np.flatnonzero(logits == cut)[: k - int(keep.sum())]] = True
    return _keep(ids, logits, keep)


def keep_top_p(ids: np.ndarray, logits: np.ndarray, p: float) -> Candidates:
    """The fewest most probable tokens whose probability together reaches p."""
    if p >= 1.0:
        return ids, logits
    order = np.argsort(-logits, kind="stable")
    mass = np.cumsum(softmax(logits)[order])
    keep = np.zeros(len(ids), dtype=bool)
    keep[order[: int(np.searchsorted(mass, p * mass[-1])) + 1]] = True
    return _keep(ids, logits, keep)


def keep_min_p(ids: np.ndarray, logits: np.ndarray, p: float) -> Candidates:
    """The tokens at least p times as probable as the most probable one."""
    if p == 0.0:
        return ids, logits
    return _keep(ids, logits, logits >= logits.max() + np.log(p))


def softmax(logits: np.ndarray) -> np.ndarray:
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


def _keep(ids: np.ndarray, logits: np.ndarray, keep: np.ndarray) -> Candidates:
    return (ids[keep], logits[keep]) if keep.any() else (ids, logits)
