"""Check items whose answer is known: an assignment that gets too few of them right is dropped."""

from __future__ import annotations

import numpy as np

from scoring.aggregation.answers import Answers, Mask
from scoring.aggregation.filters.drops import Drop
from scoring.translation import gettext as _

NAME = "gold"


def find_drops(answers: Answers, kept: Mask, *, min_right: float = 1.0) -> list[Drop]:
    """Assignments with less than a share of `min_right` of their gold items answered rightly."""
    asked, right = answers.assignment_gold_asked, answers.assignment_gold_right
    failed = kept & (asked > 0) & (right < min_right * asked)
    return [
        Drop(
            assignment,
            int(answers.assignment_workers[assignment]),
            NAME,
            _("{right} of {asked} attention items correct; the minimum is {min_right:.0%}.").format(
                right=right[assignment], asked=asked[assignment], min_right=min_right
            ),
            {"asked": int(asked[assignment]), "right": int(right[assignment])},
        )
        for assignment in np.flatnonzero(failed).tolist()
    ]
