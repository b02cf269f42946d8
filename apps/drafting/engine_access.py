"""The engine of this process: opened at first use, kept, shared by all jobs of the process.

The web process never calls this; workers do. `CLAIMWRIGHT_ENGINE` names the factory, by default
`open_engine`, which loads the bundled engine.
"""

import threading
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

_lock = threading.Lock()
_open: dict[str, Any] = {}


def open_engine(model_name: str) -> Any:
    """Load the bundled engine. Raises what `engine.loading` raises when the model is missing or corrupt."""
    from engine.core import Engine

    return Engine.open(model_name, kernel=settings.CLAIMWRIGHT_KERNEL or None)


def get_engine(model_name: str = "") -> Any:
    """The engine for a model (the default one for ""). One model is held at a time: another replaces it."""
    name = model_name or settings.CLAIMWRIGHT_MODEL
    with _lock:
        if name not in _open:
            _open.clear()
            _open[name] = import_string(settings.CLAIMWRIGHT_ENGINE)(name)
        return _open[name]
