"""Curves of mixed units: checked first, then drawn by a job; killed, it draws them anew."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

import scoring
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, Invalid
from annotation.evaluation.judges.queries import list_learned
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.labels.wording import defined
from annotation.evaluation.planning.models import CurveRun
from annotation.evaluation.planning.studies import (
    ProjectStudy,
    StudySource,
    choose_source,
    list_orders,
    read_study,
)
from annotation.removal import remove_rows
from annotation.units.plans.queries import get_plan_counts
from annotation.units.sets.models import UnitSet
from scoring.planning.curves import BOOTSTRAP, SEEDS
from scoring.planning.curves import draw_curves as draw

KIND = "draw_curves"
STEPS = (5, 10, 20, 25, 50)
STEP = 10
LEAST_SEEDS, MOST_SEEDS = 20, 200
MOST_BOOTSTRAP = 5000
MOST_SEED = 2**32 - 1


def draw_curves(
    *,
    project: Project,
    user: User | None,
    label_set: LabelSet,
    stus: UnitSet,
    judge: str = "",
    step: int = STEP,
    seeds: int = SEEDS,
    bootstrap: int = BOOTSTRAP,
    seed: int = 0,
) -> CurveRun:
    """Begin to draw, once it is sure that there is something to draw from."""
    options = check_options(step=step, seeds=seeds, bootstrap=bootstrap, seed=seed)
    source = _check_source(project, label_set, stus, judge)
    with transaction.atomic():
        made = CurveRun.objects.create(
            project=project,
            label_set=source.label_set,
            stus=source.stus,
            scu_run=source.scu_run,
            stu_run=source.stu_run,
            judge=source.judge,
            sources=_name(source),
            options=options,
            created_by=user,
        )
        made.job = create_job(
            project=project,
            user=user,
            kind=KIND,
            title=_("Compute {made}").format(made=made),
            params={"curves": made.pk},
        )
        made.save(update_fields=["job"])
        record_activity(
            project=project,
            actor=user,
            verb=Verb.START,
            target=made,
            text=_("started {made}").format(made=made)[:300],
        )
    return made


def check_options(*, step: int, seeds: int, bootstrap: int, seed: int) -> dict[str, int]:
    if step not in STEPS:
        raise Invalid(
            _("step: {step} is not one of {map}.").format(step=step, map=", ".join(map(str, STEPS)))
        )
    for name, value, least, most in (
        ("seeds", seeds, LEAST_SEEDS, MOST_SEEDS),
        ("bootstrap", bootstrap, 1, MOST_BOOTSTRAP),
        ("seed", seed, 0, MOST_SEED),
    ):
        if not least <= value <= most:
            raise Invalid(
                _("{name}: expected {least} to {most:,}, not {value}.").format(
                    name=name, least=least, most=most, value=value
                )
            )
    return {"step": step, "seeds": seeds, "bootstrap": bootstrap, "seed": seed}


def _check_source(project: Project, label_set: LabelSet, stus: UnitSet, judge: str) -> StudySource:
    if not label_set.is_ready:
        raise DomainError(
            _("{label_set} is still being created.").format(label_set=label_set),
            _("Wait for its job to finish."),
            fix=label_set,
        )
    if not stus.is_frozen:
        raise DomainError(
            _("{stus} is not frozen.").format(stus=stus),
            _("Freeze the STUs first, or choose a frozen set."),
        )
    if stus.project_id != project.pk or label_set.project_id != project.pk:
        raise DomainError(_("Labels and STUs belong to different projects."))
    source = choose_source(label_set, stus, judge)
    read_study(source)
    return source


def _name(source: StudySource) -> dict[str, Any]:
    runs = (source.scu_run, source.stu_run)
    return {
        "labels": str(source.label_set),
        "scus": str(source.label_set.unit_set),
        "stus": str(source.stus),
        "runs": [run.pk for run in runs if run is not None],
        "hashes": [
            source.label_set.content_hash,
            source.stus.content_hash,
            *(run.content_hash for run in runs if run is not None),
        ],
        "regressor": get_plan_counts(source.stus)["model"],
        "learned": list_learned(runs),
    }


def run_curves(work: Work) -> dict[str, Any]:
    """Read, draw, keep; nothing is kept before all is drawn."""
    curves = CurveRun.objects.select_related(
        "label_set__unit_set__project", "label_set__project", "stus", "scu_run", "stu_run"
    ).get(pk=work.job.params["curves"])
    if not curves.is_ready:
        found = _draw(curves, work)
        with work.step():
            _finish(curves, found)
    return {"curves": curves.pk, "examples": curves.found["documents"]}


def _draw(curves: CurveRun, work: Work) -> dict[str, Any]:
    if curves.label_set is None or len(curves.sources["runs"]) != _count_runs(curves):
        raise DomainError(
            _("The labels or units of these curves have been deleted."), _("Create new curves.")
        )
    work.report(0, 2, phase=_("Reading labels and units"))
    source = StudySource(curves.label_set, curves.stus, curves.scu_run, curves.stu_run)
    read = read_study(source)
    work.report(1, phase=_("Computing curves and resampling examples"))
    return _told(curves, read)


def _told(curves: CurveRun, read: ProjectStudy) -> dict[str, Any]:
    said = curves.options
    found = draw(
        read.study,
        list_orders(read, curves.stus),
        percentages=range(0, 101, said["step"]),
        seeds=said["seeds"],
        bootstrap=said["bootstrap"],
        seed=said["seed"],
    )
    told: dict[str, Any] = defined(found.to_json())
    return told | {"left_out": read.left_out, "system_names": list(read.study.systems)}


def _count_runs(curves: CurveRun) -> int:
    return sum(run is not None for run in (curves.scu_run, curves.stu_run))


def _finish(curves: CurveRun, found: dict[str, Any]) -> None:
    curves.found = found
    curves.signature = _sign(curves)
    curves.is_ready = True
    curves.save(update_fields=["found", "signature", "is_ready"])
    record_activity(
        project=curves.project,
        actor=curves.created_by,
        verb=Verb.FINISH,
        target=curves,
        text=_("drew {curves}").format(curves=curves)[:300],
    )


def _sign(curves: CurveRun) -> str:
    """What the figures follow from."""
    said, hashes = curves.options, curves.sources["hashes"]
    parts = [
        "curves",
        f"judge:{curves.judge}",
        f"data:{'+'.join(each[:12] for each in hashes)}",
        *(f"{name}:{value}" for name, value in said.items()),
        f"giza:{scoring.__version__}",
    ]
    return "|".join(parts)[:500]


def delete_curves(*, curves: CurveRun, user: User | None) -> None:
    if curves.job is not None and not curves.job.is_over:
        raise DomainError(
            _("{curves} are still being computed.").format(curves=curves),
            _("Cancel their job first."),
            fix=curves,
        )
    with transaction.atomic():
        text = _("deleted {curves}").format(curves=curves)[:300]
        record_activity(
            project=curves.project, actor=user, verb=Verb.DELETE, target=curves, text=text
        )
        remove_rows(CurveRun.objects.filter(pk=curves.pk))


def remove_unfinished(job: Job) -> None:
    CurveRun.objects.filter(pk=job.params["curves"], is_ready=False).delete()


KINDS[KIND] = JobKind(run_curves, undo=remove_unfinished, is_long=True)
