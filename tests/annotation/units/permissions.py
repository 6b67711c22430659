"""Who may do what with units, and what has to be sent for it to succeed."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from tests.annotation.roles import ANNOTATOR, EDITOR, OWNER, VIEWER, Row, call, page, project
from tests.annotation.units.places import UnitPlaces

TABLE: dict[str, Row] = {
    "units:sets": project(302, VIEWER, GET=(VIEWER, 200), POST=(EDITOR, 302)),
    "units:settings": page(EDITOR, GET=200, POST=302),
    "units:import": page(EDITOR, GET=200, POST=302),
    "units:import_kept": page(EDITOR, POST=302),
    "units:set": page(VIEWER, GET=200),
    "units:assign": page(EDITOR, POST=302),
    "units:review": page(EDITOR, POST=302),
    "units:draft": page(EDITOR, POST=302),
    "units:freeze": page(EDITOR, POST=302),
    "units:next_version": page(EDITOR, POST=302),
    "units:delete": page(OWNER, POST=302),
    "units:download": page(VIEWER, GET=200),
    "units:compare": page(VIEWER, GET=200),
    "units:choose_comparison": page(VIEWER, GET=302),
    "units:rename": page(EDITOR, POST=302),
    "units:archive": page(EDITOR, POST=302),
    "units:all": project(302, VIEWER, GET=(VIEWER, 200), POST=(ANNOTATOR, 302)),
    "units:check": page(ANNOTATOR, POST=302),
    "units:doubles": project(302, VIEWER, GET=(VIEWER, 200), POST=(EDITOR, 302)),
    "units:double": page(VIEWER, GET=200),
    "units:done": project(302, ANNOTATOR, POST=(EDITOR, 302)),
    "units:compare_double": project(302, VIEWER, GET=(VIEWER, 200), POST=(ANNOTATOR, 302)),
    "units:delete_double": page(OWNER, POST=302),
    "units:next": page(ANNOTATOR, GET=302),
    "units:studio": page(VIEWER, GET=200),
    "units:pyramid": project(302, VIEWER, GET=(VIEWER, 200), POST=(ANNOTATOR, 302)),
    "units:history": page(VIEWER, GET=200),
    "units:extract": page(EDITOR, GET=200, POST=302),
    "units:pause": page(EDITOR, POST=302),
    "units:resume": page(EDITOR, POST=302),
    "units:ranking": page(VIEWER, GET=200),
    "units:rank": page(EDITOR, POST=302),
    "units:drop_plan": page(EDITOR, POST=302),
    "units:leave_rest": page(EDITOR, POST=302),
    "units:take_rest_back": page(EDITOR, POST=302),
    "units:easiness": project(302, VIEWER, GET=(VIEWER, 200), POST=(EDITOR, 302)),
    "units:easiness_model": page(VIEWER, GET=200),
    "units:easiness_file": page(VIEWER, GET=200),
    "units:delete_easiness_model": page(EDITOR, POST=302),
    "units_api:unit_sets": call(GET=(VIEWER, 200), POST=(EDITOR, 201)),
    "units_api:import_units": call(POST=(EDITOR, 202)),
    "units_api:unit_set": call(GET=(VIEWER, 200), PATCH=(EDITOR, 200), DELETE=(OWNER, 204)),
    "units_api:check": call(POST=(ANNOTATOR, 202)),
    "units_api:review": call(POST=(EDITOR, 200)),
    "units_api:draft": call(POST=(EDITOR, 200)),
    "units_api:freeze": call(POST=(EDITOR, 200)),
    "units_api:next_version": call(POST=(EDITOR, 202)),
    "units_api:units": call(GET=(VIEWER, 200)),
    "units_api:assignments": call(POST=(EDITOR, 200)),
    "units_api:compare": call(GET=(VIEWER, 200)),
    "units_api:export_units": call(GET=(VIEWER, 200)),
    "units_api:extract_stus": call(POST=(EDITOR, 202)),
    "units_api:pause": call(POST=(EDITOR, 200)),
    "units_api:resume": call(POST=(EDITOR, 200)),
    "units_api:quality": call(GET=(VIEWER, 200)),
    "units_api:sentences": call(GET=(VIEWER, 200)),
    "units_api:rank": call(POST=(EDITOR, 202)),
    "units_api:plan": call(GET=(VIEWER, 200), PUT=(EDITOR, 200), DELETE=(EDITOR, 204)),
    "units_api:plan_rest": call(POST=(EDITOR, 200), DELETE=(EDITOR, 200)),
    "units_api:easiness_models": call(GET=(VIEWER, 200), POST=(EDITOR, 202)),
    "units_api:easiness_model": call(GET=(VIEWER, 200), DELETE=(EDITOR, 204)),
    "units_api:easiness_file": call(GET=(VIEWER, 200)),
    "units:narrow": project(302, EDITOR, GET=(EDITOR, 200), POST=(EDITOR, 302)),
    "units_api:narrow": call(GET=(EDITOR, 200), POST=(EDITOR, 202)),
    "units_api:doubles": call(GET=(VIEWER, 200), POST=(EDITOR, 201)),
    "units_api:double": call(GET=(VIEWER, 200), DELETE=(OWNER, 204)),
    "units_api:done": call(POST=(EDITOR, 200)),
    "units_api:double_example": call(GET=(VIEWER, 200), PUT=(ANNOTATOR, 200)),
    "units_api:settings": call(GET=(VIEWER, 200), PATCH=(EDITOR, 200)),
    "units_api:studio": call(GET=(VIEWER, 200)),
    "units_api:ops": call(POST=(ANNOTATOR, 200)),
    "units_api:changes": call(GET=(VIEWER, 200)),
    "units_api:lint": call(POST=(VIEWER, 200)),
    "units_api:written": call(POST=(ANNOTATOR, 200)),
    "units_api:signed": call(POST=(ANNOTATOR, 200)),
    "units_api:reopened": call(POST=(ANNOTATOR, 200)),
    "units_api:comments": call(POST=(ANNOTATOR, 201)),
    "units_api:accept_comment": call(POST=(ANNOTATOR, 200)),
    "units_api:reject_comment": call(POST=(ANNOTATOR, 200)),
    "units_api:answer_comment": call(POST=(ANNOTATOR, 200)),
}
UPLOADS = {"units:import", "units_api:import_units"}
REVIEWED = {"units:draft", "units_api:draft", "units:freeze", "units_api:freeze"}
FROZEN = {"units:next_version", "units_api:next_version", "units:archive"}


DOUBLES = {
    "units:double": "open",
    "units:done": "open",
    "units:delete_double": "open",
    "units:compare_double": "revealed",
    "units_api:double": "open",
    "units_api:done": "open",
    "units_api:double_example": "revealed",
}
EASINESS = {
    "pause": "filling",
    "resume": "resting",
    "ranking": "planned",
    "sentences": "planned",
    "drop_plan": "planned",
    "leave_rest": "planned",
    "take_rest_back": "planned",
    "plan": "planned",
    "plan_rest": "planned",
    "quality": "stus",
    "easiness_model": "model",
    "easiness_file": "model",
    "delete_easiness_model": "model",
}


def values_for(name: str, places: UnitPlaces) -> dict[str, Any]:
    """What the parts of an address are, so that it succeeds."""
    return {
        "pk": _id_for(name, places),
        "example": places.example.pk,
        "other": places.frozen.pk,
        "author": places.doubles.author.pk,
        "format": "jsonl",
    }


def _id_for(name: str, places: UnitPlaces) -> int:
    if name in DOUBLES:
        return int(getattr(places.doubles, DOUBLES[name]).pk)
    if name == "units:import_kept":
        return places.kept.pk
    if name.endswith("_comment"):
        return places.comment.pk
    if place := EASINESS.get(name.partition(":")[2]):
        return int(getattr(places.easiness, place).pk)
    if name in REVIEWED:
        return places.reviewed.pk
    return places.frozen.pk if name in FROZEN else places.checked.pk


def sent_to(name: str, places: UnitPlaces) -> dict[str, Any]:
    created = {"action": "create", "unit": "new", "text": "It rained."}
    sent: dict[str, dict[str, Any]] = {
        "units:sets": {"name": "New"},
        "units:settings": {"weighting": "merged"},
        "units:rename": {"name": "Renamed"},
        "units:choose_comparison": {"other": places.frozen.pk},
        "units:all": {
            "action": "delete",
            "unit": [f"{unit.pk}:{unit.revision}" for unit in places.units],
        },
        "units_api:unit_set": {"name": "Renamed"},
        "units:doubles": {
            "name": "Newly double",
            "first": 1,
            "last": 1,
            "first_author": places.writer.pk,
            "second_author": places.checker.pk,
        },
        "units:compare_double": {"choice-0": "first"},
        "units_api:doubles": {
            "name": "Newly double",
            "first": 1,
            "last": 1,
            "authors": [places.writer.pk, places.checker.pk],
        },
        "units_api:done": {"author": places.doubles.author.pk},
        "units_api:double_example": {"units": [{"text": "The dam burst.", "sources": []}]},
        "units:assign": {"first": 1, "last": 2, "author": places.writer.pk},
        "units:pyramid": {"unit": [unit.pk for unit in places.units], "text": "The dam burst."},
        "units:extract": {"extractor": "srl", "x": "1", "regressor": "giza"},
        "units:rank": {"stus": places.easiness.stus.pk, "regressor": ""},
        "units:easiness": _training(places) | {"regressor": "giza"},
        "units_api:rank": {"stus": places.easiness.stus.pk},
        "units_api:plan": {
            "stus": places.easiness.stus.pk,
            "human": [places.easiness.sentence],
        },
        "units_api:easiness_models": _training(places),
        "units_api:unit_sets": {"name": "New"},
        "units_api:assignments": {"first": 1, "last": 2, "author": places.writer.pk},
        "units_api:settings": {"weighting": "merged"},
        "units_api:ops": {"op": str(uuid.uuid4()), "action": "create", "changes": [created]},
        "units_api:lint": {"text": "It rained."},
        "units_api:comments": {"text": "Is that so?"},
        "units_api:answer_comment": {"answer": "It is."},
    }
    return sent.get(name, {})


def _training(places: UnitPlaces) -> dict[str, Any]:
    easiness = places.easiness
    return {"name": "new", "scus": easiness.human.pk, "stus": easiness.stus.pk, "folds": 2}


def upload() -> dict[str, Any]:
    line = b'{"id": "bridge1", "units": [{"text": "The dam burst."}]}'
    return {"name": "Sent", "file": SimpleUploadedFile("units.jsonl", line)}
