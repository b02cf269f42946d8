"""URL map. Pages come from `apps.ui.urls` at `/`, the API from `apps.api.urls` at `/api/`.

Operators set passwords in the admin, whose sign-in obeys the same limit as the pages'.
"""

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import include, path

from apps.accounts.sign_in import AdminSignInForm, SignInView
from apps.common.health import healthz

handler400 = "apps.ui.errors.bad_request"
admin.site.login_form = AdminSignInForm
urlpatterns = [
    path("", include("apps.ui.urls")),
    path("api/", include("apps.api.urls")),
    path("accounts/login/", SignInView.as_view(), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
]
