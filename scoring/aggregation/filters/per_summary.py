"""REALSumm's rule (Bhandari et al. 2020, section on data collection), summary by summary.

Count how often each person departs from the strict majority; statements on which people are evenly
split do not count. If anybody departs, the one who does so most often is dropped; if nobody does,
all stay. Where several depart equally often, the assignment whose key sorts first is dropped, so
that the order of rows does not matter.
"""

from __future__ import annotations

import numpy as np

from scoring.aggregation.answers import Answers, Codes, Mask
from scoring.aggregation.filters.drops import Drop
from scoring.aggregation.workers import find_departures
from scoring.translation import gettext as _

NAME = "per-summary"


def find_drops(answers: Answers, kept: Mask) -> list[Drop]:
    """At most one assignment a summary: the one that departs most from the strict majority."""
    rest = answers.keep(kept)
    found, rows = find_departures(rest), rest.assignments
    size = len(answers.assignment_keys)
    departures = np.bincount(rows[found.departed], minlength=size)
    counted = np.bincount(rows[found.counted], minlength=size)
    return [
        _drop(answers, assignment, int(departures[assignment]), int(counted[assignment]))
        for assignment in _worst(answers, departures)
    ]


def _worst(answers: Answers, departures: Codes) -> list[int]:
    """One assignment for each summary in which anybody departs, in the order of summaries."""
    summaries = answers.assignment_summaries
    most = np.zeros(len(answers.summary_keys), dtype=np.int64)
    departing = np.flatnonzero(departures)
    np.maximum.at(most, summaries[departing], departures[departing])
    candidates = departing[departures[departing] == most[summaries[departing]]]
    ranked = sorted(candidates.tolist(), key=answers.assignment_keys.__getitem__)
    __, first = np.unique(summaries[ranked], return_index=True)
    return [ranked[place] for place in first]


def _drop(answers: Answers, assignment: int, departures: int, counted: int) -> Drop:
    noun = "statement" if counted == 1 else "statements"
    return Drop(
        assignment,
        int(answers.assignment_workers[assignment]),
        NAME,
        _(
            "Disagrees with the majority on {departures} of {counted} {noun}, most for this "
            "summary."
        ).format(departures=departures, counted=counted, noun=noun),
        {"departures": departures, "statements": counted},
    )
