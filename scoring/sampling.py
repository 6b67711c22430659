"""Choose documents by difficulty, as REALSumm did (Bhandari et al. 2020, §3.2 and appendix A.1).

A document is the harder, the lower the mean score of all systems' summaries of it. By each metric
in turn the documents are put in order and cut into bins of equal size, and some are drawn from
each bin: 5 metrics × 5 bins × 4 documents make 100.

The paper does not say what happens when two metrics draw the same document. Here no document is
drawn twice: it stays with the metric that drew it first, and the later one draws on in the same
bin. Each such clash is reported. A bin in which nothing is left is drawn empty, and the sample is
so much smaller.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring import __version__
from scoring.errors import InputError
from scoring.inclusion import AUTO, Chances, describe_chances
from scoring.pyramid import ScoreTable
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BINS, PER_BIN, DRAWS = 5, 4, 500


@dataclass(frozen=True, eq=False)
class Population:
    """What is drawn from: the mean score of all systems, metrics × documents.

    Documents that lack the score of some system by some metric are `left_out`: their mean would be
    that of other systems. `lower` are metrics in which less is better.
    """

    metrics: tuple[str, ...]
    documents: tuple[str, ...]
    means: Floats
    lower: frozenset[str] = frozenset()
    left_out: tuple[str, ...] = ()

    def content_hash(self) -> str:
        digest = hashlib.sha256()
        for names in (self.metrics, self.documents, sorted(self.lower)):
            digest.update("".join(f"{len(name)}:{name}" for name in names).encode() + b"\0")
        digest.update(np.ascontiguousarray(self.means, "<f8").tobytes())
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Drawn:
    """A document of the sample, with the metric and the bin that it was drawn for; 1 is hardest."""

    document: str
    metric: str
    bin: int


@dataclass(frozen=True, slots=True)
class Clash:
    """A document that a metric would have drawn, had not `first` drawn it already."""

    document: str
    metric: str
    bin: int
    first: str


@dataclass(frozen=True, eq=False)
class Sample:
    """`bins` are metrics × documents of the population, 1 the hardest."""

    population: Population
    bins: Ints
    drawn: tuple[Drawn, ...]
    clashes: tuple[Clash, ...]
    wanted: int
    chances: Chances
    signature: str

    @property
    def documents(self) -> tuple[str, ...]:
        return tuple(row.document for row in self.drawn)

    @property
    def missing(self) -> int:
        """How many fewer there are than were asked for."""
        return self.wanted - len(self.drawn)

    def probabilities(self) -> dict[str, float]:
        """The chance of every document of the population, as estimates take them."""
        return dict(zip(self.population.documents, self.chances.values.tolist(), strict=True))


def build_population(tables: Mapping[str, ScoreTable], lower: Collection[str] = ()) -> Population:
    """From scores by metric, each systems × documents; systems without any score don't count."""
    if not tables:
        raise InputError(_("Sampling needs at least one metric."))
    documents = tuple(dict.fromkeys(name for table in tables.values() for name in table.documents))
    means = np.array([_means(table, documents) for table in tables.values()])
    whole = ~np.isnan(means).any(axis=0)
    if not whole.any():
        raise InputError(_("No document has scores for every system and metric."))
    return Population(
        tuple(tables),
        tuple(name for name, kept in zip(documents, whole, strict=True) if kept),
        means[:, whole],
        frozenset(lower) & frozenset(tables),
        tuple(name for name, kept in zip(documents, whole, strict=True) if not kept),
    )


def _means(table: ScoreTable, documents: Sequence[str]) -> Floats:
    """The mean of all systems that the metric has scored; nan where one of them has no score."""
    places = {name: place for place, name in enumerate(table.documents)}
    scored = table.scores[~np.isnan(table.scores).all(axis=1)]
    found = np.full(len(documents), np.nan)
    for place, name in enumerate(documents):
        if name in places and len(scored):
            found[place] = scored[:, places[name]].mean()
    return found


