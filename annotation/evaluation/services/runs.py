"""Runs of a judge: begun once everything is checked, paused, resumed, cancelled, deleted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from annotation.corpora import services as corpora
from annotation.corpora.models import Job, Project, User, Verb
from annotation.corpora.services.activity import record_activity
from annotation.corpora.services.jobs import create_job
from annotation.errors import DomainError, Invalid
from annotation.evaluation.judges import JudgeChoice, read_options, resolve_judge
from annotation.evaluation.models import EmptySummaries, JudgeRun, RunChunk
from annotation.evaluation.selectors.run_plan import Survey, survey_texts
from annotation.removal import remove_rows
from annotation.translation import gettext as _
from annotation.units.models import UnitSet
from scoring.judge import FUNCTIONS

KIND = "judge_summaries"
CHUNK_SIZE = 20
MOST_CHUNKS = 5000


def start_run(
    *,
    project: Project,
    user: User | None,
    unit_set: UnitSet,
    judge: str,
    function: str = "",
    systems: Sequence[str] = (),
    empty: str = EmptySummaries.REFUSE,
    options: Mapping[str, Any] | None = None,
    chunk_size: int = CHUNK_SIZE,
    note: str = "",
) -> JudgeRun:
    """Check everything that can be checked without loading the judge; then begin, or not at all."""
    choice = resolve_judge(project, judge)
    check_offered(choice, function)
    chosen = read_options(options or {})
    _check_way(empty, chunk_size)
    survey = survey_texts(project, unit_set, systems, empty)
    run = JudgeRun(
        project=project,
        unit_set=unit_set,
        judge=choice.name,
        options=chosen,
        function=function,
        systems=sorted(set(systems)),
        empty=empty,
        chunk_size=chunk_size,
        counts=survey.counts(),
        data_hash=survey.data_hash,
        note=note.strip()[:300],
        created_by=user,
    )
    _begin(run, survey)
    return run


def _begin(run: JudgeRun, survey: Survey) -> None:
    project, user = run.project, run.created_by
    with transaction.atomic():
        run.save()
        _cut(run, survey)
        run.job = create_job(
            project=project, user=user, kind=KIND, title=str(run), params={"run": run.pk}
        )
        run.save(update_fields=["job"])
        text = _("started {run}").format(run=run)
        record_activity(project=project, actor=user, verb=Verb.START, target=run, text=text)


def _check_way(empty: str, chunk_size: int) -> None:
    if empty not in EmptySummaries.values:
        raise Invalid(
            _("empty: '{empty}' is not one of {values}.").format(
                empty=empty, values=", ".join(EmptySummaries.values)
            )
        )
    if chunk_size < 1:
        raise Invalid(_("chunk_size: expected at least 1."))


def check_offered(choice: JudgeChoice, function: str) -> None:
    """As far as it is known before the judge is loaded."""
    if function and function not in FUNCTIONS:
        raise Invalid(
            _("function: there is no function '{function}'.").format(function=function[:40]),
            _("Use one of {functions}.").format(functions=", ".join(FUNCTIONS)),
        )
    if function and function not in choice.functions:
        raise DomainError(
            _("function: {choice} has two classes and doesn't support {function}.").format(
                choice=choice.name, function=function
            ),
            _("Use {functions}.").format(functions=" or ".join(choice.functions)),
        )


def _cut(run: JudgeRun, survey: Survey) -> None:
    size = max(run.chunk_size, math.ceil(len(survey.summaries) / MOST_CHUNKS))
    RunChunk.objects.bulk_create(
        RunChunk(
            run=run,
            position=start // size,
            summaries=[pk for pk, __ in part],
            pairs=sum(pairs for __, pairs in part),
        )
        for start in range(0, len(survey.summaries), size)
        if (part := survey.summaries[start : start + size])
    )


def pause_run(*, run: JudgeRun) -> None:
    """Workers finish the chunk in hand and rest."""
    corpora.pause_job(job=_job(run))


def resume_run(*, run: JudgeRun) -> None:
    corpora.resume_job(job=_job(run))


def cancel_run(*, run: JudgeRun) -> None:
    """What was judged stays stored, so a run of the same texts has it for nothing."""
    corpora.cancel_job(job=_job(run))


def retry_run(*, run: JudgeRun) -> None:
    """Go on with the chunks that are not done."""
    corpora.retry_job(job=_job(run))


def delete_run(*, run: JudgeRun, user: User | None) -> None:
    """Its results go; what the judge said stays stored for other runs."""
    if run.job is not None and not run.job.is_over:
        raise DomainError(
            _("{run} has not finished.").format(run=run), _("Cancel it first."), fix=run
        )
    text = _("deleted {run}").format(run=run)
    with transaction.atomic():
        record_activity(project=run.project, actor=user, verb=Verb.DELETE, target=run, text=text)
        remove_rows(JudgeRun.objects.filter(pk=run.pk))


def _job(run: JudgeRun) -> Job:
    if run.job is None:
        raise DomainError(_("{run} has no job.").format(run=run), _("Start a new run."))
    return run.job
