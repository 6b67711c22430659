"""REST keeps every promise about samples, whatever it is sent."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from tests.annotation.evaluation.sample_permissions import SamplePlaces, make_sample_places
from tests.annotation.schema.checking import CHANCE, SAMPLES, Everywhere, check, load
from tests.annotation.world import World

schema = load().include(path_regex=SAMPLES)


@pytest.fixture(scope="module")
def kept_samples(kept_world: World) -> SamplePlaces:
    owner = User.objects.get(email="owner@example.org")
    return make_sample_places(kept_world.corpus.project, owner)


@pytest.fixture
def samples(db: None, kept_samples: SamplePlaces) -> SamplePlaces:
    return kept_samples


@schema.parametrize()
@CHANCE
def test_it_keeps_its_promises(
    case: Any, key: str, world: World, samples: SamplePlaces, answers: Counter[int]
):
    check(case, key, Everywhere(world, samples=samples), answers)
