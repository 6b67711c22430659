"""Why scores differ: variance components of summaries' scores, by three ways to get them.

Every summary has a `full` score (people judge SCUs alone), one that `people` give to the mixture of
units at a percentage, and one that the `judge` gives to it. Scores differ by system, by document,
and by what is left (system × document). At each of these levels the three ways have a covariance
matrix, estimated from mean squares of the two-way layout with one summary a cell; what comes out
below zero is taken for zero. A pilot, or a published study, is thereby a few small tables, from
which other studies can be simulated.

`vote` is the variance of one person's answer about one unit, around what people say on average, and
`tied` the correlation of a person's errors within a HIT.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.planning.mix import Mask, Order, choose_share
from scoring.planning.study import UnitStudy
from scoring.planning.tables import SentenceTables
from scoring.translation import gettext as _

FULL, PEOPLE, JUDGE = range(3)
PERCENTAGES = (0.0, 25.0, 50.0, 75.0, 100.0)
REPLICATES = 10
DIGITS = 6

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Components:
    """Covariances at each percentage: percentages × 3 × 3, in the order full, people, judge.

    `scus` and `stus` are units an example at each percentage, `sentences` those of a reference.
    """

    system: Floats
    document: Floats
    residual: Floats
    scus: tuple[float, ...]
    stus: tuple[float, ...]
    sentences: float
    vote: float
    tied: float
    percentages: tuple[float, ...] = PERCENTAGES

    def at(self, percentage: float) -> tuple[Floats, Floats, Floats]:
        """System, document and residual covariance; between percentages on a straight line."""
        place, rest = self._between(percentage)
        found = [
            (1 - rest) * table[place] + rest * table[min(place + 1, len(table) - 1)]
            for table in (self.system, self.document, self.residual)
        ]
        return found[0], found[1], found[2]

    def units_at(self, percentage: float) -> tuple[float, float]:
        """SCUs and STUs an example."""
        scus, stus = (
            float(np.interp(percentage, self.percentages, row)) for row in (self.scus, self.stus)
        )
        return scus, stus

    def scaled(self, scus: float) -> Components:
        """The same for references of so many SCUs, where STUs are as many for each."""
        times = scus / self.scus[0]
        scaled = [tuple(times * value for value in row) for row in (self.scus, self.stus)]
        return replace(self, scus=scaled[0], stus=scaled[1])

    def noise(self, units: float, judges: int) -> float:
        """Variance that so many judges leave in a summary's score of so many units."""
        together = 1 + (max(units, 1.0) - 1) * self.tied
        return self.vote * together / (max(units, 1.0) * judges)

    def _between(self, percentage: float) -> tuple[int, float]:
        if not 0 <= percentage <= 100:
            raise InputError(
                _("The percentage is {percentage}. Expected 0 to 100.").format(
                    percentage=percentage
                )
            )
        place = int(np.searchsorted(self.percentages, percentage, side="right")) - 1
        place = min(place, len(self.percentages) - 2)
        low, high = self.percentages[place : place + 2]
        return place, (percentage - low) / (high - low)


@dataclass(frozen=True, slots=True)
class Votes:
    """How people's answers vary; see `measure_votes`."""

    vote: float
    tied: float


@dataclass(frozen=True, slots=True)
class Prior:
    """What a study gave: its components, and the same of resampled documents and systems."""

    name: str
    order: str
    judge: str
    documents: int
    systems: int
    best: Components
    replicates: tuple[Components, ...]


