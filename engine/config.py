"""Settings of one engine process, from arguments first and the environment second.

CLAIMWRIGHT_MODEL, CLAIMWRIGHT_KERNEL (native, w8a8, fp32 or auto), CLAIMWRIGHT_THREADS (0 leaves torch's own choice),
CLAIMWRIGHT_DRAFT_TOKENS (0 turns speculation off) and CLAIMWRIGHT_DRAFT_MODEL (a small model that writes ahead; none unless
named).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

DEFAULT_MODEL = "qwen2.5-coder-1.5b-instruct-q4_k_m"
KERNELS = ("auto", "native", "w8a8", "fp32")


class ConfigError(ValueError):
    """A setting has a value that the engine cannot use; the message names the setting."""


@dataclass(frozen=True)
class EngineConfig:
    """`prefill_chunk` is the prompt tokens of one forward pass, and so how long a cancelled prompt still runs.

    `cache_tokens` bounds the positions of all KV caches together, running and kept, but for a single longer text that then
    runs alone; `max_texts` bounds the texts that run together; `draft_tokens` bounds a guess, and
    `draft_model` names the model that guesses where nothing cheaper does ("" for none).
    """

    model: str = DEFAULT_MODEL
    kernel: str = "auto"
    threads: int = 0
    prefill_chunk: int = 256
    draft_tokens: int = 16
    cache_tokens: int = 16384
    max_texts: int = 32
    draft_model: str = ""

    def __post_init__(self) -> None:
        if self.kernel not in KERNELS:
            raise ConfigError(f"kernel {self.kernel!r} is not one of {', '.join(KERNELS)}")
        if self.threads < 0 or self.draft_tokens < 0 or min(self.prefill_chunk, self.cache_tokens, self.max_texts) < 1:
            raise ConfigError(
                "threads and draft_tokens may not be negative, prefill_chunk, cache_tokens and max_texts are at least 1"
            )

    @classmethod
    def from_environment(
        cls, model: str | None = None, kernel: str | None = None, environ: Mapping[str, str] = os.environ
    ) -> EngineConfig:
        """Raises ConfigError on a value that is no number or no known kernel."""
        return cls(
            model=model or environ.get("CLAIMWRIGHT_MODEL") or DEFAULT_MODEL,
            kernel=kernel or environ.get("CLAIMWRIGHT_KERNEL") or "auto",
            threads=_number(environ, "CLAIMWRIGHT_THREADS", 0),
            draft_tokens=_number(environ, "CLAIMWRIGHT_DRAFT_TOKENS", 16),
            draft_model=environ.get("CLAIMWRIGHT_DRAFT_MODEL", "").strip(),
        )


def _number(environ: Mapping[str, str], name: str, default: int) -> int:
    value = environ.get(name, "").strip()
    try:
        return int(value) if value else default
    except ValueError:
        raise ConfigError(f"{name}={value!r} is not a whole number") from None
