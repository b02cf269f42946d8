"""Django application of the claim checker; it carries the `check_claims` command and no models."""

from django.apps import AppConfig


class ClaimsConfig(AppConfig):
    name = "apps.claims"
    label = "claims"
