"""The Celery app. What is to be done lives in the jobs table; messages only say "look now"."""

from __future__ import annotations

import importlib
import os
import warnings

import django
from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import (
    celeryd_init,
    task_postrun,
    worker_process_init,
    worker_ready,
    worker_shutdown,
)
from django.conf import settings

from deploy import broker
from deploy.env import exit_with_sentence
from deploy.memory import give_back_after, loading
from deploy.private import keep_private
from deploy.probe import leave_ready_note, ready_note

keep_private()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
with exit_with_sentence():
    importlib.import_module(os.environ["DJANGO_SETTINGS_MODULE"])

# Celery warns those who run it as root of messages that execute what they hold. Ours are JSON.
warnings.filterwarnings("ignore", category=SecurityWarning)
broker.register()
app = Celery("giza")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
give_back_after(task_postrun)


@celeryd_init.connect
def load(**_: object) -> None:
    """Before Celery does: its processes are forked from what is loaded here."""
    with loading():
        django.setup()


@worker_process_init.connect
def give_way(**_: object) -> None:
    """Whoever waits at a page comes before a job on the same machine."""
    os.nice(settings.JOB_NICENESS)


@worker_ready.connect
def note_ready(**_: object) -> None:
    """Leave the note that the supervisor and the container's health check look for."""
    leave_ready_note()


@worker_shutdown.connect
def drop_note(**_: object) -> None:
    ready_note(os.getpid()).unlink(missing_ok=True)
