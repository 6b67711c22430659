"""Qualification requirements: as a form has them, and as the MTurk API writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.crowd.presets import APPROVAL_RATE, HITS_APPROVED, LOCALE, compared
from annotation.translation import gettext as _


def write_requirements(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Qualification requirements as the MTurk API writes them."""
    found: list[dict[str, Any]] = []
    if countries := data["countries"]:
        places = [{"Country": code} for code in countries]
        comparator = "EqualTo" if len(places) == 1 else "In"
        found.append(compared(LOCALE, comparator, LocaleValues=places))
    if data["approval_rate"] is not None:
        rate = data["approval_rate"]
        found.append(compared(APPROVAL_RATE, "GreaterThan", IntegerValues=[rate]))
    if data["hits_approved"] is not None:
        count = data["hits_approved"]
        found.append(compared(HITS_APPROVED, "GreaterThanOrEqualTo", IntegerValues=[count]))
    return found + data["other_requirements"]


def read_requirements(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The ones that the form has a field for; the last takes everything else as it is."""
    shown: dict[str, Any] = {"other_requirements": []}
    for row in rows:
        name, value = _plain(row)
        if name and name not in shown:
            shown[name] = value
        else:
            shown["other_requirements"].append(row)
    return shown


def describe_requirement(row: dict[str, Any], names: Mapping[str, str] | None = None) -> str:
    """A requirement in words, as requesters read it; *names* are those of qualifications."""
    name, value = _plain(row)
    if name == "countries":
        return _("located in {value}").format(value=", ".join(value))
    if name == "approval_rate":
        return _("approval rate above {value} %").format(value=value)
    if name == "hits_approved":
        return _("at least {value:,} HITs approved").format(value=value)
    values = row.get("IntegerValues") or row.get("LocaleValues") or []
    called = (names or {}).get(row["QualificationTypeId"])
    if called and row["Comparator"] == "GreaterThanOrEqualTo":
        return _("“{called}”, at least {values}").format(called=called, values=values[0])
    words = [called or row["QualificationTypeId"], row["Comparator"], *map(str, values)]
    return " ".join(words)


def _plain(row: dict[str, Any]) -> tuple[str, Any]:
    """The form's field and value for a requirement that it would write in the same way."""
    numbers, places = row.get("IntegerValues") or [None], row.get("LocaleValues") or []
    codes = [place.get("Country", "") for place in places if set(place) == {"Country"}]
    for name, value in (
        ("countries", codes),
        ("approval_rate", numbers[0]),
        ("hits_approved", numbers[0]),
    ):
        data: dict[str, Any] = {"countries": [], "approval_rate": None, "hits_approved": None}
        if write_requirements({**data, "other_requirements": [], name: value}) == [row]:
            return name, value
    return "", None
