"""The C kernel on real weights: near float32 in what it predicts, and bit for bit the same however many rows run together."""

from __future__ import annotations

import pytest
import torch

from engine.kernels import native
from engine.loading import ModelMissing, load, resolve

SMOL = "smollm2-135m-instruct-q4_1"
TEXT = """A lock for a garden gate, comprising a case, a bolt which slides in the case between a locked position and an open
position, a spring which pushes the bolt towards the locked position, and a handle which is joined to the bolt by a lever,
wherein the lever has a notch which catches on a pin of the case when the bolt is in the locked position. The lock according
to claim 1, wherein the spring is a coil spring which surrounds the bolt and rests on a shoulder of the bolt."""


@pytest.fixture(scope="module")
def models():
    if native.load() is None:
        pytest.skip("C kernel: not built, or not for this processor")
    try:
        resolve(SMOL)
    except ModelMissing as error:
        pytest.skip(f"SmolLM2 weights: {error}")
    exact, ours = load(SMOL, kernel="fp32"), load(SMOL, kernel="native")
    ids = torch.tensor(ours.tokenizer.encode(TEXT))
    return exact.model, ours.model, ids


@pytest.mark.model
def test_predictions_are_those_of_float32_but_for_rounding(models):
    exact, ours, ids = models
    left, right = (model.forward(ids, model.new_cache()).log_softmax(-1) for model in (exact, ours))
    assert ours.exact
    assert (left.argmax(1) == right.argmax(1)).float().mean() >= 0.93
    assert (left.exp() * (left - right)).sum(1).mean() < 0.01
    loss = [-rows[:-1].gather(1, ids[1:, None]).mean() for rows in (left, right)]
    assert (loss[1] - loss[0]).exp() < 1.02  # the rise of perplexity


@pytest.mark.model
@pytest.mark.parametrize("rows", range(2, 9))
def test_real_rows_have_the_bits_of_decoded_rows(models, rows):
    _, model, ids = models
    ids = ids[:60]
    cache = model.new_cache()
    single = torch.cat([model.forward(ids[i : i + 1], cache) for i in range(len(ids))])
    cache = model.new_cache()
    parts = [model.forward(ids[i : i + rows], cache) for i in range(0, len(ids), rows)]
    assert torch.equal(torch.cat(parts), single)
