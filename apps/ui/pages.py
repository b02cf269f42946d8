"""What every page view shares: signed-in users only, foreign rows are 404, refusals become messages."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse

from apps.common.errors import NotFound


def page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Requires sign-in and turns `NotFound` into 404, the same answer as for a row that never existed."""

    @login_required
    @wraps(view)
    def wrapped(request: HttpRequest, *args, **kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except NotFound as error:
            raise Http404 from error

    return wrapped
