"""Units as files: which came along with the corpus, which can be read and written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from annotation.corpora.models import ImportState, KeptFile, Project
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy
from annotation.units.models import Peer, Unit, UnitSet
from scoring.types import ContributorRecord, UnitRecord

CHUNK = 2000


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
    for unit in rows.iterator(chunk_size=CHUNK):
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
