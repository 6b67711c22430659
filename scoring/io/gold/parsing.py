"""A line of the canonical form as an example."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scoring.io.gold.records import (
    GoldAdjudication,
    GoldAnswer,
    GoldExample,
    Label,
    Posterior,
)
from scoring.io.gold.shapes import from_json
from scoring.io.jsonl import BadShape, no_other_keys, read_reference, strings, summaries_of
from scoring.io.units.jsonl import read_unit

KEYS = {
    "type",
    "id",
    "documents",
    "references",
    "units",
    "summaries",
    "labels",
    "posteriors",
    "assignments",
    "adjudications",
}


def read_example(data: dict[str, Any], file: str, line: int) -> GoldExample:
    """The example of an object; `BadShape` if it is none."""
    if data.get("type") != "example":
        raise BadShape(f"The type is {data.get('type')!r}.", "'example' or 'end'.")
    no_other_keys(data, KEYS)
    key = data.get("id")
    if not isinstance(key, str):
        raise BadShape("The example has no 'id'.", "'id' as a string.")
    units = tuple(read_unit(key, item, file, line) for item in _list(data, "units"))
    adjudications = _list(data, "adjudications")
    answers, unanswered = _answers(_list(data, "assignments"), len(units))
    return GoldExample(
        key=key,
        documents=tuple(strings(data.get("documents", []), "documents")),
        references=tuple(read_reference(item) for item in _list(data, "references")),
        units=units,
        summaries=summaries_of(data.get("summaries", {})),
        labels=_labels(data),
        posteriors=_posteriors(data),
        answers=tuple(answers),
        unanswered=tuple(unanswered),
        adjudications=tuple(
            from_json(GoldAdjudication, item, "adjudication") for item in adjudications
        ),
    )


def _list(data: dict[str, Any], name: str) -> list[Any]:
    value = data.get(name, [])
    if not isinstance(value, list):
        raise BadShape(f"'{name}' is not a list.", "a list.")
    return value


def _labels(data: dict[str, Any]) -> dict[str, tuple[Label, ...]]:
    by_system = _object(data, "labels")
    return {name: _label_list(by_system, name) for name in by_system}


def _label_list(data: dict[str, Any], name: str) -> tuple[Label, ...]:
    values = _list(data, name)
    if not all(value is None or (type(value) is int and value in (0, 1)) for value in values):
        raise BadShape(f"The labels of '{name}' are invalid.", "0, 1 or null.")
    return tuple(values)


def _posteriors(data: dict[str, Any]) -> dict[str, tuple[Posterior, ...]]:
    found = {}
    for name, values in _object(data, "posteriors").items():
        if not isinstance(values, list) or not all(
            value is None or (type(value) in (int, float) and 0 <= value <= 1) for value in values
        ):
            raise BadShape(
                f"The posteriors of '{name}' are invalid.", "numbers from 0 to 1, or null."
            )
        found[name] = tuple(None if value is None else float(value) for value in values)
    return found


def _object(data: dict[str, Any], name: str) -> dict[str, Any]:
    value = data.get(name, {})
    if not isinstance(value, dict):
        raise BadShape(f"'{name}' is not an object.", '{"system name": […]}.')
    return value


def _answers(assignments: list[Any], units: int) -> tuple[list[GoldAnswer], list[GoldAnswer]]:
    """The answers, and the assignments that have none."""
    found: list[GoldAnswer] = []
    unanswered: list[GoldAnswer] = []
    for data in assignments:
        if not isinstance(data, dict):
            raise BadShape("An assignment is not an object.", "an object.")
        answers = _label_list(data, "answers")
        if len(answers) != units:
            message = f"An assignment has {len(answers)} answers."
            raise BadShape(message, f"{units}, one per unit, null where there is none.")
        said = {name: value for name, value in data.items() if name != "answers"}
        model = from_json(GoldAnswer, {**said, "unit": 0, "present": False}, "assignment")
        given = [
            replace(model, unit=unit, present=bool(answer))
            for unit, answer in enumerate(answers)
            if answer is not None
        ]
        found += given
        unanswered += [] if given else [model]
    return found, unanswered
