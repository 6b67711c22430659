"""A labelled study from files: units, summaries and labels, where lines go by document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from scoring.io.errors import ProblemList
from scoring.io.labels import files_by_system
from scoring.io.source import LineReader, Source
from scoring.io.units import open_units
from scoring.sentences import split_sentences
from scoring.translation import gettext as _
from scoring.types import UnitRecord

IDS = "ids.txt"
ENDING = ".summary"


def read_units(units: Path, ids: Path | None, problems: ProblemList) -> dict[str, list[UnitRecord]]:
    """Units by document, in the order of `ids.txt` beside them, or of *ids*.

    Where there is no such file, documents of line files are numbered from 1.
    """
    documents = _read_ids(ids or units.parent / IDS, units, problems)
    found: dict[str, list[UnitRecord]] = {document: [] for document in documents}
    reader = open_units(units, ids=documents, problems=problems)
    with reader.source:
        for unit in reader.units():
            found.setdefault(unit.key, []).append(unit)
    return found


def read_summaries(
    path: Path, documents: Sequence[str], problems: ProblemList
) -> dict[str, dict[str, str]]:
    """Summaries by system and document, from a folder or zip of `<system>.summary` files."""
    with Source(path) as source:
        files = files_by_system(source, ENDING, "summaries")
        return {
            system: dict(_lines(source, name, documents, problems))
            for system, name in files.items()
        }


def read_summary_file(
    path: Path, documents: Sequence[str], problems: ProblemList
) -> dict[str, str]:
    """One system's summaries by document, from its file."""
    with Source(path) as source:
        return dict(_lines(source, path.name, documents, problems))


def _lines(
    source: Source, name: str, documents: Sequence[str], problems: ProblemList
) -> Iterator[tuple[str, str]]:
    with closing(LineReader(source, name, problems)) as lines:
        for document in documents:
            line = lines.next_or_open_end()
            if line is None:
                break
            yield document, line
        have = lines.count_lines()
        if not lines.may_have(len(documents)):
            expected = _("{documents:,} lines, one for each document.").format(
                documents=len(documents)
            )
            problems.add(name, None, _("The file has {have:,} lines.").format(have=have), expected)


def _read_ids(path: Path, units: Path, problems: ProblemList) -> list[str]:
    if path.is_file():
        return read_lines(path, problems)
    if units.suffix.lower() != ".txt":
        return []
    with Source(units) as source, closing(LineReader(source, units.name, problems)) as lines:
        return [str(number) for number in range(1, lines.count_lines() + 1)]


def read_lines(path: Path, problems: ProblemList) -> list[str]:
    """All lines of one file, by what they say."""
    with Source(path) as source, closing(LineReader(source, path.name, problems)) as lines:
        return list(lines)


def read_references(path: Path, ids: Path | None, problems: ProblemList) -> dict[str, list[str]]:
    """The sentences of each document's reference, one reference a line.

    Documents go by `ids.txt` beside the file, or by *ids*; without one they are numbered from 1.
    """
    documents = _read_ids(ids or path.parent / IDS, path, problems)
    with Source(path) as source:
        texts = dict(_lines(source, path.name, documents, problems))
    return {
        document: [text[start:end] for start, end in split_sentences(text)]
        for document, text in texts.items()
    }
