"""Studies whose truth is known, one function for each kind of interval or test.

Scores of summaries are a system's quality, how hard the document is, and noise of the summary, of
people and metric alike correlated: normal, so that true correlations are known in closed form.
Presence scores are shares of 10 units, skewed and tied as real ones.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.aggregation import AnswerRow, build_answers, measure_agreement, measure_levels
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
from scoring.estimation.systems import estimate_systems
from scoring.metaeval.bootstrap import bootstrap
from scoring.metaeval.draws import BY_INPUTS, BY_SYSTEMS, Resampling
from scoring.metaeval.intervals import fisher_interval
from scoring.metaeval.levels import SUMMARY, SYSTEM, correlate_all, correlate_inputs
from scoring.metaeval.permutation import compare_metrics
from scoring.metaeval.rows import MEASURES, correlate_rows
from scoring.metaeval.study import Study
from scoring.metaeval.williams import compare_by_williams
from scoring.pyramid import ScoreTable
from scoring.significance import compare_systems, mean_intervals

Floats = NDArray[np.float64]
Hits = NDArray[np.bool_]
Found = Iterator[tuple[str, Hits]]
Random = np.random.Generator

LEVEL = 0.05
SYSTEMS, DOCUMENTS_, UNITS = 15, 60, 10
# Correlations of systems' qualities and of the noise of summaries, and how large the latter is.
RHO, RHO_NOISE, NOISE = 0.7, 0.3, 1.0
MANY = 4000


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
        low, high = mean_intervals(_table(scores), seed=_seed(rng)).T
        yield f"{documents} documents", holds(low, high, truth)


def score_difference(rng: Random) -> Found:
    for documents in (60, 20):
        scores, truth = presence(rng, 3, documents)
        rows = compare_systems(_table(scores), samples=1000, seed=_seed(rng))
        gaps = [truth[int(row.first[1:])] - truth[int(row.second[1:])] for row in rows]
        bounds = [row.low for row in rows], [row.high for row in rows]
        yield f"{documents} documents", holds(*bounds, gaps)


def score_test(rng: Random) -> Found:
    for documents in (60, 20):
        chances = 0.35 + rng.uniform(-0.2, 0.2, documents)
        scores = rng.binomial(UNITS, chances, size=(2, documents)) / UNITS
        [row] = compare_systems(_table(scores), samples=1000, seed=_seed(rng))
        yield f"bootstrap, {documents} documents", rejects(row.p_bootstrap)
        yield f"permutation, {documents} documents", rejects(row.p_permutation)


def _table(scores: Floats) -> ScoreTable:
    systems, documents = (
        _names(letter, size) for letter, size in zip("sd", scores.shape, strict=True)
    )
    return ScoreTable(systems, documents, scores, "")


def _names(letter: str, size: int) -> tuple[str, ...]:
    return tuple(f"{letter}{number}" for number in range(size))


def _seed(rng: Random) -> int:
    return int(rng.integers(2**31))


# --- Correlations of metrics with people ---


class World(NamedTuple):
    """A study, its systems' true qualities (people's, then metrics'), systems × columns."""

    study: Study
    qualities: Floats


def make_world(rng: Random, metrics: int = 1, *, is_shared: bool = False) -> World:
    """Metrics are exchangeable; where qualities `are shared`, they differ in noise alone."""
    own = 1 if is_shared else metrics
    qualities = _normals(rng, RHO, own, SYSTEMS)
    if is_shared:
        qualities = qualities[:, [0, *[1] * metrics]]
    noise = NOISE * _normals(rng, RHO_NOISE, metrics, SYSTEMS * DOCUMENTS_)
    hardness = _normals(rng, RHO, metrics, DOCUMENTS_)
    tables = qualities[:, None] + hardness[None] + noise.reshape(SYSTEMS, DOCUMENTS_, -1)
    names = ["people", *_names("m", metrics)]
    scores = {name: tables[..., place] for place, name in enumerate(names)}
    study = Study(_names("s", SYSTEMS), _names("d", DOCUMENTS_), {}, "people", scores)
    return World(study, qualities)


def _normals(rng: Random, rho: float, metrics: int, size: int) -> Floats:
    """Standard normals; the first column correlates with each other one by rho."""
    first = rng.standard_normal((size, 1))
    others = rng.standard_normal((size, metrics))
    return np.hstack([first, rho * first + math.sqrt(1 - rho**2) * others])


