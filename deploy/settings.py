"""Django's settings, from the environment alone. Every variable is in docs/settings.md."""

from __future__ import annotations

from typing import Any

from deploy import env
from scoring import __version__

BASE_DIR = env.ROOT

env.refuse_unknown("GIZA_", known=["GIZA_DATA"])

# What this server is -------------------------------------------------------------------------

DEBUG = env.flag("DEBUG")
SECRET_KEY = env.secret("SECRET_KEY")
ALLOWED_HOSTS = env.items("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.origins("CSRF_TRUSTED_ORIGINS")
HTTPS = env.flag("HTTPS")
# How many proxies stand before this server: what a visitor writes into a header is not believed.
PROXIES = env.number("PROXIES", 1 if HTTPS else 0, least=0, most=10)

DATA_DIR = env.data_dir()
IMPORTS_DIR = DATA_DIR / "imports"
GOLD_DIR = DATA_DIR / "gold"
# Folders of judges that people may name; a path elsewhere is refused.
JUDGES_DIR = env.folder("JUDGES_DIR", DATA_DIR / "judges")

# Limits of what people may send, and the pace of jobs ----------------------------------------

MAX_UPLOAD_MB = env.number("MAX_UPLOAD_MB", 1024, least=1, most=102_400)
MAX_UNPACKED_MB = env.number("MAX_UNPACKED_MB", 4096, least=1, most=409_600)
# What one account, and one project, may have sent in all.
QUOTA_ACCOUNT_MB = env.number("QUOTA_ACCOUNT_MB", 20_480, least=1, most=10**9)
QUOTA_PROJECT_MB = env.number("QUOTA_PROJECT_MB", 51_200, least=1, most=10**9)
# How long an upload that was checked waits to be imported.
UPLOAD_DAYS = env.number("UPLOAD_DAYS", 14, least=1, most=3650)
JOB_LEASE_SECONDS = env.number("JOB_LEASE_SECONDS", 15, least=2, most=3600)
JOB_NICENESS = env.number("JOB_NICENESS", 5, least=0, most=19)
JOB_SWEEP_SECONDS = env.number("JOB_SWEEP_SECONDS", 3, least=1, most=600)

# Applications --------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "annotation.corpora",
    "annotation.units",
    "annotation.crowd",
    "annotation.evaluation",
    "deploy.apps.DeployConfig",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "annotation.middleware.ContentSecurityPolicyMiddleware",
    "annotation.crowd.requesters.views_layouts.MisaddressedMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "annotation.body_limit.BodyLimitMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "annotation.doors.DoorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "annotation.unsent.UnsentFormMiddleware",
    "annotation.refusals.RefusalMiddleware",
]

ROOT_URLCONF = "deploy.urls"
WSGI_APPLICATION = "deploy.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "frontend" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            # Every template has texts to translate.
            "builtins": [
                "django.templatetags.i18n",
                "annotation.corpora.templatetags.translation",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "annotation.corpora.notifications.queries.bell",
            ],
        },
    },
]

# The crowd -----------------------------------------------------------------------------------

# Where people reach this server; tells crowds where to send their workers.
PUBLIC_URL = env.address("PUBLIC_URL", f"http://127.0.0.1:{env.text('PORT', '8000')}")
MARKET_FEE = env.share("MARKET_FEE", "0")
MARKET_SIGN_UP = env.choice("MARKET_SIGN_UP", "invitation", ["open", "invitation"])
MARKET_PAYOUT_RULES = env.text(
    "MARKET_PAYOUT_RULES", "Ask them how and when they pay before you start."
)
MARKET_GRACE_SECONDS = env.number("MARKET_GRACE_SECONDS", 30, least=0, most=3600)
MARKET_WEBHOOK_PRIVATE = env.flag("MARKET_WEBHOOK_PRIVATE")
MTURK_ENDPOINT_URL = env.address("MTURK_ENDPOINT_URL", "")
MTURK_SUBMIT_ORIGINS = env.origins("MTURK_SUBMIT_ORIGINS")
PROLIFIC_URL = env.address("PROLIFIC_URL", "https://api.prolific.com/api/v1")
PROLIFIC_TOKEN = env.text("PROLIFIC_TOKEN", "")
PROLIFIC_WEBHOOK_SECRET = env.text("PROLIFIC_WEBHOOK_SECRET", "")
PROLIFIC_FEE = env.share("PROLIFIC_FEE", "0.3333")
COLLECT_SECONDS = env.number("COLLECT_SECONDS", 60, least=1, most=86_400)