def measure_prior(
    human: UnitStudy,
    judged: UnitStudy,
    orders: Sequence[Order],
    votes: Votes,
    *,
    name: str = "pilot",
    order: str = "",
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Prior:
    """Components of a study that has people's labels and a judge's, with resamples of them.

    Several orders (random ones) are averaged. Documents and systems are both resampled.
    """
    if human.documents != judged.documents or human.systems != judged.systems:
        raise InputError(_("Human labels and judge labels must cover the same summaries."))
    if len(human.documents) < 2 or len(human.systems) < 2:
        raise InputError(_("A pilot needs at least 2 documents and 2 systems."))
    cells = [_cells(human, judged, each) for each in orders]
    units = [_units(human, each) for each in orders]
    scus, stus = np.mean(units, axis=0).tolist()
    sentences = len(human.sentences) / len(human.documents)
    best = Components(*_average(cells), tuple(scus), tuple(stus), sentences, votes.vote, votes.tied)
    rng = np.random.default_rng(seed)
    drawn = []
    for __ in range(replicates):
        documents = rng.integers(len(human.documents), size=len(human.documents))
        systems = rng.integers(len(human.systems), size=len(human.systems))
        parts = [each[:, documents][:, :, systems] for each in cells]
        system, document, residual = _average(parts)
        drawn.append(replace(best, system=system, document=document, residual=residual))
    return Prior(
        name,
        order,
        judged.judge,
        len(human.documents),
        len(human.systems),
        best,
        tuple(drawn),
    )


def variance_components(cells: Floats) -> tuple[Floats, Floats, Floats]:
    """System, document and residual covariance of documents × systems × ways."""
    documents, systems, ways = cells.shape
    centred = cells - cells.mean(axis=(0, 1))
    by_system, by_document = centred.mean(axis=0), centred.mean(axis=1)
    rest = (centred - by_system - by_document[:, None]).reshape(-1, ways)
    left = rest.T @ rest / ((documents - 1) * (systems - 1))
    system = by_system.T @ by_system / (systems - 1) - left / documents
    document = by_document.T @ by_document / (documents - 1) - left / systems
    return at_least_zero(system), at_least_zero(document), left


def at_least_zero(table: Floats) -> Floats:
    """The nearest covariance matrix: directions of negative variance have none."""
    values, vectors = np.linalg.eigh((table + table.T) / 2)
    return np.asarray((vectors * np.maximum(values, 0)) @ vectors.T)


def to_json(prior: Prior) -> dict[str, Any]:
    best = prior.best
    return {
        "name": prior.name,
        "order": prior.order,
        "judge": prior.judge,
        "documents": prior.documents,
        "systems": prior.systems,
        "sentences": _short(best.sentences),
        "vote": _short(best.vote),
        "tied": _short(best.tied),
        "percentages": list(best.percentages),
        "scus": [_short(value) for value in best.scus],
        "stus": [_short(value) for value in best.stus],
        "covariances": [_pack(each) for each in (best, *prior.replicates)],
    }


def from_json(found: Mapping[str, Any]) -> Prior:
    sets = [
        Components(
            *_unpack(row),
            scus=tuple(found["scus"]),
            stus=tuple(found["stus"]),
            sentences=found["sentences"],
            vote=found["vote"],
            tied=found["tied"],
            percentages=tuple(found["percentages"]),
        )
        for row in found["covariances"]
    ]
    named = {name: found[name] for name in ("name", "order", "judge", "documents", "systems")}
    return Prior(**named, best=sets[0], replicates=tuple(sets[1:]))


def _cells(human: UnitStudy, judged: UnitStudy, order: Order) -> Floats:
    """Percentages × documents × systems × ways."""
    masks = _masks(order)
    people, judge = (SentenceTables.of(study).score(masks) for study in (human, judged))
    full = np.broadcast_to(human.gold, people.shape)
    return np.stack([full, people, judge], axis=-1)


def _masks(order: Order) -> Mask:
    return np.array([choose_share(order, percentage) for percentage in PERCENTAGES])


def _units(study: UnitStudy, order: Order) -> list[list[float]]:
    """SCUs and STUs an example at each percentage."""
    ways = _masks(order).astype(np.float64)
    counts = (
        [len(row.scus) for row in study.sentences],
        [len(row.stus) for row in study.sentences],
    )
    scus, stus = (np.array(row, dtype=np.float64) for row in counts)
    size = len(study.documents)
    return [((1 - ways) @ scus / size).tolist(), (ways @ stus / size).tolist()]


def _average(cells: Sequence[Floats]) -> tuple[Floats, Floats, Floats]:
    """System, document and residual covariances: percentages × ways × ways."""
    found = np.mean([[variance_components(point) for point in each] for each in cells], axis=0)
    return found[:, 0], found[:, 1], found[:, 2]


_UPPER = np.triu_indices(3)


def _pack(components: Components) -> list[list[float]]:
    """The upper triangles of each percentage: system, document, residual."""
    tables = (components.system, components.document, components.residual)
    return [
        [_short(value) for table in tables for value in table[place][_UPPER]]
        for place in range(len(components.percentages))
    ]


def _unpack(rows: Sequence[Sequence[float]]) -> tuple[Floats, Floats, Floats]:
    found = np.zeros((3, len(rows), 3, 3))
    for place, row in enumerate(rows):
        for level, part in enumerate(np.reshape(row, (3, 6))):
            found[level, place][_UPPER] = part
            found[level, place].T[_UPPER] = part
    system, document, residual = (
        np.array([at_least_zero(table) for table in level]) for level in found
    )
    return system, document, residual


def _short(value: float) -> float:
    return round(float(value), DIGITS)
