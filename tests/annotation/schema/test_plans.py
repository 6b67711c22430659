"""REST keeps every promise about curves and plans, whatever it is sent."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import settings as options

from annotation.corpora.accounts.models import User
from tests.annotation.evaluation.places import PlanPlaces, make_plan_places
from tests.annotation.schema.checking import (
    CHANCE,
    MANY_FIELDS,
    PLANS,
    Everywhere,
    check,
    load,
    load_by_chance,
)
from tests.annotation.world import World

schema = load().include(path_regex=PLANS).exclude(operation_id=MANY_FIELDS)
wide_schema = load_by_chance().include(path_regex=PLANS, operation_id=MANY_FIELDS)


@pytest.fixture(scope="module")
def kept_plans(kept_world: World) -> PlanPlaces:
    owner = User.objects.get(email="owner@example.org")
    return make_plan_places(kept_world.corpus.project, owner)


@pytest.fixture
def plans(db: None, kept_plans: PlanPlaces) -> PlanPlaces:
    return kept_plans


@schema.parametrize()
@CHANCE
def test_it_keeps_its_promises(
    case: Any, key: str, world: World, plans: PlanPlaces, answers: Counter[int]
):
    check(case, key, Everywhere(world, plans=plans), answers)


@wide_schema.parametrize()
@options(CHANCE, max_examples=8)
def test_it_keeps_its_promises_about_many_fields(
    case: Any, key: str, world: World, plans: PlanPlaces, answers: Counter[int]
):
    check(case, key, Everywhere(world, plans=plans), answers)
