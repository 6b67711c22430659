"""The corpus as a zip of line files, written file by file while it is sent."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from annotation.computed import Computed
from annotation.corpora.corpus.models import Document, Reference, Sentence, Summary, System
from annotation.corpora.corpus.queries import (
    KEPT_SECONDS,
    example_chunks,
    list_examples,
    list_sources,
    list_systems,
    texts_by_example,
)
from annotation.corpora.imports.models import ImportState, KeptFile
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, NotFound
from annotation.translation import gettext_lazy
from scoring.io import WRITERS
from scoring.io.packing import stream_zip
from scoring.types import ExampleRecord, ReferenceText, Span, SystemRecord

BOM = "\ufeff"
Texts = Callable[[list[int]], dict[int, str]]


def stream_folder(project: Project) -> Iterator[bytes]:
    return stream_zip(_files(project))


def _files(project: Project) -> Iterator[tuple[str, Iterator[bytes]]]:
    sources = list_sources(project)
    systems = list(list_systems(project).filter(source__in=sources))
    yield "ids.txt", _lines(project, sources, None)
    yield "documents.txt", _lines(project, sources, _texts_of(Document))
    yield "references.txt", _lines(project, sources, _texts_of(Reference))
    yield "systems.csv", iter([_systems_csv(systems)])
    for system in systems:
        texts = _texts_of(Summary, system=system)
        yield f"summaries/{system.name}.summary", _lines(project, sources, texts)
    for kept in _kept_files(project):
        yield kept.name, iter([bytes(kept.data)])


def _lines(project: Project, sources: list[int], texts: Texts | None) -> Iterator[bytes]:
    """One line an example, none after the last: how the published files are written."""
    between: str | None = None
    for examples in example_chunks(project, sources):
        found = texts([example.pk for example in examples]) if texts else None
        lines = [
            example.key if found is None else found.get(example.pk, "") for example in examples
        ]
        if between is None:
            # A reader takes one byte-order mark away; a text that begins with one needs two.
            between = BOM if lines[0].startswith(BOM) else ""
        yield (between + "\n".join(lines)).encode()
        between = "\n"
    if not set(sources) <= set(list_sources(project)):
        # Lines go by number: better a broken file than one whose lines belong to others.
        raise DomainError(
            _("An import was undone while the corpus was being exported."), _("Export it again.")
        )


def _texts_of(model: Any, **chosen: Any) -> Texts:
    def texts(ids: list[int]) -> dict[int, str]:
        rows = model.objects.filter(example__in=ids, **chosen)
        return dict(rows.order_by().values_list("example_id", "text"))

    return texts


def _systems_csv(systems: list[System]) -> bytes:
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["system", "type"])
    rows.writerows([system.name, system.kind] for system in systems)
    return out.getvalue().encode()


def _kept_files(project: Project) -> Iterator[KeptFile]:
    """Units and labels go along when one import brought all examples: they go by its lines."""
    done = project.imports.filter(state=ImportState.DONE, examples__isnull=False).distinct()
    sources = list(done[:2])
    if len(sources) == 1:
        yield from sources[0].kept_files.all()


CHUNK = 200
BLOCK = 1 << 16
Check = Callable[[Project], str | None]
# A list of one, as null alone would read like nothing computed.
REASONS = Computed("export-reasons", list[str | None], KEPT_SECONDS)


@dataclass(frozen=True, slots=True)
class ExportFormat:
    value: str
    label: str
    suffix: str
    media_type: str
    explanation: str


EXPORT_FORMATS = {
    item.value: item
    for item in (
        ExportFormat(
            "folder",
            gettext_lazy("Line files"),
            "zip",
            "application/zip",
            gettext_lazy(
                "A zip of ids.txt, documents.txt, references.txt and one file per system, with the "
                "units and labels that came along. The layout of REALSumm and PyrXSum."
            ),
        ),
        ExportFormat(
            "jsonl",
            "JSONL",
            "jsonl",
            "application/x-ndjson",
            gettext_lazy("One example per line with all its texts. Complete."),
        ),
        ExportFormat(
            "csv",
            "CSV",
            "csv",
            "text/csv; charset=utf-8",
            gettext_lazy("One text per row, safe to open in a spreadsheet."),
        ),
        ExportFormat(
            "sacrerouge",
            "SacreROUGE JSONL",
            "jsonl",
            "application/x-ndjson",
            gettext_lazy("One summary per line with its documents and references."),
        ),
    )
}


def get_export_format(value: str) -> ExportFormat:
    if value not in EXPORT_FORMATS:
        raise NotFound(
            _("'{value}' is not a format.").format(value=value),
            _("Known: {export_formats}.").format(export_formats=", ".join(EXPORT_FORMATS)),
        )
    return EXPORT_FORMATS[value]


def why_not(project: Project, value: str) -> str | None:
    """Why the corpus does not fit into a format without loss; None when it does."""
    if project.example_count == 0:
        return _("The corpus is empty.")
    checks: dict[str, list[Check]] = {
        "folder": [_several, _line_breaks, _empty_texts, _named, _given_sentences, _gaps, _slashes],
        "csv": [_given_sentences],
        "sacrerouge": [_unsummarised, _idle, _unjoinable],
        "jsonl": [],
    }
    sources = list_sources(project)
    for check in checks[value]:
        if reason := _ask(check, project, sources):
            return reason
    return None


def _ask(check: Check, project: Project, sources: list[int]) -> str | None:
    """Texts come and go with imports only; names of systems and their counts are looked up."""
    if check in (_gaps, _slashes, _idle):
        return check(project)
    (found,) = REASONS.get((check.__name__, project.pk, *sources), lambda: [check(project)])
    return found


def _several(project: Project) -> str | None:
    for model, noun in ((Document, "document"), (Reference, "reference")):
        row = model.objects.filter(_of(project), position__gt=0).first()
        if row is not None:
            return _("Example '{example}' has more than one {noun}.").format(
                example=row.example.key, noun=noun
            )
    return None


def _line_breaks(project: Project) -> str | None:
    broken = Q(text__contains="\n") | Q(text__endswith="\r")
    rows = (Document.objects.all(), Reference.objects.all(), Summary.objects.live())
    for texts in rows:
        row = texts.filter(_of(project), broken).first()
        if row is not None:
            return _("A text of example '{example}' has a line break.").format(
                example=row.example.key
            )
    return None


def _empty_texts(project: Project) -> str | None:
    """An empty line says that there is no document or reference, not that it is empty."""
    for model in (Document, Reference):
        row = model.objects.filter(_of(project), text="").first()
        if row is not None:
            return _("Example '{example}' has an empty document or reference.").format(
                example=row.example.key
            )
    return None


def _named(project: Project) -> str | None:
    row = Reference.objects.filter(_of(project)).exclude(name="").first()
    return (
        _("The reference of example '{example}' has a name.").format(example=row.example.key)
        if row
        else None
    )


def _given_sentences(project: Project) -> str | None:
    row = Reference.objects.filter(_of(project), sentences_given=True).first()
    return (
        _("The sentences of example '{example}' were set by the imported file.").format(
            example=row.example.key
        )
        if row
        else None
    )


def _gaps(project: Project) -> str | None:
    system = list_systems(project).exclude(summary_count=project.example_count).first()
    return (
        _("System '{system}' has no summary of some examples.").format(system=system.name)
        if system
        else None
    )


def _slashes(project: Project) -> str | None:
    system = list_systems(project).filter(name__contains="/").first()
    return (
        _("The name of system '{system}' can't be used as a file name.").format(system=system.name)
        if system
        else None
    )


def _unsummarised(project: Project) -> str | None:
    summaries = Summary.objects.live().filter(example=OuterRef("pk"))
    row = list_examples(project).filter(~Exists(summaries)).first()
    return _("Example '{key}' has no summary.").format(key=row.key) if row else None


def _idle(project: Project) -> str | None:
    system = list_systems(project).filter(summary_count=0).first()
    return _("System '{system}' has no summaries.").format(system=system.name) if system else None


def _unjoinable(project: Project) -> str | None:
    """A list of sentences is read back joined by spaces; other gaps would be lost."""
    rows = Reference.objects.filter(_of(project), sentences_given=True)
    for row in rows.prefetch_related("sentences").select_related("example").iterator(CHUNK):
        if " ".join(sentence.text for sentence in row.sentences.all()) != row.text:
            return _("The sentences of example '{example}' leave out some of its text.").format(
                example=row.example.key
            )
    return None


def _of(project: Project) -> Q:
    return Q(example__in=list_examples(project).order_by().values("pk"))


def stream_export(project: Project, value: str) -> Iterator[bytes]:
    """The file's bytes as they are made; memory does not grow with the corpus."""
    get_export_format(value)
    if reason := why_not(project, value):
        raise DomainError(
            _("This format can't represent the corpus. {reason}").format(reason=reason),
            _("Choose JSONL."),
        )
    if value == "folder":
        return stream_folder(project)
    return _stream_lines(project, value)


