"""Who may do what with samples, on pages and by REST."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.samples.models import Sample
from annotation.units.sets.models import UnitSet
from tests.annotation.crowd.permissions import Part
from tests.annotation.evaluation.campaigns import make_units
from tests.annotation.evaluation.sampled import draw
from tests.annotation.evaluation.scored import make_scores
from tests.annotation.roles import EDITOR, VIEWER, Row, call, page

TABLE: dict[str, Row] = {
    "evaluation:samples": page(VIEWER, GET=200),
    "evaluation:sample_examples": page(EDITOR, GET=200, POST=302),
    "evaluation:sample": page(VIEWER, GET=200),
    "evaluation:sample_csv": page(VIEWER, GET=200),
    "evaluation:draft_sample": page(EDITOR, POST=302),
    "evaluation:delete_sample": page(EDITOR, POST=302),
    "evaluation_api:samples": call(GET=(VIEWER, 200), POST=(EDITOR, 201)),
    "evaluation_api:sample": call(GET=(VIEWER, 200), DELETE=(EDITOR, 204)),
    "evaluation_api:sample_examples": call(GET=(VIEWER, 200)),
    "evaluation_api:draft_sample": call(POST=(EDITOR, 201)),
}


@dataclass(frozen=True, slots=True)
class SamplePlaces:
    """A sample, the scores that it was drawn by, and a frozen set with units of it."""

    scores: ScoreSet
    sample: Sample
    unit_set: UnitSet

    @property
    def source(self) -> str:
        return f"scores:{self.scores.pk}:{self.scores.columns[0]}"


def make_sample_places(project: Project, owner: User) -> SamplePlaces:
    """Around a project that has a corpus."""
    scores = make_scores(project, "length", owner)
    return SamplePlaces(scores, draw(scores, user=owner), make_units(project, owner))


def make_places(project: Project, people: Mapping[str, User]) -> SamplePlaces:
    return make_sample_places(project, people["owner"])


def values_for(name: str, places: SamplePlaces) -> dict[str, Any]:
    return {"pk": places.sample.pk}


def sent_to(name: str, places: SamplePlaces) -> dict[str, Any]:
    options = {"bins": 2, "per_bin": 1}
    filled = {"seed": 0, "chances": "auto", "draws": 500}
    draft = {"unit_set": places.unit_set.pk, "name": "Of the sample"}
    sent: dict[str, dict[str, Any]] = {
        "evaluation:sample_examples": {"sources": [places.source], **options, **filled},
        "evaluation_api:samples": {"sources": [places.source], **options},
        "evaluation:draft_sample": draft,
        "evaluation_api:draft_sample": draft,
    }
    return sent.get(name, {})


PARTS = [Part(TABLE, make_places, values_for, sent_to)]
