"""The corpus as a zip of line files, written file by file while it is sent."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from typing import Any

from annotation.corpora.models import (
    Document,
    ImportState,
    KeptFile,
    Project,
    Reference,
    Summary,
    System,
)
from annotation.corpora.selectors.corpus import example_chunks, list_sources, list_systems
from annotation.errors import DomainError
from annotation.translation import gettext as _
from scoring.io.packing import stream_zip

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
