"""The answer to a request that Django itself refuses (400), as a page, or as JSON under `/api/`."""

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """413 for a text that is too large to be pasted, else 400. Nothing was stored."""
    if isinstance(exception, RequestDataTooBig):
        status, code = 413, "too_large"
        message = _("The text is larger than 5 MB. Keep what concerns one invention, or upload it as a file. Nothing was stored.")
    else:
        status, code = 400, "bad_request"
        message = _("The request was not understood. Go back, reload the page and try again. Nothing was stored.")
    if request.path.startswith("/api/"):
        return JsonResponse({"code": code, "message": message}, status=status)
    return render(request, "400.html", {"message": message, "status": status}, status=status)
