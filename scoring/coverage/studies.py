"""Studies of scores, agreement and judges whose truth is known.

Presence scores are shares of 10 units, skewed and tied as real ones.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from scoring.aggregation import AnswerRow, build_answers, measure_agreement, measure_levels
from scoring.double import Tally, measure_double
from scoring.estimation import (
    TARGETS,
    JudgedShares,
    PartialScores,
    Sampling,
    correct_scores,
    estimate_means,
    replace_annotators,
)
from scoring.estimation.means import DOCUMENTS
from scoring.estimation.settled import AGREE, DIFFER, SettledStatement, measure_settled
from scoring.estimation.systems import estimate_systems
from scoring.judge.agreement import bound_biases
from scoring.metaeval.clusters import pairwise_p_values
from scoring.metrics.robustness import estimate_drops, sum_pairs
from scoring.pyramid import ScoreTable
from scoring.significance import compare_systems, mean_intervals

Floats = NDArray[np.float64]
Hits = NDArray[np.bool_]
Found = Iterator[tuple[str, Hits]]
Random = np.random.Generator

LEVEL = 0.05
UNITS = 10


def holds(low: object, high: object, truth: object) -> Hits:
    """Whether each interval holds the truth; those that were not made are left out."""
    bounds = [np.atleast_1d(np.asarray(each, dtype=np.float64)) for each in (low, high)]
    known = ~np.isnan(bounds[0]) & ~np.isnan(bounds[1])
    held = (bounds[0] <= np.asarray(truth)) & (np.asarray(truth) <= bounds[1])
    return np.asarray(held[known])


def rejects(p_values: object) -> Hits:
    p = np.atleast_1d(np.asarray(p_values, dtype=np.float64))
    return np.asarray(p[~np.isnan(p)] <= LEVEL)


# --- Scores of systems ---


def presence(rng: Random, systems: int, documents: int) -> tuple[Floats, Floats]:
    """Shares of units present, and the true mean of each system."""
    quality = np.linspace(-1.0, 0.6, systems)
    # Uniform hardness on the scale of chances: the mean chance is known.
    chances = 0.35 + 0.15 * quality[:, None] + rng.uniform(-0.2, 0.2, documents)
    return rng.binomial(UNITS, chances) / UNITS, 0.35 + 0.15 * quality


def mean_score(rng: Random) -> Found:
    for documents in (60, 20):
        scores, truth = presence(rng, 5, documents)
        low, high = mean_intervals(_table(scores), seed=seed_of(rng)).T
        yield f"{documents} documents", holds(low, high, truth)


def score_difference(rng: Random) -> Found:
    for documents in (60, 20):
        scores, truth = presence(rng, 3, documents)
        rows = compare_systems(_table(scores), samples=1000, most=1000, seed=seed_of(rng))
        gaps = [truth[int(row.first[1:])] - truth[int(row.second[1:])] for row in rows]
        bounds = [row.low for row in rows], [row.high for row in rows]
        yield f"{documents} documents", holds(*bounds, gaps)


def clusters_test(rng: Random) -> Found:
    """One-sided, as ranks of WMT are made of: each of two equally good systems is the better."""
    chances = 0.35 + rng.uniform(-0.2, 0.2, 60)
    scores = rng.binomial(UNITS, chances, size=(2, 60)) / UNITS
    p_values = pairwise_p_values(scores, seed=seed_of(rng))
    yield "60 documents", rejects(np.concatenate(p_values))


def drop(rng: Random) -> Found:
    """A metric's mean on summaries and on the same in other words, 2 of each document."""
    for documents in (60, 20):
        hardness = rng.normal(0, 0.1, (documents, 1))
        before = 0.5 + hardness + rng.normal(0, 0.1, (documents, 2))
        after = before - 0.1 - 0.3 * hardness + rng.normal(0, 0.05, before.shape)
        rows = zip(before[..., None], after[..., None], strict=True)
        sums = np.array([sum_pairs(*row) for row in rows])
        [found] = estimate_drops("m", ["m"], sums, seed=seed_of(rng))
        yield f"drop, {documents} documents", holds(found.low, found.high, 0.1)
        yield f"share, {documents} documents", holds(found.share_low, found.share_high, 0.2)


def score_test(rng: Random) -> Found:
    for documents in (60, 20):
        chances = 0.35 + rng.uniform(-0.2, 0.2, documents)
        scores = rng.binomial(UNITS, chances, size=(2, documents)) / UNITS
        [row] = compare_systems(_table(scores), samples=1000, most=1000, seed=seed_of(rng))
        yield f"bootstrap, {documents} documents", rejects(row.p_bootstrap)
        yield f"permutation, {documents} documents", rejects(row.p_permutation)


