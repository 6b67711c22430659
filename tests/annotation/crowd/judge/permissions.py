"""Who may see judging pages, and who may time one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Summary
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Hit
from annotation.crowd.campaigns.planning import plan_hits
from annotation.crowd.campaigns.service import create_campaign
from annotation.crowd.judging_page.question import hit_token
from annotation.units.sets.models import UnitSet
from tests.annotation.roles import EDITOR, VIEWER, Row, everybody, page

TABLE: dict[str, Row] = {
    "crowd:judge": everybody(GET=200),
    "crowd:preview": page(VIEWER, GET=302),
    "crowd:preview_summary": page(VIEWER, GET=200),
    "crowd:preview_page": page(VIEWER, GET=200),
    "crowd:timed_preview": page(EDITOR, GET=200, POST=302),
}


def make_places(project: Project, people: Mapping[str, User]) -> Hit:
    """A HIT about a summary of an example that has units."""
    unit_set = UnitSet.objects.filter(project=project, state="frozen").earliest("pk")
    example = unit_set.units.earliest("pk").example
    system = project.systems.earliest("pk")
    summary = Summary.objects.create(
        example=example, system=system, source=example.source, text="The dam burst."
    )
    campaign = create_campaign(
        project=project, user=people["owner"], unit_set=unit_set, name="Seen"
    )
    [hit] = plan_hits(campaign, [summary])
    hit.save()
    return hit


def values_for(name: str, places: Hit) -> dict[str, Any]:
    return {
        "pk": places.campaign_id,
        "summary": places.summary_id,
        "token": hit_token(places),
    }


def sent_to(name: str, places: Hit) -> dict[str, Any]:
    return {row["key"]: "present" for row in places.statements} | {"giza_seconds": "12.5"}
