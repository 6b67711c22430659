"""Labels that are not of these units: named before they are written, with the set they fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.evaluation.labels import files
from annotation.evaluation.labels.files import LabelImport
from annotation.evaluation.labels.models import LabelSet
from annotation.units.sets.models import UnitSet
from tests import factories

WORDS = (
    ("mayor", "bridge", "council", "flood"),
    ("striker", "penalty", "stadium", "goal"),
    ("comet", "telescope", "orbit", "crater"),
    ("recipe", "butter", "oven", "pastry"),
    ("violin", "concerto", "orchestra", "baton"),
    ("tractor", "harvest", "barley", "field"),
)


def summary(place: int) -> str:
    return " ".join(WORDS[place % len(WORDS)])


def units(place: int) -> list[str]:
    """Three that a summary says, and three that it doesn't."""
    own, other = WORDS[place], WORDS[(place + 3) % len(WORDS)]
    return [f"The {words[n]} and the {words[n + 1]}." for words in (own, other) for n in range(3)]


@pytest.fixture
def study(owner: User, tmp_path: Path) -> Project:
    project = factories.make_project(owner, "labelled")
    lines = [
        factories.example(f"e{n}", references=[summary(n)], summaries={"lead": summary(n)})
        for n in range(len(WORDS))
    ]
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "c.jsonl", lines))
    return project


@pytest.fixture
def judged(study: Project, owner: User) -> UnitSet:
    return make_set(study, owner, "Judged", 6)


def make_set(study: Project, owner: User, name: str, count: int) -> UnitSet:
    made = factories.make_set(study, owner, name)
    for place, row in enumerate(study.examples.order_by("position")):
        factories.add_units(made, row, owner, *units(place)[:count])
    factories.freeze(made, owner)
    return made


def write(folder: Path, row: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "lead.label").write_text("\n".join(["\t".join(row)] * len(WORDS)))
    return folder


def bring(judged: UnitSet, path: Path, **more: Any) -> LabelImport:
    return files.import_labels(
        project=judged.project, user=None, unit_set=judged, path=path, **more
    )


def test_labels_of_these_units_are_taken(judged: UnitSet, tmp_path: Path) -> None:
    assert bring(judged, write(tmp_path / "labels", "111000")).label_set is not None


@pytest.mark.parametrize("row", ["000111", "010101"])
def test_labels_of_other_units_are_doubted(judged: UnitSet, tmp_path: Path, row: str) -> None:
    path = write(tmp_path / "labels", row)
    outcome = bring(judged, path)
    assert (outcome.label_set, outcome.doubtful) == (None, True)
    assert not LabelSet.objects.exists()
    assert outcome.problems[-1]["file"] == "All files together"
    assert bring(judged, path, anyway=True).label_set is not None


def test_the_page_and_the_command_ask(judged: UnitSet, as_owner: Client, tmp_path: Path) -> None:
    path = write(tmp_path / "labels", "000111")
    here = "/p/labelled/gold/labels/import/"
    with (path / "lead.label").open("rb") as file:
        page = as_owner.post(here, {"unit_set": judged.pk, "files": file})
    held = str(page.context["held"])
    assert f'name="anyway" value="{held}"' in page.content.decode()
    made = as_owner.post(here, {"unit_set": judged.pk, "anyway": held})
    assert (page.status_code, made.status_code) == (422, 302)
    options = ["import_labels", str(path), "--project", "labelled", "--set", "Judged"]
    with pytest.raises(CommandError, match="--anyway"):
        call_command(*options)
    call_command(*options, "--anyway", "--check")
    assert LabelSet.objects.count() == 1
    with (path / "lead.label").open("rb") as file:
        sent = {"unit_set": judged.pk, "files": file, "anyway": "true", "check": "true"}
        checked = as_owner.post("/api/v1/projects/labelled/labels/import/", sent)
    assert (checked.status_code, checked.json()) == (200, {"checked": 1})
    assert LabelSet.objects.count() == 1
    call_command(*options, "--anyway")
    assert LabelSet.objects.count() == 2


def test_it_names_the_set_that_the_labels_fit(
    study: Project, judged: UnitSet, owner: User, tmp_path: Path
) -> None:
    other = make_set(study, owner, "Other", 4)
    outcome = bring(judged, write(tmp_path / "labels", "1100"))
    assert not outcome.doubtful, "it can't be done anyway"
    assert outcome.problems[0]["message"] == f"The labels match {other}, not {judged}."
    assert outcome.problems[0]["expected"] == f"{other}."
    assert outcome.problems[0]["file"] == "labels"
    assert len(outcome.problems) == 1 + len(WORDS)
    kept = files.import_labels(
        project=study, user=owner, unit_set=judged, path=tmp_path / "labels", name="study.zip"
    )
    assert kept.problems[0]["file"] == "study.zip", "the name that people gave it"


def test_it_names_no_set_where_none_fits(judged: UnitSet, tmp_path: Path) -> None:
    outcome = bring(judged, write(tmp_path / "labels", "1100"))
    assert "There are 4 labels" in outcome.problems[0]["message"]