def cut_bins(population: Population, count: int) -> Ints:
    """The bin of each document by each metric, 1 the hardest; sizes differ by one at most."""
    rows = []
    for metric, means in zip(population.metrics, population.means, strict=True):
        order = np.argsort(-means if metric in population.lower else means, kind="stable")
        row = np.empty(len(order), dtype=np.int64)
        for place, inside in enumerate(np.array_split(order, count), 1):
            row[inside] = place
        rows.append(row)
    return np.array(rows)


def draw_sample(
    population: Population,
    *,
    bins: int = BINS,
    per_bin: int = PER_BIN,
    seed: int = 0,
    chances: str = AUTO,
    draws: int = DRAWS,
) -> Sample:
    """Draw *per_bin* documents from each of *bins* bins by each metric, none twice."""
    _check(population, bins, per_bin, seed)
    cut = cut_bins(population, bins)
    drawn, clashes = _draw(population, cut, bins, per_bin, np.random.default_rng(seed))
    told = describe_chances(
        cut - 1, count=bins, per_bin=per_bin, method=chances, draws=draws, seed=seed
    )
    parts = [
        f"sample|metrics:{','.join(population.metrics)}|bins:{bins}|per_bin:{per_bin}|seed:{seed}",
        f"chances:{told.method}" + (f",{told.draws}" if told.draws else ""),
        f"data:{population.content_hash()[:16]}|giza:{__version__}",
    ]
    wanted = bins * per_bin * len(population.metrics)
    return Sample(population, cut, drawn, clashes, wanted, told, "|".join(parts))


def _check(population: Population, bins: int, per_bin: int, seed: int) -> None:
    for name, value, least in (("bins", bins, 1), ("per_bin", per_bin, 1), ("seed", seed, 0)):
        if value < least:
            raise InputError(
                _("{name}: expected {least} or more, not {value}.").format(
                    name=name, least=least, value=value
                )
            )
    size, wanted = len(population.documents), bins * per_bin * len(population.metrics)
    if wanted > size:
        raise InputError(
            _(
                "{metrics} metrics × {bins} bins × {per_bin} documents make "
                "{wanted:,}, but there are only {size:,} to draw from. Draw fewer."
            ).format(
                metrics=len(population.metrics),
                bins=bins,
                per_bin=per_bin,
                wanted=wanted,
                size=size,
            )
        )


def _draw(
    population: Population, cut: Ints, bins: int, per_bin: int, rng: np.random.Generator
) -> tuple[tuple[Drawn, ...], tuple[Clash, ...]]:
    """Metric by metric and bin by bin, through each bin's documents in a random order."""
    taken: dict[int, Drawn] = {}
    clashes: list[Clash] = []
    for metric, row in zip(population.metrics, cut, strict=True):
        for number in range(1, bins + 1):
            left = per_bin
            for place in rng.permutation(np.flatnonzero(row == number)).tolist():
                if not left:
                    break
                name = population.documents[place]
                if place in taken:
                    clashes.append(Clash(name, metric, number, taken[place].metric))
                else:
                    taken[place] = Drawn(name, metric, number)
                    left -= 1
    return tuple(taken.values()), tuple(clashes)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A metric's mean scores in the population and in the sample.

    `gap` is the largest distance between both cumulative distributions (Kolmogorov–Smirnov's D).
    `quartiles` are those of the population and of the sample.
    """

    metric: str
    population: float
    sample: float
    gap: float
    quartiles: tuple[tuple[float, float, float], tuple[float, float, float]]


def compare_distributions(means: Floats, chosen: NDArray[np.bool_], metric: str) -> Comparison:
    """One metric's means by document, and which of them are in the sample."""
    some = means[chosen]
    values = np.sort(means)
    below = np.searchsorted(values, values, side="right") / len(values)
    below_some = np.searchsorted(np.sort(some), values, side="right") / max(len(some), 1)
    return Comparison(
        metric,
        float(means.mean()),
        float(some.mean()) if len(some) else float("nan"),
        float(np.abs(below - below_some).max()),
        (_quartiles(means), _quartiles(some)),
    )


def _quartiles(values: Floats) -> tuple[float, float, float]:
    if not len(values):
        return (float("nan"),) * 3
    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75)).tolist()
    return low, middle, high
