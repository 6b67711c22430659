"""The corpus as a zip of line files, written file by file while it is sent."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator
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
    return stream_zip(_files(project))


def stream_zip(files: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """A zip while it is made. Equal files give equal bytes: all carry one fixed date."""
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, blocks in files:
            info = zipfile.ZipInfo(name, FIXED_DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(info, "w", force_zip64=True) as out:
                for block in blocks:
                    out.write(block)
                    yield pipe.take()
    yield pipe.take()


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
        raise DomainError("An import was taken back while the corpus was sent.", "Export it again.")


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