def correlation(level: str, method: str, rng: Random) -> Found:
    """Systems are drawn, too, unless inputs alone are resampled: then their truth is their own."""
    world = make_world(rng)
    truth = _true_of_these(world, level, rng) if method == BY_INPUTS else _true_of_all(level)
    for row in bootstrap(world.study, level=level, resampling=Resampling(method, seed=_seed(rng))):
        yield f"{row.measure}, percentile", holds(row.low, row.high, truth[row.measure])
        yield f"{row.measure}, BCa", holds(row.bca_low, row.bca_high, truth[row.measure])


def fisher(rng: Random) -> Found:
    world, truth = make_world(rng), _true_of_all(SYSTEM)
    for measure, row in correlate_all(world.study, "m0", level=SYSTEM).items():
        yield measure, holds(*fisher_interval(row.value, row.count, measure), truth[measure])


def _true_of_all(level: str) -> dict[str, float]:
    """Of all systems and documents of the kind: normal, so that ρ and τ follow from r."""
    r = RHO
    if level == SUMMARY:
        r = (RHO + NOISE**2 * RHO_NOISE) / (1 + NOISE**2)
    return {
        "pearson": r,
        "spearman": 6 / math.pi * math.asin(r / 2),
        "kendall": 2 / math.pi * math.asin(r),
    }


def _true_of_these(world: World, level: str, rng: Random) -> dict[str, float]:
    """Of these systems, over all documents of the kind."""
    people, metric = world.qualities.T
    if level == SYSTEM:
        found = correlate_rows(metric[None], people[None], MEASURES)
        return {name: float(values[0]) for name, values in found.items()}
    noise = NOISE * _normals(rng, RHO_NOISE, 1, SYSTEMS * MANY).reshape(SYSTEMS, MANY, 2)
    tables = [each[:, None] + noise[..., place] for place, each in enumerate((people, metric))]
    rows = correlate_inputs(tables[1], tables[0], policy="skip", measures=MEASURES)
    return {name: float(np.nanmean(values)) for name, values in rows.items()}


def metric_test(method: str, rng: Random) -> Found:
    """Two metrics that correlate alike: over all systems, or over these very ones."""
    nulls = {BY_INPUTS: ("these",), BY_SYSTEMS: ("all",)}.get(method, ("these", "all"))
    for which in nulls:
        world = make_world(rng, 2, is_shared=which == "these")
        for level in (SYSTEM, SUMMARY):
            [row] = compare_metrics(world.study, method=method, level=level, seed=_seed(rng))
            yield f"{level} level, {which} systems", rejects(row.p_two_sided)


def williams(rng: Random) -> Found:
    [row] = compare_by_williams(make_world(rng, 2).study)
    yield "system level, all systems", rejects(row.p_two_sided)


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
    for name, likeness in (("statements apart", 0.0), ("statements of a summary alike", 0.5)):
        groups = np.repeat(np.arange(SUMMARIES), STATEMENTS)
        found = measure_agreement(_votes(rng, likeness), groups, seed=_seed(rng))
        yield name, holds(found.low, found.high, 1 / (2 * SHAPE + 1))


def mean_alpha(rng: Random) -> Found:
    votes, groups = _votes(rng, 0.5), np.repeat(np.arange(SUMMARIES), STATEMENTS)
    found = measure_levels(votes, groups, level="summary", size=SUMMARIES, seed=_seed(rng))
    yield "by summary", holds(found.low, found.high, _true_mean_alpha())


@functools.cache
def _true_mean_alpha() -> float:
    """Of so many summaries that the mean is known to a thousandth."""
    size = 200_000
    groups = np.repeat(np.arange(size), STATEMENTS)
    votes = _votes(np.random.default_rng(1), 0.5, size)
    found = measure_levels(votes, groups, level="summary", size=size, samples=0)
    return float(found.mean or math.nan)


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
    names = _names("s", 4), _names("d", POOL)
    return PartialScores(*names, people, automatic), human.mean(axis=1), truth


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


def estimate_test(judged: int, rng: Random) -> Found:
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
    shares = JudgedShares(_names("s", systems), _names("d", POOL), hits + alarms, *parts)
    for target in TARGETS:
        found = correct_scores(shares, target=target)
        bounds = [row.low for row in found.systems], [row.high for row in found.systems]
        truth = human.mean(axis=1) if target == DOCUMENTS else of_all
        yield f"score, {target}", holds(*bounds, truth if found.is_told else [])
    yield "sensitivity", holds(*found.sensitivity[1:], SENSITIVITY)
    yield "specificity", holds(*found.specificity[1:], SPECIFICITY)


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
