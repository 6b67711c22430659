"""Reading and writing corpora: `open_corpus(path)` detects the format and yields examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from scoring.io import folder, jsonl, sacrerouge, table, wide
from scoring.io.errors import CorpusError, ProblemList, shown
from scoring.io.marks import Unmarked
from scoring.io.source import Source, refuse_wide
from scoring.translation import gettext as _
from scoring.types import ExampleRecord, Problem, SystemRecord


class CorpusReader(Protocol):
    """What every format offers. `systems()` is complete once `examples()` has ended."""

    format: str
    source: Source
    problems: ProblemList
    notes: list[str]
    kept: list[str]

    def systems(self) -> list[SystemRecord]: ...

    def examples(self, start: int = 0) -> Iterator[ExampleRecord]: ...

    def verify(self) -> None: ...


Recognise = Callable[[Source], bool]
Read = Callable[[Source, ProblemList], CorpusReader]

FORMATS: dict[str, tuple[Recognise, Read]] = {
    folder.NAME: (folder.recognises, folder.FolderReader),
    sacrerouge.NAME: (sacrerouge.recognises, sacrerouge.SacreRougeReader),
    jsonl.NAME: (jsonl.recognises, jsonl.JsonlReader),
    table.NAME: (table.recognises, table.TableReader),
    wide.NAME: (wide.recognises, wide.WideReader),
}
WRITERS = {jsonl.NAME: jsonl.write, table.NAME: table.write, sacrerouge.NAME: sacrerouge.write}


def detect_format(source: Source) -> str:
    for name, (recognises, __) in FORMATS.items():
        if recognises(source):
            return name
    for name in source.names[:5]:
        refuse_wide(name, source.read(name, 400))
    listed = shown(", ".join(source.names[:5])) or _("no file at all")
    raise _not_possible(
        source,
        _("The format is not recognised ({listed}).").format(listed=listed),
        _(
            "line files with references.txt, JSONL, CSV with example_id and part, SacreROUGE "
            "JSONL, or a table with one example per row."
        ),
    )


def open_corpus(
    path: Path | str,
    *,
    format: str = "",
    problems: ProblemList | None = None,
    max_bytes: int | None = None,
    columns: Mapping[str, str] | None = None,
    keep_marks: bool = False,
) -> CorpusReader:
    """A reader of the corpus at `path`: a folder, a zip, or a single file.

    `columns` are roles of a wide table's columns; those not named are guessed. Marks `<t> … </t>`
    around sentences are taken off and become the references' sentences; `keep_marks` leaves texts
    as they came.
    """
    reader = _open(path, format, problems, max_bytes, columns)
    return reader if keep_marks else Unmarked(reader)


def _open(
    path: Path | str,
    format: str,
    problems: ProblemList | None,
    max_bytes: int | None,
    columns: Mapping[str, str] | None,
) -> CorpusReader:
    source = Source(Path(path), max_bytes=max_bytes)
    try:
        name = format or detect_format(source)
        if name not in FORMATS:
            raise _not_possible(
                source, _("Unknown format '{shown}'.").format(shown=shown(name)), _known()
            )
        if name == wide.NAME:
            return wide.WideReader(source, problems or ProblemList(), columns)
        __, reader = FORMATS[name]
        return reader(source, problems or ProblemList())
    except CorpusError:
        source.close()
        raise


def _known() -> str:
    return _("one of {formats}.").format(formats=", ".join(FORMATS))


def _not_possible(source: Source, message: str, expected: str) -> CorpusError:
    return CorpusError(Problem(shown(source.path.name), None, message, expected))


__all__ = ["FORMATS", "WRITERS", "CorpusError", "CorpusReader", "ProblemList", "open_corpus"]
