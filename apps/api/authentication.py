"""`Authorization: Token <secret>`: a request acts as the user of the token, within that user's firm."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed

from apps.accounts.services import token_verify


class TokenAuthentication(BaseAuthentication):
    """401 when the secret is unknown, revoked or expired; without the header another scheme may answer."""

    keyword = "Token"

    def authenticate(self, request):
        words = get_authorization_header(request).decode("latin-1").split()
        if not words or words[0].lower() != self.keyword.lower():
            return None
        token = token_verify(words[1]) if len(words) == 2 else None
        if token is None:
            raise AuthenticationFailed(code="bad_token")
        return token.user, token

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