# Mail ----------------------------------------------------------------------------------------

# Without a server nothing is mailed; notifications are in the app all the same.
MAIL = env.mail("EMAIL_URL")
EMAIL_HOST = MAIL["EMAIL_HOST"]
EMAIL_PORT = MAIL["EMAIL_PORT"]
EMAIL_HOST_USER = MAIL["EMAIL_HOST_USER"]
EMAIL_HOST_PASSWORD = MAIL["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS = MAIL["EMAIL_USE_TLS"]
EMAIL_USE_SSL = MAIL["EMAIL_USE_SSL"]
EMAIL_BACKEND = "annotation.mail_backend.EmailBackend"
EMAIL_TIMEOUT = 20
EMAIL_SUBJECT_PREFIX = ""
DEFAULT_FROM_EMAIL = env.sender("EMAIL_FROM", needed=bool(EMAIL_HOST))

# Storage -------------------------------------------------------------------------------------

DATABASES = {
    "default": env.database(
        "DATABASE_URL",
        default=f"sqlite:///{DATA_DIR}/giza.sqlite3",
        password=env.password("DATABASE_PASSWORD"),
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES = {"default": env.cache("CACHE_URL")}

FILE_UPLOAD_TEMP_DIR = DATA_DIR / "tmp"
FILE_UPLOAD_HANDLERS = [
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "annotation.uploads.TidyUploadHandler",
]
# Django would open files to other accounts of the machine.
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o700
# A folder of a corpus may be sent as its files; each is streamed to disk, none held in memory.
DATA_UPLOAD_MAX_NUMBER_FILES = 2000
# What a form has besides files. Tasks that were written for MTurk send answers of a few megabytes.
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 2**20
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "frontend" / "static"]
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "deploy.static.StaticStorage"
    },
}
# Under DEBUG, WhiteNoise reads the sources themselves, so that a changed file shows at once.
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG

# People --------------------------------------------------------------------------------------

AUTH_USER_MODEL = "corpora.User"
LOGIN_URL = "corpora:sign_in"
LOGIN_REDIRECT_URL = "corpora:projects"
LOGOUT_REDIRECT_URL = "corpora:sign_in"
# The first only counts, so that every form that signs somebody in is bounded, Django's own too.
AUTHENTICATION_BACKENDS = [
    "annotation.corpora.accounts.sign_in.SignInLimit",
    "django.contrib.auth.backends.ModelBackend",
]
ATTEMPT_LIMITS = {
    "sign_in": {
        "account": env.rate("SIGN_IN_RATE_ACCOUNT", "10/hour"),
        "address": env.rate("SIGN_IN_RATE_ADDRESS", "100/hour"),
    },
    "sign_up": {"address": env.rate("SIGN_UP_RATE", "100/hour")},
    "key": {"account": env.rate("KEY_RATE", "20/hour")},
    "reset": {
        "account": env.rate("SIGN_IN_RATE_ACCOUNT", "10/hour"),
        "address": env.rate("SIGN_IN_RATE_ADDRESS", "100/hour"),
    },
    "code": {"account": env.rate("SIGN_IN_RATE_ACCOUNT", "10/hour")},
}
# A link that sets a new password works once, and for a day.
PASSWORD_RESET_TIMEOUT = 86_400
# What an authenticator app shows beside the codes. Wrong codes are counted by ATTEMPT_LIMITS.
OTP_TOTP_ISSUER = "Giza"
OTP_TOTP_THROTTLE_FACTOR = 0
OTP_STATIC_THROTTLE_FACTOR = 0
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["email", "name"]},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

