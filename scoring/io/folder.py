"""The line-file folder of REALSumm and PyrXSum: line i of every file is example i.

ids.txt  documents.txt  references.txt  summaries/<system>.summary  [systems.csv]
[SCUs.txt  STUs.txt  STUs_SCUs_*.txt  labels/<system>.label  by_examples/  by_systems/]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import PurePosixPath

from scoring.io.checks import RecordCheck
from scoring.io.errors import ProblemList, shown
from scoring.io.sheets import read_table
from scoring.io.source import LineReader, Source
from scoring.translation import gettext as _
from scoring.types import ExampleRecord, ReferenceText, SystemRecord

NAME = "folder"
TEXT_FILES = ("ids.txt", "documents.txt", "references.txt")
_SUMMARY = re.compile(r"^(?:.*/)?(?P<system>[^/]+)\.summary$|^summaries/(?P<plain>[^/]+)\.txt$")
_UNITS = re.compile(r"^(SCUs|STUs)[^/]*\.txt$")
_LABELS = re.compile(r"^labels/[^/]+\.label$")
_FOLDS = re.compile(r"^by_(examples|systems)/[^/]+\.(id|sys)$")


def recognises(source: Source) -> bool:
    return any(name in TEXT_FILES or _SUMMARY.match(name) for name in source.names)


class FolderReader:
    """Reads all files side by side, one line of each per example."""

    format = NAME

    def __init__(self, source: Source, problems: ProblemList) -> None:
        self.source = source
        self.problems = problems
        self.check = RecordCheck(problems)
        self.notes: list[str] = []
        self.summary_files = self._find_summaries()
        self.kept = [name for name in source.names if self._is_kept(name)]
        self._declared: dict[str, SystemRecord] | None = None
        if not self._line_files():
            expected = _("{text_files} or a file of summaries.").format(
                text_files=", ".join(TEXT_FILES)
            )
            problems.add(source.path.name, None, _("There are no line files."), expected)

    def systems(self) -> list[SystemRecord]:
        if self._declared is None:
            self._declared = self._read_systems()
        return [self._declared.get(name, SystemRecord(name)) for name in self.summary_files]

    def examples(self, start: int = 0) -> Iterator[ExampleRecord]:
        files = {name: LineReader(self.source, name, self.problems) for name in self._line_files()}
        try:
            for reader in files.values():
                reader.skip(start)
            yield from self._records(files, start)
        finally:
            for reader in files.values():
                reader.close()

    def verify(self) -> None:
        """Check what examples() does not look at: unit and label files against each other."""
        self.systems()
        self._note_left_out()
        self._note_undelivered()
        units = self._unit_counts()
        for name in self.kept:
            if _UNITS.match(name):
                self._compare_lines(name)
            elif _LABELS.match(name) and units:
                self._compare_labels(name, units)

    def _is_kept(self, name: str) -> bool:
        is_known = any(pattern.match(name) for pattern in (_UNITS, _LABELS, _FOLDS))
        return is_known and self.check.name(name, _("name of the file"), name, None)

    def _find_summaries(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for name in self.source.names:
            if (match := _SUMMARY.match(name)) is None:
                continue
            system = match["system"] or match["plain"]
            if system in found:
                self.problems.add(
                    name,
                    None,
                    _("'{found}' is also a file of '{system}'.").format(
                        found=found[system], system=system
                    ),
                    _("one file per system."),
                )
            elif self.check.name(system, _("system name"), name, None):
                found[system] = name
        return found

    def _line_files(self) -> list[str]:
        present = [name for name in TEXT_FILES if name in self.source]
        return present + list(self.summary_files.values())

    def _records(self, files: dict[str, LineReader], start: int) -> Iterator[ExampleRecord]:
        if not files:
            return
        leader, *others = files.values()
        number = start
        while (first := leader.next()) is not None:
            number += 1
            lines: dict[str, str] = {leader.name: first}
            for file in others:
                if (line := file.next_or_open_end()) is None:
                    break
                lines[file.name] = line
            if len(lines) < len(files):
                break
            record = self._record(lines, number)
            if self.check.accepts(record):
                yield record
        self._compare_ends(leader, others)

    def _record(self, lines: dict[str, str], number: int) -> ExampleRecord:
        document = lines.get("documents.txt")
        reference = lines.get("references.txt")
        return ExampleRecord(
            key=lines.get("ids.txt") or ("" if "ids.txt" in lines else f"example-{number:05d}"),
            documents=(document,) if document else (),
            references=(ReferenceText(reference),) if reference else (),
            summaries={s: lines[name] for s, name in self.summary_files.items()},
            file=next(iter(lines)),
            line=number,
        )

    def _compare_ends(self, leader: LineReader, others: list[LineReader]) -> None:
        """Every file has as many lines as the leader; say which has not, and where it stops."""
        want = leader.count_lines()
        for file in others:
            self._compare_length(file, want, leader.name)

    def _compare_length(self, file: LineReader, want: int, leader: str) -> None:
        have = file.count_lines()
        if not file.may_have(want):
            self.problems.add(
                file.name,
                min(have, want) + 1,
                _("The file has {have:,} lines.").format(have=have),
                _("{want:,} lines, as many as {leader}.").format(want=want, leader=leader),
            )

    def _read_systems(self) -> dict[str, SystemRecord]:
        if "systems.csv" not in self.source:
            return {}
        table = read_table(self.source, "systems.csv", self.problems)
        if not {"system", "type"} <= set(table.header):
            table.report_columns(self.problems, "'system' and 'type'.")
            return {}
        found = {}
        for line, row in table.rows:
            name, kind = row["system"], row["type"]
            if self.check.kind(kind, name, "systems.csv", line):
                found[name] = SystemRecord(name, kind)
        return found

    def _unit_counts(self) -> list[int]:
        if "SCUs.txt" not in self.source:
            return []
        return [len(_units_of(line)) for line in self._lines("SCUs.txt")]

    def _lines(self, name: str) -> list[str]:
        with closing(LineReader(self.source, name, self.problems)) as reader:
            return list(reader)

    def _compare_lines(self, name: str) -> None:
        leader = self._line_files()[0]
        with closing(LineReader(self.source, leader, self.problems)) as reader:
            want = reader.count_lines()
        with closing(LineReader(self.source, name, self.problems)) as reader:
            self._compare_length(reader, want, leader)

    def _compare_labels(self, name: str, units: list[int]) -> None:
        lines = self._lines(name)
        if len(lines) != len(units):
            self.problems.add(
                name,
                None,
                _("The file has {lines:,} lines.").format(lines=len(lines)),
                _("{units:,}, as SCUs.txt.").format(units=len(units)),
            )
            return
        for number, (line, count) in enumerate(zip(lines, units, strict=True), 1):
            labels = line.split("\t") if count else _units_of(line)
            if len(labels) != count or not set(labels) <= {"0", "1", ""}:
                self.problems.add(
                    name,
                    number,
                    _("The line has {labels} labels.").format(labels=len(labels)),
                    _("{count} labels of 0 or 1, empty where there is none.").format(count=count),
                )

    def _note_left_out(self) -> None:
        used = {*self._line_files(), *self.kept, "systems.csv"}
        left = sorted(
            {PurePosixPath(name).parts[0] for name in self.source.names}
            - {PurePosixPath(name).parts[0] for name in used}
        )
        if left:
            listed = shown(", ".join(left))
            self.notes.append(
                _("Ignored, because a corpus doesn't use these files: {listed}.").format(
                    listed=listed
                )
            )
        if "ids.txt" not in self.source:
            self.notes.append(_("There is no ids.txt: examples are numbered by line."))

    def _note_undelivered(self) -> None:
        missing = sorted(set(self._declared or ()) - set(self.summary_files))
        if missing:
            listed = shown(", ".join(missing))
            self.notes.append(
                _("Systems in systems.csv without a file of summaries: {listed}.").format(
                    listed=listed
                )
            )


def _units_of(line: str) -> list[str]:
    return line.split("\t") if line else []
