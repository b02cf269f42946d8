"""URLs of the REST API, version 1, and its schema."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from . import views

app_name = "api"
urlpatterns = [
    path("v1/jobs/", views.Jobs.as_view(), name="jobs"),
    path("v1/jobs/<uuid:pk>/", views.Job.as_view(), name="job"),
    path("v1/jobs/<uuid:pk>/events", views.Events.as_view(), name="events"),
    path("v1/jobs/<uuid:pk>/cancel", views.Cancel.as_view(), name="cancel"),
    path("v1/jobs/<uuid:pk>/documents", views.Documents.as_view(), name="documents"),
    path("v1/jobs/<uuid:pk>/documents/<str:name>", views.Document.as_view(), name="document"),
    path("v1/schema", SpectacularAPIView.as_view(), name="schema"),
]
