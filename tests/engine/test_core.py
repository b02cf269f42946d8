"""The engine's promises on a tiny random decoder: same tokens with and without speculation or prefix reuse, legal endings,
whole characters, prompt cancellation, and failures that stay with their request."""

import threading

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.config import ConfigError, EngineConfig
from engine.core import Engine
from engine.grammar import Frame, Grammar, Vocabulary
from engine.request import GenerationError, Request, RequestError, Sampling
from engine.text import Detokeniser, StopScanner
from tests.engine.tiny import tiny

TOKENIZER = tiny().tokenizer
TOKENS, EOS = TOKENIZER.token_bytes, TOKENIZER.eos_ids[0]
VOCABULARY = Vocabulary(TOKENS, TOKENIZER.eos_ids)
GRAMMAR = Grammar.load("grammar Tiny; claim: SUBJECT '包括' TERM more* '。'; more: '，' TERM;")


class Counting:
    """The tiny decoder with logits padded by rubbish; records the length of every pass and can be told to fail."""

    def __init__(self, kernel):
        self.decoder, self.passes, self.poison = tiny(kernel).model, [], False
        self.config, self.exact, self.new_cache = self.decoder.config, self.decoder.exact, self.decoder.new_cache

    def forward(self, ids, cache, last_only=False):
        self.passes.append(len(ids))
        logits = self.decoder.forward(ids, cache, last_only=last_only)
        logits = torch.cat([logits, torch.full((len(logits), 6), float("nan") if len(ids) % 2 else 1e9)], 1)
        return logits * float("nan") if self.poison else logits


def engine(kernel="w8a8", **config):
    machine = Engine(Counting(kernel), TOKENIZER, EngineConfig(kernel=kernel, cache_tokens=1024, **config))
    machine.model.passes.clear()
    return machine


def finish(deltas):
    deltas = list(deltas)
    assert [d.finish_reason is not None for d in deltas] == [False] * (len(deltas) - 1) + [True]
    return "".join(d.text for d in deltas), [i for d in deltas for i in d.token_ids], deltas[-1]


def grammar(max_chars=24):
    frame = Frame({"SUBJECT": ["门锁"], "TERM": ["壳体", "锁体", "锁"]})
    return GRAMMAR.start("claim", VOCABULARY, frame, max_chars)


samplings = st.sampled_from([Sampling(), Sampling(temperature=1.2, seed=5, top_k=40), Sampling(temperature=3, seed=9, repetition_penalty=1.2)])
prompts = st.lists(st.integers(0, 40), min_size=1, max_size=30)


