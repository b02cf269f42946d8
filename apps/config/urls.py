"""URL map. Pages come from `apps.ui.urls` at `/`, the API from `apps.api.urls` at `/api/`.

Sign-in and sign-out are Django's own views with the project's templates; operators set passwords in the admin.
"""

from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import include, path

from apps.common.health import healthz

urlpatterns = [
    path("", include("apps.ui.urls")),
    path("api/", include("apps.api.urls")),
    path("accounts/login/", LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
]
