"""Every way to vote on the same answers, side by side: models are fitted, so a job does it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from annotation.corpora.models import Job, Project, User
from annotation.corpora.services.jobs import KINDS, JobKind, Work, create_job
from annotation.crowd.models import Campaign
from annotation.evaluation.selectors.answers import get_judged_campaigns
from annotation.evaluation.selectors.votes import VOTES_KIND, VoteRow, describe_ask, measure_vote
from annotation.evaluation.selectors.whatif import get_outcome
from annotation.translation import gettext as _
from scoring.aggregation import VOTES, Recipe


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
