"""Reading crowd answers from files: `open_judgements(paths)` yields an assignment a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from scoring.io.errors import CorpusError, ProblemList, shown
from scoring.io.judgements import batch
from scoring.io.judgements.batch_input import SLOTS, BatchHit, write_batch
from scoring.io.judgements.batch_results import BatchResult, write_results
from scoring.io.judgements.records import STATUSES, JudgementRow, StatementAnswer
from scoring.io.judgements.systems import NEEDED, SystemsByFile, read_systems
from scoring.io.sheets import read_header
from scoring.io.source import Source
from scoring.io.units import scu_list
from scoring.translation import gettext as _


class JudgementReader:
    """Every results file among some files, folders and zips. A `systems.csv` names the systems.

    `notes` tell what was left out, and why.
    """

    def __init__(self, sources: Sequence[Source], problems: ProblemList) -> None:
        self.sources = sources
        self.problems = problems
        self.notes: list[str] = []
        self._systems = SystemsByFile()
        self._files: list[tuple[Source, str]] = []
        for source in sources:
            for name in source.names:
                self._sort(source, name)
        if not self._files and not problems.count:
            problems.add(
                _label(sources), None, _("There are no results files."), _("a CSV of a batch.")
            )

    @property
    def has_systems(self) -> bool:
        return bool(self._systems)

    def rows(self) -> Iterator[JudgementRow]:
        """`system` is replaced by what `systems.csv` says of the file, if there is one."""
        for source, name in self._files:
            known = self._find_system(source, name)
            for row in batch.read_batch(source, name, self.problems):
                yield replace(row, system=known) if known else row

    def close(self) -> None:
        for source in self.sources:
            source.close()

    def __enter__(self) -> JudgementReader:
        return self

    def __exit__(self, *__: object) -> None:
        self.close()

    def _find_system(self, source: Source, name: str) -> str | None:
        whole = (source.path / name).as_posix() if source.path.is_dir() else source.path.as_posix()
        # A zip's own path says nothing about the files inside it.
        return self._systems.find(name if source.path.suffix.lower() == ".zip" else whole)

    def _sort(self, source: Source, name: str) -> None:
        header = set(read_header(source, name))
        if batch.recognises(header):
            self._files.append((source, name))
        elif header >= NEEDED:
            read_systems(source, name, self._systems, self.problems)
        elif scu_list.COLUMNS[0] in header and scu_list.COLUMNS[1] in header:
            self.notes.append(_("{shown}: a list of SCUs, not answers.").format(shown=shown(name)))
        else:
            listed = ", ".join(sorted(header)[:5]) or "none"
            message = _("This is not a results file (columns: {listed}).").format(listed=listed)
            self.problems.add(name, 1, message, _("Input.eventId, …, Answer.S1Answer, …."))


def _label(sources: Sequence[Source]) -> str:
    return ", ".join(source.path.name for source in sources[:3]) or "nothing"


def open_judgements(
    paths: Sequence[Path], *, problems: ProblemList, max_bytes: int | None = None
) -> JudgementReader:
    """A reader of the results at *paths*: files, folders, zips, and a `systems.csv` if need be."""
    sources: list[Source] = []
    try:
        # One by one, so that those which were opened are known when the next one fails.
        sources.extend(Source(path, max_bytes=max_bytes) for path in paths)
        return JudgementReader(sources, problems)
    except CorpusError:
        for source in sources:
            source.close()
        raise


__all__ = [
    "SLOTS",
    "STATUSES",
    "BatchHit",
    "BatchResult",
    "JudgementReader",
    "JudgementRow",
    "StatementAnswer",
    "open_judgements",
    "write_batch",
    "write_results",
]
