"""The texts of a study, a row for each summary, as metrics read them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from scoring.errors import InputError
from scoring.io.errors import ProblemList
from scoring.io.folder import FolderReader
from scoring.io.marks import without_marks
from scoring.io.source import Source
from scoring.io.studies import IDS, read_lines
from scoring.translation import gettext as _

Texts = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class SummaryTexts:
    """Columns of as many rows; rows lie by document, then by system."""

    documents: tuple[str, ...]
    systems: tuple[str, ...]
    summaries: tuple[str, ...]
    references: Texts
    sources: Texts


def read_texts(folder: Path) -> SummaryTexts:
    """All summaries of a line-file folder, or a zip of one, with their references and sources."""
    problems = ProblemList()
    rows = []
    with Source(folder) as source:
        for record in FolderReader(source, problems).examples():
            references = tuple(without_marks(reference.text) for reference in record.references)
            rows += [
                (record.key, system, text, references, record.documents)
                for system, text in record.summaries.items()
            ]
    problems.raise_first()
    if not rows:
        raise InputError(
            _("{folder} has no summaries. Expected summaries/<system>.summary.").format(
                folder=folder.name
            )
        )
    return SummaryTexts(*zip(*rows, strict=True))


def read_text_files(
    summaries: Path, references: Sequence[Path], sources: Sequence[Path], ids: Path | None
) -> SummaryTexts:
    """One system's summaries, a line each; several files of references are several references."""
    problems = ProblemList()
    lines = read_lines(summaries, problems)
    others = [[read_lines(path, problems) for path in paths] for paths in (references, sources)]
    names = ids or summaries.parent / IDS
    known = read_lines(names, problems) if names.is_file() else _number(lines)
    problems.raise_first()
    paths, files = [*references, *sources, names], [*others[0], *others[1], known]
    for path, found in zip(paths, files, strict=True):
        _check_length(path, found, summaries, lines)
    marked, plain = (tuple(zip(*columns, strict=True)) or ((),) * len(lines) for columns in others)
    return SummaryTexts(
        tuple(known),
        (summaries.stem,) * len(lines),
        tuple(lines),
        tuple(tuple(map(without_marks, row)) for row in marked),
        plain,
    )


def _number(lines: Sequence[str]) -> list[str]:
    return [str(number) for number in range(1, len(lines) + 1)]


def _check_length(path: Path, found: Sequence[str], summaries: Path, lines: Sequence[str]) -> None:
    if len(found) != len(lines):
        raise InputError(
            _("{path} has {found:,} lines. Expected {lines:,}, as {summaries}.").format(
                path=path.name, found=len(found), lines=len(lines), summaries=summaries.name
            )
        )


def take_texts(texts: SummaryTexts, systems: str, most: int) -> SummaryTexts:
    """Rows of systems whose name fits a pattern with *, and of the first so many documents."""
    documents = list(dict.fromkeys(texts.documents))[: most or None]
    kept = [
        place
        for place, (document, system) in enumerate(zip(texts.documents, texts.systems, strict=True))
        if document in documents and fnmatchcase(system, systems)
    ]
    if not kept:
        known = ", ".join(dict.fromkeys(texts.systems))
        raise InputError(
            _("Unknown system {systems}. Known: {known}.").format(systems=systems, known=known)
        )
    return SummaryTexts(
        documents=tuple(texts.documents[place] for place in kept),
        systems=tuple(texts.systems[place] for place in kept),
        summaries=tuple(texts.summaries[place] for place in kept),
        references=tuple(texts.references[place] for place in kept),
        sources=tuple(texts.sources[place] for place in kept),
    )
