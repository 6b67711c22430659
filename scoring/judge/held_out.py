"""How good a judge is on summaries that it was not trained on.

Accuracy, confusion and calibration are over all labelled units. Correlations have a level, which
stands in their name wherever they are shown (Zhang & Bansal 2021, §4):

- summary-level: across systems on one document, then the mean over documents;
- system-level: of the systems' means over documents.

Either is told twice: `pooled`, over all held-out summaries at once, and as the mean over folds of
the same taken within each fold, which is how the paper's tables are made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.judge.recalibration import cross_fit, fit_recalibration
from scoring.metaeval.correlation import MEASURES
from scoring.translation import gettext as _

BINS = 10
SUMMARY, SYSTEM = "summary-level", "system-level"

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class HeldOutRecord:
    """One summary: people's labels and a judge's presence (p2c) of its units.

    The judge must not have seen the fold. A unit without a label (None) counts nowhere. Without
    weights all units weigh the same.
    """

    document: str
    system: str
    labels: Sequence[int | None]
    presence: Sequence[float]
    weights: Sequence[int] = ()
    fold: str = ""


@dataclass(frozen=True, slots=True)
class Correlation:
    """At one level; nan where it can't be told.

    `groups` are the documents (summary-level), systems (system-level) or folds (mean over folds)
    that count. `undefined` are those left out because people or judge gave all the same score.
    """

    level: str
    pearson: float
    spearman: float
    kendall: float
    groups: int
    undefined: int = 0


@dataclass(frozen=True, slots=True)
class Confusion:
    """Numbers of units, by what people and what the judge said."""

    true_present: int
    false_present: int
    false_absent: int
    true_absent: int


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Units whose presence lies from `low` up to `high`: what was said, and what held."""

    low: float
    high: float
    units: int
    predicted: float
    observed: float


@dataclass(frozen=True, slots=True)
class Recalibrated:
    """What adapts the judge to these labels, and how well it is calibrated then.

    The errors are of units whose document was left out of the fit; None for a single document.
    """

    temperature: float
    shift: float
    brier: float | None
    ece: float | None


@dataclass(frozen=True, slots=True)
class HeldOut:
    """`brier` is the mean squared error of presence; `ece` the mean gap of the bins by units."""

    units: int
    summaries: int
    accuracy: float
    confusion: Confusion
    brier: float
    ece: float
    calibration: tuple[CalibrationBin, ...]
    summary_level: Correlation
    system_level: Correlation
    summary_level_by_fold: Correlation
    system_level_by_fold: Correlation
    recalibrated: Recalibrated

    def to_json(self) -> dict[str, Any]:
        """Plain values; None in place of nan."""
        return asdict(self, dict_factory=_known)


@dataclass(frozen=True, slots=True)
class _Scored:
    document: str
    system: str
    fold: str
    human: float
    judge: float


def evaluate_held_out(records: Iterable[HeldOutRecord]) -> HeldOut:
    """Held-out figures of a judge. Summaries without any label are left out."""
    kept = [record for record in map(_labelled, records) if record.labels]
    if not kept:
        raise InputError(
            _("No held-out summary has labels. Give labels to compare the judge with.")
        )
    labels = np.array([label for record in kept for label in record.labels], dtype=np.float64)
    presence = np.array([value for record in kept for value in record.presence], dtype=np.float64)
    rows = [_scored(record) for record in kept]
    bins = calibrate(labels, presence)
    return HeldOut(
        units=len(labels),
        summaries=len(rows),
        accuracy=float(np.mean((presence > 0.5) == (labels == 1))),
        confusion=_confusion(labels == 1, presence > 0.5),
        brier=float(np.mean((presence - labels) ** 2)),
        ece=calibration_error(bins),
        calibration=bins,
        summary_level=correlate_summaries(rows),
        system_level=correlate_systems(rows),
        summary_level_by_fold=_over_folds(rows, SUMMARY),
        system_level_by_fold=_over_folds(rows, SYSTEM),
        recalibrated=_recalibrate(
            labels, presence, [record.document for record in kept for __ in record.labels]
        ),
    )


def correlate_summaries(rows: Sequence[_Scored]) -> Correlation:
    """The mean, over documents, of the correlation across systems."""
    found = [_measure(group) for group in _groups(rows, "document")]
    return _mean(SUMMARY, found)


