"""Who may do what with runs of judges and with estimates, on pages and by REST."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from tests.annotation.crowd.permissions import Part
from tests.annotation.evaluation.places import RunPlaces, make_run_places
from tests.annotation.roles import EDITOR, VIEWER, Row, call, page

TABLE: dict[str, Row] = {
    "evaluation:runs": page(VIEWER, GET=200),
    "evaluation:start_run": page(EDITOR, GET=200, POST=302),
    "evaluation:run": page(VIEWER, GET=200),
    "evaluation:pause_run": page(EDITOR, POST=302),
    "evaluation:resume_run": page(EDITOR, POST=302),
    "evaluation:cancel_run": page(EDITOR, POST=302),
    "evaluation:retry_run": page(EDITOR, POST=302),
    "evaluation:out_of_fold_run": page(EDITOR, POST=302),
    "evaluation:delete_run": page(EDITOR, POST=302),
    "evaluation:presence": page(VIEWER, GET=200),
    "evaluation:compare_run": page(EDITOR, POST=302),
    "evaluation:probe_run": page(EDITOR, POST=302),
    "evaluation:people": page(VIEWER, GET=200),
    "evaluation:disagreements": page(VIEWER, GET=200),
    "evaluation:show_verdicts": page(EDITOR, POST=302),
    "evaluation:summaries": page(VIEWER, GET=200),
    "evaluation:run_scores_csv": page(VIEWER, GET=200),
    "evaluation:presence_csv": page(VIEWER, GET=200),
    "evaluation:presence_jsonl": page(VIEWER, GET=200),
    "evaluation:estimates": page(VIEWER, GET=200),
    "evaluation:estimate_scores": page(EDITOR, GET=200, POST=302),
    "evaluation:estimate": page(VIEWER, GET=200),
    "evaluation:estimate_csv": page(VIEWER, GET=200),
    "evaluation:estimate_pairs_csv": page(VIEWER, GET=200),
    "evaluation:delete_estimate": page(EDITOR, POST=302),
    "evaluation_api:estimates": call(GET=(VIEWER, 200), POST=(EDITOR, 202)),
    "evaluation_api:estimate": call(GET=(VIEWER, 200), DELETE=(EDITOR, 204)),
    "evaluation_api:runs": call(GET=(VIEWER, 200), POST=(EDITOR, 202)),
    "evaluation_api:run_judges": call(GET=(VIEWER, 200)),
    "evaluation_api:run": call(GET=(VIEWER, 200), DELETE=(EDITOR, 204)),
    "evaluation_api:pause_run": call(POST=(EDITOR, 202)),
    "evaluation_api:resume_run": call(POST=(EDITOR, 202)),
    "evaluation_api:cancel_run": call(POST=(EDITOR, 202)),
    "evaluation_api:retry_run": call(POST=(EDITOR, 202)),
    "evaluation_api:out_of_fold_run": call(POST=(EDITOR, 202)),
    "evaluation_api:run_scores": call(GET=(VIEWER, 200)),
    "evaluation_api:run_review": call(GET=(VIEWER, 200)),
    "evaluation_api:run_settled": call(GET=(VIEWER, 200)),
    "evaluation_api:run_presence": call(GET=(VIEWER, 200)),
    "evaluation_api:score_texts": call(POST=(VIEWER, 202)),
    "evaluation_api:text_scores": call(GET=(VIEWER, 200)),
}


def make_places(project: Project, people: Mapping[str, User]) -> RunPlaces:
    return make_run_places(project, people["owner"])


def values_for(name: str, places: RunPlaces) -> dict[str, Any]:
    if "estimate" in name:
        return {"pk": places.estimate.pk}
    runs: dict[str, Any] = {
        "text_scores": places.scored,
        "out_of_fold_run": places.builtin,
        "pause_run": places.queued,
        "cancel_run": places.queued,
        "resume_run": places.paused,
        "retry_run": places.failed,
    }
    return {"pk": runs.get(name.partition(":")[2], places.ready).pk}


def sent_to(name: str, places: RunPlaces) -> dict[str, Any]:
    said: dict[str, Any] = {"unit_set": places.labels.unit_set_id, "judge": "lexical"}
    joined = {"run": places.ready.pk, "chosen": "random", "target": "population"}
    document = {"units": ["The dam burst."], "summary": "A dam burst."}
    sent: dict[str, dict[str, Any]] = {
        "start_run": {**said, "empty": "refuse", "precision": "fp32"},
        "runs": said,
        "estimate_scores": {
            **joined,
            "source": f"labels-{places.labels.pk}",
            "by": "examples",
        },
        "estimates": {**joined, "labels": places.labels.pk},
        "score_texts": {"judge": "lexical", "documents": [document]},
    }
    return sent.get(name.partition(":")[2], {})


PARTS = [Part(TABLE, make_places, values_for, sent_to)]
