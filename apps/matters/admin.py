"""Admin screens of matters and disclosures."""

from django.contrib import admin

from .models import Disclosure, Matter


@admin.register(Matter)
class MatterAdmin(admin.ModelAdmin):
    list_display = ["title", "reference", "firm", "filing_type", "created_by", "created_at"]
    list_filter = ["firm", "filing_type"]
    search_fields = ["title", "reference"]


@admin.register(Disclosure)
class DisclosureAdmin(admin.ModelAdmin):
    list_display = ["name", "matter", "created_at"]
    search_fields = ["name", "matter__title"]
    readonly_fields = ["losses", "figures"]
