"""REST v1: submit a disclosure, follow the job, cancel it, fetch the documents.

Thin: input by serializers, writes by services, reads by selectors, which show the caller's firm only.
"""

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.parsers import FormParser, JSONParser, MultiPartParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.errors import Conflict, NotFound
from apps.drafting import services, stream
from apps.drafting.models import DraftJob
from apps.drafting.selectors import job_get, jobs_for_user
from apps.exports.serving import TYPES, file_response
from apps.matters.services import matter_create_from_disclosure

from .base import ApiView, EventStreamRenderer
from .serializers import DocumentsOut, ErrorOut, EventsOut, JobOut, JobRequest

REFUSED = {401: ErrorOut, 404: ErrorOut}


class Jobs(ApiView, ListAPIView):
    """The jobs of the firm, newest first; POST submits one."""

    serializer_class = JobOut
    parser_classes = [JSONParser, MultiPartParser, FormParser]

    def get_queryset(self):
        return jobs_for_user(self.request.user)

    @extend_schema(request=JobRequest, responses={201: JobOut, 400: ErrorOut, 401: ErrorOut, 422: ErrorOut, 429: ErrorOut})
    def post(self, request: Request) -> Response:
        """Submit a disclosure. The answer comes at once; the draft is made by a worker."""
        asked = JobRequest(data=request.data)
        asked.is_valid(raise_exception=True)
        values = asked.validated_data
        name, data = asked.disclosure_file()
        matter = matter_create_from_disclosure(
            user=request.user,
            name=name,
            data=data,
            title=values.get("name", ""),
            reference=values.get("reference", ""),
            filing_type=values["filing_type"],
        )
        job = services.job_submit(
            user=request.user, matter=matter, seed=values["seed"], model_name=values.get("model", "")
        )
        where = reverse("api:job", args=[job.pk])
        return Response(JobOut(job).data, status=status.HTTP_201_CREATED, headers={"Location": where})


class Job(ApiView):
    """One job."""

    @extend_schema(responses={200: JobOut, **REFUSED})
    def get(self, request: Request, pk) -> Response:
        return Response(JobOut(job_get(user=request.user, id=pk)).data)


class Events(ApiView):
    """The events of a job."""

    renderer_classes = [JSONRenderer, EventStreamRenderer]

    @extend_schema(
        parameters=[
            OpenApiParameter("after", int, description="Only events with a greater id."),
            OpenApiParameter("Last-Event-ID", int, OpenApiParameter.HEADER, description="The same, for streams."),
        ],
        responses={
            (200, "application/json"): EventsOut,
            (200, "text/event-stream"): OpenApiResponse(OpenApiTypes.STR, "One JSON object a message."),
            **REFUSED,
        },
    )
    def get(self, request: Request, pk) -> HttpResponse:
        """A JSON list, or with `Accept: text/event-stream` a live stream."""
        job = job_get(user=request.user, id=pk)
        after = stream.event_id(request.headers.get("Last-Event-ID") or request.query_params.get("after"))
        if request.accepted_renderer.format == "sse":
            return stream.sse_response(request._request, job, after)
        return Response({"state": job.state, "events": stream.events_page(job, after)})


class Cancel(ApiView):
    """Stop a job."""

    @extend_schema(request=None, responses={200: JobOut, **REFUSED})
    def post(self, request: Request, pk) -> Response:
        """Ask the job to stop. A finished job is left as it is."""
        return Response(JobOut(services.job_cancel(user=request.user, job=job_get(user=request.user, id=pk))).data)


def finished(request: Request, pk) -> DraftJob:
    """The job with its result. Raises `NotFound`, `Conflict` ("not_done")."""
    job = job_get(user=request.user, id=pk)
    if not job.result:
        raise Conflict("not_done", _("The job has no documents yet: its state is “%(state)s”. Ask again when it is done.") % {"state": job.get_state_display()})
    return job


class Documents(ApiView):
    """The finished filing."""

    @extend_schema(responses={200: DocumentsOut, 409: ErrorOut, **REFUSED})
    def get(self, request: Request, pk) -> Response:
        job = finished(request, pk)
        files = {name: request.build_absolute_uri(reverse("api:document", args=[pk, name])) for name in TYPES}
        return Response({"filing": {k: v for k, v in job.result.items() if k != "trace"}, "files": files})


class Document(ApiView):
    """One file of the finished filing."""

    @extend_schema(
        operation_id="jobs_document_retrieve",
        parameters=[
            OpenApiParameter("name", str, OpenApiParameter.PATH, enum=list(TYPES)),
            OpenApiParameter("numbered", bool, description="Of filing.docx: write [0001] … before the paragraphs."),
        ],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, 409: ErrorOut, **REFUSED},
    )
    def get(self, request: Request, pk, name: str) -> HttpResponse:
        job = finished(request, pk)
        if name not in TYPES:
            raise NotFound
        return file_response(job.result, name, numbered=request.query_params.get("numbered") in ("", "1", "true"))
