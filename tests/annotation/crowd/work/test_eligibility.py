"""Requirements as MTurk reads them, one comparison a row."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.crowd.market.accepting import Standing, is_met, list_unmet
from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.market.system_qualifications import (
    ADULT,
    HITS_APPROVED,
    LOCALE,
    MASTERS,
    PERCENT_APPROVED,
    PERCENT_REJECTED,
)

CUSTOM, OTHER = "3CUSTOM", "3OTHER"
WORKER = WorkerAccount(
    country="US", subdivision="CA", is_adult=True, approved=90, rejected=10, accepted=120
)
STANDING = Standing(WORKER, {CUSTOM: 7})
NEWCOMER = Standing(WorkerAccount(), {})


def needs(type_id: str, comparator: str, *values: Any) -> dict[str, Any]:
    name = "LocaleValues" if type_id == LOCALE else "IntegerValues"
    return {"QualificationTypeId": type_id, "Comparator": comparator, name: list(values)}


@pytest.mark.parametrize(
    "requirement, expected",
    [
        (needs(CUSTOM, "LessThan", 7), False),
        (needs(CUSTOM, "LessThanOrEqualTo", 7), True),
        (needs(CUSTOM, "GreaterThan", 7), False),
        (needs(CUSTOM, "GreaterThanOrEqualTo", 7), True),
        (needs(CUSTOM, "EqualTo", 7), True),
        (needs(CUSTOM, "NotEqualTo", 7), False),
        (needs(CUSTOM, "In", 6, 7), True),
        (needs(CUSTOM, "NotIn", 6, 7), False),
        (needs(CUSTOM, "Exists"), True),
        (needs(CUSTOM, "DoesNotExist"), False),
        (needs(OTHER, "Exists"), False),
        (needs(OTHER, "DoesNotExist"), True),
        (needs(OTHER, "NotEqualTo", 1), False),
        (needs(OTHER, "NotIn", 1), False),
        (needs(PERCENT_APPROVED, "GreaterThanOrEqualTo", 90), True),
        (needs(PERCENT_APPROVED, "GreaterThan", 90), False),
        (needs(HITS_APPROVED, "GreaterThan", 89), True),
        (needs(ADULT, "EqualTo", 1), True),
        (needs(MASTERS, "Exists"), False),
        (needs(LOCALE, "EqualTo", {"Country": "US"}), True),
        (needs(LOCALE, "EqualTo", {"Country": "US", "Subdivision": "NY"}), False),
        (needs(LOCALE, "EqualTo", {"Country": "US", "Subdivision": "CA"}), True),
        (needs(LOCALE, "NotEqualTo", {"Country": "US"}), False),
        (needs(LOCALE, "In", {"Country": "DE"}, {"Country": "US"}), True),
        (needs(LOCALE, "NotIn", {"Country": "DE"}), True),
        (needs(LOCALE, "Exists"), True),
    ],
)
def test_it_compares_as_mturk_does(requirement: dict[str, Any], expected: bool):
    assert is_met(requirement, STANDING) is expected


@pytest.mark.parametrize(
    "requirement, expected",
    [
        (needs(PERCENT_APPROVED, "GreaterThanOrEqualTo", 95), True),
        (needs(HITS_APPROVED, "GreaterThanOrEqualTo", 1), False),
        (needs(LOCALE, "NotEqualTo", {"Country": "US"}), False),
        (needs(ADULT, "EqualTo", 1), False),
    ],
)
def test_it_knows_what_a_newcomer_has(requirement: dict[str, Any], expected: bool):
    assert is_met(requirement, NEWCOMER) is expected


@pytest.mark.parametrize(
    "requirement, words",
    [
        (needs(CUSTOM, "GreaterThan", 3), "Requires the qualification “Dams”: more than 3"),
        (needs(CUSTOM, "In", 3, 5), "Requires the qualification “Dams”: 3 or 5"),
        (needs(CUSTOM, "Exists"), "Requires the qualification “Dams”"),
        (needs(OTHER, "NotIn", 3), "Requires the qualification “3OTHER”: anything but 3"),
        (needs(HITS_APPROVED, "GreaterThanOrEqualTo", 10_000), "Requires 10,000 approved HITs"),
        (needs(HITS_APPROVED, "GreaterThan", 99), "Requires more than 99 approved HITs"),
        (needs(PERCENT_REJECTED, "EqualTo", 1), "Requires a rejection rate of exactly 1%"),
        (needs(LOCALE, "EqualTo", {"Country": "US"}), "US workers only"),
        (needs(LOCALE, "In", {"Country": "US", "Subdivision": "CA"}), "US-CA workers only"),
        (needs(LOCALE, "NotIn", {"Country": "DE"}), "Not available to workers in DE"),
        (needs(LOCALE, "Exists"), "Requires a country in your settings"),
        (needs(MASTERS, "Exists"), "Masters only"),
        (needs(ADULT, "EqualTo", 1), "Adults only"),
    ],
)
def test_it_says_what_is_missing(requirement: dict[str, Any], words: str):
    """Workers decide by these words, so each is written down."""
    assert [item.words for item in list_unmet([requirement], NEWCOMER, {CUSTOM: "Dams"})] == [words]


def test_it_turns_away_those_who_hold_what_they_must_not():
    requirement = needs(CUSTOM, "DoesNotExist")
    (found,) = list_unmet([requirement], STANDING, {CUSTOM: "Dams"})
    assert found.words == "Not available to workers with the qualification “Dams”"
    (found,) = list_unmet([requirement], STANDING, {CUSTOM: "Giza: excluded (study)"})
    assert found.words == "The requester has excluded you from this task"
