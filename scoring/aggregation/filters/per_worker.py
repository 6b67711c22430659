"""PyrXSum's rule (Zhang & Bansal 2021, appendix A.2), over the whole campaign.

A person with at least `min_hits` HITs who departs from the strict majority in more than
`max_disagreement` of their answers is dropped with all their work. Theirs had done 210 HITs and
departed in 72 %. Answers to statements that nobody else answered, or on which people are evenly
split, do not count.
"""

from __future__ import annotations

import numpy as np

from scoring.aggregation.answers import Answers, Mask
from scoring.aggregation.filters.drops import Drop
from scoring.aggregation.workers import WorkerTable, describe_workers
from scoring.translation import gettext as _

NAME = "per-worker"


def find_drops(
    answers: Answers, kept: Mask, *, min_hits: float = 10, max_disagreement: float = 0.3
) -> list[Drop]:
    """Every assignment of each person who departs from the majority too often."""
    table = describe_workers(answers, kept)
    noisy = (table.hits >= min_hits) & (table.departed > max_disagreement * table.judged)
    assignments = np.flatnonzero(kept & noisy[answers.assignment_workers])
    return [_drop(answers, table, int(assignment), max_disagreement) for assignment in assignments]


def _drop(answers: Answers, table: WorkerTable, assignment: int, most: float) -> Drop:
    worker = int(answers.assignment_workers[assignment])
    departed, judged = int(table.departed[worker]), int(table.judged[worker])
    share, hits = departed / judged, int(table.hits[worker])
    return Drop(
        assignment,
        worker,
        NAME,
        _(
            "Disagrees with the majority in {share:.1%} of {judged:,} answers in {hits:,} HITs; "
            "the maximum is {most:.1%}."
        ).format(share=share, judged=judged, hits=hits, most=most),
        {"hits": hits, "departures": departed, "statements": judged, "disagreement": share},
    )
