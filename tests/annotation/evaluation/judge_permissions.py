"""Who may do what with judges that a project trains, on pages and by REST."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from tests.annotation.crowd.permissions import Part
from tests.annotation.evaluation.places import JudgePlaces, make_judge_places
from tests.annotation.roles import EDITOR, VIEWER, Row, call, page

TABLE: dict[str, Row] = {
    "evaluation:trained_judges": page(VIEWER, GET=200),
    "evaluation:train_judge": page(EDITOR, GET=200, POST=302),
    "evaluation:trained_judge": page(VIEWER, GET=200),
    "evaluation:judge_card": page(VIEWER, GET=200),
    "evaluation:delete_judge": page(EDITOR, POST=302),
    "evaluation_api:trained_judges": call(GET=(VIEWER, 200), POST=(EDITOR, 202)),
    "evaluation_api:trained_judge": call(GET=(VIEWER, 200), DELETE=(EDITOR, 204)),
}


def make_places(project: Project, people: Mapping[str, User]) -> JudgePlaces:
    return make_judge_places(project, people["owner"])


def values_for(name: str, places: JudgePlaces) -> dict[str, Any]:
    return {"pk": places.judge.pk}


def sent_to(name: str, places: JudgePlaces) -> dict[str, Any]:
    said: dict[str, Any] = {"name": "more", "base": "lexical"}
    sent: dict[str, dict[str, Any]] = {
        "evaluation:train_judge": {**said, **filled(places.labels.pk)},
        "evaluation_api:trained_judges": {**said, "labels": places.labels.pk, "folds": 2},
    }
    return sent.get(name, {})


def filled(labels: int) -> dict[str, Any]:
    """The form as the page shows it at first."""
    return {
        "source": f"labels-{labels}",
        "folds_by": "examples",
        "folds": 3,
        "learning_rate": "1e-5",
        "epochs": 2,
        "warm_up": 0.1,
        "batch_size": 32,
        "seed": 0,
        "sharing": "pairs",
        "checkpoint_every": 200,
        "device": "cpu",
    }


PARTS = [Part(TABLE, make_places, values_for, sent_to)]
