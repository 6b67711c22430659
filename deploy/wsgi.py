"""The application that a WSGI server loads."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

from deploy.env import exit_with_sentence

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
with exit_with_sentence():
    application = get_wsgi_application()
