"""Tokenizers from GGUF metadata or from a directory with `tokenizer.json`: BPE over bytes, and BPE of SentencePiece's kind.

Plain text never encodes to a control token: a disclosure that contains the characters `<|im_end|>` stays text. Only
the chat template itself may write control tokens.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizers import AddedToken, Regex
from tokenizers import Tokenizer as Backend
from tokenizers.decoders import ByteLevel as ByteLevelDecoder
from tokenizers.models import BPE
from tokenizers.normalizers import NFC, Replace
from tokenizers.pre_tokenizers import ByteLevel, Digits, PreTokenizer, Split
from tokenizers.pre_tokenizers import Sequence as Steps

from engine.loading.errors import ModelMissing, ModelUnsupported

if TYPE_CHECKING:
    from engine.loading.gguf_file import GgufWeights

WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}%s| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)
NORMAL, CONTROL, USER_DEFINED, UNUSED = 1, 3, 4, 5
"""Token types of GGUF."""
ENDS = ("<|im_end|>", "<|endoftext|>", "<end_of_turn>")
"""Control tokens that end an answer beside the one that the file names."""
SPACE = "▁"
"""How SentencePiece writes a space."""


class Tokenizer:
    """`token_bytes[i]` is what token i writes, None for control and unused ids; its length is the model's vocabulary.

    `opening` are the ids that the model wants at the beginning of a text that is no chat.
    """

    def __init__(
        self,
        backend: Backend,
        *,
        size: int,
        special: Mapping[int, str],
        eos: Sequence[int],
        template: str,
        bos: str,
        opening: Sequence[int] = (),
        unused: Sequence[int] = (),
    ):
        self.backend, self.template, self.bos, self.special = backend, template, bos, dict(special)
        self.eos_ids, self.opening = tuple(eos), tuple(opening)
        self.vocab_size = size
        self.token_bytes: list[bytes | None] = [None] * size
        pieces = bool(getattr(backend.model, "byte_fallback", False))
        byte_of = {char: byte for byte, char in enumerate(_byte_characters())}
        added = {index: token.content for index, token in backend.get_added_tokens_decoder().items()}
        silent = set(special) | set(unused)
        for text, index in backend.get_vocab(with_added_tokens=True).items():
            if index >= size or index in silent:
                continue
            if pieces:
                self.token_bytes[index] = _piece_bytes(text)
            else:
                plain = added.get(index)
                self.token_bytes[index] = plain.encode() if plain else bytes(byte_of[char] for char in text)

    def encode(self, text: str) -> list[int]:
        self.backend.encode_special_tokens = True
        return self.backend.encode(text, add_special_tokens=False).ids

    def decode(self, ids: Sequence[int]) -> str:
        """Control tokens write nothing; bytes that are not UTF-8 become U+FFFD."""
        return b"".join(self.token_bytes[index] or b"" for index in ids).decode("utf-8", "replace")

    def chat(self, messages: Sequence[Mapping[str, str]]) -> list[int]:
        """The messages in the model's chat template, ready for the answer. Raises ModelUnsupported without a template."""
        if not self.template:
            raise ModelUnsupported("this model has no chat template; choose an instruct model")
        marked = [{**message, "content": f"\ue000{index}\ue001"} for index, message in enumerate(messages)]
        rendered = _render(self.template, marked, bos=self.bos, eos=self.special.get(self.eos_ids[0], ""))
        ids: list[int] = []
        for index, piece in enumerate(re.split("\ue000(\\d+)\ue001", rendered)):
            if index % 2:
                ids += self.encode(messages[int(piece)]["content"])
            elif piece:
                self.backend.encode_special_tokens = False
                ids += self.backend.encode(piece, add_special_tokens=False).ids
        return ids


def from_gguf(weights: GgufWeights) -> Tokenizer:
    """Raises ModelUnsupported for a vocabulary of another kind, or one that cuts words in an unknown way."""
    tokens: list[str] = weights.field("tokenizer.ggml.tokens")
    kinds: list[int] = weights.field("tokenizer.ggml.token_type")
    special = {index: tokens[index] for index, kind in enumerate(kinds) if kind == CONTROL}
    model, cutting = weights.field("tokenizer.ggml.model"), weights.field("tokenizer.ggml.pre", "default")
    sentencepiece = model == "llama" and not weights.field("tokenizer.ggml.add_space_prefix", True)
    if sentencepiece:
        backend = _pieces(tokens, kinds, weights.field("tokenizer.ggml.scores"))
    elif model == "gpt2" and cutting in CUTTERS:
        backend = _byte_level(tokens, weights.field("tokenizer.ggml.merges"), cutting)
    else:
        raise ModelUnsupported(
            f"tokenizer {model}/{cutting} is not supported; choose a Qwen, SmolLM2 or Gemma 3 model"
        )
    backend.add_special_tokens(
        [AddedToken(text, special=True, normalized=False) for text in special.values()]
    )
    written = [tokens[index] for index, kind in enumerate(kinds) if kind == USER_DEFINED]
    backend.add_tokens([AddedToken(text, normalized=False) for text in written])
    by_text = {text: index for index, text in special.items()}
    ends = [weights.field("tokenizer.ggml.eos_token_id")]
    ends += [by_text[text] for text in ENDS if text in by_text]
    bos = weights.field("tokenizer.ggml.bos_token_id", ends[0])
    return Tokenizer(
        backend,
        size=weights.config.vocab,
        special=special,
        eos=list(dict.fromkeys(ends)),
        template=weights.field("tokenizer.chat_template", ""),
        bos=tokens[bos],
        opening=[bos] if weights.field("tokenizer.ggml.add_bos_token", sentencepiece) else [],
        unused=[index for index, kind in enumerate(kinds) if kind == UNUSED],
    )


