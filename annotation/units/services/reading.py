"""A file of units as it is read: for the check, and again by the job that fills a set from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from django.conf import settings

from annotation.corpora.models import Example, Project, Reference
from annotation.errors import DomainError
from annotation.translation import gettext as _
from scoring.io import ProblemList
from scoring.io.units import (
    OtherReferences,
    Provenance,
    Pyramid,
    PyramidReader,
    UnitReader,
    fit_pyramid,
    open_units,
)
from scoring.types import UnitRecord


@dataclass(frozen=True, slots=True)
class Group:
    """Units of one example that stand together in a file; `first` is the place of their first."""

    key: str
    first: int
    records: list[UnitRecord]
    format: str


def list_example_ids(project: Project, source: int | None) -> dict[str, int]:
    """Example ids by key, in the order that the lines of a file go by.

    A file that came with an import goes by that import's examples; where it brought none of its
    own, since all were there, by all of the project's.
    """
    rows = Example.objects.live().filter(project=project).order_by("position", "pk")
    own = rows.filter(source=source) if source is not None else rows
    return dict(own.values_list("key", "pk")) or dict(rows.values_list("key", "pk"))


def get_example_id(examples: dict[str, int], key: str) -> int:
    """Of an example that was there when the file was checked."""
    if key not in examples:
        raise DomainError(_("Example '{key}' is no longer in the project.").format(key=key))
    return examples[key]


def read_groups(
    params: dict[str, Any],
    examples: dict[str, int],
    problems: ProblemList,
    notes: list[str] | None = None,
) -> Iterator[Group]:
    """The units of a file; a table may come back to an example, which then goes on counting.

    In the end, `notes` has what the reader left out.
    """
    provenance = get_provenance(params)
    reader = _open(params, examples, problems)
    counts: Counter[str] = Counter()
    with reader.source:
        units = _units(reader, examples)
        for key, found in groupby(units, key=lambda record: record.key):
            records = [provenance.fill(record) for record in found]
            yield Group(key, counts[key], records, reader.format)
            counts[key] += len(records)
    if notes is not None:
        notes += reader.notes


def _units(reader: UnitReader, examples: dict[str, int]) -> Iterator[UnitRecord]:
    """A pyramid brings its references along; its contributors are found in the corpus's own."""
    if not isinstance(reader, PyramidReader):
        yield from reader.units()
        return
    for pyramid in reader.first_pyramids():
        yield from _fitted(pyramid, examples.get(pyramid.key), reader.problems).units


def _fitted(pyramid: Pyramid, example: int | None, problems: ProblemList) -> Pyramid:
    if example is None or not any(unit.contributors for unit in pyramid.units):
        return pyramid
    rows = Reference.objects.filter(example=example).order_by("position")
    try:
        return fit_pyramid(pyramid, tuple(rows.values_list("text", flat=True)))
    except OtherReferences as error:
        message = _("The pyramid of '{pyramid}' has different references. {error}").format(
            pyramid=pyramid.key, error=error
        )
        problems.add(pyramid.units[0].file, None, message, _("the references of the corpus."))
        return replace(pyramid, units=())


def read_peers(
    params: dict[str, Any], examples: dict[str, int], problems: ProblemList
) -> Iterator[Pyramid]:
    """The pyramids of a file that have a peer; other formats hold none."""
    reader = _open(params, examples, problems)
    with reader.source:
        if isinstance(reader, PyramidReader):
            yield from (pyramid for pyramid in reader.pyramids() if pyramid.peer)


def get_provenance(params: dict[str, Any]) -> Provenance:
    return Provenance(**params.get("provenance", {}))


def _open(params: dict[str, Any], examples: dict[str, int], problems: ProblemList) -> UnitReader:
    return open_units(
        Path(params["path"]),
        ids=list(examples),
        format=params["format"],
        kind=get_provenance(params).kind,
        problems=problems,
        max_bytes=settings.MAX_UNPACKED_MB * 2**20,
    )