def _stream_lines(project: Project, value: str) -> Iterator[bytes]:
    sources = list_sources(project)
    systems = [
        SystemRecord(system.name, system.kind)
        for system in list_systems(project).filter(source__in=sources)
    ]
    buffer: list[bytes] = []
    size = 0
    for line in WRITERS[value](systems, iter_records(project, sources)):
        buffer.append(line.encode())
        size += len(buffer[-1])
        if size >= BLOCK:
            yield b"".join(buffer)
            buffer.clear()
            size = 0
    yield b"".join(buffer)


def iter_records(project: Project, sources: list[int] | None = None) -> Iterator[ExampleRecord]:
    """All examples, or those that the given imports brought."""
    sources = list_sources(project) if sources is None else sources
    for examples in example_chunks(project, sources):
        ids = [example.pk for example in examples]
        documents = texts_by_example(Document, ids)
        references = _references(ids)
        summaries = _summaries(ids, sources)
        for example in examples:
            yield ExampleRecord(
                key=example.key,
                documents=tuple(row.text for row in documents[example.pk]),
                references=tuple(references[example.pk]),
                summaries=summaries[example.pk],
            )


def _references(ids: list[int]) -> dict[int, list[ReferenceText]]:
    """Plain tuples: rows and their prefetched sentences refer to each other, and stay in memory."""
    rows = Reference.objects.filter(example__in=ids).order_by("example_id", "position")
    spans = _given_spans(ids)
    grouped: dict[int, list[ReferenceText]] = defaultdict(list)
    for pk, example_id, name, text, is_given in rows.values_list(
        "pk", "example_id", "name", "text", "sentences_given"
    ):
        given = tuple(spans[pk]) if is_given else None
        grouped[example_id].append(ReferenceText(text, name, given))
    return grouped


def _given_spans(ids: list[int]) -> dict[int, list[Span]]:
    rows = Sentence.objects.filter(reference__example__in=ids, reference__sentences_given=True)
    grouped: dict[int, list[Span]] = defaultdict(list)
    for pk, start, end in rows.order_by("position").values_list("reference_id", "start", "end"):
        grouped[pk].append((start, end))
    return grouped


def _summaries(ids: list[int], sources: list[int]) -> dict[int, dict[str, str]]:
    rows = Summary.objects.live().filter(example__in=ids, source__in=sources)
    rows = rows.order_by("system__name", "system_id")
    grouped: dict[int, dict[str, str]] = defaultdict(dict)
    for example_id, name, text in rows.values_list("example_id", "system__name", "text"):
        grouped[example_id][name] = text
    return grouped