@settings(max_examples=30, deadline=None)
@given(prompts, samplings, st.booleans(), st.sampled_from(["fp32", "w8a8"]))
def test_speculation_chunks_and_prefix_reuse_never_change_a_token(prompt, sampling, constrained, kernel):
    def ask():
        state = grammar() if constrained else None
        return Request(prompt, state, sampling, max_tokens=80 if constrained else 20)

    plain = finish(engine(kernel, draft_tokens=0).generate(ask()))[:2]
    fast = engine(kernel, draft_tokens=6, prefill_chunk=7)
    assert fast.exact
    assert finish(fast.generate(ask()))[:2] == plain
    finish(fast.generate(Request([*prompt[: len(prompt) // 2], 41, 42], max_tokens=3)))
    assert finish(fast.generate(ask()))[:2] == plain
    again = finish(fast.generate(ask()))
    assert again[:2] == plain and again[2].stats["reused_tokens"] == len(prompt) - 1


@settings(max_examples=20, deadline=None)
@given(prompts, samplings, st.integers(12, 30), st.integers(0, 20))
def test_a_constrained_text_is_legal_and_ends_inside_its_budgets(prompt, sampling, max_chars, slack):
    state = grammar(max_chars)
    limit = state.distance + slack
    text, ids, last = finish(engine().generate(Request(prompt, state, sampling, max_tokens=limit)))
    assert text.startswith("门锁包括") and text.endswith("。") and len(text) <= max_chars and len(ids) <= limit
    assert last.finish_reason == "grammar"
    assert b"".join(TOKENS[i] for i in ids).decode() == text


class Wanting(Counting):
    """Wants to write `target`, whatever stands in the text in front of it; 所述 of the text does not count as written."""

    def __init__(self, target):
        super().__init__("fp32")
        self.target, self.ids = target, []

    def forward(self, ids, cache, last_only=False):
        self.ids = self.ids[: cache.length] + ids.tolist()
        before = len(self.ids) - len(ids)
        self.decoder.forward(ids, cache, last_only=last_only)
        rows = [self._want(self.ids[1 : at + 1]) for at in range(before, len(self.ids))]
        return torch.stack(rows[-1:] if last_only else rows)

    def _want(self, ids):
        text = b"".join(TOKENS[i] for i in ids).decode("utf-8", "ignore")
        written = text.replace("所述", "")
        asked = self.target.replace("所述", "")
        logits = torch.linspace(0, 1, len(TOKENS))
        if asked.startswith(written):
            at, rest = 0, self.target
            while at < len(written):
                rest = rest.removeprefix("所述")
                at, rest = at + 1, rest[1:]
            rest = rest.removeprefix("所述") if text.endswith("所述") else rest
            logits[TOKENIZER.encode(rest)[0] if rest else EOS] = 9
        return logits


@pytest.mark.parametrize(
    ("wanted", "written"),
    [
        ("门锁包括壳体，壳体的门。", "门锁包括壳体，所述壳体的门。"),
        ("门锁包括壳体，的锁。", "门锁包括壳体，的锁。"),
        ("门锁包括壳体，锁。", "门锁包括壳体，锁。"),
        ("门锁包括壳体，所述锁的门。", "门锁包括壳体，锁的门。"),
        ("门锁包括壳体，的门壳体锁。", "门锁包括壳体，的门所述壳体锁。"),
        ("门锁包括壳体，门壳体，门壳体。", "门锁包括壳体，门所述壳体，门所述壳体。"),
    ],
)
@pytest.mark.parametrize("draft_tokens", [0, 1, 6])
def test_a_word_refused_only_for_its_antecedent_is_written_with_it(wanted, written, draft_tokens):
    rules = Grammar.load("grammar Tiny; claim: SUBJECT '包括' word+ '。'; word: '所述' TERM | WORD;")
    terms = ["壳体", "锁"]
    frame = Frame({"SUBJECT": ["门锁"], "TERM": terms, "WORD": [*terms, "，", "的", "门"]}, terms=["门锁", *terms])
    machine = Engine(Wanting(wanted), TOKENIZER, EngineConfig(cache_tokens=512, draft_tokens=draft_tokens))
    state = rules.start("claim", VOCABULARY, frame, 30)
    prompt = [65, *TOKENIZER.encode(wanted * 3)]
    machine.model.target = wanted
    machine.model._want = lambda ids, want=machine.model._want: want(ids[len(prompt) - 1 :])
    text, ids, last = finish(machine.generate(Request(prompt, state, max_tokens=200)))
    assert text == b"".join(TOKENS[i] for i in ids).decode() == written
    assert last.stats["rewritten"] == abs(text.count("所述") - wanted.count("所述"))


def test_forced_tokens_are_committed_without_asking_and_run_with_the_next_step():
    class Script:
        """A grammar of token ids: a list of choices a position."""

        def __init__(self, choices):
            self.choices = choices

        accepting = property(lambda self: not self.choices)
        rewrite_chars = 0
        distance = property(lambda self: len(self.choices))

        def mask(self, tokens_left=None):
            mask = np.zeros(len(TOKENS), dtype=bool)
            mask[self.choices[0] if self.choices else [EOS]] = True
            return mask

        def advance(self, token):
            return Script(self.choices[1:])

        def forced_text(self):
            return ""

    machine = engine()
    script = Script([[65], [66], [67], [68, 69], [70], [71], [72, 73], [74], [75]])
    text, ids, last = finish(machine.generate(Request([1, 2, 3], script)))
    assert machine.model.passes == [3 + 3, 1 + 2]
    assert len(ids) == 9 and text[:3] == "ABC" and text[4:6] == "FG" and text[7:] == "JK"
    assert last.finish_reason == "grammar" and last.stats["forced_tokens"] == 7
    assert last.stats["forced_share"] == pytest.approx(7 / 9) and last.stats["forward_passes"] == 2


def test_cancellation_stops_at_the_next_step():
    machine, stop = engine(draft_tokens=0), threading.Event()
    stream = machine.generate(Request([1, 2], max_tokens=500, cancelled=stop.is_set))
    next(stream)
    passes = len(machine.model.passes)
    stop.set()
    last = next(stream)
    assert last.finish_reason == "cancelled" and len(machine.model.passes) == passes
    assert not list(stream)


def test_a_long_prompt_can_be_cancelled_between_its_chunks():
    machine, asked = engine(prefill_chunk=8), []
    _, ids, last = finish(machine.generate(Request(list(range(100)), cancelled=lambda: len(asked) >= 3 or asked.append(1))))
    assert last.finish_reason == "cancelled" and not ids and machine.model.passes == [8, 8, 8]


def test_bad_logits_fail_their_request_only():
    machine = engine()
    before = finish(machine.generate(Request([5, 6, 7], max_tokens=9)))[:2]
    machine.model.poison = True
    with pytest.raises(GenerationError):
        finish(machine.generate(Request([5, 6, 8], max_tokens=9)))
    machine.model.poison = False
    assert finish(machine.generate(Request([5, 6, 7], max_tokens=9)))[:2] == before


def test_streams_of_one_thread_run_side_by_side_and_an_abandoned_one_frees_its_place():
    machine = engine(max_texts=2)
    stream = machine.generate(Request([5], max_tokens=50))
    next(stream)
    assert finish(machine.generate(Request([6], max_tokens=2)))[2].finish_reason in ("length", "stop")
    other = machine.generate(Request([7], max_tokens=50))
    next(other)
    stream.close()
    other.close()
    assert machine.snapshot().running == machine.snapshot().waiting == 0
    machine.check_integrity()


def test_threads_get_the_tokens_they_would_get_alone():
    alone = {n: finish(engine().generate(Request([n], max_tokens=12)))[1] for n in range(6)}
    machine, got = engine(), {}
    threads = [threading.Thread(target=lambda n=n: got.__setitem__(n, finish(machine.generate(Request([n], max_tokens=12)))[1])) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert got == alone


def test_a_waiting_request_can_be_cancelled():
    machine, results = engine(), []
    stream = machine.generate(Request([5], max_tokens=50))
    next(stream)
    waiting = threading.Thread(target=lambda: results.append(finish(machine.generate(Request([6], cancelled=lambda: True)))[2]))
    waiting.start()
    waiting.join(10)
    stream.close()
    assert results[0].finish_reason == "cancelled"


def test_a_stop_string_ends_the_text_and_is_never_shown():
    machine = engine()
    text = finish(machine.generate(Request([9, 9], max_tokens=60)))[0]
    stop = text[5:8]
    deltas = list(machine.generate(Request([9, 9], max_tokens=60, stop=(stop,))))
    assert "".join(d.text for d in deltas) == text[: text.index(stop)]
    assert deltas[-1].finish_reason == "stop"


@given(st.text(max_size=30), st.lists(st.text(min_size=1, max_size=3), max_size=3), st.lists(st.integers(1, 4)))
def test_characters_are_whole_and_stop_strings_are_held_back(text, stops, cuts):
    data, detokeniser, scanner, shown = text.encode(), Detokeniser(TOKENS), StopScanner(stops), ""
    for byte in data:
        if not scanner.stopped:
            piece = detokeniser.push(byte)
            assert len(piece) <= 1 and "\ufffd" not in piece.replace("\ufffd", "" if "\ufffd" in text else "\ufffd")
            shown += scanner.push(piece)
    found = [text.index(stop) for stop in stops if stop in text]
    assert scanner.stopped == bool(found)
    if found:
        assert text.startswith(shown) and not any(stop in shown for stop in stops)
    else:
        assert shown + scanner.flush() == text


def test_a_cut_character_is_dropped():
    detokeniser = Detokeniser(TOKENS)
    assert [detokeniser.push(byte) for byte in "锁".encode()[:2]] == ["", ""]
    assert detokeniser.push(EOS) == ""


def test_prompts_may_be_ids_text_or_messages():
    machine = engine()
    chat = [{"role": "user", "content": "门锁"}]
    ids = TOKENIZER.chat(chat)
    answers = [finish(machine.generate(Request(p, max_tokens=5)))[1] for p in (chat, ids, "user:门锁<|end|>assistant:")]
    assert answers[0] == answers[1] != answers[2], "text never writes a control token"
    with pytest.raises(RequestError, match="empty"):
        machine.generate(Request(""))


def test_the_context_of_the_model_bounds_a_text():
    machine = engine()
    _, ids, last = finish(machine.generate(Request([3] * 250, max_tokens=50)))
    assert last.finish_reason in ("length", "stop") and len(ids) <= 6
    with pytest.raises(RequestError, match="the model reads 256"):
        machine.generate(Request([3] * 256))


@pytest.mark.parametrize("bad", [{"max_tokens": 0}, {"stop": ("",)}, {"priority": "urgent"}])
def test_impossible_requests_are_refused(bad):
    with pytest.raises(RequestError):
        Request([1], **bad)


def test_a_budget_without_room_for_a_legal_text_is_refused():
    with pytest.raises(RequestError, match="may need"):
        Request([1], grammar(), max_tokens=3)


def test_settings_come_from_the_environment():
    config = EngineConfig.from_environment(None, "fp32", {"CLAIMWRIGHT_MODEL": "m", "CLAIMWRIGHT_DRAFT_TOKENS": "0"})
    assert (config.model, config.kernel, config.draft_tokens) == ("m", "fp32", 0)
    with pytest.raises(ConfigError, match="CLAIMWRIGHT_THREADS"):
        EngineConfig.from_environment(environ={"CLAIMWRIGHT_THREADS": "two"})
    with pytest.raises(ConfigError, match="int3"):
        EngineConfig.from_environment(None, "int3", {})
