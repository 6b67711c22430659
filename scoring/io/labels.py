"""`labels/<system>.label`: line i holds the labels of example i, with tabs between them.

The labels of a line go by the order of the example's units: `1` present, `0` not present, nothing
where a unit has no label. The last line has no newline at its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from scoring.io.errors import ProblemList, shown
from scoring.io.source import LineReader, Source

Label = int | None
_FILE = re.compile(r"^(?:.*/)?(?P<system>[^/]+)\.label$")
_VALUES: dict[str, Label] = {"0": 0, "1": 1, "": None}


@dataclass(frozen=True, slots=True)
class SystemLabels:
    """The labels of one system's summaries: a row an example, a place a unit."""

    system: str
    rows: list[list[Label]]


def label_files(source: Source) -> dict[str, str]:
    """The file of each system, by the system's name."""
    found = ((match["system"], name) for name in source.names if (match := _FILE.match(name)))
    return dict(sorted(found))


def read_labels(
    source: Source, unit_counts: Sequence[int], problems: ProblemList
) -> Iterator[SystemLabels]:
    """Every system's labels, checked against the number of units of each example."""
    files = label_files(source)
    if not files:
        problems.add(source.path.name, None, "There is no file of labels.", "<system>.label files.")
    for system, name in files.items():
        with closing(LineReader(source, name, problems)) as lines:
            rows = list(_rows(lines, unit_counts, problems))
            have = lines.count_lines()
            if not lines.may_have(len(unit_counts)):
                message = f"The file has {have:,} lines."
                expected = f"{len(unit_counts):,} lines, one for each example."
                problems.add(name, min(have, len(unit_counts)) + 1, message, expected)
        yield SystemLabels(system, rows)


def _rows(
    lines: LineReader, unit_counts: Sequence[int], problems: ProblemList
) -> Iterator[list[Label]]:
    for count in unit_counts:
        if (line := lines.next_or_open_end()) is None:
            return
        yield _row(line, count, lines, problems)


def _row(line: str, count: int, lines: LineReader, problems: ProblemList) -> list[Label]:
    cells = line.split("\t") if line or count else []
    if len(cells) != count:
        message = f"There are {len(cells):,} labels."
        problems.add(lines.name, lines.number, message, f"{count:,}, one for each unit.")
        return []
    if strange := next((cell for cell in cells if cell not in _VALUES), None):
        message = f"'{shown(strange)}' is not a label."
        problems.add(lines.name, lines.number, message, "0, 1 or nothing.")
        return []
    return [_VALUES[cell] for cell in cells]