BIAS = 0.05


def judge_bias(rng: Random) -> Found:
    for documents in (60, 20):
        people, _ = presence(rng, 5, documents)
        judge = people + BIAS + rng.normal(0, 0.12, people.shape)
        found = bound_biases(_table(judge), _table(people), seed=seed_of(rng))
        low, high = np.array(list(found.systems.values()), dtype=np.float64).T
        yield f"each system, {documents} documents", holds(low, high, BIAS)
        yield f"mean of systems, {documents} documents", holds(*found.mean, BIAS)


def _table(scores: Floats) -> ScoreTable:
    systems, documents = (
        names(letter, size) for letter, size in zip("sd", scores.shape, strict=True)
    )
    return ScoreTable(systems, documents, scores, "")


def names(letter: str, size: int) -> tuple[str, ...]:
    return tuple(f"{letter}{number}" for number in range(size))


def seed_of(rng: Random) -> int:
    return int(rng.integers(2**31))


# --- Agreement ---

SUMMARIES, STATEMENTS, PEOPLE, SHAPE = 60, 8, 3, 0.6


def _votes(rng: Random, likeness: float, summaries: int = SUMMARIES) -> NDArray[np.int64]:
    """Absent and present by statement; some statements share their summary's chance."""
    of_summary = np.repeat(rng.beta(SHAPE, SHAPE, summaries), STATEMENTS)
    own = rng.beta(SHAPE, SHAPE, summaries * STATEMENTS)
    shares = rng.random(len(own)) < likeness
    present = rng.binomial(PEOPLE, np.where(shares, of_summary, own))
    return np.column_stack([PEOPLE - present, present])


def alpha(rng: Random) -> Found:
    """Alpha is the variance of chances over that of answers: 1 / (2 · shape + 1)."""
    for name, likeness in (
        ("independent statements", 0.0),
        ("statements correlated within a summary", 0.5),
    ):
        groups = np.repeat(np.arange(SUMMARIES), STATEMENTS)
        found = measure_agreement(_votes(rng, likeness), groups, seed=seed_of(rng))
        yield name, holds(found.low, found.high, 1 / (2 * SHAPE + 1))


def mean_alpha(rng: Random) -> Found:
    votes, groups = _votes(rng, 0.5), np.repeat(np.arange(SUMMARIES), STATEMENTS)
    found = measure_levels(votes, groups, level="summary", size=SUMMARIES, seed=seed_of(rng))
    yield "by summary", holds(found.low, found.high, _true_mean_alpha())


@functools.cache
def _true_mean_alpha() -> float:
    """Of so many summaries that the mean is known to a thousandth."""
    size = 200_000
    groups = np.repeat(np.arange(size), STATEMENTS)
    votes = _votes(np.random.default_rng(1), 0.5, size)
    found = measure_levels(votes, groups, level="summary", size=size, samples=0)
    return float(found.mean or math.nan)


def double(rng: Random) -> Found:
    """Two authors of 30 examples with 8 units each; a word is covered by both, one or neither."""
    examples, units, words = 30, 8, 40
    likeness = rng.uniform(0.5, 0.9, examples)
    matched = rng.binomial(units, likeness)
    covered = [rng.multinomial(words, (0.6 * each, 0.25, 0.75 - 0.6 * each)) for each in likeness]
    tallies = [
        Tally(units, units, int(match), *(int(count) for count in row))
        for match, row in zip(matched, covered, strict=True)
    ]
    found = measure_double(tallies, seed=seed_of(rng))
    present = 0.6 * 0.7 + 0.25 / 2
    truth = {"F1 of units": 0.7, "alpha of words": 1 - 0.25 / (2 * present * (1 - present))}
    for (name, value), row in zip(truth.items(), (found.f1, found.alpha), strict=True):
        yield name, holds(row.low, row.high, value)


# --- Estimates ---

POOL = 100


def _judged(rng: Random, judged: int) -> tuple[PartialScores, Floats, Floats]:
    """Judged in part; the scores of these documents, and of all of the kind."""
    human, truth = presence(rng, 4, POOL)
    noise = rng.normal(0, 0.12, human.shape)
    automatic = 0.25 + 0.6 * human + 0.1 * human.mean(axis=0) + noise
    people = np.full(human.shape, np.nan)
    places = rng.permutation(POOL)[:judged]
    people[:, places] = human[:, places]
    keys = names("s", 4), names("d", POOL)
    return PartialScores(*keys, people, automatic), human.mean(axis=1), truth


