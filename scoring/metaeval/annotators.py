"""Annotators as a random factor: what raw answers say of intervals that leave annotators out.

People who judge differently are a sample, as documents and systems are. Tests that ignore them find
differences that other people would not (Steen & Markert 2021). Here documents, systems and
annotators are drawn together, each with replacement, and a mixed model tells how much each varies.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.metaeval.bootstrap import resample_means, stack_scores
from scoring.metaeval.draws import (
    BY_BOTH,
    BY_INPUTS,
    PLAIN,
    Draws,
    Resampling,
    count_places,
    draw,
)
from scoring.metaeval.intervals import percentile_interval
from scoring.metaeval.mixed import (
    ANNOTATOR,
    FACTORS,
    MOST_LEVELS,
    RESIDUAL,
    SYSTEM,
    Codes,
    MixedModel,
    count_levels,
    fit_mixed_model,
)
from scoring.metaeval.numbers import kept
from scoring.metaeval.raw_judgements import RawJudgements, choose_judgements
from scoring.metaeval.rows import correlate_rows, steps
from scoring.metaeval.study import JUDGED, Study, mean_scores
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
# What is drawn with replacement, from the fewest factors to all three.
DOCUMENTS = ("documents",)
AND_ANNOTATORS = ("documents", "annotators")
AND_SYSTEMS = ("documents", "systems")
ALL_THREE = ("documents", "systems", "annotators")
METHODS = (DOCUMENTS, AND_ANNOTATORS, AND_SYSTEMS, ALL_THREE)
# Ignoring annotators is warned of where true standard errors are so many times larger.
WARN_FROM = 1.1
NOMINAL = 0.05


@dataclass(frozen=True, slots=True)
class Bounds:
    """A figure and its interval, by what was drawn."""

    name: str
    drawn: tuple[str, ...]
    value: float
    low: float
    high: float
    undefined: int = 0


@dataclass(frozen=True, slots=True)
class Overstatement:
    """How far standard errors of differences between systems grow when annotators count.

    `ratio` is the standard error of the model with annotators over that of the model without. At
    `ratio` 1 a test at 5 % finds 5 % of equal systems different; `false_positives` is the share at
    this one. nan where annotators have no component; `reason` says why.
    """

    ratio: float
    false_positives: float
    reason: str = ""

    @property
    def is_overstated(self) -> bool:
        return self.ratio >= WARN_FROM


def model_variance(judgements: RawJudgements) -> MixedModel | None:
    """Variance components by REML; None where the study is too large for the model."""
    if count_levels(judgements.codes) > MOST_LEVELS or len(judgements) < 3:
        return None
    return fit_mixed_model(judgements.codes, judgements.scores)


def measure_overstatement(judgements: RawJudgements, model: MixedModel | None) -> Overstatement:
    """Standard errors of differences by a model with annotators over those by one without.

    Annotators who judge all systems of their documents cancel out of a difference; those who judge
    some systems only do not (Steen & Markert 2021, §5).
    """
    unknown = float("nan")
    if model is None:
        reason = _("more than {most_levels} documents, systems and annotators").format(
            most_levels=MOST_LEVELS
        )
        return Overstatement(unknown, unknown, reason)
    left_out = dict(model.left_out)
    if ANNOTATOR in left_out:
        return Overstatement(
            unknown, unknown, _("annotators: {left_out}").format(left_out=left_out[ANNOTATOR])
        )
    if len(np.unique(judgements.systems)) < 2:
        return Overstatement(unknown, unknown, _("there is one system"))
    factors = [name for name in FACTORS if name != ANNOTATOR]
    without = fit_mixed_model(judgements.codes, judgements.scores, factors=factors)
    ignored = difference_variance(judgements, without)
    if not ignored > 0:
        return Overstatement(unknown, unknown, _("all judgements are equal"))
    ratio = max(1.0, math.sqrt(difference_variance(judgements, model) / ignored))
    return Overstatement(ratio, false_positive_rate(ratio))


def difference_variance(judgements: RawJudgements, model: MixedModel) -> float:
    """The mean variance, over pairs of systems, of the difference of their mean judgements.

    A factor adds its variance times the squared differences of how often each of its levels is
    among the judgements of the two systems.
    """
    codes = {name: levels for name, levels in judgements.codes.items() if name != SYSTEM}
    codes[RESIDUAL] = np.arange(len(judgements))
    own = np.unique(judgements.systems, return_inverse=True)[1]
    pairs = list(combinations(range(int(own.max()) + 1), 2))
    total = 0.0
    for factor, levels in codes.items():
        variance = model.variance(factor)
        if variance:
            total += variance * _squared_distance(own, levels, pairs)
    return total / len(pairs)


def _squared_distance(own: Codes, levels: Codes, pairs: Sequence[tuple[int, int]]) -> float:
    from scipy import sparse

    levels = np.unique(levels, return_inverse=True)[1]
    weights = 1.0 / np.bincount(own)[own]
    shares = sparse.csr_matrix((weights, (own, levels)))
    products = (shares @ shares.T).toarray()
    squares = np.diag(products)
    return float(sum(squares[i] + squares[j] - 2 * products[i, j] for i, j in pairs))


def false_positive_rate(ratio: float, nominal: float = NOMINAL) -> float:
    """How often a two-sided test at *nominal* rejects if true standard errors are *ratio* times."""
    from scipy import special

    return float(2 * special.ndtr(special.ndtri(nominal / 2) / ratio))


def bootstrap_systems(judgements: RawJudgements, resampling: Resampling = PLAIN) -> list[Bounds]:
    """Each system's mean score, with documents and then documents and annotators drawn."""
    table = judgements.table()
    values = mean_scores(table)
    found = []
    sizes = {"documents": len(np.unique(judgements.documents))}
    sizes["annotators"] = judgements.annotator_count
    for drawn in (DOCUMENTS, AND_ANNOTATORS):
        count = min(sizes[name] for name in drawn)
        means = np.concatenate(
            [part for __, part in _resample_people(judgements, table, drawn, resampling)]
        )
        found += [
            _bounds(name, drawn, values[place], means[:, place], resampling, count)
            for place, name in enumerate(judgements.system_names)
        ]
    return found


