"""How many tokens of a draft are worth verifying: expected tokens per second against those of the plain step.

    rate(k) = (texts + sum over i <= k of a_1 ... a_i) / (c(rows + k) + cost of drafting)    k = 0 is the plain path

All texts of a pass wait for it, so their guesses are planned together. a_i is the measured chance that a token of its source
and level is accepted when those before it were. c(m) is the measured
time of a pass over m rows, kept as a shape (relative to one row) and a scale, so that a machine that slows down for other
reasons changes the scale and no decision.
"""

from __future__ import annotations

import itertools
import operator
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.speculation.proposer import Draft

START, STAY = 1.05, 1.02
"""The rate over that of the plain pass which guesses must promise to be used again, and to stay in use."""
PROBE = 64
"""Refusals in a row after which a short guess is tried anyway, so that new facts are noticed; and passes of a rest."""


@dataclass
class _Chance:
    """A rate of acceptance with a fading memory, and a prior of a few trials."""

    hits: float = 1.5
    trials: float = 2.0

    @property
    def value(self) -> float:
        return self.hits / self.trials

    def learn(self, hit: bool) -> None:
        self.hits, self.trials = 0.98 * self.hits + hit, 0.98 * self.trials + 1.0


class StepCost:
    """Seconds of a pass by its rows. Before a width is measured, a row adds `row_share` of a one-row pass."""

    def __init__(self, row_share: float = 0.08):
        self._row_share = row_share
        self._shape: dict[int, float] = {1: 1.0}
        self._seen: dict[int, int] = defaultdict(int)
        self._known: dict[int, float] = {}
        self.scale = 0.0

    def shape(self, rows: int) -> float:
        """The time of a pass relative to one row. More rows never take less time, and what disturbs a measurement only adds
        to it, so a width costs at most what a wider one was measured to cost."""
        if rows not in self._known:
            wider = (shape for width, shape in self._shape.items() if width > rows)
            self._known[rows] = max(1.0, min([self._line(rows), *wider]))
        return self._known[rows]

    def _line(self, rows: int) -> float:
        """As measured; between measured widths on a line, beyond them along the prior."""
        if rows in self._shape:
            return self._shape[rows]
        below = max((m for m in self._shape if m < rows), default=1)
        above = min((m for m in self._shape if m > rows), default=0)
        if above:
            share = (rows - below) / (above - below)
            return self._shape[below] * (1 - share) + self._shape[above] * share
        return self._shape[below] + self._row_share * (rows - below)

    def learn(self, rows: int, seconds: float) -> None:
        """A pass took this long. One far beyond the expected counts as three times the expected: it was not its width."""
        expected = self._line(rows)
        if self.scale and self._seen[rows]:
            seconds = min(seconds, 3.0 * self.scale * expected)
        self._seen[rows] += 1
        if rows > 1 and self.scale:
            expected += max(0.05, 1.0 / self._seen[rows]) * (seconds / self.scale - expected)
            self._shape[rows] = expected
            self._known.clear()
        step = max(0.2, 1.0 / sum(self._seen.values()))
        self.scale += step * (seconds / expected - self.scale)


