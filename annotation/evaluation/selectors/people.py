"""Workers and their work, as decisions name them."""

from __future__ import annotations

from annotation.corpora.models import Project
from annotation.crowd.models import Assignment, Worker
from annotation.errors import NotFound
from annotation.translation import gettext as _


def get_worker(project: Project, pk: int) -> Worker:
    found = Worker.objects.filter(project=project, pk=pk).first()
    if found is None:
        raise NotFound(_("The project has no worker {pk}.").format(pk=pk))
    return found


def get_assignment(project: Project, pk: int) -> Assignment:
    rows = Assignment.objects.filter(campaign__project=project, pk=pk)
    found = rows.select_related("worker").first()
    if found is None:
        raise NotFound(_("The project has no assignment {pk}.").format(pk=pk))
    return found
