"""Labels as line files: `<system>.label`, where line i holds those of document i, tab-separated.

A label is 1 (present) or 0 (not present); an empty field is a unit without a label. An empty line
is a summary without any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from scoring.io.errors import CorpusError, ProblemList, shown
from scoring.io.source import LineReader, Source
from scoring.translation import gettext as _
from scoring.types import Problem

ENDING = ".label"
IDS = "ids.txt"
WORDS = {"0": 0, "1": 1, "": None}

Row = list[int | None]


def read_labels(
    path: Path,
    documents: Sequence[str],
    problems: ProblemList,
    *,
    max_bytes: int | None = None,
) -> dict[str, dict[str, Row]]:
    """Labels by system and document from a folder or zip of `.label` files.

    Lines are in the order of *documents*, or of an `ids.txt` that lies among the files.
    """
    with Source(path, max_bytes=max_bytes) as source:
        files = files_by_system(source)
        order = _own_order(source, documents, problems)
        return {
            system: dict(_rows(source, name, order, problems)) for system, name in files.items()
        }


def read_label_file(path: Path, documents: Sequence[str], problems: ProblemList) -> dict[str, Row]:
    """One system's labels by document, from its file."""
    with Source(path) as source:
        return dict(_rows(source, path.name, documents, problems))


def files_by_system(source: Source, ending: str = ENDING, what: str = "labels") -> dict[str, str]:
    """Names of files that end so, by the system that they are called after."""
    found: dict[str, str] = {}
    for name in source.names:
        if name.endswith(ending):
            system = name.rsplit("/", 1)[-1].removesuffix(ending)
            if system in found:
                message = _("There are two files for system '{system}'.").format(system=system)
                raise CorpusError(Problem(shown(name), None, shown(message), _("one per system.")))
            found[system] = name
    if not found:
        expected = _("a folder of files with the ending {ending}.").format(ending=ending)
        name = shown(source.path.name)
        raise CorpusError(
            Problem(name, None, _("There are no {what}.").format(what=what), expected)
        )
    return found


def _own_order(source: Source, documents: Sequence[str], problems: ProblemList) -> Sequence[str]:
    if IDS not in source:
        return documents
    with closing(LineReader(source, IDS, problems)) as lines:
        found = list(lines)
    if unknown := sorted(set(found) - set(documents)):
        message = _("Document '{unknown}' has no units.").format(unknown=unknown[0])
        problems.add(IDS, found.index(unknown[0]) + 1, message, _("only documents with units."))
    return found


def _rows(
    source: Source, name: str, documents: Sequence[str], problems: ProblemList
) -> Iterator[tuple[str, Row]]:
    with closing(LineReader(source, name, problems)) as lines:
        for document in documents:
            line = lines.next_or_open_end()
            if line is None:
                break
            if line and (row := _row(line, name, lines.number, problems)) is not None:
                yield document, row
        have = lines.count_lines()
        if not lines.may_have(len(documents)):
            expected = _("{documents:,} lines, one per document.").format(documents=len(documents))
            problems.add(name, None, _("The file has {have:,} lines.").format(have=have), expected)


def _row(line: str, name: str, number: int, problems: ProblemList) -> Row | None:
    fields = line.split("\t")
    if wrong := [field for field in fields if field not in WORDS]:
        problems.add(
            name,
            number,
            _("A label is '{wrong}'.").format(wrong=wrong[0]),
            _("0 or 1, separated by tabs."),
        )
        return None
    return [WORDS[field] for field in fields]


def label_line(labels: Iterable[int]) -> str:
    """One document's labels as a line, without its end; -1 leaves its field empty."""
    return "\t".join("" if label < 0 else str(label) for label in labels)