def _byte_level(tokens: Sequence[str], merges: Sequence[str], cutting: str) -> Backend:
    pairs = [(left, right) for left, _, right in (merge.partition(" ") for merge in merges)]
    backend = Backend(BPE({token: index for index, token in enumerate(tokens)}, pairs))
    if cutting == "qwen2":
        backend.normalizer = NFC()
    backend.pre_tokenizer = CUTTERS[cutting]
    backend.decoder = ByteLevelDecoder()
    return backend


def _pieces(tokens: Sequence[str], kinds: Sequence[int], scores: Sequence[float]) -> Backend:
    """SentencePiece joins whichever neighbours make the piece with the highest score; BPE wants the joints in that order."""
    pieces = {token for token, kind in zip(tokens, kinds, strict=True) if kind == NORMAL}
    best_first = sorted((index for index, kind in enumerate(kinds) if kind == NORMAL), key=lambda index: -scores[index])
    merges = [
        (piece[:cut], piece[cut:])
        for piece in (tokens[index] for index in best_first)
        for cut in range(1, len(piece))
        if piece[:cut] in pieces and piece[cut:] in pieces
    ]
    backend = Backend(BPE({token: index for index, token in enumerate(tokens)}, merges, byte_fallback=True))
    backend.normalizer = Replace(" ", SPACE)
    return backend


def from_directory(path: Path, size: int) -> Tokenizer:
    """Raises ModelMissing without `tokenizer.json`."""
    file = path / "tokenizer.json"
    if not file.is_file():
        raise ModelMissing(f"{file} is not there; give a complete model directory")
    backend = Backend.from_file(str(file))
    settings = _json(path / "tokenizer_config.json")
    special = {
        index: token.content for index, token in backend.get_added_tokens_decoder().items() if token.special
    }
    by_text = {text: index for index, text in special.items()}
    ends = (
        _json(path / "generation_config.json").get("eos_token_id")
        or _json(path / "config.json").get("eos_token_id")
        or []
    )
    named = by_text.get(_text(settings.get("eos_token")))
    eos = [*(ends if isinstance(ends, list) else [ends]), *([named] if named is not None else [])]
    template_file = path / "chat_template.jinja"
    template = (
        template_file.read_text(encoding="utf-8")
        if template_file.is_file()
        else settings.get("chat_template")
    )
    return Tokenizer(
        backend,
        size=size,
        special=special,
        eos=list(dict.fromkeys(eos)),
        template=template or "",
        bos=_text(settings.get("bos_token")),
        opening=backend.encode("").ids,
    )


CUTTERS: dict[str, PreTokenizer] = {
    "qwen2": Steps(
        [Split(Regex(WORDS % ""), "isolated"), ByteLevel(add_prefix_space=False, use_regex=False)]
    ),
    "llama-bpe": Steps(
        [Split(Regex(WORDS % "{1,3}"), "isolated"), ByteLevel(add_prefix_space=False, use_regex=False)]
    ),
    "smollm": Steps([Digits(individual_digits=True), ByteLevel(add_prefix_space=False)]),
    "default": ByteLevel(add_prefix_space=False),
}
"""How text is cut into words before merging, by GGUF's name for it."""


def _piece_bytes(piece: str) -> bytes:
    """What a token of a SentencePiece vocabulary writes; one for every byte is named as `<0x0A>`."""
    byte = re.fullmatch(r"<0x([0-9A-F]{2})>", piece)
    return bytes([int(byte[1], 16)]) if byte else piece.replace(SPACE, " ").encode()


def _byte_characters() -> str:
    """The 256 printable characters by which byte-level BPE writes bytes, in byte order."""
    printable = {*range(33, 127), *range(161, 173), *range(174, 256)}
    spare = iter(range(256, 512))
    return "".join(chr(byte if byte in printable else next(spare)) for byte in range(256))


def _render(template: str, messages: list[dict[str, str]], bos: str, eos: str) -> str:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(template).render(
        messages=messages, add_generation_prompt=True, bos_token=bos, eos_token=eos, enable_thinking=False
    )


def _json(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _text(token: Any) -> str:
    return token.get("content", "") if isinstance(token, dict) else token or ""
