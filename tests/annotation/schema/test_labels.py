"""REST keeps every promise about labels and gold versions, whatever it is sent."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from hypothesis import settings as options

from annotation.corpora.accounts.models import User
from tests.annotation.evaluation.places import LabelPlaces, make_label_places
from tests.annotation.schema.checking import (
    CHANCE,
    LABELS,
    MANY_FIELDS,
    Everywhere,
    check,
    load,
    load_by_chance,
)
from tests.annotation.world import World

schema = load().include(path_regex=LABELS).exclude(operation_id=MANY_FIELDS)
wide_schema = load_by_chance().include(path_regex=LABELS, operation_id=MANY_FIELDS)


@pytest.fixture(scope="module")
def kept_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gold")


@pytest.fixture(autouse=True)
def files_of_places(gold_files: Path, kept_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the gold version has its own."""
    monkeypatch.setattr(settings, "GOLD_DIR", kept_folder)


@pytest.fixture(scope="module")
def kept_labels(kept_world: World, kept_folder: Path) -> LabelPlaces:
    owner = User.objects.get(email="owner@example.org")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "GOLD_DIR", kept_folder)
        return make_label_places(kept_world.corpus.project, owner)


@pytest.fixture
def labels(db: None, kept_labels: LabelPlaces) -> LabelPlaces:
    return kept_labels


@schema.parametrize()
@CHANCE
def test_it_keeps_its_promises(
    case: Any, key: str, world: World, labels: LabelPlaces, answers: Counter[int]
):
    check(case, key, Everywhere(world, labels=labels), answers)


@wide_schema.parametrize()
@options(CHANCE, max_examples=8)
def test_it_keeps_its_promises_about_many_fields(
    case: Any, key: str, world: World, labels: LabelPlaces, answers: Counter[int]
):
    check(case, key, Everywhere(world, labels=labels), answers)
