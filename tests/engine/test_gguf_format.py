"""Our GGUF reader sees what the format's own writer wrote, and a damaged file is a ValueError, never a crash."""

from __future__ import annotations

import gguf
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.loading import ModelCorrupt
from engine.loading.gguf_file import GgufWeights
from engine.loading.gguf_format import GgufFile


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    path = tmp_path_factory.mktemp("gguf") / "small.gguf"
    writer = gguf.GGUFWriter(path, "qwen2")
    writer.add_context_length(512)
    writer.add_float32("some.number", 0.25)
    writer.add_bool("some.truth", True)
    writer.add_token_list(["一种", "所述", "a", ""])
    writer.add_array("some.integers", [3, -1, 7])
    values = np.random.default_rng(0).standard_normal((5, 64)).astype(np.float32)
    writer.add_tensor("plain", values)
    writer.add_tensor("line", values[0])
    kind = gguf.GGMLQuantizationType.Q8_0
    writer.add_tensor("small", gguf.quantize(values, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path, values


def test_fields_and_tensors_are_those_that_were_written(written):
    path, values = written
    file = GgufFile(path)
    assert file.fields["general.architecture"] == "qwen2" and file.fields["qwen2.context_length"] == 512
    assert file.fields["tokenizer.ggml.tokens"] == ["一种", "所述", "a", ""]
    assert file.fields["some.integers"] == [3, -1, 7]
    assert file.fields["some.number"] == 0.25 and file.fields["some.truth"] is True
    assert {name: stored.shape for name, stored in file.tensors.items()} == {"plain": (5, 64), "line": (64,), "small": (5, 64)}
    for theirs in gguf.GGUFReader(path).tensors:
        ours = file.tensors[theirs.name]
        assert np.array_equal(gguf.dequantize(ours.data, ours.type), gguf.dequantize(theirs.data, theirs.tensor_type))
        assert np.array_equal(np.fromfile(path, np.uint8, ours.data.size, offset=ours.offset), ours.data.ravel())


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_file_is_refused_or_read_within_its_bounds(written, tmp_path_factory, data):
    path, _ = written
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(0, 3))):
        content[data.draw(st.integers(0, 700))] = data.draw(st.integers(0, 255))
    damaged = tmp_path_factory.mktemp("damaged") / "file.gguf"
    damaged.write_bytes(content[: data.draw(st.integers(1, len(content)))])
    try:
        file = GgufFile(damaged)
    except ValueError:
        return
    for stored in file.tensors.values():
        stored.data.sum()


@pytest.mark.parametrize("content", [b"", b"GGUF", b"not a model at all"])
def test_what_is_no_gguf_is_named(tmp_path, content):
    path = tmp_path / "no.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelCorrupt, match=r"no\.gguf is not a readable GGUF file"):
        GgufWeights(path)


def test_a_file_without_a_model_is_named(written):
    with pytest.raises(ModelCorrupt, match=r"small\.gguf has no tensor token_embd"):
        GgufWeights(written[0])
