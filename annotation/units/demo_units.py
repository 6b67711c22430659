"""The demo's units: half of its examples written, so that the studio has something to show."""

from __future__ import annotations

from pathlib import Path

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.demo import PARTS
from annotation.corpora.jobs.service import finish_job
from annotation.corpora.projects.models import Project
from annotation.units.files.service import import_unit_file
from annotation.units.sets.models import UnitSet
from annotation.units.studio.models import Assignment, AssignmentState

UNITS = Path(__file__).resolve().parent / "demo" / "units.jsonl"
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
