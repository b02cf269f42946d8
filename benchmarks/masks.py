"""What does a mask cost, beside XGrammar and llguidance on the same grammar, tokenizer and texts?

    python -m benchmarks.masks --json [--claims 200] [--peer-positions 2000] [--peer-seconds 120] [--vocabularies 49k,152k,262k]

The grammar is `claims_granted_zh`; the texts are published claims that lie in it, teacher-forced token by token. Ours runs
with the house's forbidden words, cold (first touch of a state, after the rows of the free-text states were primed at
load; `prime_ms`) and warm. The peers run without the words, which they cannot say, and every mask of theirs is compared
with ours without the words: `mismatches`. ours_terms: the strict
`claims_zh` with terms, source and words, unprimed. xgrammar: the natural EBNF; xgrammar_export: our minimal automaton as EBNF;
llguidance: one regular expression, no forcing. Microseconds through the Python interfaces, one thread. What is not there
is null, with the reason in `notes`. No network is used.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
CORPUS = ROOT.parent / "shared" / "corpus" / "zh_regress.jsonl"
MODELS = {
    "49k": "SmolLM2-135M-Instruct.Q4_1.gguf",
    "152k": "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    "262k": "gemma-3-270m-q4_k_m.gguf",
}
CONTROL, BYTE, UNUSED = 3, 6, 5


def read_vocabulary(path: Path) -> tuple[list[bytes | None], list[int]]:
    """Token bytes and end tokens of a GGUF file, byte-level BPE or SentencePiece."""
    from engine.loading.gguf_file import GgufWeights
    from engine.loading.tokenizer import from_gguf

    weights = GgufWeights(path)
    if weights.field("tokenizer.ggml.model") == "gpt2":
        tokenizer = from_gguf(weights)
        return tokenizer.token_bytes, list(tokenizer.eos_ids)
    tokens, kinds = weights.field("tokenizer.ggml.tokens"), weights.field("tokenizer.ggml.token_type")
    out: list[bytes | None] = []
    for text, kind in zip(tokens, kinds, strict=True):
        if kind in (CONTROL, UNUSED):
            out.append(None)
        elif kind == BYTE:
            out.append(bytes([int(text[3:5], 16)]))
        else:
            out.append(text.replace("▁", " ").encode())
    return out, [weights.field("tokenizer.ggml.eos_token_id")]


class Cutter:
    """Greedy longest tokens: a real walk through any vocabulary, without its own merges."""

    def __init__(self, token_bytes: Sequence[bytes | None]):
        self._ids = {data: index for index, data in reversed(list(enumerate(token_bytes))) if data}
        self._longest = max(map(len, self._ids))

    def encode(self, text: str) -> list[int]:
        data, out = text.encode(), []
        while data:
            size = next(size for size in range(min(self._longest, len(data)), 0, -1) if data[:size] in self._ids)
            out.append(self._ids[data[:size]])
            data = data[size:]
        return out


def claims(limit: int) -> list[str]:
    texts: list[str] = []
    with CORPUS.open(encoding="utf-8") as file:
        for line in file:
            texts += [f"{number}. {text}" for number, text in enumerate(json.loads(line)["claims"], 1)]
            if len(texts) >= limit:
                break
    return texts[:limit]


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    if not seconds:
        return {}
    low, high, most = np.percentile(np.array(seconds) * 1e6, [50, 99, 100])
    return {"p50": round(low, 2), "p99": round(high, 2), "max": round(most, 2)}


def ours(grammar: Any, vocabulary: Any, frame: Any, texts: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Cold and warm times of a row. A first pass over another vocabulary has loaded the kernels."""
    start = grammar.start("claim", vocabulary, frame, 1 << 20)
    before = time.perf_counter()
    start.space.prime()
    prime = time.perf_counter() - before
    cold, warm, inside, why = [], [], [], Counter[str]()
    for again in range(2):
        for tokens in texts:
            state, times = start, []
            for token in tokens:
                first = (state.point, state.partial) not in state.space.rows
                before = time.perf_counter()
                state.row()
                times.append((first, time.perf_counter() - before))
                try:
                    state = state.advance(token)
                except ValueError:
                    break
            else:
                cold += [spent for first, spent in times if first]
                if again:
                    warm += [spent for _, spent in times]
                    if state.accepting:
                        inside.append(tokens)
                        continue
            if again:
                word = next((word for word in frame.forbid if (state.text + "").endswith(word[:-1])), None)
                why["forbidden word" if word else "form"] += 1
    return {
        "cold": percentiles(cold),
        "warm": percentiles(warm),
        "cold_rows": len(cold),
        "prime_ms": round(prime * 1e3, 1),
        "inside": inside,
        "outside": dict(why),
    }


