"""Who may do what with labels, gold versions and scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.corpora.models import Project, User
from annotation.crowd.models import Assignment
from annotation.evaluation import services
from annotation.evaluation.models import Adjudication, Decision, GoldVersion, LabelSet
from tests.annotation.evaluation.campaigns import make_gold, make_judged, make_labels
from tests.annotation.roles import EDITOR, VIEWER, Row, page, signed_in

TABLE: dict[str, Row] = {
    "evaluation:import_gold": signed_in(302, GET=200, POST=422),
    "evaluation:gold": page(VIEWER, GET=200),
    "evaluation:whatif": page(VIEWER, GET=200),
    "evaluation:whatif_csv": page(VIEWER, GET=200),
    "evaluation:votes": page(VIEWER, GET=200),
    "evaluation:keep_labels": page(EDITOR, POST=302),
    "evaluation:judges": page(VIEWER, GET=200),
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
    "evaluation:delete_labels": page(EDITOR, POST=302),
    "evaluation:scores": page(VIEWER, GET=200),
    "evaluation:scores_csv": page(VIEWER, GET=200),
    "evaluation:pairs_csv": page(VIEWER, GET=200),
    "evaluation:create_gold": page(EDITOR, GET=200, POST=302),
    "evaluation:version": page(VIEWER, GET=200),
    "evaluation:download_gold": page(VIEWER, GET=200),
}
UPLOADS = {"evaluation:import_labels"}


@dataclass(frozen=True, slots=True)
class GoldPlaces:
    """`spare` labels are in no gold version, so that they can be deleted."""

    labels: LabelSet
    spare: LabelSet
    gold: GoldVersion
    decision: Decision
    adjudication: Adjudication
    assignment: Assignment


def make_places(project: Project, people: Mapping[str, User]) -> GoldPlaces:
    owner = people["owner"]
    campaign = make_judged(project, owner)
    labels, spare = make_labels(campaign, owner), make_labels(campaign, owner)
    first, second = campaign.assignments.select_related("hit__summary").order_by("pk")[:2]
    unit = campaign.unit_set.units.filter(example=first.hit.summary.example_id).earliest("pk")
    about: dict[str, Any] = {"project": project, "user": owner}
    return GoldPlaces(
        labels,
        spare,
        make_gold(labels, owner),
        services.decide_assignment(assignment=second, verdict="drop", reason="Why.", **about),
        services.adjudicate(summary=first.hit.summary, unit=unit, present=True, **about),
        first,
    )


def values_for(name: str, places: GoldPlaces) -> dict[str, Any]:
    pks = {
        "undo_adjudication": places.adjudication.pk,
        "worker": places.assignment.worker_id,
        "decide_worker": places.assignment.worker_id,
        "decide_assignment": places.assignment.pk,
        "undo_decision": places.decision.pk,
        "delete_labels": places.spare.pk,
        "version": places.gold.pk,
        "download_gold": places.gold.pk,
    }
    return {"pk": pks.get(name.partition(":")[2], places.labels.pk), "format": "jsonl"}


def sent_to(name: str, places: GoldPlaces) -> dict[str, Any]:
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


def upload() -> dict[str, Any]:
    """Labels of three examples with three units each."""
    lines = b"1\t0\t1\n" * 3
    return {"files": SimpleUploadedFile("lead.label", lines)}
