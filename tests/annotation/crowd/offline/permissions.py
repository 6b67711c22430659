"""Who may take in judgements from files and write batch files."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Summary
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign, Hit, ProviderName
from annotation.units.sets.models import UnitSet
from scoring.io.cells import row_line
from tests.annotation.crowd.results import make_frozen
from tests.annotation.roles import EDITOR, VIEWER, Row, call, page

TABLE: dict[str, Row] = {
    "crowd:import_judgements": page(EDITOR, GET=200, POST=422),
    "crowd:export_batch": page(VIEWER, GET=200),
    "crowd_api:import_judgements": call(POST=(EDITOR, 202)),
    "crowd_api:export_batch": call(GET=(VIEWER, 200)),
}
UPLOADS = {"crowd_api:import_judgements"}


def make_places(project: Project, people: Mapping[str, User]) -> Campaign:
    """A campaign with one HIT to write."""
    return make_batch(make_frozen(project, people["owner"], ["The dam burst."]))


def make_batch(unit_set: UnitSet) -> Campaign:
    campaign = Campaign.objects.create(
        project=unit_set.project,
        unit_set=unit_set,
        name="Batch",
        provider=ProviderName.OFFLINE,
        title="Find statements",
        description="…",
        instructions="…",
        budget=Decimal(0),
    )
    summary = Summary.objects.filter(example__project=unit_set.project).earliest("pk")
    unit = unit_set.units.filter(example=summary.example_id).earliest("position", "pk")
    statements = [{"key": "s1", "unit": unit.pk, "text": unit.text}]
    Hit.objects.create(
        campaign=campaign, summary=summary, statements=statements, reward=Decimal(0), wanted=1
    )
    return campaign


def values_for(name: str, places: Campaign) -> dict[str, Any]:
    return {"pk": places.pk}


def sent_to(name: str, places: Campaign) -> dict[str, Any]:
    return {"unit_set": places.unit_set_id} if name in UPLOADS else {}


def upload() -> dict[str, Any]:
    """One answer about a unit of the example that has a summary."""
    summary = Summary.objects.select_related("example", "system").earliest("pk")
    unit = Hit.objects.latest("pk").statements[0]
    cells = {
        "Input.eventId": summary.example.key,
        "Input.summaryId": summary.system.name,
        "Input.summary_text": summary.text,
        "Input.statement_1": unit["text"],
        "Answer.S1Answer": "p",
    }
    lines = f"{row_line(*cells)}{row_line(*cells.values())}"
    return {"files": SimpleUploadedFile("r.csv", lines.encode())}
