"""Errors a user may see: each has a stable `code`, a translated `message` and an HTTP `status`."""

from django.utils.translation import gettext as _


class ProductError(Exception):
    """A refusal with a reason. `code` is for programs, `message` for people."""

    status = 400

    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code = code
        self.message = message

    def to_dict(self) -> dict[str, str]:
        return {"code": self.code, "message": self.message}


class NotFound(ProductError):
    """The thing does not exist, or belongs to another firm: the two are not told apart."""

    status = 404

    def __init__(self, message: str | None = None):
        super().__init__("not_found", message or _("Not found."))


class Conflict(ProductError):
    """The thing is not in a state that allows this."""

    status = 409


class TooMany(ProductError):
    """A quota is used up."""

    status = 429
