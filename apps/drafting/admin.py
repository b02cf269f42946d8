"""Admin screens of jobs: to look, not to edit; a job row is written by its worker."""

from django.contrib import admin

from .models import DraftJob


@admin.register(DraftJob)
class DraftJobAdmin(admin.ModelAdmin):
    list_display = ["id", "matter", "state", "stage", "percent", "attempts", "owner", "lease_until", "created_at"]
    list_filter = ["state", "matter__firm"]
    search_fields = ["id", "matter__title"]
    exclude = ["checkpoint", "result"]

    def get_queryset(self, request):
        return super().get_queryset(request).defer("checkpoint", "result")

    def has_add_permission(self, request) -> bool:
        return False

    def has_change_permission(self, request, obj=None) -> bool:
        return False