def ours_terms(vocabulary: Any, tasks: Sequence[Any], positions: int) -> dict[str, Any]:
    """Cold times of a row of the strict grammar under a new frame of terms, source and forbidden words for each disclosure,
    along seeded random legal texts, nothing primed; `start_ms`: `Grammar.start` for the new frame."""
    from apps.drafting.lexicon import forbidden
    from engine.grammar import Frame, Grammar

    grammar = Grammar.load(ROOT / "grammars" / "claims_zh.g4")
    grammar.form("independent")
    cold, starts, chance = [], [], np.random.default_rng(0)
    for task in tasks:
        frame = Frame(task.slots, source=task.source, terms=task.terms, forbid=forbidden(task.terms, task.source))
        before = time.perf_counter()
        start = state = grammar.start("independent", vocabulary, frame, 1 << 20)
        starts.append(time.perf_counter() - before)
        for _ in range(positions):
            first = (state.point, state.partial) not in state.space.rows
            before = time.perf_counter()
            row = state.row()
            if first:
                cold.append(time.perf_counter() - before)
            legal = np.flatnonzero(row.allowed)
            token = int(chance.choice(legal))
            state = start if token in vocabulary.eos_ids else state.advance(token)
            state = start if state.done else state
    return {"cold": percentiles(cold), "cold_rows": len(cold), "start_ms": round(max(starts, default=0.0) * 1e3, 1)}


def peer(
    texts: Sequence[Sequence[int]],
    positions: int,
    seconds: float,
    own: Any,
    fresh: Callable[[], Any],
    fill: Callable,
    accept: Callable,
) -> tuple[list[float], int, int]:
    """Times, positions compared, and positions where the mask differs from ours on text tokens; ends after `seconds`."""
    times: list[float] = []
    deadline = time.monotonic() + seconds
    seen = wrong = 0
    text_tokens = np.array([data is not None and data != b"" for data in own.vocabulary.token_bytes])
    text_tokens[list(own.vocabulary.eos_ids)] = False
    for tokens in texts:
        matcher, state = fresh(), own
        for token in tokens:
            before = time.perf_counter()
            bits = fill(matcher)
            times.append(time.perf_counter() - before)
            mask = np.unpackbits(bits.view(np.uint8), bitorder="little")[: len(text_tokens)].astype(bool)
            seen += 1
            wrong += bool(((mask ^ state.mask()) & text_tokens).any())
            accept(matcher, token)
            state = state.advance(token)
            if seen >= positions or time.monotonic() > deadline:
                return times, seen, wrong
    return times, seen, wrong


def xgrammar_matchers(text: str, vocabulary: Any) -> tuple[Callable, Callable, Callable]:
    import xgrammar

    info = xgrammar.TokenizerInfo(
        [data or b"" for data in vocabulary.token_bytes],
        xgrammar.VocabType.RAW,
        vocab_size=vocabulary.size,
        stop_token_ids=list(vocabulary.eos_ids),
    )
    compiled = xgrammar.GrammarCompiler(info, max_threads=1, enable_dynamic_compilation=True).compile_grammar(text)
    bitmask = xgrammar.allocate_token_bitmask(1, vocabulary.size)

    def fill(matcher: Any) -> np.ndarray:
        matcher.fill_next_token_bitmask(bitmask)
        return bitmask[0].numpy()

    return lambda: xgrammar.GrammarMatcher(compiled), fill, lambda matcher, token: matcher.accept_token(token)


def llguidance_matchers(expression: str, vocabulary: Any, encode: Callable) -> tuple[Callable, Callable, Callable]:
    import llguidance
    from llguidance.numpy import allocate_token_bitmask, fill_next_token_bitmask

    class Wrapped:
        eos_token_id, bos_token_id = vocabulary.eos_ids[0], None
        special_token_ids = [i for i, data in enumerate(vocabulary.token_bytes) if data is None]
        tokens = [data if data is not None else f"<special{i}>".encode() for i, data in enumerate(vocabulary.token_bytes)]

        def __call__(self, text: bytes | str) -> list[int]:
            return encode(text.decode() if isinstance(text, bytes) else text)

    tokenizer = llguidance.LLTokenizer(llguidance.TokenizerWrapper(Wrapped()), n_vocab=vocabulary.size)
    grammar = '%llguidance {"no_forcing": true}\nstart: /' + expression.replace("/", "\\/") + "/"
    bitmask = allocate_token_bitmask(1, vocabulary.size)

    def fresh() -> Any:
        matcher = llguidance.LLMatcher(tokenizer, grammar)
        if matcher.is_error():
            raise RuntimeError(matcher.get_error())
        return matcher

    def fill(matcher: Any) -> np.ndarray:
        fill_next_token_bitmask(matcher, bitmask, 0)
        return bitmask[0]

    return fresh, fill, lambda matcher, token: matcher.consume_token(token)


