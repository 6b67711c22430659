"""JSONL of units: a line is an example with its units.

{"id": "a1", "units": [{"text": "…", "kind": "scu", "weight": 2,
 "contributors": [{"reference": 0, "start": 0, "end": 10}],
 "extractor": "…", "extractor_version": "…"}]}

Of a unit only `text` is needed. An example may have no units.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from scoring.io.errors import ProblemList
from scoring.io.jsonl import (
    BadShape,
    expect_json_files,
    first_object,
    no_other_keys,
    read_objects,
)
from scoring.io.source import Source
from scoring.io.units.checks import UnitCheck, by_example
from scoring.translation import gettext as _
from scoring.types import UNIT_KINDS, ContributorRecord, UnitRecord

NAME = "jsonl"
EXAMPLE_KEYS = {"id", "units"}
UNIT_KEYS = {"text", "kind", "weight", "contributors", "extractor", "extractor_version"}
CONTRIBUTOR_KEYS = {"reference", "start", "end"}


def recognises(source: Source) -> bool:
    first = first_object(source, ProblemList())
    return first is not None and "units" in first


class JsonlReader:
    """Reads one example a line; an id that comes back is a problem.

    A unit that does not say its kind is of *kind*.
    """

    format = NAME

    def __init__(self, source: Source, problems: ProblemList, *, kind: str = "") -> None:
        self.source = source
        self.problems = problems
        self.notes: list[str] = []
        self.check = UnitCheck(problems)
        self._kind = kind or UNIT_KINDS[0]
        expect_json_files(source, problems)

    def units(self) -> Iterator[UnitRecord]:
        seen: dict[str, tuple[str, int]] = {}
        for file, line, data in read_objects(self.source, self.problems):
            try:
                key, items = _example(data)
                _unseen(key, seen.setdefault(key, (file, line)), (file, line))
                records = [read_unit(key, item, file, line, self._kind) for item in items]
            except BadShape as error:
                self.problems.add(file, line, *error.args)
                continue
            if self.check.key(key, file, line):
                yield from filter(self.check.accepts, records)


def read_unit(key: str, data: Any, file: str, line: int, kind: str = UNIT_KINDS[0]) -> UnitRecord:
    """The unit of an object; it is of *kind* if it does not say."""
    if not isinstance(data, dict) or not isinstance(data.get("text"), str):
        raise BadShape(_("A unit has no text."), _("an object with 'text'."))
    no_other_keys(data, UNIT_KEYS)
    contributors = data.get("contributors", [])
    if not isinstance(contributors, list):
        raise BadShape(_("'contributors' is not a list."), _("a list."))
    return UnitRecord(
        key=key,
        text=data["text"],
        kind=_string(data, "kind", kind),
        weight=_number(data, "weight", 1),
        contributors=tuple(_contributor(item) for item in contributors),
        extractor=_string(data, "extractor", ""),
        extractor_version=_string(data, "extractor_version", ""),
        file=file,
        line=line,
    )


def _unseen(key: str, before: tuple[str, int], here: tuple[str, int]) -> None:
    if before != here:
        message = _("Example '{key}' occurs twice; first in {before}, line {before_2}.").format(
            key=key, before=before[0], before_2=before[1]
        )
        raise BadShape(message, _("each example once."))


def _example(data: dict[str, Any]) -> tuple[str, list[Any]]:
    no_other_keys(data, EXAMPLE_KEYS)
    key, items = data.get("id"), data.get("units")
    if not isinstance(key, str) or not isinstance(items, list):
        raise BadShape(
            _("The line is not an example with units."), _("'id' as a string, 'units' as a list.")
        )
    return key, items


def _contributor(data: Any) -> ContributorRecord:
    if not isinstance(data, dict) or set(data) != CONTRIBUTOR_KEYS:
        raise BadShape(_("A contributor is incomplete."), "'reference', 'start' and 'end'.")
    return ContributorRecord(*(_number(data, name, 0) for name in ("reference", "start", "end")))


def _string(data: dict[str, Any], name: str, default: str) -> str:
    value = data.get(name, default)
    if not isinstance(value, str):
        raise BadShape(_("'{name}' is not a string.").format(name=name), _("a string."))
    return value


def _number(data: dict[str, Any], name: str, default: int) -> int:
    value = data.get(name, default)
    if type(value) is not int:  # True is an int to Python, but no weight
        raise BadShape(_("'{name}' is not a whole number.").format(name=name), _("a whole number."))
    return value


def write(units: Iterable[UnitRecord], ids: Iterable[str] = ()) -> Iterator[str]:
    """The lines of a file that `JsonlReader` reads back as the same units.

    Of *ids*, those that have no units come last, with an empty list.
    """
    written: set[str] = set()
    for key, group in by_example(units):
        written.add(key)
        yield _line({"id": key, "units": [unit_object(unit) for unit in group]})
    for key in ids:
        if key not in written:
            yield _line({"id": key, "units": []})


def unit_object(unit: UnitRecord) -> dict[str, Any]:
    contributors = [
        {"reference": part.reference, "start": part.start, "end": part.end}
        for part in unit.contributors
    ]
    made_by = {"extractor": unit.extractor, "extractor_version": unit.extractor_version}
    return {
        "text": unit.text,
        "kind": unit.kind,
        "weight": unit.weight,
        "contributors": contributors,
        **{name: value for name, value in made_by.items() if value},
    }


def _line(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"
