#!/usr/bin/env python3
"""Giza's commands: `python manage.py help` lists them."""

from __future__ import annotations

import importlib
import os
import sys

import django
from django.core.management import BaseCommand

from deploy import embedded
from deploy.env import exit_with_sentence
from deploy.manager import Manager
from deploy.memory import loading
from deploy.private import keep_private


def main() -> None:
    keep_private()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    with exit_with_sentence():
        # Without a secret of its own, a command works on what `make run` serves.
        if not os.environ.get("SECRET_KEY"):
            embedded.fill_environment()
        # Loaded here because Django postpones a fault in the settings, and then shows a traceback.
        importlib.import_module(os.environ["DJANGO_SETTINGS_MODULE"])
        # Django would check the code before each command, which loads every page for one that has
        # none; `manage.py check` is there for that.
        BaseCommand.requires_system_checks = []
        with loading():
            django.setup()
        Manager(sys.argv).execute()


if __name__ == "__main__":
    main()
