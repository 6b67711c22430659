"""Studies of metrics whose correlation with people is known.

A score is a system's quality, how hard the document is, and noise of the summary: normal, and
people's and a metric's correlated, so that true correlations are known in closed form.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.coverage.studies import Found, Random, holds, names, rejects, seed_of
from scoring.metaeval.annotators import bootstrap_systems
from scoring.metaeval.bootstrap import bootstrap
from scoring.metaeval.differences import bootstrap_differences
from scoring.metaeval.draws import BY_BOTH, BY_INPUTS, BY_SYSTEMS, Resampling
from scoring.metaeval.intervals import fisher_interval
from scoring.metaeval.levels import SUMMARY, SYSTEM, correlate_all, correlate_inputs
from scoring.metaeval.meta_metrics import score_meta_metrics
from scoring.metaeval.pairs import close_pairs
from scoring.metaeval.permutation import compare_metrics
from scoring.metaeval.raw_judgements import RawJudgements
from scoring.metaeval.rows import MEASURES, correlate_rows
from scoring.metaeval.study import Study
from scoring.metaeval.williams import compare_by_williams

Floats = NDArray[np.float64]

SYSTEMS, DOCUMENTS = 15, 60
# Correlations of systems' qualities and of the noise of summaries, and how large the latter is.
RHO, RHO_NOISE, NOISE = 0.7, 0.3, 1.0
MANY = 2000
# Within inputs, resampled systems take longer; half as many give the same bounds but for noise.
RESAMPLES = {SYSTEM: 1000, SUMMARY: 500}
# So many make a test at 5 % exact.
SWAPS = 199


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
    return World(make_study(rng, qualities, DOCUMENTS), qualities)


def make_study(rng: Random, qualities: Floats, documents: int) -> Study:
    metrics = qualities.shape[1] - 1
    noise = NOISE * _normals(rng, RHO_NOISE, metrics, SYSTEMS * documents)
    hardness = _normals(rng, RHO, metrics, documents)
    tables = qualities[:, None] + hardness[None] + noise.reshape(SYSTEMS, documents, -1)
    keys = ["people", *names("m", metrics)]
    scores = {name: tables[..., place] for place, name in enumerate(keys)}
    return Study(names("s", SYSTEMS), names("d", documents), {}, "people", scores)


def _normals(rng: Random, rho: float, metrics: int, size: int) -> Floats:
    """Standard normals; the first column correlates with each other one by rho."""
    first = rng.standard_normal((size, 1))
    others = rng.standard_normal((size, metrics))
    return np.hstack([first, rho * first + math.sqrt(1 - rho**2) * others])


def correlation(level: str, method: str, rng: Random) -> Found:
    """Systems are drawn, too, unless inputs alone are resampled: then their truth is their own."""
    world = make_world(rng)
    truth = _true_of_these(world, level, rng) if method == BY_INPUTS else _true_of_all(level)
    resampling = Resampling(method, RESAMPLES[level], seed_of(rng))
    for row in bootstrap(world.study, level=level, resampling=resampling):
        yield f"{row.measure}, percentile", holds(row.low, row.high, truth[row.measure])
        yield f"{row.measure}, BCa", holds(row.bca_low, row.bca_high, truth[row.measure])


def fisher(rng: Random) -> Found:
    world, truth = make_world(rng), _true_of_all(SYSTEM)
    for measure, row in correlate_all(world.study, "m0", level=SYSTEM).items():
        yield measure, holds(*fisher_interval(row.value, row.count, measure), truth[measure])


def difference(level: str, method: str, rng: Random) -> Found:
    """Two metrics that correlate alike: of all systems, or of these where inputs are resampled."""
    world = make_world(rng, 2, is_shared=method == BY_INPUTS)
    resampling = Resampling(method, seed=seed_of(rng))
    [row] = bootstrap_differences(world.study, level=level, resampling=resampling)
    yield "kendall, percentile", holds(row.interval.low, row.interval.high, 0.0)
    yield "kendall, BCa", holds(row.interval.bca_low, row.interval.bca_high, 0.0)


def meta_metrics(rng: Random) -> Found:
    """Of these systems: nothing is tied, so that acc_eq follows from τ, and PDP from variances."""
    world = make_world(rng)
    resampling = Resampling(seed=seed_of(rng))
    [found] = score_meta_metrics(world.study, permutations=1, resampling=resampling)
    accuracy = (1 + _true_of_these(world, SUMMARY, rng)["kendall"]) / 2
    yield "acc_eq", holds(found.acc_eq_low, found.acc_eq_high, accuracy)
    above, below = np.triu_indices(SYSTEMS, k=1)
    people, metric = (world.qualities[above] - world.qualities[below]).T
    noise = 2 * NOISE**2
    product = np.mean(people * metric) + noise * RHO_NOISE
    spread = math.sqrt((np.mean(people**2) + noise) * (np.mean(metric**2) + noise))
    yield "PDP", holds(found.pdp_low, found.pdp_high, product / spread)


CLOSEST = (25, 50, 100)


def close(rng: Random) -> Found:
    """r_sysΔ(0, u), u by the closest pairs: in the end, how often metric and people agree there."""
    world = make_world(rng)
    resampling = Resampling(BY_BOTH, seed=seed_of(rng))
    for row in close_pairs(world.study, "m0", shares=CLOSEST, resampling=resampling):
        truth = _true_of_close(row.high)
        yield f"{row.to_share}% closest pairs", holds(row.ci_low, row.ci_high, truth)


def _true_of_close(gap: float) -> float:
    """Of two systems whose metric means differ by at most *gap*, over all documents and systems."""
    from scipy import stats

    # Differences of two qualities have variance 2.
    differences = np.linspace(0, gap / math.sqrt(2), 1001)
    agree = 2 * stats.norm.cdf(RHO / math.sqrt(1 - RHO**2) * differences) - 1
    weights = stats.norm.pdf(differences)
    return float(np.trapezoid(agree * weights) / np.trapezoid(weights))


def annotators(rng: Random) -> Found:
    """Mean scores by 12 people who judge more or less kindly, 3 of them on each of 40 documents."""
    people, size, systems = 12, 40, 3
    cells = np.indices((size, systems, 3)).reshape(3, -1)
    who = np.array([rng.permutation(people)[:3] for _ in range(size)])[cells[0], cells[2]]
    truth = 0.4 + 0.1 * np.arange(systems)
    hardness, kindness = rng.normal(0, 0.12, size), rng.normal(0, 0.08, people)
    noise = rng.normal(0, 0.1, cells.shape[1])
    scores = truth[cells[1]] + hardness[cells[0]] + kindness[who] + noise
    keys = names("d", size), names("s", systems)
    judged = RawJudgements(cells[0], cells[1], who, scores, np.ones(len(scores)), *keys)
    rows = bootstrap_systems(judged, Resampling(seed=seed_of(rng)))
    for drawn in dict.fromkeys(row.drawn for row in rows):
        own = [row for row in rows if row.drawn == drawn]
        bounds = [row.low for row in own], [row.high for row in own]
        yield f"{' and '.join(drawn)} resampled", holds(*bounds, truth)


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
            [row] = compare_metrics(
                world.study, method=method, level=level, most=SWAPS, seed=seed_of(rng)
            )
            yield f"{level} level, {which} systems", rejects(row.p_two_sided)


def williams(rng: Random) -> Found:
    [row] = compare_by_williams(make_world(rng, 2).study)
    yield "system level, all systems", rejects(row.p_two_sided)
