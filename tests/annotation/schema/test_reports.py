"""REST keeps every promise about reports, whatever it is sent."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import settings as options

from annotation.corpora.accounts.models import User
from tests.annotation.evaluation.report_permissions import ReportPlaces, make_report_places
from tests.annotation.schema.checking import (
    CHANCE,
    MANY_FIELDS,
    REPORTS,
    Everywhere,
    check,
    load,
    load_by_chance,
)
from tests.annotation.world import World

schema = load().include(path_regex=REPORTS).exclude(operation_id=MANY_FIELDS)
wide_schema = load_by_chance().include(path_regex=REPORTS, operation_id=MANY_FIELDS)


@pytest.fixture(scope="module")
def kept_reports(kept_world: World) -> ReportPlaces:
    owner = User.objects.get(email="owner@example.org")
    return make_report_places(kept_world.corpus.project, owner)


@pytest.fixture
def reports(db: None, kept_reports: ReportPlaces) -> ReportPlaces:
    return kept_reports


@schema.parametrize()
@CHANCE
def test_it_keeps_its_promises(
    case: Any, key: str, world: World, reports: ReportPlaces, answers: Counter[int]
):
    check(case, key, Everywhere(world, reports=reports), answers)


@wide_schema.parametrize()
@options(CHANCE, max_examples=8)
def test_it_keeps_its_promises_about_many_fields(
    case: Any, key: str, world: World, reports: ReportPlaces, answers: Counter[int]
):
    check(case, key, Everywhere(world, reports=reports), answers)
