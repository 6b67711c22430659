"""Whether a metric tells two systems apart as people do (Bhandari et al. 2020, §4.3, figure 4).

Each pair of systems gets a class by paired bootstrap over inputs: the first is better with 95 %
confidence, the second is, or neither is sure. The metric's classes are held against people's by F1,
weighted by how often people gave each class.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.metaeval.bootstrap import resample_means
from scoring.metaeval.draws import BY_INPUTS, RESAMPLES, Draws, draw
from scoring.metaeval.rows import signs_of, steps
from scoring.metaeval.study import Study, choose_documents
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
Classes = NDArray[np.int64]
FIRST, SECOND, UNDECIDED = 0, 1, 2
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class PairwiseF1:
    """A metric's classes of pairs against people's, and how many pairs it decided."""

    metric: str
    f1: float
    decided: int
    undecided: int


@dataclass(frozen=True, slots=True)
class Pairwise:
    """All metrics, and how many pairs people's scores decide."""

    pairs: int
    human_decided: int
    human_undecided: int
    confidence: float
    metrics: tuple[PairwiseF1, ...]


def compare_pairs(
    study: Study, *, confidence: float = CONFIDENCE, resamples: int = RESAMPLES, seed: int = 0
) -> Pairwise:
    """Every metric. People's resamples are drawn apart from the metrics', which share theirs."""
    if not 0.5 < confidence < 1:
        raise InputError(
            _("The confidence is {confidence}. Expected a value such as 0.95.").format(
                confidence=confidence
            )
        )
    judged = _judged_only(study)
    human = _draw(judged, resamples, seed, 0)
    other = _draw(judged, resamples, seed, 1)
    truth = classify_pairs(judged.people, human, confidence)
    rows = []
    for metric in judged.metrics:
        found = classify_pairs(judged.scores[metric], other, confidence)
        open_pairs = int((found == UNDECIDED).sum())
        f1 = weighted_f1(truth, found)
        rows.append(PairwiseF1(metric, f1, len(found) - open_pairs, open_pairs))
    open_pairs = int((truth == UNDECIDED).sum())
    return Pairwise(len(truth), len(truth) - open_pairs, open_pairs, confidence, tuple(rows))


def classify_pairs(scores: Floats, draws: Draws, confidence: float = CONFIDENCE) -> Classes:
    """The class of each pair of systems, in the order of a triangle above the diagonal.

    Equal means speak for neither system.
    """
    systems = len(scores)
    counts = np.zeros((2, systems * (systems - 1) // 2))
    for part in steps(len(draws), max(systems * systems, scores.shape[1])):
        signs = signs_of(resample_means(scores[None], draws, part)[:, 0])
        counts += [(signs > 0).sum(axis=0), (signs < 0).sum(axis=0)]
    first, second = counts >= confidence * len(draws)
    return np.where(first, FIRST, np.where(second, SECOND, UNDECIDED))


def weighted_f1(truth: Classes, found: Classes) -> float:
    """F1 of each class that the truth has, weighted by its share of the truth."""
    if truth.shape != found.shape or not len(truth):
        raise InputError(_("Expected two lists of classes with equal length of at least 1."))
    total = 0.0
    for name in (FIRST, SECOND, UNDECIDED):
        is_true, is_found = truth == name, found == name
        both = int((is_true & is_found).sum())
        members = int(is_true.sum()) + int(is_found.sum())
        if members:
            total += 2 * both / members * float(is_true.mean())
    return total


def _judged_only(study: Study) -> Study:
    names = [name for name, seen in zip(study.documents, study.judged, strict=True) if seen]
    return choose_documents(study, names)


def _draw(study: Study, resamples: int, seed: int, stream: int) -> Draws:
    # A child of the seed, so that the two streams have nothing in common.
    child = int(np.random.SeedSequence([seed, stream]).generate_state(1)[0])
    return draw(
        BY_INPUTS,
        systems=len(study.systems),
        judged=study.judged,
        resamples=resamples,
        seed=child,
    )
