"""How much people's answers vary, from raw answers."""

from __future__ import annotations

import numpy as np

from scoring.aggregation import Answers
from scoring.errors import InputError
from scoring.planning.components import Votes
from scoring.translation import gettext as _


def measure_votes(answers: Answers) -> Votes:
    """`vote`: the variance of answers about a unit; `tied`: how far a person errs alike in a HIT.

    People's shares of *present* vary by v · (1 + (u − 1) · tied) / u around their summary's mean,
    where u is the number of units and v the variance of one answer. Both variances are those among
    the people who judged the same summary, so that nobody's truth is needed. What is published may
    lack the noisiest people; then the figures are of those who stayed.
    """
    counts = answers.counts().astype(np.float64)
    sizes = counts.sum(axis=1)
    kept = sizes >= 2
    if not kept.any():
        raise InputError(
            _("No unit was judged by two people, so their variance can't be estimated.")
        )
    share = counts[kept, 1] / sizes[kept]
    vote = float((share * (1 - share) * sizes[kept] / (sizes[kept] - 1)).mean())
    spread, units = _between_people(answers)
    tied = (spread * units / vote - 1) / (units - 1) if vote and units > 1 else 0.0
    return Votes(vote, float(np.clip(tied, 0.0, 1.0)))


def _between_people(answers: Answers) -> tuple[float, float]:
    """The variance of people's shares within a summary, and the (harmonic) mean of units."""
    size = len(answers.assignment_keys)
    total = np.bincount(answers.assignments, minlength=size)
    present = np.bincount(answers.assignments, weights=answers.labels > 0, minlength=size)
    summaries = np.zeros(size, dtype=np.int64)
    summaries[answers.assignments] = answers.statement_summaries[answers.statements]
    known = total > 0
    share, own = present[known] / total[known], summaries[known]
    people = np.bincount(own, minlength=len(answers.summary_keys)).astype(np.float64)
    sums = np.bincount(own, weights=share, minlength=len(people))
    squares = np.bincount(own, weights=share**2, minlength=len(people))
    several = people >= 2
    variance = (squares - sums**2 / np.maximum(people, 1))[several] / (people[several] - 1)
    return float(variance.mean()), float(1 / np.mean(1 / total[known]))
