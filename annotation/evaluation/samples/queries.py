"""Samples as their pages, REST and files tell of them: who was drawn, against whom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from annotation.corpora.projects.models import Project
from annotation.crowd.offline.service import list_frozen_sets
from annotation.errors import NotFound
from annotation.evaluation.samples.models import Sample, SampledExample
from annotation.memory import Memory
from annotation.units.sets.models import Unit, UnitSet
from scoring.io.cells import defuse, row_line
from scoring.sampling import Comparison, compare_distributions

READ_CHUNK = 2000

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SourcePopulation:
    """One source's mean scores in the whole population, and who of it was drawn.

    `cuts` lie between the bins, from hard to easy; `bins` count examples and drawn ones by bin.
    """

    source: dict[str, Any]
    means: Floats
    chosen: NDArray[np.bool_]
    cuts: list[float]
    bins: list[dict[str, int]]
    compared: Comparison


def list_samples(project: Project) -> QuerySet[Sample]:
    """The newest first."""
    return Sample.objects.filter(project=project).select_related("project", "created_by")


def get_sample(project: Project, pk: int) -> Sample:
    found = list_samples(project).filter(pk=pk).first()
    if found is None:
        raise NotFound(_("The project has no sample {pk}.").format(pk=pk))
    return found


def list_rows(sample: Sample, *, drawn: bool = False) -> QuerySet[SampledExample]:
    """The population in the order of the corpus, or the drawn ones in the order of drawing."""
    rows = SampledExample.objects.filter(sample=sample).select_related("example")
    if drawn:
        return rows.filter(drawn__isnull=False).order_by("drawn")
    return rows.order_by("example__position", "example_id")


def list_drawn_ids(sample: Sample) -> list[int]:
    rows = SampledExample.objects.filter(sample=sample, drawn__isnull=False)
    return list(rows.order_by("drawn").values_list("example_id", flat=True))


# Those of the samples that were looked at last: a sample never changes.
_populations: Memory[list[SourcePopulation]] = Memory(4)


def read_populations(sample: Sample) -> list[SourcePopulation]:
    """Each source's distribution, in the order of drawing."""
    key = (sample.pk, sample.created_at, sample.signature)
    return _populations.get(key, lambda: _read_populations(sample))


def _read_populations(sample: Sample) -> list[SourcePopulation]:
    rows = list(list_rows(sample).values_list("means", "bins", "drawn"))
    size = len(sample.sources)
    means = np.array([row[0] for row in rows], dtype=np.float64).reshape(len(rows), size).T
    bins = np.array([row[1] for row in rows], dtype=np.int64).reshape(len(rows), size).T
    chosen = np.array([row[2] is not None for row in rows], dtype=bool)
    return [
        _population(sample, source, means[place], bins[place], chosen)
        for place, source in enumerate(sample.sources)
        if len(rows)
    ]


def _population(
    sample: Sample,
    source: dict[str, Any],
    means: Floats,
    bins: NDArray[np.int64],
    chosen: NDArray[np.bool_],
) -> SourcePopulation:
    numbers = range(1, sample.options["bins"] + 1)
    counts = [
        {"bin": n, "examples": int((bins == n).sum()), "drawn": int((chosen & (bins == n)).sum())}
        for n in numbers
    ]
    return SourcePopulation(
        source,
        means,
        chosen,
        _cuts(means, bins, len(numbers)),
        counts,
        compare_distributions(means, chosen, source["name"]),
    )


def _cuts(means: Floats, bins: NDArray[np.int64], count: int) -> list[float]:
    """Half-way between the last of a bin and the first of the next, whichever way is up."""
    parts = [means[bins == number] for number in range(1, count + 1)]
    found = []
    for one, other in pairwise(parts):
        if len(one) and len(other):
            low, high = sorted((one, other), key=np.mean)
            found.append(float(low.max() + high.min()) / 2)
    return found


def list_unit_sets(sample: Sample) -> list[tuple[UnitSet, int]]:
    """Frozen sets that have units of some sampled examples, with how many of them."""
    rows = list_frozen_sets(sample.project).order_by("-frozen_at", "-pk")
    found = [(row, count_judgeable(sample, row)) for row in rows[:100]]
    return [(row, count) for row, count in found if count]


def count_judgeable(sample: Sample, unit_set: UnitSet) -> int:
    """Sampled examples that the set has units of."""
    drawn = SampledExample.objects.filter(sample=sample, drawn__isnull=False)
    units = Unit.objects.filter(
        set=unit_set, is_deleted=False, example__in=drawn.order_by().values("example")
    )
    return units.order_by().values("example").distinct().count()


def stream_sample(sample: Sample) -> Iterator[str]:
    """Every example of the population a line: whether it was drawn, its chance, its means."""
    names = [source["name"] for source in sample.sources]
    columns = [f"{what}_{name}" for what in ("mean", "bin") for name in names]
    yield row_line("doc_id", "is_drawn", "place", "metric", "bin", "chance", *map(defuse, columns))
    rows = list_rows(sample)
    for row in rows.iterator(READ_CHUNK):
        metric = "" if row.source is None else defuse(names[row.source])
        told = (str(row.drawn or ""), metric, str(row.bin or ""), repr(row.chance))
        numbers = [*map(repr, row.means), *map(str, row.bins)]
        yield row_line(defuse(row.example.key), str(int(row.drawn is not None)), *told, *numbers)
