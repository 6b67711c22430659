"""Which project a command was told to work on, by `--project`."""

from __future__ import annotations

from django.core.management.base import CommandError

from annotation.corpora.models import Project


def find_project(slug: str) -> Project:
    found = Project.objects.filter(slug=slug).first()
    if found is None:
        raise CommandError(f"There is no project '{slug}'.")
    return found