# A translation is a file below locale/; all pages of a server are in one language.
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGES = env.languages(LOCALE_PATHS[0], ("en-gb", "English"))
LANGUAGE_CODE = env.choice("LANGUAGE_CODE", "en-gb", [code for code, __ in LANGUAGES])
USE_I18N = True
TIME_ZONE = env.time_zone("TIME_ZONE", "UTC")
USE_TZ = True

# Security ------------------------------------------------------------------------------------

SESSION_ENGINE = "annotation.sessions"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = HTTPS
# The health check and our own campaigns come from the machine itself, past the proxy.
SECURE_REDIRECT_EXEMPT = [r"^healthz(/live|/ready)?$", r"^mturk/$"]
HSTS_SECONDS = env.number("HSTS_SECONDS", 365 * 86_400, least=0, most=10 * 365 * 86_400)
SECURE_HSTS_SECONDS = HSTS_SECONDS if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS and env.flag("HSTS_SUBDOMAINS", True)
SECURE_HSTS_PRELOAD = HTTPS and env.flag("HSTS_PRELOAD", True)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DEFAULT_EXCEPTION_REPORTER_FILTER = "deploy.reports.ExceptionFilter"
CSRF_FAILURE_VIEW = "annotation.errors.csrf_failure"

# REST ----------------------------------------------------------------------------------------

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "annotation.corpora.accounts.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PAGINATION_CLASS": "annotation.corpora.pagination.Pagination",
    "PAGE_SIZE": 50,
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "EXCEPTION_HANDLER": "annotation.rest_errors.api_exception_handler",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.AnonRateThrottle",
        "rest_framework.throttling.UserRateThrottle",
    ],
    "NUM_PROXIES": PROXIES,
    "DEFAULT_THROTTLE_RATES": {
        "user": env.rate("API_RATE_USER", "600/minute"),
        "anon": env.rate("API_RATE_ANON", "60/minute"),
    },
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Giza",
    "DESCRIPTION": "Content units, judgements, gold data and rankings of summarisation systems.",
    "VERSION": __version__,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "SWAGGER_UI_DIST": "SIDECAR",
    # Deep links stand within the buttons that open a call, where a screen reader can't reach them.
    "SWAGGER_UI_SETTINGS": {"deepLinking": False, "tagsSorter": "alpha"},
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "ENUM_NAME_OVERRIDES": {
        "ImportStateEnum": "annotation.corpora.models.ImportState",
        "JobStateEnum": "annotation.corpora.models.JobState",
        "NotificationKindEnum": "annotation.corpora.models.NotificationKind",
        "MetricEnum": "scoring.metrics.METRICS",
    },
}

# Background work -----------------------------------------------------------------------------

CELERY_BROKER_URL = env.broker("CELERY_BROKER_URL")
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    {
        "data_folder_in": str(DATA_DIR / "broker" / "messages"),
        "data_folder_out": str(DATA_DIR / "broker" / "messages"),
        "control_folder": str(DATA_DIR / "broker" / "control"),
    }
    if CELERY_BROKER_URL.startswith("filesystem")
    else env.REDIS_OPTIONS
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A worker waits for its broker for as long as it takes.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A job whose worker was lost is found by its lapsed lease, so the broker need not send it again.
CELERY_TASK_REJECT_ON_WORKER_LOST = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Nobody asks a worker anything but to stop, and a signal does that.
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_SEND_TASK_EVENTS = False

# Logs ----------------------------------------------------------------------------------------

LOG_LEVEL = env.choice("LOG_LEVEL", "INFO", ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"])
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "filters": {
        "refused": {"()": "deploy.logs.RefusedRequests"},
        "reference": {"()": "annotation.references.AddReference"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["refused"],
        }
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django": {"handlers": ["console"], "level": LOG_LEVEL, "propagate": False},
        # The page of an error names a number, and so does its line.
        "django.request": {"filters": ["reference"]},
        # Gunicorn gives it its own handlers.
        "uvicorn.error": {"handlers": [], "filters": ["refused"], "propagate": False},
        # Two lines a message: what becomes of a job stands on its page.
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
    },
}
