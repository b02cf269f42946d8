"""URL map. Pages come from `apps.ui.urls` at `/`, the API from `apps.api.urls` at `/api/`.

Pages stand first, so that they may provide their own login page and health check.
"""

from django.contrib import admin
from django.urls import include, path

from apps.common.health import healthz

urlpatterns = [
    path("", include("apps.ui.urls")),
    path("api/", include("apps.api.urls")),
    path("accounts/", include("django.contrib.auth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
]
