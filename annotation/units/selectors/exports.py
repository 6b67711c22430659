"""A set of units, streamed in the formats that are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from django.db.models import QuerySet

from annotation.corpora.models import Reference
from annotation.corpora.selectors.corpus import list_examples
from annotation.corpora.selectors.folder_export import stream_zip
from annotation.errors import DomainError, NotFound
from annotation.units.models import Unit, UnitSet
from annotation.units.selectors.files import (
    UNIT_FILE_FORMATS,
    UnitFileFormat,
    iter_unit_records,
    written_units,
)
from scoring.io import units as writers
from scoring.io.units import Pyramid
from scoring.types import UnitRecord

BLOCK = 64 * 1024


def get_unit_format(value: str) -> UnitFileFormat:
    for item in UNIT_FILE_FORMATS:
        if item.value == value:
            return item
    known = ", ".join(item.value for item in UNIT_FILE_FORMATS)
    raise NotFound(f"No format is called '{value}'.", f"Known: {known}.")


def stream_units(unit_set: UnitSet, format: str) -> Iterator[bytes]:
    """The file's bytes as they are made; a set without units is refused before it begins."""
    get_unit_format(format)
    units = written_units(unit_set)
    if not units.exists():
        raise DomainError(f"{unit_set} has no units.", "Write some, then export.")
    if format in MISFITS:
        MISFITS[format](units)
    return STREAMS[format](unit_set)


def _refuse_blank(units: QuerySet[Unit]) -> None:
    if units.filter(text__regex=r"^\s*BLANK\s*$").exists():
        raise DomainError("A unit reads BLANK, which means none in this format.", "Use JSONL.")


def _refuse_slashes(units: QuerySet[Unit]) -> None:
    """A .pyr file is named after its example, and lies in the zip beside the others."""
    if found := units.filter(example__key__contains="/").select_related("example").first():
        raise DomainError(f"The id '{found.example.key}' can't name a file.", "Use JSONL.")
    texts = Reference.objects.filter(example__units__in=units)
    if texts.filter(text__regex=r"-----\nReference [0-9]+\n-----").exists():
        raise DomainError("A reference reads like the header of another.", "Use JSONL.")


MISFITS: dict[str, Callable[[QuerySet[Unit]], None]] = {
    "scu_list": _refuse_blank,
    "pyramid": _refuse_slashes,
}


def _lines(unit_set: UnitSet) -> Iterator[bytes]:
    ids = list(list_examples(unit_set.project).values_list("key", flat=True))
    return _blocks(writers.write_lines(iter_unit_records(unit_set), ids))


def _jsonl(unit_set: UnitSet) -> Iterator[bytes]:
    return _blocks(writers.write_jsonl(iter_unit_records(unit_set)))


def _csv(unit_set: UnitSet) -> Iterator[bytes]:
    return _blocks(writers.write_csv(iter_unit_records(unit_set)))


def _scu_list(unit_set: UnitSet) -> Iterator[bytes]:
    return _blocks(writers.write_scu_list(iter_unit_records(unit_set)))


def _pyramids(unit_set: UnitSet) -> Iterator[bytes]:
    """One .pyr an example. A pyramid needs contributors, so words found by overlap count too."""
    records = iter_unit_records(unit_set, aligned=True)
    return stream_zip(
        (f"{key}.pyr", _pyramid(unit_set, key, tuple(units)))
        for key, units in groupby(records, key=lambda record: record.key)
    )


def _pyramid(unit_set: UnitSet, key: str, units: tuple[UnitRecord, ...]) -> Iterator[bytes]:
    rows = Reference.objects.filter(example__project=unit_set.project, example__key=key)
    texts = tuple(rows.order_by("position").values_list("text", flat=True))
    return _blocks(writers.write_pyramid(Pyramid(key, texts, units)))


def _blocks(parts: Iterable[str]) -> Iterator[bytes]:
    """Short strings put together to blocks that are worth sending."""
    waiting: list[str] = []
    size = 0
    for part in parts:
        waiting.append(part)
        size += len(part)
        if size >= BLOCK:
            yield "".join(waiting).encode()
            waiting, size = [], 0
    yield "".join(waiting).encode()


STREAMS: dict[str, Callable[[UnitSet], Iterator[bytes]]] = {
    "lines": _lines,
    "jsonl": _jsonl,
    "csv": _csv,
    "scu_list": _scu_list,
    "pyramid": _pyramids,
}
