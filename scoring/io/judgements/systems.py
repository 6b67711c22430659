"""`systems.csv`: which system a results file is about, since names inside files may be ambiguous.

system,type,raw_crowd_file,raw_summary_id,raw_rows
abs_bart_out,abstractive,raw_crowd/abs_systems/bart_out_Batch_crowd_3.csv,bart_out,315
"""

from __future__ import annotations

from itertools import takewhile
from pathlib import PurePosixPath

from scoring.io.errors import ProblemList
from scoring.io.sheets import read_table
from scoring.io.source import Source
from scoring.translation import gettext as _

NEEDED = {"system", "raw_crowd_file"}


class SystemsByFile:
    """Systems by the path of their file; the longest ending that two paths share decides."""

    def __init__(self) -> None:
        self._systems: dict[tuple[str, ...], str] = {}

    def add(self, path: str, system: str) -> None:
        self._systems[PurePosixPath(path).parts] = system

    def __bool__(self) -> bool:
        return bool(self._systems)

    def find(self, file: str) -> str | None:
        """The system of a file; None if no path, or more than one, fits best."""
        parts = PurePosixPath(file).parts
        shared = {known: _shared_ending(known, parts) for known in self._systems}
        longest = max(shared.values(), default=0)
        found = {self._systems[known] for known, length in shared.items() if length == longest}
        return found.pop() if longest and len(found) == 1 else None


def _shared_ending(first: tuple[str, ...], second: tuple[str, ...]) -> int:
    pairs = zip(reversed(first), reversed(second), strict=False)
    return sum(1 for __ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def read_systems(source: Source, name: str, found: SystemsByFile, problems: ProblemList) -> None:
    """Add what a `systems.csv` says to *found*."""
    for line, row in read_table(source, name, problems).rows:
        system, path = row.get("system", ""), row.get("raw_crowd_file", "")
        if system and path:
            found.add(path, system)
            continue
        expected = _("a system and the path of its file.")
        problems.add(name, line, _("The row names no system or no file."), expected)