def measure(limit: int, positions: int, seconds: float, names: Sequence[str], folder: Path) -> dict[str, Any]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
    from apps.drafting.lexicon import forbidden
    from benchmarks.decode import tasks
    from engine.grammar import Frame, Grammar, Vocabulary
    from engine.grammar.export import ebnf, regex, right_linear

    grammar = Grammar.load(ROOT / "grammars" / "claims_granted_zh.g4")
    words = Frame({}, forbid=forbidden([]))
    figures: dict[str, Any] = {"machine": platform.processor() or platform.machine(), "notes": {}}
    texts, disclosures = claims(limit), tasks(10)
    letters = Vocabulary([bytes([i]) for i in range(256)] + [None], [256])
    ours(grammar, letters, words, [list(texts[0].encode())])
    ours_terms(letters, disclosures[:1], 300)
    for name in names:
        path = folder / MODELS[name]
        if not path.exists():
            figures["notes"][name] = f"{path.name} is not on disk"
            continue
        token_bytes, eos = read_vocabulary(path)
        vocabulary, cutter = Vocabulary(token_bytes, eos), Cutter(token_bytes)
        encoded = [cutter.encode(text) for text in texts]
        own = ours(grammar, vocabulary, words, encoded)
        inside = own.pop("inside")
        figures |= {
            f"ours_warm_p50_us_{name}": own["warm"].get("p50"),
            f"ours_cold_p50_us_{name}": own["cold"].get("p50"),
            f"ours_cold_p99_us_{name}": own["cold"].get("p99"),
            f"ours_max_us_{name}": own["cold"].get("max"),
            f"ours_prime_ms_{name}": own["prime_ms"],
            f"cold_rows_{name}": own["cold_rows"],
            f"share_inside_{name}": round(len(inside) / len(texts), 3),
            f"outside_{name}": own["outside"],
        }
        strict = ours_terms(vocabulary, disclosures, 300)
        figures |= {
            f"ours_terms_cold_p50_us_{name}": strict["cold"].get("p50"),
            f"ours_terms_cold_p99_us_{name}": strict["cold"].get("p99"),
            f"ours_terms_max_us_{name}": strict["cold"].get("max"),
            f"ours_terms_start_max_ms_{name}": strict["start_ms"],
            f"terms_cold_rows_{name}": strict["cold_rows"],
        }
        free = grammar.start("claim", vocabulary, Frame({}), 1 << 20)
        free.space.prime()
        peers: dict[str, Callable[[], tuple[Callable, Callable, Callable]]] = {
            "xgrammar": lambda v=vocabulary: xgrammar_matchers(ebnf(grammar.rules, "claim"), v),  # type: ignore[misc]
            "xgrammar_export": lambda v=vocabulary: xgrammar_matchers(right_linear(grammar.form("claim")), v),  # type: ignore[misc]
            "llguidance": lambda v=vocabulary, c=cutter: llguidance_matchers(regex(grammar.rules, "claim"), v, c.encode),  # type: ignore[misc]
        }
        total = wrong = 0
        for who, make in peers.items():
            try:
                times, seen, differ = peer(inside, positions, seconds, free, *make())
            except Exception as error:  # a peer's refusal is a result
                figures[f"{who}_p50_us_{name}"] = None
                figures["notes"][f"{who}_{name}"] = str(error)[:300]
                continue
            spent = percentiles(times)
            figures |= {f"{who}_p50_us_{name}": spent.get("p50"), f"{who}_p99_us_{name}": spent.get("p99")}
            figures |= {f"{who}_mismatches_{name}": differ, f"{who}_positions_{name}": seen}
            total, wrong = total + seen, wrong + differ
        natural = [figures.get(f"{who}_p50_us_{name}") for who in ("xgrammar", "llguidance")]
        best = min((value for value in natural if value), default=None)
        warm = own["warm"].get("p50")
        figures |= {
            f"ratio_p50_{name}": round(best / warm, 1) if best and warm else None,
            f"positions_{name}": total,
            f"mismatches_{name}": wrong,
        }
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one line")
    parser.add_argument("--claims", type=int, default=200)
    parser.add_argument("--peer-positions", type=int, default=2000)
    parser.add_argument("--peer-seconds", type=float, default=120.0, help="for each peer and vocabulary")
    parser.add_argument("--vocabularies", default="49k,152k,262k")
    default = os.environ.get("CLAIMWRIGHT_MODELS") or Path.home() / ".cache" / "claimwright" / "models"
    parser.add_argument("--models", type=Path, default=Path(default))
    options = parser.parse_args()
    names = options.vocabularies.split(",")
    figures = measure(options.claims, options.peer_positions, options.peer_seconds, names, options.models)
    print(json.dumps(figures, ensure_ascii=False, indent=None if options.json else 2))


if __name__ == "__main__":
    main()
