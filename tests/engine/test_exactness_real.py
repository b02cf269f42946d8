"""The promises of test_exactness.py on a small real model: the C kernel or whatever is fastest here, SmolLM2."""

import pytest

from engine.config import EngineConfig
from engine.core import Engine
from engine.loading import ModelMissing, load, resolve
from engine.request import Request, Sampling
from engine.speculation.speculator import SOURCES

SMOL = "smollm2-135m-instruct-q4_1"
PROMPT = (
    "A lock comprises a case, a bolt which slides in the case, and a spring which pushes the bolt out of the case. "
    "Write it again. A lock comprises a case, a bolt"
)


@pytest.fixture(scope="module")
def loaded():
    try:
        resolve(SMOL)
    except ModelMissing as error:
        pytest.skip(f"SmolLM2 weights: {error}")
    return load(SMOL)


@pytest.mark.model
@pytest.mark.parametrize("sampling", [Sampling(), Sampling(temperature=0.8, seed=2, top_p=0.95)], ids=["greedy", "sampled"])
def test_no_proposer_changes_a_token_of_a_real_model(loaded, sampling):
    machine = Engine(loaded.model, loaded.tokenizer, EngineConfig(draft_tokens=6))
    machine.use_draft_model(loaded.model, loaded.tokenizer, window=256)
    assert machine.exact

    def write(speculation, sources=SOURCES):
        machine.speculation.sources = sources
        deltas = list(machine.generate(Request(PROMPT, sampling=sampling, max_tokens=32, speculation=speculation)))
        return [i for delta in deltas for i in delta.token_ids], deltas[-1].stats

    plain, _ = write("off")
    for sources in ((source,) for source in SOURCES[1:]):
        assert write(5, sources)[0] == plain
    again, stats = write("auto")
    assert again == plain
    assert sampling.temperature or stats["accepted_tokens"] > 5, "the sentence repeats the prompt"
