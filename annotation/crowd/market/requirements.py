"""Qualification requirements of a HIT type: what the API allows to be written into them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.crowd.market.errors import TurkError, invalid, missing
from annotation.crowd.market.system_qualifications import LOCALE, SYSTEM_TYPES
from annotation.crowd.models import QualificationType

MOST = 10
PRESENCE = ("Exists", "DoesNotExist")
SETS = ("In", "NotIn")
PLACES = ("EqualTo", "NotEqualTo", "In", "NotIn")
MOST_VALUES = {"IntegerValues": 15, "LocaleValues": 30}

Requirement = Mapping[str, Any]


def check_requirements(requirements: Sequence[Requirement]) -> list[dict[str, Any]]:
    """The requirements as they are kept; a TurkError names the first that can't be."""
    if len(requirements) > MOST:
        raise invalid("QualificationRequirements", f"at most {MOST} are allowed.")
    for requirement in requirements:
        _check_values(requirement)
    ids = [str(item["QualificationTypeId"]) for item in requirements]
    if len(set(ids)) < len(ids):
        raise TurkError(
            "InvalidQualificationRequirements", "Two requirements name the same qualification type."
        )
    _check_types({key for key in ids if key not in SYSTEM_TYPES})
    return [dict(item) for item in requirements]


def _check_types(ids: set[str]) -> None:
    if not ids:
        return
    rows = QualificationType.objects.filter(qualification_type_id__in=ids, is_deleted=False)
    found = dict(rows.values_list("qualification_type_id", "is_active"))
    for key in sorted(ids):
        if key not in found:
            raise missing("QualificationType", key)
        if not found[key]:
            raise _wrong(key, "the qualification type is inactive")


def _check_values(requirement: Requirement) -> None:
    key, comparator = str(requirement["QualificationTypeId"]), requirement["Comparator"]
    name = "LocaleValues" if key == LOCALE else "IntegerValues"
    other = "IntegerValues" if key == LOCALE else "LocaleValues"
    values = requirement.get(name) or []
    if requirement.get(other):
        raise _wrong(key, f"{other} can't be used with this qualification type")
    if comparator in PRESENCE:
        if values:
            raise _wrong(key, f"{comparator} takes no {name}")
        return
    if key == LOCALE and comparator not in PLACES:
        raise _wrong(key, f"locations can be compared only by {', '.join(PLACES)}")
    most = MOST_VALUES[name] if comparator in SETS else 1
    if not 1 <= len(values) <= most:
        raise _wrong(key, f"{comparator} takes 1 to {most} {name}, not {len(values)}")


def _wrong(key: str, message: str) -> TurkError:
    return TurkError("InvalidQualificationRequirements", f"Requirement {key}: {message}.")
