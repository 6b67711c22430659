"""What the tests of units share: actions in short, and what an example holds after them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.units.files import service as files_service
from annotation.units.sets import service as sets_service
from annotation.units.sets.models import Change, Unit, UnitSet, Weighting
from tests import factories

FIRST, SECOND = "The dam burst on Monday. Nobody was hurt.", "A dam has burst. All are safe."


def create(text: str = "The dam burst.", **more: Any) -> dict[str, Any]:
    return {"action": "create", "text": text, **more}


def on(unit: Unit, action: str = "update", **more: Any) -> dict[str, Any]:
    """A change of a unit, as somebody sends it who has just read it."""
    unit.refresh_from_db()
    return {"action": action, "unit": unit.pk, "revision": unit.revision, **more}


def span(example: Example, start: int, end: int, reference: int = 0) -> dict[str, Any]:
    found = example.references.get(position=reference)
    return {"reference": found.pk, "start": start, "end": end}


def act(unit_set: UnitSet, example: Example, user: User, *changes: dict[str, Any]) -> Change:
    return factories.change_units(unit_set, example, user, "act", *changes)


def add(unit_set: UnitSet, example: Example, user: User, *texts: str) -> list[Unit]:
    return [factories.add_unit(unit_set, example, user, text) for text in texts]


def live(unit_set: UnitSet, example: Example) -> list[str]:
    rows = Unit.objects.filter(set=unit_set, example=example, is_deleted=False)
    return list(rows.values_list("text", flat=True))


def assert_sound(unit_set: UnitSet) -> None:
    """Positions without gaps in every example, counts and weights as the rows have them."""
    unit_set.refresh_from_db()
    units = Unit.objects.filter(set=unit_set)
    assert unit_set.unit_count == units.filter(is_deleted=False).count()
    for example in unit_set.project.examples.all():
        places = units.filter(example=example).values_list("position", flat=True)
        assert sorted(places) == list(range(len(places))), example
    for unit in units.prefetch_related("contributors"):
        references = {part.reference_id for part in unit.contributors.all()}
        merged = unit_set.weighting == Weighting.MERGED
        assert unit.weight == (max(1, len(references)) if merged else 1), unit


def make_two_references(owner: User, folder: Path, slug: str = "two") -> Project:
    """A project whose examples have two references each, and whose new sets are merged."""
    project = factories.make_project(owner, slug)
    lines = [factories.example(f"e{n}", references=[FIRST, SECOND]) for n in range(1, 4)]
    factories.import_corpus(project, factories.write_jsonl(folder / f"{slug}.jsonl", lines))
    sets_service.update_settings(project=project, weighting=Weighting.MERGED, disabled_rules=[])
    return project


def run(job: Job | None) -> Job:
    """Run a job to its end, whatever that is."""
    assert job is not None
    run_job(job_id=job.pk)
    job.refresh_from_db()
    return job


def fill(project: Project, path: Path, name: str = "filled", format: str = "") -> UnitSet:
    """Make a set of a file; it must go through."""
    outcome = files_service.import_unit_file(
        project=project, user=None, name=name, path=path, format=format, anyway=True
    )
    assert outcome.unit_set is not None, outcome.problems
    job = run(outcome.unit_set.job)
    assert job.state == "done", job.error
    outcome.unit_set.refresh_from_db()
    return outcome.unit_set


def freeze(unit_set: UnitSet, user: User) -> str:
    return factories.freeze(unit_set, user)


def unit_line(key: str, *units: Any) -> dict[str, Any]:
    """One line of JSONL."""
    return {"id": key, "units": [u if isinstance(u, dict) else {"text": u} for u in units]}


def write_lines(path: Path, *lines: dict[str, Any]) -> Path:
    return factories.write_jsonl(path, lines)
