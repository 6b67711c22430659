"""A campaign whose answers are in, and labels of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from annotation.corpora.models import Project, User
    from annotation.crowd.models import Campaign
    from annotation.evaluation.models import GoldVersion, LabelSet
    from annotation.units.models import UnitSet


@pytest.fixture
def judged(corpus: Project, owner: User) -> Campaign:
    """Four workers, one of them noisy, on the six summaries of the corpus."""
    from tests.annotation.evaluation.campaigns import make_judged

    return make_judged(corpus, owner)


@pytest.fixture
def labelled(judged: Campaign, owner: User) -> LabelSet:
    """Labels of the judged campaign, the noisiest judge of each summary left out."""
    from tests.annotation.evaluation.campaigns import make_labels

    return make_labels(judged, owner)


@pytest.fixture
def gold(labelled: LabelSet, owner: User) -> GoldVersion:
    """A gold version of these labels."""
    from tests.annotation.evaluation.campaigns import make_gold

    return make_gold(labelled, owner)


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Judges that need nothing: `toy` of three classes, `toy2` of two, `toy-broken`."""
    from django.conf import settings

    from annotation.evaluation import judges
    from scoring.judge import PRESETS
    from tests.annotation.evaluation import toy_judge

    for name, preset in toy_judge.toys().items():
        monkeypatch.setitem(PRESETS, name, preset)
    monkeypatch.setattr(settings, "JUDGES_DIR", tmp_path / "judges")
    (tmp_path / "judges").mkdir()
    judges._load.cache_clear()
    toy_judge.ASKED.clear()
    toy_judge.LOADED.clear()


@pytest.fixture
def judged_set(corpus: Project, owner: User) -> UnitSet:
    """Three units for each of the three examples, frozen; nobody has judged them."""
    from tests.annotation.evaluation.campaigns import make_units

    return make_units(corpus, owner)
