"""A set of units, streamed in the formats that are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from annotation.corpora.models import Reference
from annotation.corpora.selectors.corpus import list_examples
from annotation.errors import DomainError, NotFound
from annotation.translation import gettext as _
from annotation.units.models import Peer, UnitSet
from annotation.units.selectors.files import (
    UNIT_FILE_FORMATS,
    UnitFileFormat,
    iter_unit_records,
    unit_record,
    written_units,
)
from annotation.units.selectors.peers import CHUNK, get_annotation, list_peers
from scoring.io import units as writers
from scoring.io.packing import stream_zip
from scoring.io.units import PeerAnnotation, Pyramid
from scoring.types import UnitRecord

BLOCK = 64 * 1024


def get_unit_format(value: str) -> UnitFileFormat:
    for item in UNIT_FILE_FORMATS:
        if item.value == value:
            return item
    known = ", ".join(item.value for item in UNIT_FILE_FORMATS)
    raise NotFound(
        _("Unknown format '{value}'.").format(value=value), _("Known: {known}.").format(known=known)
    )


def stream_units(unit_set: UnitSet, format: str) -> Iterator[bytes]:
    """The file's bytes as they are made; a set without units is refused before it begins."""
    get_unit_format(format)
    units = written_units(unit_set)
    if not units.exists():
        raise DomainError(
            _("{unit_set} has no units.").format(unit_set=unit_set),
            _("Write some units, then export the set."),
            fix=unit_set,
        )
    for refuse in MISFITS.get(format, ()):
        refuse(unit_set)
    return STREAMS[format](unit_set)


def _refuse_blank(unit_set: UnitSet) -> None:
    if written_units(unit_set).filter(text__regex=r"^\s*BLANK\s*$").exists():
        raise DomainError(
            _("A unit has the text BLANK, which marks an empty slot in this format."),
            _("Use JSONL."),
        )


def _refuse_slashes(unit_set: UnitSet) -> None:
    """A .pyr file is named after its example, and lies in the zip beside the others."""
    if found := written_units(unit_set).filter(example__key__contains="/").first():
        raise DomainError(
            _("The ID '{example}' can't be used as a file name.").format(example=found.example.key),
            _("Use JSONL."),
        )


def _refuse_headers(unit_set: UnitSet) -> None:
    texts = Reference.objects.filter(example__units__in=written_units(unit_set))
    if texts.filter(text__regex=r"-----\nReference [0-9]+\n-----").exists():
        raise DomainError(
            _("A reference contains text that looks like the header of another reference."),
            _("Use JSONL."),
        )


def _refuse_without_peers(unit_set: UnitSet) -> None:
    if not list_peers(unit_set).exists():
        raise DomainError(
            _("{unit_set} has no peer annotations.").format(unit_set=unit_set),
            _("Peer annotations are imported from .pan files."),
        )


MISFITS: dict[str, tuple[Callable[[UnitSet], None], ...]] = {
    "scu_list": (_refuse_blank,),
    "pyramid": (_refuse_slashes, _refuse_headers),
    "pan": (_refuse_without_peers, _refuse_headers),
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


def get_only_peer(unit_set: UnitSet) -> Peer | None:
    """The one peer of a set, whose .pan is sent as it is rather than in a zip."""
    found = list(list_peers(unit_set)[:2])
    return found[0] if len(found) == 1 else None


def _peers(unit_set: UnitSet) -> Iterator[bytes]:
    files = _peer_files(unit_set)
    if get_only_peer(unit_set):
        return next(files)[1]
    return stream_zip(files)


def _peer_files(unit_set: UnitSet) -> Iterator[tuple[str, Iterator[bytes]]]:
    rows = list_peers(unit_set).iterator(chunk_size=CHUNK)
    for example, peers in groupby(rows, key=lambda peer: peer.example):
        units = written_units(unit_set).filter(example=example)
        found = list(units.prefetch_related("contributors__reference"))
        texts = tuple(example.references.values_list("text", flat=True))
        records = tuple(unit_record(unit, aligned=True) for unit in found)
        ids = [unit.pk for unit in found]
        pyramid = Pyramid(example.key, texts, records)
        yield from write_peer_files(pyramid, (get_annotation(peer, ids) for peer in peers))


def write_peer_files(
    pyramid: Pyramid, peers: Iterable[PeerAnnotation]
) -> Iterator[tuple[str, Iterator[bytes]]]:
    """A .pan for each peer of an example, whoever has found its marks: file name and bytes."""
    for peer in peers:
        name = writers.peer_file_name(pyramid.key, peer.name)
        yield name, _blocks(writers.write_pyramid(replace(pyramid, peer=peer)))


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
    "pan": _peers,
}
