"""Ways to vote on the same answers: what each would give, and which take too long to wait for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.corpora.models import Job, JobState, Project
from annotation.crowd.models import Campaign
from annotation.crowd.selectors.stamps import get_answer_stamp
from annotation.errors import DomainError
from annotation.evaluation.selectors.answers import (
    MOST_ASSIGNMENTS,
    get_collected,
    has_many,
    list_adjudications,
    list_decisions,
)
from annotation.evaluation.selectors.whatif import Outcome, score_systems
from annotation.memory import Memory
from annotation.translation import gettext as _
from scoring.aggregation import VOTES, Recipe, vote

VOTES_KIND = "compare_votes"
# Answers that a vote is fitted to while somebody waits: about a second's work. GLAD took 28 s for
# 4,878 answers, MACE 4 s for 81,581.
MOST_AT_ONCE: dict[str, int | None] = {
    "majority": None,
    "wawa": 200_000,
    "dawid-skene": 100_000,
    "mace": 20_000,
    "glad": 500,
}


# A job is found by the hash of the answers that it compared.
_hashes: Memory[str] = Memory(16)


@dataclass(frozen=True, slots=True)
class VoteFigures:
    """Labels of one vote beside the majority's, from the same answers."""

    vote: str
    changed: int
    present: int
    posterior: float | None
    certainty: float | None
    scores: list[float | None]


@dataclass(frozen=True, slots=True)
class VoteRow:
    figures: VoteFigures
    present_labels: NDArray[np.int8]


def measure_vote(outcome: Outcome, name: str, majority: NDArray[np.int8] | None) -> VoteRow:
    """One vote on what the outcome's filters have left; experts' words stand."""
    answers, recipe = outcome.collected.answers, outcome.aggregate.recipe
    labels = vote(answers, outcome.aggregate.kept, rule=name, tie=recipe.tie, seed=recipe.seed)
    present = np.where(outcome.expert, outcome.present, labels.present)
    scores = score_systems(replace(outcome, present=present))
    known = labels.posterior[~np.isnan(labels.posterior)]
    changed = 0 if majority is None else int(np.count_nonzero(present != majority))
    figures = VoteFigures(
        vote=name,
        changed=changed,
        present=int((present == 1).sum()),
        posterior=float(known.mean()) if len(known) else None,
        certainty=float(np.maximum(known, 1 - known).mean()) if len(known) else None,
        scores=[None if np.isnan(score) else float(score) for score in scores],
    )
    return VoteRow(figures, present)


def _hash_answers(campaigns: Sequence[Campaign]) -> str:
    return get_collected(campaigns).answers.content_hash()


def describe_ask(project: Project, campaigns: Sequence[Campaign], recipe: Recipe) -> dict[str, Any]:
    """What a comparison is of: the same answers, and the same words of people about them."""
    plain = replace(recipe, vote=VOTES[0])
    return {
        "campaigns": sorted(campaign.pk for campaign in campaigns),
        "recipe": plain.to_json(),
        "answers": _hashes.get(get_answer_stamp(campaigns), partial(_hash_answers, campaigns)),
        "words": [
            sorted(list_decisions(project).values_list("pk", flat=True)),
            sorted(list_adjudications(campaigns[0].unit_set).values_list("pk", flat=True)),
        ],
    }


def find_comparison(project: Project, campaigns: Sequence[Campaign], recipe: Recipe) -> Job | None:
    """The newest job for just this, be it done or on its way."""
    states = [JobState.QUEUED, JobState.RUNNING, JobState.DONE, JobState.FAILED]
    rows = Job.objects.filter(project=project, kind=VOTES_KIND, state__in=states)
    jobs = list(rows.order_by("-pk")[:50])
    asked = describe_ask(project, campaigns, recipe) if jobs else {}
    return next((job for job in jobs if job.params == asked), None)


def is_slow(campaigns: Sequence[Campaign], recipe: Recipe) -> bool:
    """Whether nobody should wait; where there is too much to read, nothing is read to find out."""
    if has_many(campaigns):
        return True
    most = MOST_AT_ONCE[recipe.vote]
    return most is not None and len(get_collected(campaigns).answers) > most


def refuse_if_slow(campaigns: Sequence[Campaign], recipe: Recipe) -> None:
    """Nobody waits minutes for a page: what takes so long is a job's work."""
    if has_many(campaigns):
        raise DomainError(
            _("With more than {most_assignments:,} assignments, a preview takes too long.").format(
                most_assignments=MOST_ASSIGNMENTS
            ),
            _("Save the labels. A job creates them, and their page shows the result."),
        )
    if is_slow(campaigns, recipe):
        number = len(get_collected(campaigns).answers)
        raise DomainError(
            _("Fitting {vote} to {number:,} answers takes too long for a preview.").format(
                vote=recipe.vote, number=number
            ),
            _("Save the labels, or compare methods. Both run as a job."),
        )
