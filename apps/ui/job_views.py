"""The pages of one job: live while it runs, the result when it is done; its events, cancel and files."""

from datetime import timedelta

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from apps.common.errors import Conflict, TooMany
from apps.drafting import services, stream
from apps.drafting.models import DraftJob, JobEvent
from apps.drafting.selectors import job_get
from apps.drafting.stages import STAGES
from apps.exports.serving import TYPES, file_response

from . import filing as view_of
from .marking import marked_claims
from .pages import page
from .tree import tree_svg
from .words import fact


def downloads() -> list[tuple[str, str, str]]:
    """The downloads: what it is, file name, query."""
    return [
        (_("The filing, for Word"), "filing.docx", ""),
        (_("The same with paragraph numbers [0001]"), "filing.docx", "?numbered"),
        (_("Report with derivation"), "report.html", ""),
        (_("Claims as data"), "claims.json", ""),
        (_("Everything as data"), "filing.json", ""),
    ]


@page
@require_GET
def job(request: HttpRequest, pk) -> HttpResponse:
    """Live page, or the result when the job is done."""
    found = job_get(user=request.user, id=pk)
    if found.state == DraftJob.State.DONE and found.result:
        return _result(request, found)
    finished = found.checkpoint.get("claims") if isinstance(found.checkpoint, dict) else None
    context = {
        "job": found,
        "active": found.is_active,
        "waiting": stream.waiting_reason(found),
        "stages": STAGES.items(),
        "claims": [c for c in finished or [] if isinstance(c, dict) and "number" in c and "text" in c] or _written(found),
    }
    return render(request, "ui/job_live.html", context)


def _written(found: DraftJob) -> list[dict]:
    """The claims that events say were finished, the last word on each."""
    events = found.events.filter(kind=JobEvent.Kind.CLAIM).order_by("pk").values_list("data", flat=True)
    claims = {data["number"]: data for data in events if "number" in data and data.get("text")}
    return [claims[number] for number in sorted(claims)]


def _result(request: HttpRequest, found: DraftJob) -> HttpResponse:
    findings = view_of.numbered_findings(found.result)
    claims = view_of.claims_with_findings(found.result, findings)
    context = {
        "job": found,
        "filing": found.result,
        "claims": marked_claims(claims),
        "findings": findings,
        "tree": tree_svg(claims, view_of.worst_by_claim(findings)),
        "downloads": downloads(),
        "provenance": _provenance(found.result),
        "duration": _clock(found.finished_at - found.started_at) if found.finished_at and found.started_at else "",
    }
    return render(request, "ui/job_result.html", context)


def _clock(duration: timedelta) -> str:
    """Minutes and seconds, as 3:07."""
    return "{}:{:02d}".format(*divmod(round(duration.total_seconds()), 60))


def _provenance(result: dict) -> list[tuple[str, str]]:
    """What the filing says of its making, without what the job row says already."""
    told = {k: v for k, v in (result.get("provenance") or {}).items() if k not in ("model", "seed")}
    return [fact(name, value) for name, value in view_of.facts(told)]


@page
@require_GET
def events(request: HttpRequest, pk) -> HttpResponse:
    """The live stream. `Last-Event-ID`, or `after` in the query, is the resume point."""
    found = job_get(user=request.user, id=pk)
    after = request.headers.get("Last-Event-ID") or request.GET.get("after")
    return stream.sse_response(request, found, stream.event_id(after))


@page
@require_GET
def events_json(request: HttpRequest, pk) -> HttpResponse:
    """The same events as one JSON page, for clients that cannot hold a stream."""
    found = job_get(user=request.user, id=pk)
    rows = stream.events_page(found, stream.event_id(request.GET.get("after")))
    response = JsonResponse({"job": stream.job_status(found), "events": rows})
    response["Cache-Control"] = "no-store"
    return response


@page
@require_POST
def cancel(request: HttpRequest, pk) -> HttpResponse:
    """Ask the job to stop; what is whole is kept."""
    services.job_cancel(user=request.user, job=job_get(user=request.user, id=pk))
    return redirect("ui:job", pk=pk)


@page
@require_POST
def again(request: HttpRequest, pk) -> HttpResponse:
    """Go on with a draft that stopped, as a new job."""
    try:
        new = services.job_again(user=request.user, job=job_get(user=request.user, id=pk))
    except (Conflict, TooMany) as error:
        messages.error(request, error.message)
        return redirect("ui:job", pk=pk)
    return redirect("ui:job", pk=new.pk)


@page
@require_GET
def file(request: HttpRequest, pk, name: str) -> HttpResponse:
    """One file of a finished filing, always as a download: nothing drafted runs on this origin."""
    found = job_get(user=request.user, id=pk)
    if name not in TYPES or not found.result:
        raise Http404
    lang = "zh" if (get_language() or "zh").startswith("zh") else "en"
    return file_response(found.result, name, lang, numbered="numbered" in request.GET)
