"""Scores of systems from few human and many automatic labels, and how many labels a study needs."""

from scoring.estimation.coverage import Coverage, measure_coverage
from scoring.estimation.means import DOCUMENTS, POPULATION, TARGETS, Means, estimate_means
from scoring.estimation.sampling import CHOICES, RANDOM, RANKER, Sampling, choose_sampling
from scoring.estimation.systems import (
    Estimate,
    Estimates,
    PairEstimate,
    PartialScores,
    estimate_systems,
)

__all__ = [
    "CHOICES",
    "DOCUMENTS",
    "POPULATION",
    "RANDOM",
    "RANKER",
    "TARGETS",
    "Coverage",
    "Estimate",
    "Estimates",
    "Means",
    "PairEstimate",
    "PartialScores",
    "Sampling",
    "choose_sampling",
    "estimate_means",
    "estimate_systems",
    "measure_coverage",
]
