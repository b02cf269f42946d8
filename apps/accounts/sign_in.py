"""Signing in with a name and a password, on the pages and in the admin, under the limit of `attempts`."""

from django import forms
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpResponse

from . import attempts


class _Limited:
    """Lets an authentication form look at a password only within the limit; `wait` is set when it may not."""

    wait = 0

    def clean(self):
        name = self.cleaned_data.get("username")
        if not name or not self.cleaned_data.get("password"):
            return super().clean()
        try:
            attempt = attempts.begin(account=name, address=attempts.address_of(self.request))
        except attempts.SignInBlocked as blocked:
            self.wait = blocked.seconds
            raise forms.ValidationError(blocked.message, code=blocked.code) from blocked
        cleaned = super().clean()
        attempts.succeed(attempt)
        return cleaned


class SignInForm(_Limited, AuthenticationForm):
    """The form of the pages."""


class AdminSignInForm(_Limited, AdminAuthenticationForm):
    """The form of the admin."""


class SignInView(LoginView):
    """The sign-in page; 429 with `Retry-After` while the limit is used up."""

    authentication_form = SignInForm
    redirect_authenticated_user = True

    def form_invalid(self, form) -> HttpResponse:
        response = super().form_invalid(form)
        if form.wait:
            response.status_code = 429
            response["Retry-After"] = str(form.wait)
        return response
