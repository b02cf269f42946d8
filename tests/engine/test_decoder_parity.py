"""The decoder agrees with transformers on Llama, Qwen2 and Qwen3, and verifying rows equals decoding them."""

from __future__ import annotations

import pytest
import torch

from engine.loading import ModelMissing, load, resolve
from engine.loading.packing import Packing
from engine.loading.safetensors_dir import SafetensorsWeights
from engine.models.decoder import Decoder

SMOL = "smollm2-135m-instruct-q4_1"
SIZES = dict(
    vocab_size=320,
    hidden_size=64,
    intermediate_size=96,
    num_hidden_layers=3,
    num_attention_heads=4,
    num_key_value_heads=2,
    max_position_embeddings=512,
    eos_token_id=None,
    bos_token_id=None,
)


def reference(kind):
    import transformers

    extra = {"Qwen3": {"head_dim": 32, "tie_word_embeddings": True}}.get(kind, {"tie_word_embeddings": False})
    config = getattr(transformers, f"{kind}Config")(**SIZES, **extra)
    torch.manual_seed(5)
    model = getattr(transformers, f"{kind}ForCausalLM")(config).eval().float()
    for name, parameter in model.named_parameters():
        spread = 0.3 if parameter.dim() > 1 else 0.5
        torch.nn.init.normal_(parameter, 1.0 if "norm" in name else 0.0, spread)
    return model


def greedy(model, prompt, count):
    cache, ids = model.new_cache(), list(prompt)
    logits = model.forward(torch.tensor(ids), cache, last_only=True)
    for _ in range(count):
        ids.append(int(logits[-1].argmax()))
        logits = model.forward(torch.tensor(ids[-1:]), cache)
    return ids


@pytest.mark.parametrize("kind", ["Llama", "Qwen2", "Qwen3"])
def test_greedy_text_equals_transformers(kind, tmp_path):
    theirs = reference(kind)
    theirs.save_pretrained(tmp_path)
    weights = SafetensorsWeights(tmp_path)
    ours = Decoder(weights, Packing(weights, weights.config.vocab, "fp32"), weights.config)
    prompt = torch.randint(0, 320, (17,), generator=torch.Generator().manual_seed(1))
    with torch.inference_mode():
        expected = theirs(prompt[None]).logits[0]
        text = theirs.generate(prompt[None], max_new_tokens=40, do_sample=False, pad_token_id=0)[0]
    torch.testing.assert_close(ours.forward(prompt, ours.new_cache()), expected, rtol=1e-3, atol=1e-3)
    assert greedy(ours, prompt.tolist(), 40) == text.tolist()


@pytest.mark.parametrize("kernel", ["fp32", "w8a8"])
def test_verified_rows_have_the_bits_of_decoded_rows(kernel, tmp_path):
    reference("Qwen2").save_pretrained(tmp_path)
    weights = SafetensorsWeights(tmp_path)
    model = Decoder(weights, Packing(weights, weights.config.vocab, kernel), weights.config)
    assert model.exact
    ids = torch.randint(0, 320, (300,), generator=torch.Generator().manual_seed(2))
    together, apart = model.new_cache(), model.new_cache()
    model.forward(ids[:250], together)
    model.forward(ids[:100], apart)
    model.forward(ids[100:250], apart)
    rows = model.forward(ids[250:260], together)
    single = torch.cat([model.forward(ids[i : i + 1], apart) for i in range(250, 260)])
    assert torch.equal(rows, single)
    together.rollback(4)
    assert torch.equal(model.forward(ids[256:260], together), single[6:])


def test_a_text_past_the_context_is_refused_and_the_cache_unchanged(tmp_path):
    reference("Llama").save_pretrained(tmp_path)
    weights = SafetensorsWeights(tmp_path)
    model = Decoder(weights, Packing(weights, weights.config.vocab, "fp32"), weights.config)
    cache = model.new_cache()
    with pytest.raises(ValueError, match="context of 512"):
        model.forward(torch.zeros(513, dtype=torch.long), cache)
    assert cache.length == 0


@pytest.fixture(scope="module")
def smol():
    try:
        return resolve(SMOL)
    except ModelMissing as error:
        pytest.skip(f"SmolLM2 weights: {error}")


@pytest.mark.model
def test_real_llama_weights_agree_with_transformers(smol):
    from transformers import AutoModelForCausalLM

    theirs = AutoModelForCausalLM.from_pretrained(
        smol.path.parent, gguf_file=smol.path.name, dtype=torch.float32, local_files_only=True
    ).eval()
    loaded = load(SMOL, kernel="fp32")
    prompt = loaded.tokenizer.chat([{"role": "user", "content": "What is a claim in a patent?"}])
    with torch.inference_mode():
        text = theirs.generate(torch.tensor([prompt]), max_new_tokens=24, do_sample=False, pad_token_id=0)[0]
    count = len(text) - len(prompt)
    assert greedy(loaded.model, prompt, count) == text.tolist()


@pytest.mark.model
def test_real_tokenizer_round_trips_and_keeps_control_tokens_out_of_text(smol):
    tokenizer = load(SMOL, kernel="fp32").tokenizer
    text = "一种无人机旋翼防结冰装置，包括：电热膜\n\t1 2 <|im_end|> 🚁"
    ids = tokenizer.encode(text)
    assert tokenizer.decode(ids) == text
    assert not set(ids) & set(tokenizer.eos_ids)
    chat = tokenizer.chat([{"role": "user", "content": text}])
    assert sum(index in tokenizer.eos_ids for index in chat) == 2  # the default system message and the user's
    assert len(tokenizer.token_bytes) == tokenizer.vocab_size
