"""Units as files: which came along with the corpus, which can be read and written.

- A set of units, streamed in the formats that are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import Reference
from annotation.corpora.corpus.queries import list_examples
from annotation.corpora.imports.models import ImportState, KeptFile
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, NotFound
from annotation.translation import gettext_lazy
from annotation.units.files.peers import CHUNK, get_annotation, list_peers
from annotation.units.sets.models import Peer, Unit, UnitSet
from scoring.io import units as writers
from scoring.io.packing import stream_zip
from scoring.io.units import PeerAnnotation, Pyramid
from scoring.types import ContributorRecord, UnitRecord

FILES_CHUNK = 2000


@dataclass(frozen=True, slots=True)
class UnitFileFormat:
    value: str
    label: str
    suffix: str
    media_type: str
    explanation: str
    sample: str


UNIT_FILE_FORMATS = [
    UnitFileFormat(
        "lines",
        gettext_lazy("Line file"),
        "txt",
        "text/plain; charset=utf-8",
        gettext_lazy(
            "SCUs.txt or STUs.txt: one line per example, units separated by tabs. Texts only."
        ),
        gettext_lazy("Müller scored a goal.\tIt was his 27th.\nThe dam burst."),
    ),
    UnitFileFormat(
        "jsonl",
        "JSONL",
        "jsonl",
        "application/x-ndjson",
        gettext_lazy(
            "One line per example, with weights and contributors. Everything but peer annotations."
        ),
        gettext_lazy(
            '{"id": "a1", "units": [{"text": "…", "kind": "scu", "weight": 2,\n'
            ' "contributors": [{"reference": 0, "start": 0, "end": 12}]}]}'
        ),
    ),
    UnitFileFormat(
        "csv",
        "CSV",
        "csv",
        "text/csv; charset=utf-8",
        gettext_lazy("One row per unit, safe to open in a spreadsheet."),
        gettext_lazy("example_id,position,kind,weight,text,contributors\na1,1,scu,1,…,0:0-12"),
    ),
    UnitFileFormat(
        "scu_list",
        gettext_lazy("REALSumm's SCUs_list.csv"),
        "csv",
        "text/csv; charset=utf-8",
        gettext_lazy(
            "One row per question, as REALSumm published its SCUs. BLANK slots are skipped."
        ),
        "eventId,questionId,questionText,answer,author,sourceSummaryId,forUse",
    ),
    UnitFileFormat(
        "pyramid",
        gettext_lazy("DUC/TAC pyramids"),
        "zip",
        "application/zip",
        gettext_lazy("One .pyr file per example, with weights and contributors."),
        '<scu uid="1" label="…"><contributor label="…"><part … start="0" end="12"/>',
    ),
    UnitFileFormat(
        "pan",
        gettext_lazy("DUC/TAC peer annotations"),
        "zip",
        "application/zip",
        gettext_lazy(
            "One .pan file per example and peer: the pyramid and the units in the peer’s summary."
        ),
        '<peerscu uid="1" label="(2) …"><contributor label="…"><part … start="0" end="12"/>',
    ),
]


def list_kept_files(project: Project) -> QuerySet[KeptFile]:
    """Units files that came along with imports and wait to be made a set of."""
    return (
        KeptFile.objects.filter(
            source__project=project,
            source__state=ImportState.DONE,
            name__iregex=r"^(SCUs|STUs)\.txt$",
        )
        .select_related("source")
        .defer("data")
    )


def list_formats(unit_set: UnitSet) -> list[dict[str, Any]]:
    """What a set can be downloaded as; formats for what it does not have are left out."""
    has_peers = Peer.objects.filter(set=unit_set).exists()
    return [
        {
            "value": item.value,
            "label": item.label,
            "explanation": item.explanation,
            "url": reverse("units:download", args=[unit_set.project.slug, unit_set.pk, item.value]),
            "problem": None if unit_set.unit_count else _("The set is empty."),
        }
        for item in UNIT_FILE_FORMATS
        if has_peers or item.value != "pan"
    ]


def written_units(unit_set: UnitSet) -> QuerySet[Unit]:
    """The units of a set in the order of the corpus; one without a text is still to be written."""
    return (
        Unit.objects.filter(set=unit_set, is_deleted=False)
        .exclude(text="")
        .select_related("example")
        .order_by("example__position", "example_id", "position", "pk")
    )


def iter_unit_records(unit_set: UnitSet, *, aligned: bool = False) -> Iterator[UnitRecord]:
    """The units of a set in the order of the corpus, with the contributors that people chose.

    Those found by word overlap come along only when asked for: they are found again on import.
    """
    rows = written_units(unit_set).prefetch_related("contributors__reference")
    for unit in rows.iterator(chunk_size=FILES_CHUNK):
        yield unit_record(unit, aligned=aligned)


def unit_record(unit: Unit, *, aligned: bool = False) -> UnitRecord:
    """A unit as files hold it; `aligned` takes words found by overlap along."""
    return UnitRecord(
        key=unit.example.key,
        text=unit.text,
        kind=unit.kind,
        weight=unit.weight,
        contributors=tuple(
            ContributorRecord(span.reference.position, span.start, span.end)
            for span in unit.contributors.all()
            if aligned or not span.is_aligned
        ),
        extractor=unit.extractor,
        extractor_version=unit.extractor_version,
    )


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
