"""Who may do what with curves and plans, on pages and by REST."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from tests.annotation.crowd.permissions import Part
from tests.annotation.evaluation.places import PlanPlaces, make_plan_places
from tests.annotation.evaluation.planned import key_of
from tests.annotation.roles import EDITOR, VIEWER, Row, call, page

TABLE: dict[str, Row] = {
    "evaluation:plans": page(VIEWER, GET=200),
    "evaluation:plan_budget": page(EDITOR, GET=200, POST=302),
    "evaluation:quote": page(VIEWER, GET=200),
    "evaluation:power": page(VIEWER, GET=200),
    "evaluation:compute_power": page(EDITOR, POST=302),
    "evaluation:power_csv": page(VIEWER, GET=200),
    "evaluation:plan": page(VIEWER, GET=200),
    "evaluation:plans_csv": page(VIEWER, GET=200),
    "evaluation:apply_plan": page(EDITOR, POST=302),
    "evaluation:undo_plan": page(EDITOR, POST=302),
    "evaluation:delete_plan": page(EDITOR, POST=302),
    "evaluation:curves_list": page(VIEWER, GET=200),
    "evaluation:draw_curves": page(EDITOR, GET=200, POST=302),
    "evaluation:curves": page(VIEWER, GET=200),
    "evaluation:curves_csv": page(VIEWER, GET=200),
    "evaluation:delete_curves": page(EDITOR, POST=302),
    "evaluation_api:curves": call(GET=(VIEWER, 200), POST=(EDITOR, 202)),
    "evaluation_api:curves_detail": call(GET=(VIEWER, 200), DELETE=(EDITOR, 204)),
    "evaluation_api:power": call(GET=(VIEWER, 200), POST=(EDITOR, 202)),
    "evaluation_api:plans": call(GET=(VIEWER, 200), POST=(EDITOR, 202)),
    "evaluation_api:plan": call(GET=(VIEWER, 200), DELETE=(EDITOR, 204)),
    "evaluation_api:apply_plan": call(POST=(EDITOR, 201)),
    "evaluation_api:undo_plan": call(POST=(EDITOR, 200)),
    "evaluation_api:look_back": call(GET=(VIEWER, 200)),
    "evaluation_api:quote_system": call(GET=(VIEWER, 200)),
}
TAKEN = {"evaluation:undo_plan", "evaluation_api:undo_plan", "evaluation_api:look_back"}


def make_places(project: Project, people: Mapping[str, User]) -> PlanPlaces:
    return make_plan_places(project, people["owner"])


def values_for(name: str, places: PlanPlaces) -> dict[str, Any]:
    if "curves" in name:
        return {"pk": places.curves.pk}
    if name == "evaluation:power_csv":
        return {"pk": places.power.pk}
    if name == "evaluation_api:quote_system":
        return {"pk": places.campaign.pk}
    return {"pk": (places.taken if name in TAKEN else places.open).pk}


def sent_to(name: str, places: PlanPlaces) -> dict[str, Any]:
    sources = {"stus": places.stus.pk}
    key = key_of(places.open)
    sent: dict[str, dict[str, Any]] = {
        "evaluation:plan_budget": filled(),
        "evaluation_api:plans": {"money": "150", "hours": 6, "rounds": 2},
        "evaluation:apply_plan": {"key": key, "name": "Taken"},
        "evaluation_api:apply_plan": {"key": key},
        "evaluation:draw_curves": {
            **sources,
            "source": f"labels-{places.labels.pk}",
            "judge": "human",
            "step": 50,
            "seeds": 20,
            "bootstrap": 5,
            "seed": 0,
        },
        "evaluation:compute_power": POWER | {"comparisons": 1, "seed": 0},
        "evaluation_api:power": {"differences": [0.5], "examples": [2, 3], "annotators": [1]},
        "evaluation_api:curves": {**sources, "labels": places.labels.pk},
    }
    return sent.get(name, {})


POWER = {"differences": "0.5", "examples": "2 3", "annotators": "1"}


def filled() -> dict[str, Any]:
    """The form as the page shows it at first."""
    return {
        "money": "150.00",
        "hours": 6,
        "goal": "correlation",
        "goal_width": 0.05,
        "goal_difference": 0.05,
        "power": 0.8,
        "examples": 3,
        "systems": 2,
        "minutes_per_scu": 0.5,
        "provider": "marketplace",
        "reward": "0.15",
        "units_per_hit": 16,
        "seed": 0,
    }


PARTS = [Part(TABLE, make_places, values_for, sent_to)]
