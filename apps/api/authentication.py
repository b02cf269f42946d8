"""`Authorization: Token <secret>`: a request acts as the user of the token, within that user's firm."""

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import APIException, AuthenticationFailed, Throttled

from apps.accounts import attempts
from apps.accounts.services import token_verify


class TokenAuthentication(BaseAuthentication):
    """401 when the secret is unknown, revoked or expired, 429 to an address that goes on sending such; without the
    header another scheme may answer."""

    keyword = "Token"

    def authenticate(self, request):
        words = get_authorization_header(request).decode("latin-1").split()
        if not words or words[0].lower() != self.keyword.lower():
            return None
        token = token_verify(words[1]) if len(words) == 2 else None
        if token is None:
            raise self._refusal(request)
        return token.user, token

    @staticmethod
    def _refusal(request) -> APIException:
        try:
            attempts.begin(account="", address=attempts.address_of(request))
        except attempts.SignInBlocked as blocked:
            throttled = Throttled(detail=blocked.message, code=blocked.code)
            throttled.wait = blocked.seconds
            return throttled
        return AuthenticationFailed(_("The API token is unknown, revoked or expired. Ask for a new one."), code="bad_token")

    def authenticate_header(self, request) -> str:
        return self.keyword


class TokenScheme(OpenApiAuthenticationExtension):
    """How the schema describes the header."""

    target_class = "apps.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema) -> dict:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Authorization: Token <secret>`",
        }
