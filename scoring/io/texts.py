"""The texts of a study, a row for each summary, as metrics read them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from scoring.io.errors import ProblemList
from scoring.io.folder import FolderReader
from scoring.io.source import Source
from scoring.sentences import split_sentences


@dataclass(frozen=True, slots=True)
class SummaryTexts:
    """Rows lie by document, then by system; texts that summaries share are the same objects."""

    documents: tuple[str, ...]
    systems: tuple[str, ...]
    summaries: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    sources: tuple[tuple[str, ...], ...]


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
        raise ValueError(f"{folder.name} has no summaries. Expected summaries/<system>.summary.")
    return SummaryTexts(*zip(*rows, strict=True))


def without_marks(text: str) -> str:
    """The text without REALSumm's `<t>` and `</t>` around its sentences."""
    if "<t>" not in text:
        return text
    return " ".join(text[start:end] for start, end in split_sentences(text))
