"""A campaign whose answers are in, and labels of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from annotation.corpora.models import Project, User
    from annotation.crowd.models import Campaign
    from annotation.evaluation.models import GoldVersion, LabelSet


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
