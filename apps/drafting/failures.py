"""What a failed draft is called and what its user is told, the same for jobs and for the command line."""

import errno
import re

from django.utils.translation import gettext as _

from apps.common.errors import ProductError


def explain(error: Exception) -> tuple[str, str]:
    """A stable code and a message that says what to do next; the code is "internal" for what nobody foresaw."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if isinstance(error, ProductError):
        return error.code, error.message
    if _out_of_memory(error, kinds):
        return "out_of_memory", _("Out of memory. Close other programs or choose a smaller model, then draft again.")
    if "ModelMissing" in kinds:
        return "model_missing", _("The language model is not on this computer. Run make setup, or choose another model. (%s)") % error
    if "ModelCorrupt" in kinds:
        return "model_corrupt", _("The file of the language model is damaged. Delete it and run make setup. (%s)") % error
    if type(error).__module__.startswith("engine."):
        return re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__).lower(), str(error)
    return "internal", _("The draft failed for an unexpected reason. The log of the worker has the details.")


def _out_of_memory(error: Exception, kinds: set[str]) -> bool:
    """Python's, torch's on a device and torch's on the processor, which is a bare RuntimeError."""
    if kinds & {"MemoryError", "OutOfMemoryError"} or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    return isinstance(error, RuntimeError) and bool(re.search(r"(?:not enough|can't allocate) memory", str(error)))
