"""Work done too fast to have read what it is about. Where no time is known nothing is dropped."""

from __future__ import annotations

import numpy as np

from scoring.aggregation.answers import Answers, Mask
from scoring.aggregation.filters.drops import Drop
from scoring.translation import gettext as _

NAME = "fast"
# Seconds that a statement takes at least, if it is read.
MIN_SECONDS = 2.0


def find_drops(answers: Answers, kept: Mask, *, min_seconds: float = MIN_SECONDS) -> list[Drop]:
    """Assignments with fewer than `min_seconds` for each statement, gold items included."""
    items = answers.assignment_sizes + answers.assignment_gold_asked
    needed = min_seconds * items
    with np.errstate(invalid="ignore"):
        hasty = kept & (answers.assignment_seconds < needed)
    return [
        _drop(answers, assignment, int(items[assignment]), min_seconds)
        for assignment in np.flatnonzero(hasty).tolist()
    ]


def _drop(answers: Answers, assignment: int, items: int, least: float) -> Drop:
    seconds = float(answers.assignment_seconds[assignment])
    return Drop(
        assignment,
        int(answers.assignment_workers[assignment]),
        NAME,
        _(
            "{seconds:g} seconds for {items} statements; the minimum is {least:g} per statement."
        ).format(seconds=seconds, items=items, least=least),
        {"seconds": seconds, "statements": items},
    )
