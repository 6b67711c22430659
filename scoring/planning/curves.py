"""What Lite²·ˣ gives at every percentage, for any order in which sentences give way to STUs.

Each point is the correlation of mixed scores with people's (Zhang & Bansal 2021, figures 2 and 4),
at one of two levels: of the systems' means, or across systems on each document, then the mean over
documents. Percentages are of sentences, as in the paper, or of words, which are nearer to the work
that is saved: hard sentences tend to be long.

The gain of an order is the area between its curve and the mean of many random ones, with
percentages from 0 to 1, so that it reads as the mean gain in correlation. Documents are resampled
for its interval: the middle 95 % of gains, the random orders staying the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.planning.correlations import MEASURES
from scoring.planning.mix import Mask, Order, choose_budget, choose_share, count_words
from scoring.planning.orders import random_order
from scoring.planning.presence import NEAREST_LABELS
from scoring.planning.study import HUMAN, UnitStudy
from scoring.planning.tables import SentenceTables
from scoring.translation import gettext as _

LEVELS = ("system", "summary")
RANDOM = "random"
TENTHS = tuple(range(0, 101, 10))
SEEDS, BOOTSTRAP = 20, 1000

Floats = NDArray[np.float64]
Key = tuple[str, str]
BY = ("sentences", "words")
KEYS: list[Key] = [(level, measure) for level in LEVELS for measure in MEASURES]


@dataclass(frozen=True, slots=True)
class Curve:
    """Correlation at each percentage of sentences that gave way to STUs.

    `low` and `high` are of the random order alone: the middle 95 % of its seeds.
    """

    order: str
    level: str
    measure: str
    values: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Gain:
    """Over random order: on average along the curve (`area`), and where half gave way (`half`)."""

    order: str
    level: str
    measure: str
    area: float
    area_low: float
    area_high: float
    half: float
    half_low: float
    half_high: float


@dataclass(frozen=True, slots=True)
class Curves:
    judge: str
    by: str
    documents: int
    systems: int
    sentences: int
    percentages: tuple[float, ...]
    seeds: int
    bootstrap: int
    curves: tuple[Curve, ...]
    gains: tuple[Gain, ...]

    def to_json(self) -> dict[str, Any]:
        note = {"stu_labels": NEAREST_LABELS} if self.judge == HUMAN else {}
        return asdict(self) | note

    def curve(self, order: str, level: str, measure: str = "pearson") -> Curve:
        for found in self.curves:
            if (found.order, found.level, found.measure) == (order, level, measure):
                return found
        raise KeyError(
            _("There is no curve for {order}, {level}, {measure}.").format(
                order=order, level=level, measure=measure
            )
        )

    def gain(self, order: str, level: str, measure: str = "pearson") -> Gain:
        for found in self.gains:
            if (found.order, found.level, found.measure) == (order, level, measure):
                return found
        raise KeyError(
            _("There is no gain for {order}, {level}, {measure}.").format(
                order=order, level=level, measure=measure
            )
        )


def draw_curves(
    study: UnitStudy,
    orders: Mapping[str, Order],
    *,
    percentages: Sequence[float] = TENTHS,
    by: str = BY[0],
    seeds: int = SEEDS,
    bootstrap: int = BOOTSTRAP,
    seed: int = 0,
) -> Curves:
    """Curves of all *orders* (easiness of each sentence, by name) and of random ones."""
    if RANDOM in orders:
        raise InputError(
            _("'{random}' is reserved. Choose another name for the order.").format(random=RANDOM)
        )
    if seeds < 1 or bootstrap < 1 or not percentages:
        raise InputError(_("Curves need at least 1 percentage, 1 seed and 1 resample."))
    lens = Lens(SentenceTables.of(study), tuple(percentages), bootstrap, seed)
    size = len(study.sentences)

    def look(order: Order) -> dict[Key, Floats]:
        return lens.look(choose_points(study, order, percentages, by))

    drawn = [look(random_order(size, seed + number)) for number in range(seeds)]
    chance = {key: np.mean([each[key] for each in drawn], axis=0) for key in KEYS}
    curves = list(_random_curves(drawn, chance))
    gains: list[Gain] = []
    for name, order in orders.items():
        found = look(order)
        curves += [Curve(name, *key, _row(values[0])) for key, values in found.items()]
        gains += [lens.gain(name, key, found[key] - chance[key]) for key in KEYS]
    return Curves(
        study.judge,
        by,
        len(study.documents),
        len(study.systems),
        size,
        tuple(percentages),
        seeds,
        bootstrap,
        tuple(curves),
        tuple(gains),
    )


def choose_points(
    study: UnitStudy, order: Order, percentages: Sequence[float], by: str = BY[0]
) -> Mask:
    """Percentages × sentences: which of them give way at each point."""
    if by not in BY:
        raise InputError(
            _("Percentages can be of {by}, not of '{by_2}'.").format(by=" or ".join(BY), by_2=by)
        )
    if len(order) != len(study.sentences):
        raise InputError(
            _(
                "The order has {order} values for {sentences} sentences. Expected one "
                "value per sentence."
            ).format(order=len(order), sentences=len(study.sentences))
        )
    if by == BY[0]:
        return np.array([choose_share(order, percentage) for percentage in percentages])
    words = count_words(study.sentences)
    budgets = [(1 - percentage / 100) * float(words.sum()) for percentage in percentages]
    return np.array([choose_budget(order, words, budget) for budget in budgets])


class Lens:
    """Looks at mixtures through the same resamples of documents; the first is the study itself."""

    def __init__(
        self, tables: SentenceTables, percentages: tuple[float, ...], bootstrap: int, seed: int
    ) -> None:
        self.tables, self.percentages = tables, percentages
        size = len(tables.documents)
        drawn = np.random.default_rng(seed).multinomial(size, np.full(size, 1 / size), bootstrap)
        self.weights = np.concatenate([np.ones((1, size)), drawn]) / size
        self.gold = self.weights @ tables.gold

    def look(self, masks: Mask) -> dict[Key, Floats]:
        """For each level and measure: resamples × mixtures; *masks* is mixtures × sentences."""
        scores = self.tables.score(masks)
        return {key: self._values(scores, *key) for key in KEYS}

    def gain(self, name: str, key: Key, over: Floats) -> Gain:
        areas, half = mean_height(self.percentages, over), over[:, self._half()]
        return Gain(name, *key, *_interval(areas), *_interval(half))

    def _values(self, scores: Floats, level: str, measure: str) -> Floats:
        correlate = MEASURES[measure]
        if level == "summary":
            return _weighted_means(self.weights, correlate(scores, self.tables.gold))
        return np.stack([correlate(self.weights @ table, self.gold) for table in scores], axis=1)

    def _half(self) -> int:
        return int(np.argmin(np.abs(np.array(self.percentages) - 50)))


def mean_height(percentages: Sequence[float], values: Floats) -> Floats:
    """The area under values along the last axis, divided by the percentages that it spans."""
    places = np.asarray(percentages, dtype=np.float64)
    if len(places) == 1:
        return np.asarray(values[..., 0])
    area = np.trapezoid(values, places, axis=-1)
    return np.asarray(area / (places[-1] - places[0]))


def _weighted_means(weights: Floats, values: Floats) -> Floats:
    """Resamples × points of what is points × documents; undefined documents are left out."""
    known = (~np.isnan(values)).astype(np.float64)
    totals = weights @ known.T
    sums = weights @ np.nan_to_num(values).T
    return np.divide(sums, totals, out=np.full(sums.shape, np.nan), where=totals > 0)


def _random_curves(
    drawn: Sequence[Mapping[Key, Floats]], chance: Mapping[Key, Floats]
) -> Iterator[Curve]:
    for key, values in chance.items():
        low, high = np.percentile([each[key][0] for each in drawn], [2.5, 97.5], axis=0)
        yield Curve(RANDOM, *key, _row(values[0]), _row(low), _row(high))


def _interval(values: Floats) -> tuple[float, float, float]:
    """The study's own value, and the middle 95 % of the resamples'."""
    known = values[1:][~np.isnan(values[1:])]
    low, high = np.percentile(known, [2.5, 97.5]) if len(known) else (np.nan, np.nan)
    return float(values[0]), float(low), float(high)


def _row(values: Floats) -> tuple[float, ...]:
    return tuple(float(value) for value in values)
