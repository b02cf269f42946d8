"""What can be wrong with a model on disk. Every message names the file and the next step."""

from __future__ import annotations


class ModelError(RuntimeError):
    """A model cannot be loaded."""


class ModelMissing(ModelError):
    """No source has the model."""


class ModelCorrupt(ModelError):
    """A file is not what the registry says it is, or cannot be read."""


class ModelUnsupported(ModelError):
    """The file is sound but the engine has no decoder or tokenizer for it."""
