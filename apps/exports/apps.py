"""Application configuration of `apps.exports`."""

from django.apps import AppConfig


class ExportsConfig(AppConfig):
    name = "apps.exports"
    label = "exports"
