"""Names that people give to metrics and runs, used wherever these are shown."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, Invalid
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.metrics.sources import (
    PEOPLE,
    ScoreSource,
    get_score_source,
    list_score_sources,
)
from annotation.evaluation.runs.models import LONGEST_DISPLAY_NAME, JudgeRun


def name_source(*, project: Project, user: User | None, key: str, name: str) -> ScoreSource:
    """Give a metric or a run a display name; an empty one takes it away again."""
    source = get_score_source(project, key)
    wanted = " ".join(name.split())
    if source.kind == PEOPLE:
        raise DomainError(_("Labels can’t be renamed."), _("Rename a metric or a run."))
    if len(wanted) > LONGEST_DISPLAY_NAME:
        raise Invalid(
            _("name: {wanted} characters. Use at most {longest_display_name}.").format(
                wanted=len(wanted), longest_display_name=LONGEST_DISPLAY_NAME
            )
        )
    others = [row for row in list_score_sources(project) if row.key != key]
    if wanted and wanted in {name for row in others for name in (row.name, row.title)}:
        raise DomainError(
            _("Other scores already have the name ‘{wanted}’.").format(wanted=wanted),
            _("Choose another name."),
        )
    with transaction.atomic():
        target = _rename(project, key, wanted)
        text = (
            _("renamed {source} to {wanted}").format(source=source.title, wanted=wanted)
            if wanted
            else _("reset the name of {source}").format(source=source.title)
        )
        record_activity(
            project=project, actor=user, verb=Verb.CHANGE, target=target, text=text[:300]
        )
    return get_score_source(project, key)


def _rename(project: Project, key: str, name: str) -> JudgeRun | ScoreSet:
    kind, number, *column = key.split(":", 2)
    if kind == "run":
        run = JudgeRun.objects.select_for_update(of=("self",)).get(project=project, pk=number)
        run.display_name = name
        run.save(update_fields=["display_name"])
        return run
    score_set = ScoreSet.objects.select_for_update(of=("self",)).get(project=project, pk=number)
    score_set.display_names.pop(column[0], None)
    score_set.display_names |= {column[0]: name} if name else {}
    score_set.save(update_fields=["display_names"])
    return score_set
