"""REST keeps every promise about scores of metrics, whatever it is sent."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.evaluation.metrics.models import ScoreSet
from tests.annotation.evaluation.scored import make_scores
from tests.annotation.schema.checking import CHANCE, SCORES, Everywhere, check, load
from tests.annotation.world import World

schema = load().include(path_regex=SCORES)


@pytest.fixture(scope="module")
def kept_scores(kept_world: World) -> ScoreSet:
    owner = User.objects.get(email="owner@example.org")
    return make_scores(kept_world.corpus.project, "length", owner)


@pytest.fixture
def scores(db: None, kept_scores: ScoreSet) -> ScoreSet:
    return kept_scores


@schema.parametrize()
@CHANCE
def test_it_keeps_its_promises(
    case: Any, key: str, world: World, scores: ScoreSet, answers: Counter[int]
):
    check(case, key, Everywhere(world, scores=scores), answers)
