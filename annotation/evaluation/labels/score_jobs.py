"""Scores of many labels by another method than the usual one: computed by a job, and stored.

- Every way to vote on the same answers, side by side: models are fitted, so a job does it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign
from annotation.errors import DomainError
from annotation.evaluation.labels.answers import get_judged_campaigns
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.labels.outcome import get_outcome
from annotation.evaluation.labels.scores import METHODS, find_scores, keep_scores
from annotation.evaluation.labels.votes import VOTES_KIND, VoteRow, describe_ask, measure_vote
from scoring.aggregation import VOTES, Recipe

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


def compare_votes(
    *, project: Project, user: User | None, campaigns: Sequence[Campaign], recipe: Recipe
) -> Job:
    """Start to fit every vote to what the recipe's filters leave."""
    return create_job(
        project=project,
        user=user,
        kind=VOTES_KIND,
        title=_("Compare aggregation methods"),
        params=describe_ask(project, campaigns, recipe),
    )


def run_compare(work: Work) -> dict[str, Any]:
    """A vote a step: what a killed worker had fitted stays."""
    params = work.job.params
    campaigns = get_judged_campaigns(work.job.project, params["campaigns"])
    recipe = Recipe.from_json(params["recipe"])
    outcome = get_outcome(work.job.project, campaigns[0].unit_set, campaigns, recipe)
    rows: list[dict[str, Any]] = work.cursor.get("rows", [])
    majority = measure_vote(outcome, VOTES[0], None)
    for name in VOTES[len(rows) :]:
        work.report(len(rows), len(VOTES), phase=_("Fitting {name}").format(name=name))
        row: VoteRow = measure_vote(outcome, name, majority.present_labels)
        with work.step():
            rows = [*rows, asdict(row.figures)]
            work.cursor = {"rows": rows}
            work.done = len(rows)
    return {"systems": list(outcome.collected.answers.system_keys), "rows": rows}


KINDS[VOTES_KIND] = JobKind(run_compare)
