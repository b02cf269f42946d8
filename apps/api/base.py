"""Base of the API views: token or session, firm scoping by the selectors, one shape for refusals."""

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.utils.translation import gettext as _
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.errors import ProductError

from .authentication import TokenAuthentication

# Bytes of a request: the largest file with its multipart frame.
MAX_BODY = 21 * 2**20


class EventStreamRenderer(BaseRenderer):
    """Lets `Accept: text/event-stream` be negotiated; the view answers with the stream itself."""

    media_type = "text/event-stream"
    format = "sse"

    def render(self, data, accepted_media_type=None, renderer_context=None) -> bytes:
        return JSONRenderer().render(data)


class TooLarge(ProductError):
    """The body is larger than `limit` bytes."""

    status = 413

    def __init__(self, limit: int):
        super().__init__("too_large", _("The text is larger than %d MB. Keep what concerns one invention.") % (limit >> 20))


class ApiView(APIView):
    """Refusals are `{"code", "message"}` with the status of the error; invalid input adds `fields`."""

    authentication_classes = [TokenAuthentication, SessionAuthentication]

    def initial(self, request: Request, *args, **kwargs) -> None:
        super().initial(request, *args, **kwargs)
        if int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BODY:
            raise TooLarge(MAX_BODY)

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, RequestDataTooBig):
            exc = TooLarge(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        if isinstance(exc, ProductError):
            return Response(exc.to_dict(), status=exc.status)
        response = super().handle_exception(exc)
        if isinstance(exc, ValidationError):
            message = _("The request is not valid. Correct the fields named and send it again.")
            response.data = {"code": "invalid", "message": message, "fields": exc.detail}
        elif isinstance(exc, APIException):
            response.data = {"code": exc.get_codes(), "message": str(exc.detail)}
        return response
