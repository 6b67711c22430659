"""Runs of a judge: begun once everything is checked, paused, resumed, cancelled, deleted.

- Runs by judges that did not see a text: where a judge meets texts that it was trained on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.jobs import pausing
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, Invalid
from annotation.evaluation.judges.models import FoldsBy, TrainedJudge
from annotation.evaluation.judges.offered import (
    FOLDS_SUFFIX,
    LIGHT,
    JudgeChoice,
    find_trained,
    has_folds,
    read_options,
    resolve_judge,
)
from annotation.evaluation.judges.queries import can_hold_out, list_ready_labels, read_records
from annotation.evaluation.judges.service import (
    FOLDS,
    FOLDS_KIND,
    remove_unfinished,
    run_training,
    train_judge,
)
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.runs.models import EmptySummaries, JudgeRun, RunChunk
from annotation.evaluation.runs.queries import Survey, survey_texts
from annotation.removal import remove_rows
from annotation.units.sets.models import UnitSet
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
    pausing.pause_job(job=_job(run))


def resume_run(*, run: JudgeRun) -> None:
    pausing.resume_job(job=_job(run))


def cancel_run(*, run: JudgeRun) -> None:
    """What was judged stays stored, so a run of the same texts has it for nothing."""
    jobs_service.cancel_job(job=_job(run))


def retry_run(*, run: JudgeRun) -> None:
    """Go on with the chunks that are not done."""
    jobs_service.retry_job(job=_job(run))


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


def start_out_of_fold_run(*, run: JudgeRun, user: User | None) -> JudgeRun | TrainedJudge:
    """The same run by models that were trained without the text at hand, or their training."""
    if not can_hold_out(run):
        raise DomainError(
            _("{judge} can't be retrained here with some of its texts held out.").format(
                judge=run.judge
            ),
            _("Start a run with a judge that was not trained on these texts, such as anli."),
        )
    trained = find_trained(run.project, run.judge)
    if trained is None or not has_folds(trained):
        lessons = _choose_lessons(run, trained)
        trained = _find_folds(run, lessons) or _train(run, user, lessons)
    return _start(run, trained, user) if trained.is_ready else trained


def _choose_lessons(run: JudgeRun, trained: TrainedJudge | None) -> dict[str, Any]:
    """What is trained again, as `train_judge` takes it."""
    if trained is not None:
        said = {name: getattr(trained, name) for name in ("label_set", "gold", "folds_by", "folds")}
        return said | {
            "project": run.project,
            "name": f"{trained.name}-folds",
            "base": trained.base,
            "options": trained.options,
        }
    labels = _choose_labels(run)
    return {
        "project": run.project,
        "name": f"{run.judge}-folds",
        "base": run.judge,
        "label_set": labels,
        "folds_by": FoldsBy.EXAMPLES,
        "folds": 0,
    }


def _choose_labels(run: JudgeRun) -> LabelSet:
    """The newest of the run's own units, or of any other units of the project."""
    rows = list_ready_labels(run.project)
    found = rows.filter(unit_set=run.unit_set).first() or rows.first()
    if found is None:
        raise DomainError(
            _("There are no labels to retrain {judge} with a fold held out.").format(
                judge=run.judge
            ),
            _(
                "Import human labels of these texts, or start a run with a judge that was not "
                "trained on them, such as anli."
            ),
            fix=reverse("evaluation:import_labels", args=[run.project.slug]),
        )
    return found


def _find_folds(run: JudgeRun, lessons: dict[str, Any]) -> TrainedJudge | None:
    """One that was trained on the same before, or is being trained for this run."""
    same = {name: lessons.get(name) for name in ("project", "name", "base", "label_set", "gold")}
    for row in TrainedJudge.objects.filter(**same).select_related("job").order_by("-version"):
        if row.is_ready and has_folds(row):
            return row
        if row.is_moving and row.job is not None:
            if row.job.params.get("run") == run.pk:
                return row
            raise DomainError(
                _("{row} is being trained for another run.").format(row=row),
                _("Wait until it has finished."),
                fix=row,
            )
    return None


def _train(run: JudgeRun, user: User | None, lessons: dict[str, Any]) -> TrainedJudge:
    records = read_records(lessons["label_set"], lessons.get("gold"))
    most = len({record.document for record in records})
    folds = lessons["folds"] or min(FOLDS, most)
    said = lessons | {"folds": folds}
    return train_judge(user=user, then_run=run, **said)


def _start(run: JudgeRun, trained: TrainedJudge, user: User | None) -> JudgeRun:
    """A new run, unless there is the same."""
    judge = f"{trained}{FOLDS_SUFFIX}"
    same = JudgeRun.objects.filter(
        project=run.project, unit_set=run.unit_set, judge=judge, data_hash=run.data_hash
    )
    for earlier in same.select_related("job", "unit_set", "project"):
        if earlier.is_ready or earlier.is_moving:
            return earlier
    return start_run(
        project=run.project,
        user=user,
        unit_set=run.unit_set,
        judge=judge,
        function=run.function if run.judge in LIGHT else "",
        systems=run.systems,
        empty=run.empty,
        options=run.options,
        note=_("Out-of-fold version of run {run}").format(run=run.pk),
    )


def run_folds(work: Work) -> dict[str, Any]:
    """Train, then start the run that the training was for, if that was not deleted."""
    found = run_training(work)
    rows = JudgeRun.objects.select_related("project", "unit_set", "created_by")
    run = rows.filter(pk=work.job.params["run"]).first()
    if run is None:
        return found
    trained = TrainedJudge.objects.get(pk=found["judge"])
    return found | {"run": _start(run, trained, trained.created_by).pk}


KINDS[FOLDS_KIND] = JobKind(run_folds, undo=remove_unfinished, is_long=True)
