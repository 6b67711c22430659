"""A campaign whose answers are in, labels of it and a gold version: made once for a module."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.annotation.conftest import find_kept, share

if TYPE_CHECKING:
    from annotation.corpora.accounts.models import User
    from annotation.corpora.projects.models import Project
    from annotation.crowd.campaigns.models import Campaign
    from annotation.evaluation.gold.models import GoldVersion
    from annotation.evaluation.labels.models import LabelSet
    from annotation.units.sets.models import UnitSet


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    share(items, Path(__file__).parent, "judged_set")


@pytest.fixture(scope="module")
def kept_judged_set(kept_corpus: Project) -> UnitSet:
    from annotation.corpora.accounts.models import User
    from tests.annotation.evaluation.campaigns import make_units

    return make_units(kept_corpus, User.objects.get(email="owner@example.org"))


@pytest.fixture
def judged_set(request: pytest.FixtureRequest, corpus: Project, owner: User) -> UnitSet:
    """Three units for each of the three examples, frozen; nobody has judged them."""
    from tests.annotation.evaluation.campaigns import make_units

    return find_kept(request, "judged_set") or make_units(corpus, owner)


@pytest.fixture(scope="module")
def kept_judged(kept_judged_set: UnitSet) -> Campaign:
    """Four workers, one of them noisy, on the six summaries of the corpus."""
    from annotation.corpora.accounts.models import User
    from tests.annotation.evaluation.campaigns import make_judged

    owner = User.objects.get(email="owner@example.org")
    return make_judged(kept_judged_set.project, owner, unit_set=kept_judged_set)


@pytest.fixture(scope="module")
def kept_labelled(kept_judged: Campaign) -> LabelSet:
    """Labels of the judged campaign, the noisiest judge of each summary left out."""
    from tests.annotation.evaluation.campaigns import make_labels

    assert kept_judged.created_by
    return make_labels(kept_judged, kept_judged.created_by)


@pytest.fixture(scope="module")
def kept_gold_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept") / "gold"


@pytest.fixture(scope="module")
def kept_gold(kept_judged: Campaign, kept_labelled: LabelSet, kept_gold_files: Path) -> GoldVersion:
    """A gold version of these labels."""
    from django.conf import settings

    from tests.annotation.evaluation.campaigns import make_gold

    assert kept_judged.created_by
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "GOLD_DIR", kept_gold_files)
        return make_gold(kept_labelled, kept_judged.created_by)


@pytest.fixture
def judged(db: None, kept_judged: Campaign) -> Campaign:
    return type(kept_judged).objects.get(pk=kept_judged.pk)


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Judges that need nothing: `toy` of three classes, `toy2` of two, `toy-broken`."""
    from django.conf import settings

    from annotation.evaluation.judges import offered as judges
    from scoring.judge import PRESETS
    from tests.annotation.evaluation import toy_judge

    for name, preset in toy_judge.toys().items():
        monkeypatch.setitem(PRESETS, name, preset)
    monkeypatch.setattr(settings, "JUDGES_DIR", tmp_path / "judges")
    (tmp_path / "judges").mkdir()
    judges._judges.clear()
    toy_judge.ASKED.clear()
    toy_judge.LOADED.clear()


@pytest.fixture
def labelled(db: None, kept_labelled: LabelSet) -> LabelSet:
    return type(kept_labelled).objects.get(pk=kept_labelled.pk)


@pytest.fixture
def gold(db: None, kept_gold: GoldVersion, kept_gold_files: Path, gold_files: Path) -> GoldVersion:
    """With files of its own."""
    shutil.copytree(kept_gold_files, gold_files, dirs_exist_ok=True)
    return type(kept_gold).objects.get(pk=kept_gold.pk)


@pytest.fixture(scope="module")
def kept_stus(kept_labelled: LabelSet) -> UnitSet:
    """STUs of the labelled examples, with how hard each sentence was foretold to be."""
    from tests.annotation.evaluation.planned import make_stus

    assert kept_labelled.created_by
    return make_stus(kept_labelled.project, kept_labelled.created_by)


@pytest.fixture
def stus(db: None, kept_stus: UnitSet) -> UnitSet:
    return type(kept_stus).objects.get(pk=kept_stus.pk)
