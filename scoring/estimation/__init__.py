"""Scores of systems from few human and many automatic labels, and how many labels a study needs."""

from scoring.estimation.corrected import Corrected, JudgedShares, correct_scores
from scoring.estimation.coverage import Coverage, measure_coverage
from scoring.estimation.means import DOCUMENTS, POPULATION, TARGETS, Means, estimate_means
from scoring.estimation.replacement import Replacement, replace_annotators
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
    "Corrected",
    "Coverage",
    "Estimate",
    "Estimates",
    "JudgedShares",
    "Means",
    "PairEstimate",
    "PartialScores",
    "Replacement",
    "Sampling",
    "choose_sampling",
    "correct_scores",
    "estimate_means",
    "estimate_systems",
    "measure_coverage",
    "replace_annotators",
]
