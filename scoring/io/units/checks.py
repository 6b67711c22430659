"""What makes a unit fit to be taken in, whatever the format; and its grouping by example."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from scoring.errors import InputError
from scoring.io.checks import RecordCheck
from scoring.io.errors import ProblemList
from scoring.translation import gettext as _
from scoring.types import UNIT_KINDS, ContributorRecord, UnitRecord

MAX_UNIT = 2000  # characters; the longest published SCU has 114, the longest STU 297
MAX_WEIGHT = 1000
# Line files, attributes of XML and CSV would each change one of these in silence.
UNFIT = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufeff\ufffe\uffff]")


class UnitCheck:
    """Adds to `problems` what is wrong with a unit, with its file and line."""

    def __init__(self, problems: ProblemList) -> None:
        self.problems = problems
        self._names = RecordCheck(problems)

    def key(self, value: str, file: str, line: int | None) -> bool:
        return self._names.name(value, _("example id"), file, line)

    def peer(self, value: str, file: str) -> bool:
        return self._names.name(value, _("peer's name"), file, None)

    def accepts(self, unit: UnitRecord) -> bool:
        if not self.key(unit.key, unit.file, unit.line):
            return False
        found = next(_faults(unit), None)
        if found is not None:
            message, expected = found
            message = _("In example '{unit}', {message}").format(unit=unit.key, message=message)
            self.problems.add(unit.file, unit.line, message, expected)
        return found is None


def _faults(unit: UnitRecord) -> Iterator[tuple[str, str]]:
    if not unit.text.strip():
        yield _("a unit is empty."), _("a sentence.")
    if len(unit.text) > MAX_UNIT:
        yield (
            _("a unit has {unit:,} characters.").format(unit=len(unit.text)),
            _("at most {max_unit:,}.").format(max_unit=MAX_UNIT),
        )
    for name, text in (
        ("unit", unit.text),
        ("extractor", unit.extractor),
        (_("extractor's version"), unit.extractor_version),
    ):
        if found := UNFIT.search(text):
            code = f"U+{ord(found.group()):04X}"
            yield (
                _("the {name} {text!r} contains {code}.").format(
                    name=name, text=text[:40], code=code
                ),
                _("text without control characters."),
            )
    if unit.kind not in UNIT_KINDS:
        yield (
            _("a unit has the kind '{kind}'.").format(kind=unit.kind),
            _("one of {unit_kinds}.").format(unit_kinds=", ".join(UNIT_KINDS)),
        )
    if not 1 <= unit.weight <= MAX_WEIGHT:
        yield (
            _("a unit has the weight {weight}.").format(weight=unit.weight),
            _("a weight of 1 to {max_weight}.").format(max_weight=MAX_WEIGHT),
        )
    for contributor in unit.contributors:
        yield from _range_faults(contributor)


def _range_faults(contributor: ContributorRecord) -> Iterator[tuple[str, str]]:
    if contributor.reference < 0 or not 0 <= contributor.start < contributor.end:
        shown = f"{contributor.reference}:{contributor.start}-{contributor.end}"
        yield (
            _("a unit has the contributor {shown}.").format(shown=shown),
            _("reference:start-end, with start before end."),
        )


def by_example(units: Iterable[UnitRecord]) -> Iterator[tuple[str, list[UnitRecord]]]:
    """The units of one example after the other's; an example may not come back."""
    seen: set[str] = set()
    for key, group in groupby(units, key=lambda unit: unit.key):
        if key in seen:
            raise InputError(
                _("the units of example '{key}' are not next to each other").format(key=key)
            )
        seen.add(key)
        yield key, list(group)
