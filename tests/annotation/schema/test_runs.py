"""REST keeps every promise about runs of judges, whatever it is sent."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from hypothesis import settings as options

from annotation.corpora.accounts.models import User
from tests.annotation.evaluation.places import RunPlaces, make_run_places
from tests.annotation.schema.checking import (
    CHANCE,
    MANY_FIELDS,
    RUNS,
    Everywhere,
    check,
    load,
    load_by_chance,
)
from tests.annotation.world import World

schema = load().include(path_regex=RUNS).exclude(operation_id=MANY_FIELDS)
wide_schema = load_by_chance().include(path_regex=RUNS, operation_id=MANY_FIELDS)


pytestmark = pytest.mark.usefixtures("judges_dir")


@pytest.fixture(scope="module")
def kept_runs(kept_world: World, kept_judges_dir: Path) -> RunPlaces:
    owner = User.objects.get(email="owner@example.org")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "JUDGES_DIR", kept_judges_dir)
        return make_run_places(kept_world.corpus.project, owner)


@pytest.fixture
def runs(db: None, kept_runs: RunPlaces) -> RunPlaces:
    return kept_runs


@schema.parametrize()
@CHANCE
def test_it_keeps_its_promises(
    case: Any, key: str, world: World, runs: RunPlaces, answers: Counter[int]
):
    check(case, key, Everywhere(world, runs=runs), answers)


@wide_schema.parametrize()
@options(CHANCE, max_examples=20)
def test_it_keeps_its_promises_about_many_fields(
    case: Any, key: str, world: World, runs: RunPlaces, answers: Counter[int]
):
    check(case, key, Everywhere(world, runs=runs), answers)
