"""Texts that were sent to be scored, and what came of it."""

from __future__ import annotations

from annotation.corpora.models import Job, Project
from annotation.errors import NotFound
from annotation.evaluation.services.text_scores import KIND
from annotation.translation import gettext as _


def get_text_scores(project: Project, pk: int) -> Job:
    found = Job.objects.filter(project=project, kind=KIND, pk=pk).first()
    if found is None:
        raise NotFound(_("These scores don’t exist."), _("Scores are stored for one day."))
    return found
