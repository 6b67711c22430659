"""Prolific's addresses have no sign-in: what they ask for instead is not sent here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign
from annotation.units.sets.models import UnitSet
from tests.annotation.crowd.studies import make_campaign
from tests.annotation.roles import Row, everybody

TABLE: dict[str, Row] = {
    "crowd:prolific": everybody(GET=400),
    "crowd:prolific_submit": everybody(POST=404),
    "crowd:prolific_webhook": everybody(POST=403),
}


def make_places(project: Project, people: Mapping[str, User]) -> Campaign:
    return make_campaign(UnitSet.objects.filter(project=project).earliest("pk"), hits=0)


def values_for(name: str, places: Campaign) -> dict[str, Any]:
    return {"token": places.token}


def sent_to(name: str, places: Campaign) -> dict[str, Any]:
    return {}
