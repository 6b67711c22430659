"""`SCUs.txt` and `STUs.txt`: line i holds the units of example i, with tabs between them.

The ids come from elsewhere: from `ids.txt`, or from the corpus the units are for. An empty line
is an example without units, and the last line has no newline at its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing

from scoring.errors import InputError
from scoring.io.errors import ProblemList
from scoring.io.source import LineReader, Source
from scoring.io.units.checks import UnitCheck, by_example
from scoring.translation import gettext as _
from scoring.types import UNIT_KINDS, UnitRecord

NAME = "lines"
_UNITS = re.compile(r"^(?:.*/)?(?P<name>[^/]*)\.txt$", re.IGNORECASE)
_KIND = re.compile(r"scu|stu", re.IGNORECASE)
# `discussion-STUs.txt` holds STUs, whatever else its name spells.
_KIND_AT_END = re.compile(r"(?<![a-z])(scu|stu)s?\.txt$", re.IGNORECASE)


def unit_files(source: Source) -> list[str]:
    return [
        name for name in source.names if (found := _UNITS.match(name)) and _KIND.search(found[1])
    ]


def recognises(source: Source) -> bool:
    return bool(unit_files(source))


class LinesReader:
    """Reads one file of units against a list of example ids.

    `kind` may be left empty where the file's name says SCU or STU, but not both.
    """

    format = NAME

    def __init__(
        self, source: Source, problems: ProblemList, *, kind: str = "", ids: Sequence[str] = ()
    ) -> None:
        self.source = source
        self.problems = problems
        self.notes: list[str] = []
        self.check = UnitCheck(problems)
        self._ids = ids
        self._file = self._find_file()
        self._kind = kind or self._kind_of(self._file)

    def units(self) -> Iterator[UnitRecord]:
        if not self._file or not self._kind:
            return
        with closing(LineReader(self.source, self._file, self.problems)) as lines:
            for key in self._ids:
                if (line := lines.next_or_open_end()) is None:
                    break
                for text in line.split("\t") if line else []:
                    unit = UnitRecord(key, text, self._kind, file=self._file, line=lines.number)
                    if self.check.accepts(unit):
                        yield unit
            self._compare_length(lines)

    def _compare_length(self, lines: LineReader) -> None:
        have, want = lines.count_lines(), len(self._ids)
        if not lines.may_have(want):
            self.problems.add(
                self._file,
                min(have, want) + 1,
                _("The file has {have:,} lines.").format(have=have),
                _("{want:,} lines, one for each example.").format(want=want),
            )

    def _find_file(self) -> str:
        files = unit_files(self.source) or _text_files(self.source)
        if len(files) == 1:
            return files[0]
        listed = ", ".join(files) or "none"
        message = _("There are several files of units: {listed}.").format(listed=listed)
        self.problems.add(self.source.path.name, None, message, _("one .txt file of units."))
        return ""

    def _kind_of(self, file: str) -> str:
        if told := _KIND_AT_END.search(file):
            return told[1].lower()
        kinds = {found.group().lower() for found in _KIND.finditer(file)}
        if len(kinds) == 1:
            return kinds.pop()
        if file:
            message = _("The file's name does not say whether its units are SCUs or STUs.")
            self.problems.add(
                file,
                None,
                message,
                _("a kind: {unit_kinds}.").format(unit_kinds=" or ".join(UNIT_KINDS)),
            )
        return ""


def _text_files(source: Source) -> list[str]:
    return [name for name in source.names if name.lower().endswith(".txt")]


def write(units: Iterable[UnitRecord], ids: Sequence[str]) -> Iterator[str]:
    """The lines of a file that `LinesReader` reads back as the same units of the same examples.

    Only texts are kept: the format has no place for weights, contributors and extractors.
    """
    grouped = dict(by_example(units))
    if unknown := sorted(set(grouped) - set(ids)):
        raise InputError(
            _("example '{unknown}' is not among the {ids} ids").format(
                unknown=unknown[0], ids=len(ids)
            )
        )
    for number, key in enumerate(ids):
        line = "\t".join(_cell(unit) for unit in grouped.get(key, ()))
        yield line if number == 0 else f"\n{line}"


def _cell(unit: UnitRecord) -> str:
    if not unit.text or re.search(r"[\t\r\n]", unit.text):
        raise InputError(
            _("a unit of example '{unit}' is empty or contains a tab or line break").format(
                unit=unit.key
            )
        )
    return unit.text
