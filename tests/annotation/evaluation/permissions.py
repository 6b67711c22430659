"""Who may do what with labels, gold versions and scores on pages."""

from __future__ import annotations

from typing import Any

from tests.annotation.crowd.permissions import Part
from tests.annotation.evaluation.api_permissions import LABEL_FILES, make_places
from tests.annotation.evaluation.api_permissions import upload as upload_by_rest
from tests.annotation.evaluation.places import LabelPlaces
from tests.annotation.roles import EDITOR, VIEWER, Row, let_in, page, signed_in

TABLE: dict[str, Row] = {
    "evaluation:import_gold": let_in(signed_in(302, GET=200, POST=422), "GET", "POST"),
    "evaluation:gold": page(VIEWER, GET=200),
    "evaluation:whatif": page(VIEWER, GET=200),
    "evaluation:whatif_csv": page(VIEWER, GET=200),
    "evaluation:votes": page(VIEWER, GET=200),
    "evaluation:compare_votes": page(EDITOR, POST=302),
    "evaluation:keep_labels": page(EDITOR, POST=302),
    "evaluation:crowd_size": page(VIEWER, GET=200),
    "evaluation:contested": page(VIEWER, GET=200),
    "evaluation:adjudicate": page(EDITOR, POST=302),
    "evaluation:undo_adjudication": page(EDITOR, POST=302),
    "evaluation:workers": page(EDITOR, GET=200),
    "evaluation:worker": page(EDITOR, GET=200),
    "evaluation:decide_worker": page(EDITOR, POST=302),
    "evaluation:decide_assignment": page(EDITOR, POST=302),
    "evaluation:undo_decision": page(EDITOR, POST=302),
    "evaluation:import_labels": page(EDITOR, GET=200, POST=302),
    "evaluation:labels": page(VIEWER, GET=200),
    "evaluation:drops_csv": page(VIEWER, GET=200),
    "evaluation:settle_labels": page(EDITOR, POST=302),
    "evaluation:delete_labels": page(EDITOR, POST=302),
    "evaluation:scores": page(VIEWER, GET=200),
    "evaluation:compute_scores": page(EDITOR, POST=302),
    "evaluation:scores_csv": page(VIEWER, GET=200),
    "evaluation:pairs_csv": page(VIEWER, GET=200),
    "evaluation:create_gold": page(EDITOR, GET=200, POST=302),
    "evaluation:version": page(VIEWER, GET=200),
    "evaluation:delete_gold": page(EDITOR, POST=302),
    "evaluation:download_gold": page(VIEWER, GET=200),
}
UPLOADS = {"evaluation:import_labels"}


def values_for(name: str, places: LabelPlaces) -> dict[str, Any]:
    pks = {
        "undo_adjudication": places.adjudication.pk,
        "worker": places.other.pk,
        "decide_worker": places.other.pk,
        "decide_assignment": places.work.pk,
        "undo_decision": places.decision.pk,
        "settle_labels": places.taken.pk,
        "delete_labels": places.spare.pk,
        "version": places.gold.pk,
        "delete_gold": places.failed.pk,
        "download_gold": places.gold.pk,
    }
    return {"pk": pks.get(name.partition(":")[2], places.labels.pk)}


def sent_to(name: str, places: LabelPlaces) -> dict[str, Any]:
    word = {"verdict": "drop", "reason": "Too quick."}
    sent: dict[str, dict[str, Any]] = {
        "adjudicate": {
            "summary": places.adjudication.summary_id,
            "unit": places.adjudication.unit_id,
            "present": "0",
        },
        "decide_worker": word,
        "decide_assignment": word,
        "import_labels": {"unit_set": places.labels.unit_set_id},
        "create_gold": {"name": "Dams", "worker_names": "pseudonym"},
    }
    return sent.get(name.partition(":")[2], {})


def upload(_: str) -> dict[str, Any]:
    return upload_by_rest(LABEL_FILES)


PARTS = [Part(TABLE, make_places, values_for, sent_to)]
