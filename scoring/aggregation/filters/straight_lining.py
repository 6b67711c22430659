"""One and the same answer to everything, where the others do not say so too.

An assignment of at least `min_statements` answers that are all alike is dropped, unless the strict
majority of the others bears every one of them out. Where no other answer can be compared, likeness
alone decides.
"""

from __future__ import annotations

import numpy as np

from scoring.aggregation.answers import Answers, Mask
from scoring.aggregation.filters.drops import Drop
from scoring.aggregation.workers import compare_with_others
from scoring.translation import gettext as _

NAME = "straight-lining"


def find_drops(answers: Answers, kept: Mask, *, min_statements: float = 5) -> list[Drop]:
    """Assignments that answer alike throughout, and are not borne out by the others."""
    rest = answers.keep(kept)
    size = len(answers.assignment_keys)
    answered = np.bincount(rest.assignments, minlength=size)
    present = np.bincount(rest.assignments[rest.labels > 0], minlength=size)
    alike = (answered >= max(min_statements, 1)) & ((present == 0) | (present == answered))
    others = compare_with_others(rest)
    compared = np.bincount(rest.assignments[others.counted], minlength=size)
    departed = np.bincount(rest.assignments[others.departed], minlength=size)
    borne_out = (compared > 0) & (departed == 0)
    return [
        _drop(answers, assignment, int(answered[assignment]), bool(present[assignment]))
        for assignment in np.flatnonzero(alike & ~borne_out).tolist()
    ]


def _drop(answers: Answers, assignment: int, answered: int, is_present: bool) -> Drop:
    word = "present" if is_present else _("not present")
    return Drop(
        assignment,
        int(answers.assignment_workers[assignment]),
        NAME,
        _("All {answered} answers are '{word}', and other workers disagree.").format(
            answered=answered, word=word
        ),
        {"statements": answered, "present": int(is_present)},
    )
