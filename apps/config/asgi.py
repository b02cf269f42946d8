"""The ASGI entry point, for any ASGI server: `uvicorn apps.config.asgi:application`."""

import os
import warnings

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
# Static files are short and read whole; the streams of `apps.drafting.stream` are asynchronous.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
application = get_asgi_application()
