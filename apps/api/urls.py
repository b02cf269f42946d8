"""URLs of `api`."""

urlpatterns = []
