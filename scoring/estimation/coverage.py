"""Whether intervals hold: a study that people judged whole, as if they had judged a part of it.

In every draw some documents keep people's scores and the others have the judge's alone. The score
over all documents is known, so it can be counted how often an interval holds it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.estimation.means import DOCUMENTS, LEVEL, Means, count_prior, estimate_means
from scoring.estimation.sampling import Sampling
from scoring.estimation.savings import people_alone
from scoring.estimation.systems import PartialScores
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
DRAWS = 1000

Tell = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Coverage:
    """Shares of draws whose interval holds the full score, and mean widths, by system and overall.

    `people_alone` is how many documents people would have to judge, on average over systems, for
    intervals as narrow without the judge. `bias` is the largest mean error of a system's estimate.
    """

    systems: tuple[str, ...]
    judged: int
    documents: int
    draws: int
    target: str
    level: float
    seed: int
    covered: float
    lowest: float
    width: float
    people_covered: float
    people_width: float
    lam: float
    bias: float
    people_alone: float
    covered_by_system: tuple[float, ...]
    width_by_system: tuple[float, ...]
    people_width_by_system: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def measure_coverage(
    scores: PartialScores,
    judged: int,
    *,
    draws: int = DRAWS,
    target: str = DOCUMENTS,
    level: float = LEVEL,
    seed: int = 0,
    tell: Tell | None = None,
) -> Coverage:
    """Of random draws of *judged* documents from a study that people judged whole."""
    if np.isnan(scores.human).any():
        raise InputError(
            _("Coverage needs a study with human scores of all documents; one is missing.")
        )
    if not 3 <= judged < len(scores.documents) or draws < 1:
        raise InputError(
            _(
                "Can't draw {judged} of {documents} documents {draws} times. Draw at "
                "least 3 documents but not all, at least once."
            ).format(judged=judged, documents=len(scores.documents), draws=draws)
        )
    weights = np.ones(len(scores.documents)) if scores.weights is None else scores.weights
    truth = scores.human @ weights / weights.sum()
    rng = np.random.default_rng(seed)
    found = []
    for number in range(1, draws + 1):
        found.append(_draw(scores, judged, target, level, rng))
        if tell:
            tell(number, draws)
    return _sum_up(scores, judged, target, level, seed, truth, found)


def _draw(
    scores: PartialScores, judged: int, target: str, level: float, rng: np.random.Generator
) -> tuple[Means, Means]:
    kept = rng.permutation(len(scores.documents))[:judged]
    human = np.full(scores.human.shape, np.nan)
    human[:, kept] = scores.human[:, kept]
    both, alone = (
        estimate_means(
            human,
            scores.automatic,
            Sampling(),
            target=target,
            weights=scores.weights,
            lam=lam,
            level=level,
            is_moderated=True,
        )
        for lam in (None, 0.0)
    )
    return both, alone


def _sum_up(
    scores: PartialScores,
    judged: int,
    target: str,
    level: float,
    seed: int,
    truth: Floats,
    found: list[tuple[Means, Means]],
) -> Coverage:
    both, alone = ([pair[way] for pair in found] for way in (0, 1))
    covered, people_covered = (_share_that_holds(way, truth) for way in (both, alone))
    width, people_width = (np.mean([each.width for each in way], axis=0) for way in (both, alone))
    needed = people_alone(
        width,
        scores.human.var(axis=1, ddof=1),
        np.full(len(width), float(len(scores.documents))),
        target=target,
        level=level,
        extra=count_prior(len(width)) / 2,
    )
    return Coverage(
        tuple(scores.systems),
        judged,
        len(scores.documents),
        len(found),
        target,
        level,
        seed,
        covered=float(covered.mean()),
        lowest=float(covered.min()),
        width=float(width.mean()),
        people_covered=float(people_covered.mean()),
        people_width=float(people_width.mean()),
        lam=float(np.mean([each.lam for each in both])),
        bias=float(np.abs(np.mean([each.value for each in both], axis=0) - truth).max()),
        people_alone=float(needed.mean()),
        covered_by_system=tuple(covered.tolist()),
        width_by_system=tuple(width.tolist()),
        people_width_by_system=tuple(people_width.tolist()),
    )


def _share_that_holds(found: Sequence[Means], truth: Floats) -> Floats:
    """By system, the share of draws whose interval holds the full score."""
    held = [(each.low <= truth) & (truth <= each.high) for each in found]
    return np.asarray(np.mean(held, axis=0))
