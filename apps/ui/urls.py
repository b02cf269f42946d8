"""URLs of the pages. Sign-in, sign-out and the language switch are Django's own, named in `apps.config.urls`."""

from django.urls import path

from . import job_views, views

app_name = "ui"
urlpatterns = [
    path("", views.work, name="work"),
    path("matters/new", views.matter_new, name="matter_new"),
    path("matters/<uuid:pk>/", views.matter, name="matter"),
    path("matters/<uuid:pk>/draft/", views.draft, name="draft"),
    path("jobs/<uuid:pk>/", job_views.job, name="job"),
    path("jobs/<uuid:pk>/events", job_views.events, name="events"),
    path("jobs/<uuid:pk>/events.json", job_views.events_json, name="events_json"),
    path("jobs/<uuid:pk>/cancel", job_views.cancel, name="cancel"),
    path("jobs/<uuid:pk>/again", job_views.again, name="again"),
    path("jobs/<uuid:pk>/files/<str:name>", job_views.file, name="file"),
]