def estimate(judged: int, rng: Random) -> Found:
    scores, of_these, of_all = _judged(rng, judged)
    for target in TARGETS:
        truth = of_these if target == DOCUMENTS else of_all
        found = estimate_systems(scores, Sampling(), target=target)
        bounds = [row.low for row in found.systems], [row.high for row in found.systems]
        yield f"score, {target}", holds(*bounds, truth)
        gaps = [truth[int(row.first[1:])] - truth[int(row.second[1:])] for row in found.pairs]
        bounds = [row.low for row in found.pairs], [row.high for row in found.pairs]
        yield f"difference, {target}", holds(*bounds, gaps)


def estimate_test(rng: Random, judged: int = 20) -> Found:
    """Two systems that are equally good over all documents of the kind."""
    chances = 0.35 + rng.uniform(-0.2, 0.2, POOL)
    human = rng.binomial(UNITS, chances, size=(2, POOL)) / UNITS
    gap = human[:1] - human[1:]
    automatic = 0.5 * gap + rng.normal(0, 0.12, gap.shape)
    gap[:, judged:] = np.nan
    yield f"{judged} of {POOL} judged", rejects(estimate_means(gap, automatic, target=TARGETS[1]).p)


SENSITIVITY, SPECIFICITY = 0.85, 0.9


def corrected(labelled: int, rng: Random) -> Found:
    """The judge errs alike on all systems, and documents differ in how often it does."""
    systems = 6
    human, of_all = presence(rng, systems, POOL)
    present = np.rint(human * UNITS).astype(np.int64)
    sensitivity, specificity = (
        rate + rng.uniform(-0.08, 0.08, POOL) for rate in (SENSITIVITY, SPECIFICITY)
    )
    hits = rng.binomial(present, sensitivity) / UNITS
    alarms = rng.binomial(UNITS - present, 1 - specificity) / UNITS
    slice_ = np.arange(POOL) < labelled
    parts = [np.where(slice_, each, np.nan) for each in (human, hits, alarms)]
    shares = JudgedShares(names("s", systems), names("d", POOL), hits + alarms, *parts)
    for target in TARGETS:
        found = correct_scores(shares, target=target)
        bounds = [row.low for row in found.systems], [row.high for row in found.systems]
        truth = human.mean(axis=1) if target == DOCUMENTS else of_all
        yield f"score, {target}", holds(*bounds, truth if found.is_told else [])
    yield "sensitivity", holds(*found.sensitivity[1:], SENSITIVITY)
    yield "specificity", holds(*found.specificity[1:], SPECIFICITY)


def settled(rng: Random) -> Found:
    """600 statements; judge and people differ on about 90, and 40 of each stratum are drawn.

    Where they differ one of them is right. The truth is the share of these statements.
    """
    differs = rng.random(600) < 0.15
    judge = np.where(differs, rng.random(600) < 0.4, rng.random(600) < 0.93)
    people = np.where(differs, ~judge, judge)
    drawn = [rng.permutation(np.flatnonzero(stratum))[:40] for stratum in (differs, ~differs)]
    rows = [
        SettledStatement(DIFFER if differs[at] else AGREE, bool(judge[at]), bool(people[at]))
        for at in np.concatenate(drawn)
    ]
    sizes = {DIFFER: int(differs.sum()), AGREE: int((~differs).sum())}
    found = measure_settled(rows, sizes)
    for name, share, right in (("judge", found.judge, judge), ("people", found.people, people)):
        assert share is not None
        yield name, holds(share.low, share.high, right.mean())


def annotator_test(rng: Random) -> Found:
    """The judge is one more annotator, and ε is 0: as good as each of them, and no better."""
    documents, people = 40, 4
    truth = rng.random((documents, 5)) < 0.5
    right = rng.random((people + 1, documents, 5)) < 0.8
    said = np.where(right, truth, ~truth)
    answers = build_answers(
        AnswerRow(f"d{place[1]}", "s", str(place[2]), f"w{place[0]}", "", bool(answer), None)
        for place, answer in np.ndenumerate(said[1:])
    )
    judge = [
        float(said[0, int(answers.document_keys[answers.summary_documents[summary]][1:]), int(key)])
        for key, summary in zip(answers.statement_keys, answers.statement_summaries, strict=True)
    ]
    found = replace_annotators(answers, judge, epsilon=0.0)
    yield "each annotator", rejects([row.p for row in found.annotators])
