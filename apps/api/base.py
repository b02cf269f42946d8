"""Base of the API views: token or session, firm scoping by the selectors, one shape for refusals."""

from django.utils.translation import gettext as _
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.errors import ProductError

from .authentication import TokenAuthentication


class EventStreamRenderer(BaseRenderer):
    """Lets `Accept: text/event-stream` be negotiated; the view answers with the stream itself."""

    media_type = "text/event-stream"
    format = "sse"

    def render(self, data, accepted_media_type=None, renderer_context=None) -> bytes:
        return JSONRenderer().render(data)


class ApiView(APIView):
    """Refusals are `{"code", "message"}` with the status of the error; invalid input adds `fields`."""

    authentication_classes = [TokenAuthentication, SessionAuthentication]

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, ProductError):
            return Response(exc.to_dict(), status=exc.status)
        response = super().handle_exception(exc)
        if isinstance(exc, ValidationError):
            message = _("The request is not valid. Correct the fields named and send it again.")
            response.data = {"code": "invalid", "message": message, "fields": exc.detail}
        elif isinstance(exc, APIException):
            response.data = {"code": exc.get_codes(), "message": str(exc.detail)}
        return response
