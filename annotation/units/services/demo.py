"""The demo's units: half of its examples written, so that the studio has something to show."""

from __future__ import annotations

from pathlib import Path

from annotation.corpora.models import Project, User
from annotation.corpora.services.demo import PARTS
from annotation.corpora.services.jobs import finish_job
from annotation.units.models import Assignment, AssignmentState, UnitSet
from annotation.units.services.files import import_unit_file

UNITS = Path(__file__).resolve().parent.parent / "demo" / "units.jsonl"
UNFINISHED = "tram-line-seven"
NAME = "SCUs"


def add_demo_units(project: Project, user: User) -> None:
    # A first start that was killed may have left a part of the set.
    UnitSet.objects.filter(project=project, name=NAME).delete()
    outcome = import_unit_file(project=project, user=user, name=NAME, path=UNITS)
    unit_set = outcome.unit_set
    assert unit_set is not None, outcome.problems
    assert unit_set.job is not None
    finish_job(job=unit_set.job)
    unfinished = Assignment.objects.filter(set=unit_set, example__key=UNFINISHED)
    unfinished.update(author=None, written_by=None, written_at=None, state=AssignmentState.TODO)


PARTS.append(add_demo_units)
