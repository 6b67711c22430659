"""REST keeps every promise about studies of robustness, whatever it is sent."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.evaluation.robustness.models import RobustnessStudy
from tests.annotation.evaluation.studied import make_study
from tests.annotation.schema.checking import CHANCE, ROBUSTNESS, Everywhere, check, load_by_chance
from tests.annotation.world import World

schema = load_by_chance().include(path_regex=ROBUSTNESS)


@pytest.fixture(scope="module")
def kept_study(kept_world: World) -> RobustnessStudy:
    owner = User.objects.get(email="owner@example.org")
    return make_study(kept_world.corpus.project, owner)


@pytest.fixture
def study(db: None, kept_study: RobustnessStudy) -> RobustnessStudy:
    return kept_study


@schema.parametrize()
@CHANCE
def test_it_keeps_its_promises(
    case: Any, key: str, world: World, study: RobustnessStudy, answers: Counter[int]
):
    check(case, key, Everywhere(world, study=study), answers)
