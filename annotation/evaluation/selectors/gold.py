"""Gold versions of a project."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.corpora.models import Project
from annotation.errors import DomainError, NotFound
from annotation.evaluation.models import GoldVersion


def list_gold(project: Project) -> QuerySet[GoldVersion]:
    """The newest first."""
    rows = GoldVersion.objects.filter(project=project)
    return rows.select_related("project", "label_set__unit_set", "job")


def get_gold(project: Project, pk: int) -> GoldVersion:
    found = list_gold(project).filter(pk=pk).first()
    if found is None:
        raise NotFound(f"The project has no gold version {pk}.")
    return found


def get_ready_gold(project: Project, pk: int) -> GoldVersion:
    """The one named, once its file is there."""
    found = get_gold(project, pk)
    if not found.is_ready:
        raise DomainError(f"{found} is still being made.", "Wait for its job.")
    return found
