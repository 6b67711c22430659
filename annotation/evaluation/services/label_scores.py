"""Scores of many labels by another method than the usual one: computed by a job, and stored."""

from __future__ import annotations

from typing import Any

from annotation.corpora.models import Job, JobState, Project, User
from annotation.corpora.services.jobs import KINDS, JobKind, Work, create_job
from annotation.errors import DomainError
from annotation.evaluation.models import LabelSet
from annotation.evaluation.selectors.scores import METHODS, find_scores, keep_scores
from annotation.translation import gettext as _

KIND = "compute_scores"


def compute_scores(
    *,
    label_set: LabelSet,
    user: User | None,
    method: str = "exhaustive",
    sample: int | None = None,
    seed: int = 0,
) -> Job | None:
    """The job that computes them; none where they are there. Asking twice begins it once."""
    if (sample is None) == (method == "lite") or method not in METHODS:
        raise DomainError(
            _("A sample size is needed for lite, and only for lite."),
            _("Give the method lite and a sample size, or neither."),
        )
    if find_scores(label_set, method=method, sample=sample, seed=seed):
        return None
    params = {"label_set": label_set.pk, "method": method, "sample": sample, "seed": seed}
    return find_scores_job(label_set.project, params) or create_job(
        project=label_set.project,
        user=user,
        kind=KIND,
        title=_("Compute scores of {label_set}").format(label_set=label_set),
        params=params,
    )


def find_scores_job(project: Project, params: dict[str, Any]) -> Job | None:
    """One that is still to compute these."""
    states = [JobState.QUEUED, JobState.RUNNING]
    rows = Job.objects.filter(project=project, kind=KIND, state__in=states)
    return next((job for job in rows.order_by("-pk")[:50] if job.params == params), None)


def run_compute(work: Work) -> dict[str, Any]:
    """Nothing is stored before all is computed; a killed job begins again."""
    params = dict(work.job.params)
    label_set = LabelSet.objects.select_related("unit_set").get(pk=params.pop("label_set"))
    work.report(0, 1, phase=_("Resampling examples"))
    found = keep_scores(label_set, **params)
    with work.step():
        work.done = 1
    return {"label_set": label_set.pk, "systems": len(found.rows)}


KINDS[KIND] = JobKind(run_compute)