@dataclass
class Controller:
    """Shared by the texts of an engine. `cost` learns from every decoding pass, acceptance from every draft, also from
    those that were only compared with what the model then wrote."""

    cost: StepCost = field(default_factory=StepCost)
    _spent: dict[str, tuple[float, float]] = field(default_factory=dict)
    _chances: dict[tuple[str, int], _Chance] = field(default_factory=dict)
    _on: dict[str, bool] = field(default_factory=dict)
    _refused: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    _worth: float = START
    _rest: int = 0

    def gain(self, draft: Draft, rows: int) -> float:
        """The best rate over the plain one of a text that runs alone."""
        plain = self.cost.shape(rows)
        best, expected = 1.0, 1.0
        for at, chance in enumerate(self._standing(draft)):
            expected += chance
            best = max(best, expected * plain / self.cost.shape(rows + at + 1))
            if chance < 0.05:
                break
        return best

    def looks(self) -> bool:
        """Whether a pass should look for drafts. It rests where finding them has cost more than they gave."""
        self._rest = max(0, self._rest - 1)
        return not self._rest

    def share(self, drafts: Sequence[Draft], rows: int, seconds: float = 0.0) -> list[int]:
        """Tokens of each text's draft to verify in one pass over `rows` other rows that gives each text a token; all 0 is the
        plain pass. The likeliest tokens come first, whosever they are. Finding the drafts took `seconds`."""
        ranked = sorted(
            ((chance, -at, text) for text, draft in enumerate(drafts) for at, chance in enumerate(self._standing(draft))),
            reverse=True,
        )
        plain, texts = self.cost.shape(rows), len(drafts)
        delay = seconds / self.cost.scale if self.cost.scale else 0.0
        basis = texts / (plain + delay)
        best, taken, expected = basis, 0, float(texts)
        for count, (chance, _, _) in enumerate(ranked, 1):
            expected += chance
            rate = expected / (self.cost.shape(rows + count) + delay)
            if rate > best:
                best, taken = rate, count
        self._weigh(best * plain / texts)
        if not taken or best / basis < (STAY if self._on.get("pass", True) else START):
            if not ranked or not self._probe("pass", PROBE):
                return [0] * texts
            taken = min(2, len(ranked))
        else:
            self._on["pass"], self._refused["pass"] = True, 0
        widths = [0] * texts
        for _, _, text in ranked[:taken]:
            widths[text] += 1
        return widths

    def _standing(self, draft: Draft) -> list[float]:
        """The chance of each token that it and all before it are accepted; never rising."""
        chances = (self._chance(source, level).value for source, level in zip(draft.sources, draft.levels, strict=True))
        return list(itertools.accumulate((min(1.0, chance) for chance in chances), operator.mul))

    def _weigh(self, worth: float) -> None:
        self._worth += 0.05 * (worth - self._worth)
        if self._worth < 1.0:
            self._rest, self._worth = PROBE, 1.005

    def _probe(self, what: str, patience: int) -> bool:
        """Counts a refusal; True when it is time to try anyway."""
        self._on[what] = False
        self._refused[what] = (self._refused[what] + 1) % patience
        return self._refused[what] == 0

    def wants(self, source: str, k: int, rows: int, behind: int = 0, steps: int = 1, texts: int = 1) -> int:
        """Tokens to ask of a proposer whose drafting takes time, before it proposes. It first has to read `behind` tokens,
        which `steps` steps share. The `texts` of the pass all wait for it."""
        chance = self._chance(source).value
        each, read = self._share(source), self._share(source + " read") * behind / steps
        plain, best, wanted, expected, held = self.cost.shape(rows), 1.0, 0, float(texts), 1.0
        for count in range(1, k + 1):
            held *= chance
            expected += held
            rate = expected / texts * plain / (self.cost.shape(rows + count) + count * each + read)
            if rate > best:
                best, wanted = rate, count
        if wanted and best >= (STAY if self._on.get(source, True) else START):
            self._on[source], self._refused[source] = True, 0
            return wanted
        return min(2, k) if self._probe(source, 8 * PROBE) else 0

    def learn(self, draft: Draft, written: list[int]) -> None:
        """Compares a draft with the tokens that were written in its place."""
        for token, source, level, actual in zip(draft.tokens, draft.sources, draft.levels, written, strict=False):
            hit = token == actual
            self._chance(source, level).learn(hit)
            self._chance(source).learn(hit)
            if not hit:
                return

    def _chance(self, source: str, level: int = -1) -> _Chance:
        """Level -1 is the source as a whole, from which a new level sets out."""
        found = self._chances.get((source, level))
        if found is None:
            start = 3.0 * self._chance(source).value if level >= 0 else 1.5
            found = self._chances[source, level] = _Chance(start, 3.0 if level >= 0 else 2.0)
        return found

    def drafted(self, source: str, tokens: int, seconds: float) -> None:
        """Drafting took this long; it may have given no token. Reading counts apart, as `source` with " read"."""
        spent, given = self._spent.get(source, (0.0, 0.0))
        self._spent[source] = 0.95 * spent + seconds, 0.95 * given + tokens

    def _share(self, source: str) -> float:
        """Time of one drafted token relative to a pass over one row."""
        seconds, tokens = self._spent.get(source, (0.0, 0.0))
        return seconds / max(tokens, 1.0) / self.cost.scale if self.cost.scale else 0.0
