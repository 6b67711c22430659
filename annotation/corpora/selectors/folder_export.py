"""The corpus as a zip of line files, written file by file while it is sent."""

from __future__ import annotations

import csv
import io
import zipfile
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
from annotation.corpora.selectors.corpus import example_chunks, list_systems

BOM = "\ufeff"
FIXED_DATE = (1980, 1, 1, 0, 0, 0)
Texts = Callable[[list[int]], dict[int, str]]


class Pipe(io.RawIOBase):
    """A file that a zip is written to and that gives away what it has got so far."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.parts.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        taken = b"".join(self.parts)
        self.parts.clear()
        return taken


def stream_folder(project: Project) -> Iterator[bytes]:
    """The same corpus gives the same bytes: every file carries one fixed date."""
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, blocks in _files(project):
            info = zipfile.ZipInfo(name, FIXED_DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(info, "w", force_zip64=True) as out:
                for block in blocks:
                    out.write(block)
                    yield pipe.take()
    yield pipe.take()


def _files(project: Project) -> Iterator[tuple[str, Iterator[bytes]]]:
    systems = list(list_systems(project))
    yield "ids.txt", _lines(project, None)
    yield "documents.txt", _lines(project, _texts_of(Document))
    yield "references.txt", _lines(project, _texts_of(Reference))
    yield "systems.csv", iter([_systems_csv(systems)])
    for system in systems:
        yield f"summaries/{system.name}.summary", _lines(project, _texts_of(Summary, system=system))
    for kept in _kept_files(project):
        yield kept.name, iter([bytes(kept.data)])


def _lines(project: Project, texts: Texts | None) -> Iterator[bytes]:
    """One line an example, none after the last: how the published files are written."""
    between: str | None = None
    for examples in example_chunks(project):
        found = texts([example.pk for example in examples]) if texts else None
        lines = [
            example.key if found is None else found.get(example.pk, "") for example in examples
        ]
        if between is None:
            # A reader takes one byte-order mark away; a text that begins with one needs two.
            between = BOM if lines[0].startswith(BOM) else ""
        yield (between + "\n".join(lines)).encode()
        between = "\n"


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
