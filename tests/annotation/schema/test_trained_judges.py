"""REST keeps every promise about judges that a project trains, whatever it is sent."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from hypothesis import settings as options

from annotation.corpora.accounts.models import User
from tests.annotation.evaluation.places import JudgePlaces, make_judge_places
from tests.annotation.schema.checking import (
    CHANCE,
    MANY_FIELDS,
    TRAINED,
    Everywhere,
    check,
    load,
    load_by_chance,
)
from tests.annotation.world import World

schema = load().include(path_regex=TRAINED).exclude(operation_id=MANY_FIELDS)
wide_schema = load_by_chance().include(path_regex=TRAINED, operation_id=MANY_FIELDS)


pytestmark = pytest.mark.usefixtures("judges_dir")


@pytest.fixture(scope="module")
def kept_judges(kept_world: World, kept_judges_dir: Path) -> JudgePlaces:
    owner = User.objects.get(email="owner@example.org")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "JUDGES_DIR", kept_judges_dir)
        return make_judge_places(kept_world.corpus.project, owner)


@pytest.fixture
def judges(db: None, kept_judges: JudgePlaces) -> JudgePlaces:
    return kept_judges


@schema.parametrize()
@CHANCE
def test_it_keeps_its_promises(
    case: Any, key: str, world: World, judges: JudgePlaces, answers: Counter[int]
):
    check(case, key, Everywhere(world, judges=judges), answers)


@wide_schema.parametrize()
@options(CHANCE, max_examples=8)
def test_it_keeps_its_promises_about_many_fields(
    case: Any, key: str, world: World, judges: JudgePlaces, answers: Counter[int]
):
    check(case, key, Everywhere(world, judges=judges), answers)
