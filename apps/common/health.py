"""`/healthz`: 200 when the database answers, 503 when it does not. Says nothing else to strangers."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse


def healthz(request: HttpRequest) -> JsonResponse:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return JsonResponse({"status": "down", "database": False}, status=503)
    return JsonResponse({"status": "ok", "database": True})
