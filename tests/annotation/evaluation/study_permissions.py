"""Who may do what with several metrics, disagreements and studies of robustness."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.evaluation.robustness.models import RobustnessStudy
from tests.annotation.crowd.permissions import Part
from tests.annotation.evaluation.scored import make_scores
from tests.annotation.evaluation.studied import make_study
from tests.annotation.roles import EDITOR, VIEWER, Row, call, page

TABLE: dict[str, Row] = {
    "evaluation:score_metrics": page(EDITOR, GET=200, POST=302),
    "evaluation:metric_disagreements": page(VIEWER, GET=200),
    "evaluation:metric_disagreements_csv": page(VIEWER, GET=200),
    "evaluation:robustness_list": page(VIEWER, GET=200),
    "evaluation:study_robustness": page(EDITOR, GET=200, POST=302),
    "evaluation:robustness": page(VIEWER, GET=200),
    "evaluation:robustness_csv": page(VIEWER, GET=200),
    "evaluation:delete_study": page(EDITOR, POST=302),
    "evaluation_api:score_metrics": call(POST=(EDITOR, 202)),
    "evaluation_api:metric_disagreements": call(GET=(VIEWER, 400)),
    "evaluation_api:robustness_list": call(GET=(VIEWER, 200), POST=(EDITOR, 202)),
    "evaluation_api:robustness": call(GET=(VIEWER, 200), DELETE=(EDITOR, 204)),
}


def make_places(project: Project, people: Mapping[str, User]) -> RobustnessStudy:
    make_scores(project, "length", people["owner"])
    return make_study(project, people["owner"])


def values_for(name: str, places: RobustnessStudy) -> dict[str, Any]:
    return {"pk": places.pk}


def sent_to(name: str, places: RobustnessStudy) -> dict[str, Any]:
    sent: dict[str, dict[str, Any]] = {
        "evaluation:score_metrics": {"metrics": ["rouge", "js"]},
        "evaluation:study_robustness": {"metrics": ["rouge"], "shares": "20", "seed": 0},
        "evaluation_api:score_metrics": {"metrics": ["rouge"]},
        "evaluation_api:robustness_list": {"metrics": ["rouge"], "shares": [0.2]},
    }
    return sent.get(name, {})


PARTS = [Part(TABLE, make_places, values_for, sent_to)]
