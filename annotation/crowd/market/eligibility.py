"""Whether a worker may do a piece of work: qualification requirements, read as MTurk reads them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.crowd.market.system_qualifications import (
    ADULT,
    LOCALE,
    SYSTEM_TYPES,
    integer_value,
)
from annotation.crowd.models import Qualification, QualificationType, WorkerAccount

Requirement = Mapping[str, Any]
COMPARISONS: dict[str, tuple[Callable[[int, int], bool], str]] = {
    "LessThan": (operator.lt, "below"),
    "LessThanOrEqualTo": (operator.le, "at most"),
    "GreaterThan": (operator.gt, "above"),
    "GreaterThanOrEqualTo": (operator.ge, "at least"),
    "EqualTo": (operator.eq, "exactly"),
    "NotEqualTo": (operator.ne, "other than"),
}


@dataclass(frozen=True, slots=True)
class Unmet:
    """A requirement that a worker does not meet, in words, and what it keeps them from."""

    type_id: str
    words: str
    bars_preview: bool
    hides: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """A worker and the values of everything that they hold."""

    worker: WorkerAccount
    held: Mapping[str, int]

    def value(self, type_id: str) -> int | None:
        if type_id in SYSTEM_TYPES:
            return integer_value(type_id, self.worker)
        return self.held.get(type_id)


def get_standing(worker: WorkerAccount) -> Standing:
    rows = Qualification.objects.filter(worker=worker, is_granted=True)
    return Standing(worker, dict(rows.values_list("type__qualification_type_id", "value")))


def unmet(requirements: Iterable[Requirement], worker: WorkerAccount) -> list[str]:
    """What stands between the worker and the work, in words; empty if nothing does."""
    wanted = list(requirements)
    return [item.words for item in list_unmet(wanted, get_standing(worker))] if wanted else []


def list_unmet(
    requirements: Iterable[Requirement],
    standing: Standing,
    names: Mapping[str, str] | None = None,
) -> list[Unmet]:
    found = [item for item in requirements if not is_met(item, standing)]
    if found and names is None:
        names = get_names(str(item["QualificationTypeId"]) for item in found)
    return [_tell(item, names or {}) for item in found]


def get_names(type_ids: Iterable[str]) -> dict[str, str]:
    """The names of custom qualification types."""
    rows = QualificationType.objects.filter(qualification_type_id__in=set(type_ids))
    return dict(rows.values_list("qualification_type_id", "name"))


def is_met(requirement: Requirement, standing: Standing) -> bool:
    type_id = str(requirement["QualificationTypeId"])
    comparator = requirement["Comparator"]
    if type_id == LOCALE:
        return _is_in_place(comparator, requirement.get("LocaleValues") or [], standing.worker)
    value = standing.value(type_id)
    if comparator in ("Exists", "DoesNotExist"):
        return (value is not None) == (comparator == "Exists")
    return _compares(comparator, value, requirement.get("IntegerValues") or [])


def _compares(comparator: str, value: int | None, wanted: Sequence[int]) -> bool:
    """Nobody who lacks a qualification passes a comparison with it."""
    if value is None or not wanted:
        return False
    if comparator in ("In", "NotIn"):
        return (value in wanted) == (comparator == "In")
    return COMPARISONS[comparator][0](value, wanted[0])


def _is_in_place(
    comparator: str, places: Sequence[Mapping[str, str]], worker: WorkerAccount
) -> bool:
    if comparator in ("Exists", "DoesNotExist"):
        return bool(worker.country) == (comparator == "Exists")
    if not worker.country:
        return False
    is_there = any(_is_at(place, worker) for place in places)
    return is_there == (comparator in ("EqualTo", "In"))


def _is_at(place: Mapping[str, str], worker: WorkerAccount) -> bool:
    subdivision = place.get("Subdivision")
    same_country = place["Country"] == worker.country
    return same_country and (not subdivision or subdivision == worker.subdivision)


def _tell(requirement: Requirement, names: Mapping[str, str]) -> Unmet:
    type_id = str(requirement["QualificationTypeId"])
    guards = requirement.get("ActionsGuarded", "Accept")
    bars = guards != "Accept" or bool(requirement.get("RequiredToPreview"))
    system = SYSTEM_TYPES.get(type_id)
    words = _words(requirement, system.words if system else names.get(type_id, type_id))
    return Unmet(type_id, words, bars, guards == "DiscoverPreviewAndAccept")


def _words(requirement: Requirement, name: str) -> str:
    comparator = requirement["Comparator"]
    if requirement["QualificationTypeId"] == ADULT:
        return "For adults only"
    if comparator == "Exists":
        return f"Needs: {name}"
    if comparator == "DoesNotExist":
        return f"Not for those who hold: {name}"
    values = [_value_words(item) for item in _values(requirement)]
    if comparator in ("In", "NotIn"):
        return f"Needs {name}: {'' if comparator == 'In' else 'none of '}{', '.join(values)}"
    relation = COMPARISONS[comparator][1]
    return f"Needs {name}: {relation} {', '.join(values)}"


def _values(requirement: Requirement) -> list[Any]:
    return requirement.get("LocaleValues") or requirement.get("IntegerValues") or []


def _value_words(value: Any) -> str:
    if isinstance(value, Mapping):
        return "-".join(filter(None, [value["Country"], value.get("Subdivision")]))
    return str(value)
