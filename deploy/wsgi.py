"""The application that a WSGI server loads, with all that it needs to answer."""

from __future__ import annotations

import importlib
import os

from django.conf import settings
from django.core.signals import request_finished
from django.core.wsgi import get_wsgi_application

from annotation.model_guard import forbid_models
from deploy.env import exit_with_sentence
from deploy.memory import give_back_after, loading
from deploy.private import keep_private

keep_private()
forbid_models()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
with exit_with_sentence(), loading():
    application = get_wsgi_application()
    # Django would wait with these for the first call, and each process would load them itself.
    importlib.import_module(settings.ROOT_URLCONF)
give_back_after(request_finished)
