"""Application settings of `api`."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "apps.api"
