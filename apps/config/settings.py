"""Settings of Claimwright: one path, driven by the environment (`env.py` reads it).

Without any variable the product runs on one machine: SQLite, an embedded job runner, no debug pages.
Variables: DATABASE_URL, CLAIMWRIGHT_{SECRET_KEY, DEBUG, HOSTS, ORIGINS, HTTPS, VAR, JOBS, REDIS_URL, BROKER_URL,
MODEL, MODELS, KERNEL, PIPELINE, ENGINE, JOBS_PER_FIRM, QUEUE, LOG, PROXIES, SIGN_IN_PER_ACCOUNT,
SIGN_IN_PER_ADDRESS, SIGN_IN_MINUTES}.
"""

from pathlib import Path

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from . import env

BASE_DIR = Path(__file__).resolve().parent.parent.parent
VAR = Path(env.text("CLAIMWRIGHT_VAR") or env.data_folder(BASE_DIR))
VAR.mkdir(mode=0o700, parents=True, exist_ok=True)

SECRET_KEY = env.secret("CLAIMWRIGHT_SECRET_KEY", VAR / "secret_key")
DEBUG = env.flag("CLAIMWRIGHT_DEBUG")
ALLOWED_HOSTS = env.words("CLAIMWRIGHT_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("CLAIMWRIGHT_ORIGINS")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "apps.common",
    "apps.accounts",
    "apps.matters",
    "apps.claims",
    "apps.drafting",
    "apps.exports",
    "apps.ui",
    "apps.api",
    "apps.ops",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "apps.config.urls"
WSGI_APPLICATION = "apps.config.wsgi.application"
ASGI_APPLICATION = "apps.config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
            ],
        },
    },
]

DATABASES = {"default": env.database("DATABASE_URL", VAR / "claimwright.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/accounts/login/"

# Language and time

LANGUAGE_CODE = "zh-hans"
LANGUAGES = [("zh-hans", _("Chinese")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "Asia/Shanghai"

# Static files

STATIC_URL = "/static/"
STATIC_ROOT = VAR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"] if (BASE_DIR / "static").is_dir() else []
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": VAR / "media"}},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True

# Security

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
HTTPS = env.flag("CLAIMWRIGHT_HTTPS")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 2**20
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 2**20

# Failed sign-ins, see apps.accounts.attempts; trusted proxies that set X-Forwarded-For

CLAIMWRIGHT_SIGN_IN_PER_ACCOUNT = env.number("CLAIMWRIGHT_SIGN_IN_PER_ACCOUNT", 5)
CLAIMWRIGHT_SIGN_IN_PER_ADDRESS = env.number("CLAIMWRIGHT_SIGN_IN_PER_ADDRESS", 20)
CLAIMWRIGHT_SIGN_IN_MINUTES = env.number("CLAIMWRIGHT_SIGN_IN_MINUTES", 15)
CLAIMWRIGHT_PROXIES = env.number("CLAIMWRIGHT_PROXIES", 0)

# Cache and jobs. The job row in the database is the truth; the broker (Redis or RabbitMQ, amqp://) only carries wake-ups.

REDIS_URL = env.text("CLAIMWRIGHT_REDIS_URL")
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}
CLAIMWRIGHT_JOBS = env.choice("CLAIMWRIGHT_JOBS", ("database", "celery"))
CLAIMWRIGHT_JOBS_PER_FIRM = env.number("CLAIMWRIGHT_JOBS_PER_FIRM", 20)
CLAIMWRIGHT_PIPELINE = env.text("CLAIMWRIGHT_PIPELINE", "apps.drafting.pipeline.draft_filing")
CLAIMWRIGHT_ENGINE = env.text("CLAIMWRIGHT_ENGINE", "apps.drafting.engine_access.open_engine")
CLAIMWRIGHT_MODEL = env.text("CLAIMWRIGHT_MODEL", "qwen2.5-coder-1.5b-instruct-q4_k_m")
CLAIMWRIGHT_KERNEL = env.text("CLAIMWRIGHT_KERNEL")

CELERY_BROKER_URL = env.text("CLAIMWRIGHT_BROKER_URL") or REDIS_URL or "redis://127.0.0.1:6379/0"
# A web request that sends a wake-up does not wait for a broker that is down.
CELERY_BROKER_TRANSPORT_OPTIONS = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_DEFAULT_QUEUE = env.text("CLAIMWRIGHT_QUEUE", "claimwright")
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

# API

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
    "PAGE_SIZE": 50,
}
SPECTACULAR_SETTINGS = {"TITLE": "Claimwright API", "VERSION": "1", "SERVE_INCLUDE_SCHEMA": False}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.text("CLAIMWRIGHT_LOG", "INFO")},
}
