"""Which kernel runs a model: the fastest exact one by measurement; torch's where the C kernel is not there or does not fit."""

from __future__ import annotations

import pytest
import torch

from engine.core import Engine
from engine.kernels import build, native, registry
from engine.loading import ModelUnsupported, load
from engine.request import Request
from tests.engine.tiny import write_tiny

CLOCK = [0.0]


class Slow:
    """A linear layer that takes seconds of CLOCK a row; `exact` says whether its rows keep their bits in a batch."""

    def __init__(self, seconds, exact=True):
        self.seconds, self.exact = seconds, exact

    def __call__(self, x):
        CLOCK[0] += self.seconds * len(x)
        return x * 2 if self.exact else x / x.abs().max()


@pytest.fixture
def measured(monkeypatch):
    monkeypatch.setattr(registry.time, "perf_counter", lambda: CLOCK[0])


def choose(native_linear, w8a8_linear, unfit=""):
    made = {"native": native_linear, "w8a8": w8a8_linear}
    return registry.choose(lambda kernel: made[kernel], 8, {"native": unfit})


def test_the_faster_exact_kernel_is_chosen_whatever_its_name(measured):
    assert choose(Slow(1), Slow(2))[0] == "native"
    assert choose(Slow(3), Slow(2))[0] == "w8a8"
    assert choose(Slow(1, exact=False), Slow(2))[0] == "w8a8"


def test_a_kernel_that_cannot_run_is_passed_over_with_its_reason(measured, caplog):
    kernel, probes = choose(Slow(1), Slow(2), "it was not built")
    assert kernel == "w8a8" and probes[0].reason == "it was not built" and "it was not built" in caplog.text

    def broken(x):
        raise RuntimeError("no such instruction")

    assert choose(broken, Slow(2))[0] == "w8a8"
    assert choose(broken, broken)[0] == "fp32"


@pytest.fixture
def unbuilt(monkeypatch, tmp_path):
    monkeypatch.setattr(build, "FOLDER", tmp_path)
    for cached in (native.libraries, native.load):
        cached.cache_clear()
    yield
    monkeypatch.undo()
    for cached in (native.libraries, native.load):
        cached.cache_clear()


def test_without_the_c_kernel_a_model_runs_on_torch(unbuilt, tmp_path):
    write_tiny(tmp_path)
    loaded = load(tmp_path)
    assert loaded.info["kernel"] == "w8a8" and "python -m engine.kernels.build" in loaded.info["probes"][0]["reason"]
    with pytest.raises(ModelUnsupported, match=r"engine\.kernels\.build"):
        load(tmp_path, kernel="native")
    assert len(loaded.model.forward(torch.tensor([1, 2]), loaded.model.new_cache())) == 2


def test_without_a_compiler_set_up_goes_on_and_says_so(unbuilt, monkeypatch, capsys):
    monkeypatch.setenv("CC", "no-such-compiler")
    assert build.main() == 0
    assert "no C compiler" in capsys.readouterr().err


def test_every_answer_says_whether_it_is_exact(tmp_path):
    write_tiny(tmp_path)
    loaded = load(tmp_path)
    engine = Engine(loaded.model, loaded.tokenizer, info=loaded.info)
    last = list(engine.generate(Request([1, 2, 3], max_tokens=4)))[-1]
    assert engine.exact and last.stats["exact"] is True
