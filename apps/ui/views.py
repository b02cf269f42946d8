"""My work, a new matter, a matter, and the start of a draft."""

from pathlib import Path

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.common.errors import NotFound, ProductError
from apps.drafting.models import DraftJob
from apps.drafting.selectors import jobs_for_user
from apps.drafting.services import job_submit
from apps.matters import selectors, services

from .forms import MatterForm
from .pages import page

ROWS = 200
SAMPLE = "examples/01-mechanism.md"


@page
@require_GET
def work(request: HttpRequest) -> HttpResponse:
    """The matters of the firm, each with its newest job; htmx asks for the rows alone while one is active."""
    matters = list(selectors.for_user(request.user)[:ROWS])
    newest: dict = {}
    for job in jobs_for_user(request.user).filter(matter__in=matters).defer("result", "checkpoint", "disclosure__text"):
        newest.setdefault(job.matter_id, job)
    context = {
        "page": "work",
        "rows": [(matter, newest.get(matter.pk)) for matter in matters],
        "busy": any(job.is_active for job in newest.values()),
    }
    return render(request, "ui/work_rows.html" if request.htmx else "ui/work.html", context)


@page
@require_http_methods(["GET", "POST"])
def matter_new(request: HttpRequest) -> HttpResponse:
    """A matter with its first disclosure, pasted or uploaded."""
    form = MatterForm(request.POST or None, request.FILES or None, initial=_sample(request))
    if request.method == "POST" and form.is_valid():
        name, data = form.source()
        try:
            made = services.matter_create_from_disclosure(
                user=request.user,
                name=name,
                data=data,
                title=form.cleaned_data["title"],
                reference=form.cleaned_data["reference"],
                filing_type=form.cleaned_data["filing_type"],
            )
            return redirect("ui:matter", pk=made.pk)
        except ProductError as problem:
            form.add_error(None, problem.message)
    return render(request, "ui/matter_new.html", {"page": "new", "form": form}, status=400 if form.errors else 200)


def _sample(request: HttpRequest) -> dict:
    """The shipped sample disclosure, when asked for."""
    path = Path(settings.BASE_DIR) / SAMPLE
    return {"text": path.read_text("utf-8")} if request.GET.get("sample") and path.is_file() else {}


@page
@require_GET
def matter(request: HttpRequest, pk) -> HttpResponse:
    """One matter: its drafts and its disclosures."""
    found = selectors.matter_get(user=request.user, id=pk)
    jobs = DraftJob.objects.filter(matter=found).select_related("created_by").defer("checkpoint")
    return render(request, "ui/matter.html", {"matter": found, "jobs": jobs, "disclosures": list(found.disclosures.all())})


@page
@require_POST
def draft(request: HttpRequest, pk) -> HttpResponse:
    """Queue a draft and go to its page; a refusal comes back to the matter with its reason."""
    found = selectors.matter_get(user=request.user, id=pk)
    chosen = request.POST.get("disclosure")
    disclosure = next((d for d in found.disclosures.all() if str(d.pk) == chosen), None)
    if chosen and disclosure is None:
        raise NotFound
    seed = request.POST.get("seed", "")
    try:
        job = job_submit(
            user=request.user,
            matter=found,
            disclosure=disclosure,
            seed=int(seed) if seed.isascii() and seed.isdigit() and len(seed) < 11 else 0,
        )
    except ProductError as error:
        messages.error(request, error.message)
        return redirect("ui:matter", pk=pk)
    return redirect("ui:job", pk=job.pk)
