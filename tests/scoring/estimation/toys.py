"""Made-up studies: people's scores, and a judge that goes with them."""

from __future__ import annotations

import numpy as np

from scoring.estimation import PartialScores


def make_scores(
    documents: int = 60, systems: int = 4, *, seed: int = 0, noise: float = 0.1, bias: float = 0.1
) -> PartialScores:
    """Judged whole by people; the judge is biased, and hits a document as well as *noise* lets."""
    rng = np.random.default_rng(seed)
    hardness = rng.normal(0, 0.15, size=documents)
    human = 0.5 + 0.03 * np.arange(systems)[:, None] + hardness
    human = human + rng.normal(0, 0.08, size=human.shape)
    automatic = human + bias + rng.normal(0, noise, size=human.shape)
    return PartialScores(
        [f"s{number}" for number in range(systems)],
        [f"d{number}" for number in range(documents)],
        human,
        automatic,
    )


def judge_some(scores: PartialScores, places: list[int] | np.ndarray) -> PartialScores:
    """The same with people's scores of some documents only."""
    human = np.full(scores.human.shape, np.nan)
    human[:, places] = scores.human[:, places]
    return PartialScores(scores.systems, scores.documents, human, scores.automatic, scores.weights)
