"""Results files for tests: what workers answered about the summaries of a small project."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.units.sets.models import UnitSet
from tests import factories

UNITS = ("The dam burst.", "It was Monday.", "Nobody was hurt.")
SUMMARIES = {"lead": "The dam burst.", "soup": "dam dam"}


def make_frozen(project: Project, owner: User, texts: Sequence[str] = UNITS) -> UnitSet:
    unit_set = factories.make_set(project, owner)
    for example in project.examples.all():
        factories.add_units(unit_set, example, owner, *texts)
    factories.freeze(unit_set, owner)
    unit_set.refresh_from_db()
    return unit_set


def row(
    key: str = "e1",
    system: str = "lead",
    answers: str = "pnn",
    *,
    texts: Sequence[str] = UNITS,
    summary: str = "",
    **more: str,
) -> dict[str, str]:
    """One assignment; `answers` has a letter a statement, a space for none."""
    return {
        **more,
        "Input.eventId": key,
        "Input.summaryId": system,
        "Input.summary_text": summary or SUMMARIES.get(system, ""),
        **{f"Input.statement_{slot}": text for slot, text in enumerate(texts, 1)},
        **{f"Answer.S{slot}Answer": mark.strip() for slot, mark in enumerate(answers, 1)},
    }


def write(path: Path, *rows: dict[str, str]) -> Path:
    names = list(dict.fromkeys(name for item in rows for name in item))
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, names, restval="")
        writer.writeheader()
        writer.writerows(rows)
    return path
