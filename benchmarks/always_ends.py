"""Does every text end legally, whatever wants to write it and however little room there is?

    python -m benchmarks.always_ends --json [--generations 2000] [--seed 0] [--vocabulary qwen2.5-coder-1.5b-instruct-q4_k_m]

Half of the texts are drawn from a network of random weights, half written by an adversary that always takes the token that
leaves the longest way to the end, and the one it took before where that is as long. Budgets in tokens and in characters are
random from the least that is possible. Texts come from every shipped grammar: claims as a claim and its dependent, and
title, abstract, invention model, description, figure notes and reply.

`legal` is decided without the automata that decode: the form by the parser of the trace or the recogniser of the profile,
the words by search, claims by `apps.claims` with the terms known, the invention model by the JSON reader and by search in the
disclosure. `failures` tells the first ones.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")

GRAMMARS = Path(__file__).parents[1] / "grammars"
WIDTH, ROOM, TRIED, SHOWN, SAID = 16, 60, 24, 8, 12
PROFILES = ("title_granted_zh", "abstract_granted_zh", "description_zh", "drawings_zh", "reply_zh", "claims_granted_zh")


@dataclass(frozen=True)
class Text:
    """One text to write: its state before the first token for so many characters, and what says why it is not legal. `least`
    is the characters that suffice, `tokens` the tokens that it is given at least."""

    name: str
    least: int
    tokens: int
    start: Callable[[int], Any]
    fault: Callable[[str], str]


class RandomWeights:
    """A recurrent network of one layer; float32 logits [V] after the tokens so far."""

    def __init__(self, size: int, draw: Random):
        weights = np.random.default_rng(draw.getrandbits(32))
        self.tokens = weights.standard_normal((size, WIDTH), np.float32)
        self.again = weights.standard_normal((WIDTH, WIDTH), np.float32) / WIDTH**0.5
        self.hidden = weights.standard_normal(WIDTH, np.float32)
        self.temperature = draw.choice((0.2, 1.0, 3.0))

    def choose(self, state: Any, legal: np.ndarray, draw: Random, last: int) -> int:
        logits = self.tokens[legal] @ self.hidden / self.temperature
        weights = np.exp(logits - logits.max())
        chosen = int(legal[np.searchsorted(np.cumsum(weights), draw.random() * weights.sum()).clip(max=len(legal) - 1)])
        self.hidden = np.tanh(self.again @ self.hidden + self.tokens[chosen])
        return chosen


class Adversary:
    """Never ends while it may go on."""

    def __init__(self, size: int, draw: Random):
        self.eos: frozenset[int] = frozenset()

    def choose(self, state: Any, legal: np.ndarray, draw: Random, last: int) -> int:
        going = [int(token) for token in legal if token not in state.vocabulary.eos_ids] or legal.tolist()
        tried = going if len(going) <= TRIED else draw.sample(going, TRIED)
        if last in going:
            tried.append(last)
        ways = {token: 0 if token in state.vocabulary.eos_ids else state.advance(token).distance for token in tried}
        return max(ways, key=lambda token: (ways[token], token == last))


def write(text: Text, chars: int, tokens: int, sampler: Any, draw: Random) -> str:
    """Raises RuntimeError when there is no legal token or the budget is spent before the end."""
    state, last = text.start(chars), -1
    left = max(tokens, text.tokens, state.distance)
    while left > 0:
        legal = np.flatnonzero(state.row(left).allowed)
        if not len(legal):
            raise RuntimeError(f"no token is legal behind {state.text[-20:]!r}")
        last = sampler.choose(state, legal, draw, last)
        if last in state.vocabulary.eos_ids:
            return str(state.text)
        state, left = state.advance(last), left - 1
    if state.accepting:
        return str(state.text)
    raise RuntimeError(f"no end within the tokens behind {state.text[-20:]!r}")


def texts(vocabulary: Any, draw: Random) -> Iterator[Callable[[Callable[[Text], str]], None]]:
    """Rounds of texts; each is given what writes a text and returns it."""
    from apps.claims.check import check_claims
    from apps.claims.parse import ClaimSet
    from apps.drafting.lexicon import claim_words, forbidden, introduced
    from benchmarks.decode import DISCLOSURES
    from engine.grammar import Frame, Grammar
    from engine.grammar.language import Profile
    from engine.grammar.trace import Refused

    strict = {name: Grammar.load(GRAMMARS / f"{name}.g4") for name in ("claims_zh", "title_zh", "abstract_zh", "invention_zh")}

    def formed(grammar: Any, rule: str, frame: Any) -> Callable[[str], str]:
        def fault(text: str) -> str:
            try:
                grammar.trace(rule, text, frame)
            except Refused as refused:
                return str(refused)
            return next((f"forbidden word {word}" for word in frame.forbid if word in text), "")

        return fault

    def of(name: str, rule: str, frame: Any, more: Callable[[str], str] = lambda text: "", floor: int = 0) -> Text:
        grammar, form = strict[name], formed(strict[name], rule, frame)
        least = max(len(grammar.start(rule, vocabulary, frame, 1 << 20).ending), floor + 1)
        start = lambda chars: grammar.start(rule, vocabulary, frame, chars, floor)  # noqa: E731
        return Text(f"{name}.{rule}", least, 3 * floor, start, lambda text: form(text) or more(text))

    def claims(put: Callable[[Text], str]) -> None:
        given = draw.choice(DISCLOSURES)
        terms = (given.subject, *given.terms)
        words, banned = claim_words(given.features, terms), forbidden(terms, given.features)
        slots = {"SUBJECT": [given.subject], "TERM": list(terms), "WORD": words, "REF": ["根据权利要求1"]}
        written: list[dict[str, Any]] = []

        def fault(text: str) -> str:
            found = check_claims(ClaimSet.from_list([*written, {"number": len(written) + 1, "text": text}]), known_terms=terms)
            return next((f"{one.rule}: {one.message_en}" for one in found if one.severity == "error"), "")

        for rule in ("independent", "dependent"):
            scope = introduced([one["text"] for one in written], terms)
            frame = Frame(slots, source=given.features, terms=terms, scope=tuple(scope), forbid=tuple(banned))
            # A dependent claim says something, as in the pipeline.
            floor = len(f"根据权利要求1所述的{given.subject}，其特征在于，") + SAID if written else 0
            written.append({"number": len(written) + 1, "text": put(of("claims_zh", rule, frame, fault, floor))})

    def others(put: Callable[[Text], str]) -> None:
        given = draw.choice(DISCLOSURES)
        source = f"本发明涉及{given.subject}。{given.features}"
        words = claim_words(given.features, given.terms)
        slots = {"SUBJECT": [given.subject], "WORD": words, "SELF": ["本发明"], "EFFECT": ["结构简单"]}
        put(of("title_zh", "title", Frame(slots)))
        put(of("abstract_zh", "effective", Frame(slots)))

        def values(text: str) -> str:
            read = json.loads(text)
            spans = [value for key, found in read.items() if key != "category" for value in ([found] if isinstance(found, str) else found)]
            return next((f"{value} is not in the disclosure" for value in spans if value not in source), "")

        put(of("invention_zh", "invention", Frame({}, source=source), values))

    def documents(put: Callable[[Text], str]) -> None:
        name = draw.choice(PROFILES)
        profile = Profile.load(name)
        grammar, rule = Grammar(profile.rules, name), profile.declared["start"]

        def fault(text: str) -> str:
            at = profile.language.died_at(text)
            return "" if at is None else f"the form ends at character {at}"

        least = len(grammar.start(rule, vocabulary, Frame({}), 1 << 20).ending)
        put(Text(f"{name}.{rule}", least, 0, lambda chars: grammar.start(rule, vocabulary, Frame({}), chars), fault))

    while True:
        yield from (claims, others, documents, claims)


def run(vocabulary: Any, generations: int, seed: int) -> dict[str, Any]:
    """The figures. A text that does not end is not counted as legal either."""
    counts: Counter[str] = Counter()
    by_grammar: Counter[str] = Counter()
    failures: list[str] = []
    began = time.perf_counter()
    draw = Random(seed)

    def put(text: Text) -> str:
        kind = (RandomWeights, Adversary)[counts["generations"] % 2]
        room = Random(f"{seed} {counts['generations']}")
        chars, tokens = text.least + room.choice((0, 1, 2, room.randrange(ROOM), 4 * ROOM)), room.randrange(4 * ROOM)
        counts["generations"] += 1
        by_grammar[text.name] += 1
        try:
            written = write(text, chars, tokens, kind(vocabulary.size, room), room)
        except RuntimeError as stuck:
            failures.append(f"{text.name}, {kind.__name__}: {stuck}")
            return str(text.start(1 << 20).ending)
        counts["ended"] += 1
        fault = text.fault(written) or (f"{len(written)} characters of {chars}" if len(written) > chars else "")
        counts["legal"] += not fault
        if fault:
            failures.append(f"{text.name}, {kind.__name__}: {fault}: {written}")
        return written

    for some in texts(vocabulary, draw):
        if counts["generations"] >= generations:
            break
        some(put)
    return {
        **{name: counts[name] for name in ("generations", "ended", "legal")},
        "failures": failures[:SHOWN],
        "texts": dict(sorted(by_grammar.items())),
        "seconds": round(time.perf_counter() - began, 1),
    }


def main() -> None:
    from engine.grammar import Vocabulary
    from engine.loading.gguf_file import GgufWeights
    from engine.loading.registry import resolve
    from engine.loading.tokenizer import from_gguf

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one line")
    parser.add_argument("--generations", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--vocabulary", default="qwen2.5-coder-1.5b-instruct-q4_k_m")
    options = parser.parse_args()
    tokenizer = from_gguf(GgufWeights(Path(resolve(options.vocabulary).path)))
    figures = run(Vocabulary(tokenizer.token_bytes, tokenizer.eos_ids), options.generations, options.seed)
    print(json.dumps(figures, ensure_ascii=False, indent=None if options.json else 2))


if __name__ == "__main__":
    main()