def bootstrap_correlations(
    study: Study,
    judgements: RawJudgements,
    *,
    measure: str = "kendall",
    inputs: str = JUDGED,
    resampling: Resampling = PLAIN,
) -> list[Bounds]:
    """Each metric's correlation with people at the system level, by each way to draw.

    People's scores are means of raw answers here, whatever the study has for them.
    """
    own = choose_judgements(judgements, systems=study.systems, documents=study.documents)
    table = own.table()
    scores = {**study.scores, study.human: table}
    paired = stack_scores(
        Study(study.systems, study.documents, study.kinds, study.human, scores), inputs=inputs
    )
    values = correlate_rows(mean_scores(paired.first), mean_scores(table), [measure])[measure]
    found = []
    for drawn in METHODS:
        parts = [
            correlate_rows(
                resample_means(paired.first, draws, slice(None)), people[:, None], [measure]
            )[measure]
            for draws, people in _resample_people(own, table, drawn, resampling)
        ]
        correlations = np.concatenate(parts)
        found += [
            _bounds(name, drawn, values[place], correlations[:, place], resampling)
            for place, name in enumerate(paired.metrics)
        ]
    return found


def _resample_people(
    judgements: RawJudgements, table: Floats, drawn: Sequence[str], resampling: Resampling
) -> list[tuple[Draws, Floats]]:
    """In parts: what was drawn, and people's system means in each resample."""
    systems, documents = table.shape
    judged = np.asarray((~np.isnan(table)).any(axis=0))
    draws = draw(
        BY_BOTH if "systems" in drawn else BY_INPUTS,
        systems=systems,
        judged=judged,
        resamples=resampling.resamples,
        seed=resampling.seed,
    )
    count = judgements.annotator_count
    rng = np.random.default_rng([resampling.seed, 2])
    found = []
    for part in steps(resampling.resamples, 4 * table.size + 4 * count):
        own = Draws(
            draws.method,
            None if draws.inputs is None else draws.inputs[part],
            None if draws.systems is None else draws.systems[part],
            documents,
        )
        if "annotators" not in drawn:
            means = resample_means(table[None], own, slice(None))[:, 0]
        else:
            people = rng.integers(count, size=(part.stop - part.start, count))
            tables = judgements.resample(count_places(people, count))
            means = _own_means(tables, own)
        found.append((own, means))
    return found


def _own_means(tables: Floats, draws: Draws) -> Floats:
    """System means of resamples × systems × documents, each by its own counts of documents."""
    counts = draws.input_counts(slice(None))
    assert counts is not None
    known = ~np.isnan(tables)
    totals = np.einsum("rd,rsd->rs", counts, known.astype(np.float64))
    sums = np.einsum("rd,rsd->rs", counts, np.where(known, tables, 0.0))
    means = np.divide(sums, totals, out=np.full(sums.shape, np.nan), where=totals > 0)
    if draws.systems is None:
        return means
    return np.take_along_axis(means, draws.systems, axis=1)


def _bounds(
    name: str,
    drawn: tuple[str, ...],
    value: float,
    values: Floats,
    resampling: Resampling,
    count: int | None = None,
) -> Bounds:
    """With a *count* of what was resampled, widened for how few they are."""
    known = values[~np.isnan(values)]
    low, high = percentile_interval(known, resampling.coverage, count)
    return Bounds(name, drawn, float(value), low, high, len(values) - len(known))


def describe_annotators(
    judgements: RawJudgements, resampling: Resampling = PLAIN
) -> dict[str, Any]:
    """All that a page or a command shows, as plain values; null where nothing is known."""
    model = model_variance(judgements)
    overstatement = measure_overstatement(judgements, model)
    systems = bootstrap_systems(judgements, resampling)
    return {
        "judgements": len(judgements),
        "annotators": judgements.annotator_count,
        "components": [] if model is None else [plain(row) for row in model.components],
        "left_out": {} if model is None else dict(model.left_out),
        **plain(overstatement),
        "is_overstated": overstatement.is_overstated,
        "systems": [plain(row) for row in systems],
        "resamples": resampling.resamples,
        "seed": resampling.seed,
    }


def plain(row: Any) -> dict[str, Any]:
    """A dataclass as JSON has it."""
    values = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(row).items()
    }
    return {
        name: kept(value) if isinstance(value, float) else value for name, value in values.items()
    }
