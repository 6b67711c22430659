"""Who may do what with scores of metrics, on pages and by REST."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.evaluation.metrics.models import ScoreSet
from tests.annotation.crowd.permissions import Part
from tests.annotation.evaluation.scored import make_scores
from tests.annotation.roles import EDITOR, VIEWER, Row, call, page

TABLE: dict[str, Row] = {
    "evaluation:score_sets": page(VIEWER, GET=200),
    "evaluation:score_metric": page(EDITOR, GET=200, POST=302),
    "evaluation:import_scores": page(EDITOR, GET=200, POST=302),
    "evaluation:score_set": page(VIEWER, GET=200),
    "evaluation:score_set_csv": page(VIEWER, GET=200),
    "evaluation:name_source": page(EDITOR, POST=302),
    "evaluation:delete_score_set": page(EDITOR, POST=302),
    "evaluation_api:metrics": call(GET=(VIEWER, 200)),
    "evaluation_api:score_sources": call(GET=(VIEWER, 200)),
    "evaluation_api:name_source": call(POST=(EDITOR, 200)),
    "evaluation_api:score_sets": call(GET=(VIEWER, 200), POST=(EDITOR, 202)),
    "evaluation_api:import_scores": call(POST=(EDITOR, 202)),
    "evaluation_api:score_set": call(GET=(VIEWER, 200), DELETE=(EDITOR, 204)),
    "evaluation_api:system_scores": call(GET=(VIEWER, 200)),
    "evaluation_api:download_scores": call(GET=(VIEWER, 200)),
}

UPLOADS = {"evaluation:import_scores", "evaluation_api:import_scores"}


def make_places(project: Project, people: Mapping[str, User]) -> ScoreSet:
    return make_scores(project, "length", people["owner"])


def values_for(name: str, places: ScoreSet) -> dict[str, Any]:
    return {"pk": places.pk} if "name_source" not in name else {}


def sent_to(name: str, places: ScoreSet) -> dict[str, Any]:
    named = {"key": f"scores:{places.pk}:{places.columns[0]}", "name": "Length"}
    sent: dict[str, dict[str, Any]] = {
        "evaluation:name_source": named,
        "evaluation_api:name_source": named,
        "evaluation:score_metric": {"option_stem": "on", "option_several": "best"},
        "evaluation_api:score_sets": {"metric": "rouge", "options": {"stem": False}},
    }
    return sent.get(name, {})


def upload() -> dict[str, Any]:
    data = b"doc_id,system,metric,score\ne1,lead,bleu,0.5\n"
    return {"file": SimpleUploadedFile("theirs.csv", data)}


PARTS = [Part(TABLE, make_places, values_for, sent_to)]
