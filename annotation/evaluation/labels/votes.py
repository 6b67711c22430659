"""Ways to vote on the same answers: what each would give, and which take too long to wait for.

- What other numbers of people a HIT would give, from the answers at hand.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from annotation.computed import Computed
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.campaigns.sums import get_answer_stamp
from annotation.errors import DomainError
from annotation.evaluation.labels.answers import (
    MOST_ASSIGNMENTS,
    get_collected,
    has_many,
    list_adjudications,
    list_decisions,
)
from annotation.evaluation.labels.outcome import Outcome, score_systems
from annotation.memory import Memory
from scoring.aggregation import VOTES, Recipe, vote
from scoring.aggregation.simulation import Outlook, outlook

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


MOST = 6
ROUNDS = 40
OUTLOOKS = Computed("judges", list[Outlook], 86_400)


@dataclass(frozen=True, slots=True)
class CrowdSizes:
    """Outlooks for one judge and more, and how many a statement has had so far."""

    rows: list[Outlook]
    usual: float
    most: int

    def row(self, judges: int) -> Outlook | None:
        return next((row for row in self.rows if row.judges == judges), None)


def get_crowd_sizes(outcome: Outcome, seed: int = 0) -> CrowdSizes:
    """Reckoned once for the same answers, people left out and seed."""
    if not outcome.counts.any():
        raise DomainError(
            _("There are no included answers to draw workers from."), _("Relax a rule.")
        )
    rows = OUTLOOKS.get(
        (_mark(outcome), seed),
        lambda: [_outlook(outcome, judges, seed) for judges in range(1, MOST + 1)],
    )
    answered = outcome.counts.sum(axis=1)
    answered = answered[answered > 0]
    return CrowdSizes(rows, float(answered.mean()), int(answered.max()))


def _outlook(outcome: Outcome, judges: int, seed: int) -> Outlook:
    recipe = outcome.aggregate.recipe
    return outlook(
        outcome.collected.answers,
        judges,
        kept=outcome.aggregate.kept,
        rounds=ROUNDS,
        seed=seed,
        tie=recipe.tie,
        weights=outcome.collected.weights.astype(np.int64),
    )


def _mark(outcome: Outcome) -> str:
    digest = hashlib.sha256(outcome.collected.answers.content_hash().encode())
    digest.update(np.packbits(outcome.aggregate.kept).tobytes())
    digest.update(outcome.aggregate.recipe.tie.encode())
    return digest.hexdigest()[:32]
