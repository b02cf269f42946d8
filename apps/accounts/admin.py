"""Admin screens of firms, users and tokens."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.utils.translation import gettext_lazy as _

from .models import ApiToken, Firm, SignInAttempt, User


@admin.register(Firm)
class FirmAdmin(admin.ModelAdmin):
    list_display = ["name", "created_at"]
    search_fields = ["name"]


@admin.register(User)
class UserAdmin(BaseUserAdmin):
    list_display = ["username", "firm", "email", "is_active", "is_staff"]
    list_filter = ["firm", "is_active", "is_staff"]
    fieldsets = (*BaseUserAdmin.fieldsets, (_("Firm"), {"fields": ["firm"]}))
    add_fieldsets = (*BaseUserAdmin.add_fieldsets, (_("Firm"), {"fields": ["firm"]}))


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    """Tokens are made by their users; here they are seen and revoked."""

    list_display = ["name", "user", "created_at", "last_used_at", "expires_at", "revoked_at"]
    readonly_fields = ["user", "name", "created_at", "last_used_at"]

    def has_add_permission(self, request) -> bool:
        return False


@admin.register(SignInAttempt)
class SignInAttemptAdmin(admin.ModelAdmin):
    """Deleting the rows of an account lets it sign in again at once."""

    list_display = ["account", "address", "at"]
    search_fields = ["account", "address"]

    def has_add_permission(self, request) -> bool:
        return False

    def has_change_permission(self, request, obj=None) -> bool:
        return False
