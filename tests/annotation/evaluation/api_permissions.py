"""Who may do what with labels, decisions and gold versions by REST."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.evaluation.gold.models import GoldVersion
from tests.annotation.crowd.permissions import Part
from tests.annotation.evaluation.places import LabelPlaces, make_label_places
from tests.annotation.roles import EDITOR, VIEWER, Row, call, let_in, signed_in

LABEL_FILES = "evaluation_api:import_labels"
GOLD_FILE = "evaluation_api:import_gold"

TABLE: dict[str, Row] = {
    "evaluation_api:labels": call(GET=(VIEWER, 200), POST=(EDITOR, 202)),
    "evaluation_api:preview_labels": call(POST=(VIEWER, 200)),
    LABEL_FILES: call(POST=(EDITOR, 202)),
    "evaluation_api:label_set": call(GET=(VIEWER, 200), DELETE=(EDITOR, 204)),
    "evaluation_api:settle_labels": call(POST=(EDITOR, 202)),
    "evaluation_api:label_scores": call(GET=(VIEWER, 200), POST=(EDITOR, 202)),
    "evaluation_api:label_drops": call(GET=(VIEWER, 200)),
    "evaluation_api:label_summaries": call(GET=(VIEWER, 200)),
    "evaluation_api:contested": call(GET=(VIEWER, 200)),
    "evaluation_api:adjudications": call(GET=(VIEWER, 200), POST=(EDITOR, 201)),
    "evaluation_api:adjudication": call(DELETE=(EDITOR, 204)),
    "evaluation_api:decisions": call(GET=(VIEWER, 200), POST=(EDITOR, 201)),
    "evaluation_api:decision": call(DELETE=(EDITOR, 204)),
    "evaluation_api:workers": call(GET=(EDITOR, 200)),
    "evaluation_api:crowd_size": call(GET=(VIEWER, 200)),
    "evaluation_api:gold_versions": call(GET=(VIEWER, 200), POST=(EDITOR, 202)),
    "evaluation_api:gold": call(GET=(VIEWER, 200), DELETE=(EDITOR, 204)),
    "evaluation_api:download_gold": call(GET=(VIEWER, 200)),
    GOLD_FILE: let_in(signed_in(401, POST=202), "POST"),
}
UPLOADS = {LABEL_FILES, GOLD_FILE}


def make_places(project: Project, people: Mapping[str, User]) -> LabelPlaces:
    return make_label_places(project, people["owner"])


def values_for(name: str, places: LabelPlaces) -> dict[str, Any]:
    last = name.partition(":")[2]
    ids = {
        "label_set": places.spare.pk,
        "settle_labels": places.taken.pk,
        "adjudication": places.adjudication.pk,
        "decision": places.decision.pk,
        "gold": places.failed.pk,
        "download_gold": places.gold.pk,
    }
    return {"pk": ids.get(last, places.labels.pk)}


def sent_to(name: str, places: LabelPlaces) -> dict[str, Any]:
    bodies: dict[str, dict[str, Any]] = {
        "adjudications": {
            "summary": places.work.hit.summary_id,
            "unit": places.adjudication.unit_id,
            "present": False,
        },
        "decisions": {"worker": places.other.pk, "verdict": "keep", "reason": "A test."},
        "gold_versions": {"labels": places.labels.pk, "name": "Dams"},
        "import_labels": {"unit_set": places.labels.unit_set_id},
        "import_gold": {"slug": "restored"},
    }
    return bodies.get(name.partition(":")[2], {})


def upload(name: str) -> dict[str, Any]:
    """Labels of the corpus's three examples, or the gold version that the places have."""
    if name == LABEL_FILES:
        text = b"1\t0\t1\n1\t0\t1\n1\t0\t1\n\n\n"
        return {"files": SimpleUploadedFile("lead.label", text)}
    gold = GoldVersion.objects.filter(is_ready=True).latest("pk")
    return {"file": SimpleUploadedFile("gold.jsonl", gold.path.read_bytes())}


PARTS = [Part(TABLE, make_places, values_for, sent_to)]
