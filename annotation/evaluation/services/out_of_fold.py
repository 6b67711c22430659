"""Runs by judges that did not see a text: where a judge meets texts that it was trained on.

A judge that was trained here has the models of its folds, or is trained again to have them. A
built-in judge is trained again on people's labels of this project. Training is a job that starts
the run when it is done.
"""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from annotation.corpora.models import User
from annotation.corpora.services.jobs import KINDS, JobKind, Work
from annotation.errors import DomainError
from annotation.evaluation.judges import FOLDS_SUFFIX, LIGHT, find_trained, has_folds
from annotation.evaluation.models import FoldsBy, JudgeRun, LabelSet, TrainedJudge
from annotation.evaluation.selectors.learned import can_hold_out
from annotation.evaluation.selectors.trained import list_ready_labels, read_records
from annotation.evaluation.services.runs import start_run
from annotation.evaluation.services.training import (
    FOLDS,
    FOLDS_KIND,
    remove_unfinished,
    run_training,
    train_judge,
)
from annotation.translation import gettext as _


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
