"""URLs of `ui`."""

urlpatterns = []