def correlate_systems(rows: Sequence[_Scored]) -> Correlation:
    """The correlation of the systems' means."""
    groups = _groups(rows, "system")
    human, judge = (
        [float(np.mean([getattr(row, whose) for row in group])) for group in groups]
        for whose in ("human", "judge")
    )
    r, rho, tau = _values(human, judge)
    told = 0 if np.isnan(r) else len(groups)
    return Correlation(SYSTEM, r, rho, tau, told, len(groups) - told)


def calibrate(labels: Floats, presence: Floats, bins: int = BINS) -> tuple[CalibrationBin, ...]:
    """Reliability: bins of equal width; the mean presence said, and the share that is present."""
    places = np.minimum((presence * bins).astype(int), bins - 1)
    found = []
    for place in range(bins):
        inside = places == place
        units = int(inside.sum())
        said, held = (
            float(part[inside].mean()) if units else np.nan for part in (presence, labels)
        )
        found.append(CalibrationBin(place / bins, (place + 1) / bins, units, said, held))
    return tuple(found)


def calibration_error(bins: Sequence[CalibrationBin]) -> float:
    """The mean gap between what is said and what holds, by units."""
    gaps = [row.units * abs(row.predicted - row.observed) for row in bins if row.units]
    return sum(gaps) / sum(row.units for row in bins)


def _recalibrate(labels: Floats, presence: Floats, documents: Sequence[str]) -> Recalibrated:
    fitted = fit_recalibration(presence, labels)
    if len(set(documents)) < 2:
        return Recalibrated(fitted.temperature, fitted.shift, None, None)
    adapted = cross_fit(presence, labels, documents)
    return Recalibrated(
        fitted.temperature,
        fitted.shift,
        float(np.mean((adapted - labels) ** 2)),
        calibration_error(calibrate(labels, adapted)),
    )


def _labelled(record: HeldOutRecord) -> HeldOutRecord:
    """The same with only those units that have a label."""
    weights = record.weights or (1,) * len(record.labels)
    if not len(record.labels) == len(record.presence) == len(weights):
        raise InputError(
            _(
                "{system} on {document}: {labels} labels, {presence} presence values and "
                "{weights} weights. Give one of each per unit."
            ).format(
                system=record.system,
                document=record.document,
                labels=len(record.labels),
                presence=len(record.presence),
                weights=len(weights),
            )
        )
    places = [place for place, label in enumerate(record.labels) if label is not None]
    return HeldOutRecord(
        record.document,
        record.system,
        [record.labels[place] for place in places],
        [record.presence[place] for place in places],
        [weights[place] for place in places],
        record.fold,
    )


def _scored(record: HeldOutRecord) -> _Scored:
    labels = [float(label or 0) for label in record.labels]
    human, judge = (
        float(np.average(values, weights=record.weights)) for values in (labels, record.presence)
    )
    return _Scored(record.document, record.system, record.fold, human, judge)


def _confusion(is_present: NDArray[np.bool_], said_present: NDArray[np.bool_]) -> Confusion:
    return Confusion(
        true_present=int((is_present & said_present).sum()),
        false_present=int((~is_present & said_present).sum()),
        false_absent=int((is_present & ~said_present).sum()),
        true_absent=int((~is_present & ~said_present).sum()),
    )


def _groups(rows: Sequence[_Scored], by: str) -> list[list[_Scored]]:
    found: dict[str, list[_Scored]] = {}
    for row in rows:
        found.setdefault(getattr(row, by), []).append(row)
    return list(found.values())


def _measure(rows: Sequence[_Scored]) -> list[float]:
    return _values([row.human for row in rows], [row.judge for row in rows])


def _values(human: Sequence[float], judge: Sequence[float]) -> list[float]:
    # Scores that differ by rounding alone are tied: a rank must not hang on the last bit.
    one, two = np.round(human, 12), np.round(judge, 12)
    return [measure(one, two) for measure in MEASURES.values()]


def _mean(level: str, found: Sequence[Sequence[float]]) -> Correlation:
    known = [values for values in found if not np.isnan(values).any()]
    r, rho, tau = np.mean(known, axis=0).tolist() if known else [float("nan")] * len(MEASURES)
    return Correlation(level, r, rho, tau, len(known), len(found) - len(known))


def _over_folds(rows: Sequence[_Scored], level: str) -> Correlation:
    within = correlate_summaries if level == SUMMARY else correlate_systems
    found = [within(group) for group in _groups(rows, "fold")]
    return _mean(
        _("{level}, mean over folds").format(level=level), [_measures(row) for row in found]
    )


def _known(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {
        name: None if isinstance(value, float) and np.isnan(value) else value
        for name, value in pairs
    }


def _measures(found: Correlation) -> list[float]:
    return [getattr(found, name) for name in MEASURES]
