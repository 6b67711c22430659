"""Requirements as MTurk reads them, one comparison a row."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.crowd.market.eligibility import Standing, is_met, list_unmet
from annotation.crowd.market.system_qualifications import (
    ADULT,
    HITS_APPROVED,
    LOCALE,
    MASTERS,
    PERCENT_APPROVED,
)
from annotation.crowd.models import WorkerAccount

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
        (needs(CUSTOM, "GreaterThan", 3), "Needs Dams: above 3"),
        (needs(CUSTOM, "Exists"), "Needs: Dams"),
        (needs(OTHER, "GreaterThan", 3), "Needs 3OTHER: above 3"),
        (needs(LOCALE, "In", {"Country": "US", "Subdivision": "CA"}), "Needs country: US-CA"),
        (needs(LOCALE, "NotIn", {"Country": "DE"}), "Needs country: none of DE"),
        (needs(ADULT, "EqualTo", 1), "For adults only"),
    ],
)
def test_it_says_what_is_missing(requirement: dict[str, Any], words: str):
    assert [item.words for item in list_unmet([requirement], NEWCOMER, {CUSTOM: "Dams"})] == [words]


def test_it_turns_away_those_who_hold_what_they_must_not():
    found = list_unmet([needs(CUSTOM, "DoesNotExist")], STANDING, {CUSTOM: "Dams"})
    assert [item.words for item in found] == ["Not for those who hold: Dams"]
