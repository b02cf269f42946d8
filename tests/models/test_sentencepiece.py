"""SentencePiece vocabularies: text comes back as it was, bytes stand in for unknown characters, control tokens stay out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.loading import ModelMissing, resolve
from engine.loading.gguf_file import GgufWeights
from engine.loading.tokenizer import CONTROL, NORMAL, USER_DEFINED, Tokenizer, _pieces, from_gguf

BYTE = 6
GEMMA = {
    "1. 一种锁，其特征在于，包括：锁体\n\n": [
        236770, 236761, 13595, 237812, 240183, 236900, 237539, 46479, 92870, 236900, 21187, 237184, 240183, 237501, 108,
    ],
    "  a   bc<end_of_turn>": [138, 236746, 139, 17027, 236820, 643, 236779, 1340, 236779, 887, 236813],
    "𪚥龘🚁\t": [478, 408, 392, 403, 471, 428, 390, 253784, 255968],
    "The lock of claim 1, wherein": [818, 6623, 529, 3539, 236743, 236770, 236764, 19139],
}  # fmt: skip
PIECES = ["▁a", "ab", "▁ab", "锁体", "所述", "所述锁体", *"▁abc锁体所述，"]


@pytest.fixture(scope="module")
def small():
    tokens = ["<eos>", "<bos>", "\n\n", *(f"<0x{byte:02X}>" for byte in range(256)), *PIECES]
    kinds = [CONTROL, CONTROL, USER_DEFINED, *[BYTE] * 256, *[NORMAL] * len(PIECES)]
    backend = _pieces(tokens, kinds, [-1000.0, -1000.0, -1000.0, *[0.0] * 256, *(float(-rank) for rank in range(len(PIECES)))])
    backend.add_tokens(["\n\n"])
    return Tokenizer(backend, size=len(tokens), special={0: "<eos>", 1: "<bos>"}, eos=[0], template="", bos="<bos>")


def test_the_best_pieces_are_joined_first(small):
    def pieces(text):
        return [small.token_bytes[index].decode() for index in small.encode(text)]

    assert pieces("所述锁体") == ["所述锁体"]
    assert pieces(" abc") == [" ab", "c"]
    assert pieces("cab") == ["c", "ab"]
    assert pieces("\n\n，") == ["\n\n", "，"]
    assert [small.token_bytes[index] for index in small.encode("门")] == [b"\xe9", b"\x97", b"\xa8"]


@settings(max_examples=200, deadline=None)
@given(st.text(st.one_of(st.sampled_from(" ab锁体，\n<>eos0xA"), st.characters(exclude_characters="▁", exclude_categories=["Cs"]))))
def test_text_comes_back_and_never_holds_a_control_token(small, text):
    ids = small.encode(text)
    assert small.decode(ids) == text
    assert not {0, 1} & set(ids)


@pytest.mark.model
def test_the_gemma_vocabulary_agrees_with_sentencepiece():
    """Expected ids are those of Google's sentencepiece 0.2 on a model put together from the same pieces and scores."""
    try:
        files = resolve("gemma-3-270m-q4_k_m")
    except ModelMissing as error:
        pytest.skip(f"Gemma 3 weights: {error}")
    tokenizer = from_gguf(GgufWeights(files.path))
    assert tokenizer.vocab_size == len(tokenizer.token_bytes) == 262144
    assert tokenizer.opening == (2,) and tokenizer.eos_ids == (1, 106)
    for text, ids in GEMMA.items():
        assert tokenizer.encode(text) == ids
        assert tokenizer.decode(ids) == text
