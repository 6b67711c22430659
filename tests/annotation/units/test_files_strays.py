"""Units that share no word with their reference are named before a set is made of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.imports.models import KeptFile
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.units.files import service as files_service
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.rest import Rest
from tests.annotation.units.writing import run

TOPICS = (
    "The mayor closed the bridge.",
    "A striker missed the penalty.",
    "The comet left its orbit.",
    "Butter melts in the oven.",
)


@pytest.fixture
def study(owner: User, tmp_path: Path) -> Project:
    project = factories.make_project(owner, "topics")
    lines = [factories.example(f"e{n}", references=[text]) for n, text in enumerate(TOPICS)]
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "c.jsonl", lines))
    return project


def write(folder: Path, *places: int) -> Path:
    path = folder / "SCUs.txt"
    path.write_text("\n".join(TOPICS[place] for place in places))
    return path


def bring(study: Project, path: Path, **more: Any) -> files_service.Outcome:
    return files_service.import_unit_file(project=study, user=None, name="SCUs", path=path, **more)


def test_units_in_their_place_are_taken(study: Project, tmp_path: Path) -> None:
    assert bring(study, write(tmp_path, 0, 1, 2, 3)).unit_set is not None


def test_shifted_units_are_named_and_nothing_is_made(study: Project, tmp_path: Path) -> None:
    outcome = bring(study, write(tmp_path, 1, 2, 3, 0))
    assert (outcome.unit_set, outcome.doubtful) == (None, True)
    assert not UnitSet.objects.exists()
    first, *others = outcome.problems
    assert first["message"] == "4 of 4 units share no content word with their reference."
    assert [(one["file"], one["line"]) for one in others] == [("SCUs.txt", n) for n in (1, 2, 3, 4)]
    assert TOPICS[1] in others[0]["message"]
    assert "e0" in others[0]["message"]


def test_even_one_is_named(study: Project, tmp_path: Path) -> None:
    outcome = bring(study, write(tmp_path, 0, 1, 2, 2))
    assert (outcome.unit_set, outcome.doubtful) == (None, True)
    first, other = outcome.problems
    assert first["message"] == "1 of 4 units shares no content word with its reference."
    assert (other["line"], TOPICS[2] in other["message"]) == (4, True)


def test_units_without_a_content_word_are_no_reason_for_doubt(
    study: Project, tmp_path: Path
) -> None:
    path = tmp_path / "SCUs.txt"
    path.write_text("\n".join([*TOPICS[:3], "It was so."]))
    assert bring(study, path).unit_set is not None


def test_they_are_taken_anyway_if_somebody_says_so(study: Project, tmp_path: Path) -> None:
    assert bring(study, write(tmp_path, 1, 2, 3, 0), anyway=True).unit_set is not None


def test_the_page_asks_and_then_takes_them(
    study: Project, as_owner: Client, tmp_path: Path, uploads: Path
) -> None:
    """The file is sent once."""
    path = write(tmp_path, 1, 2, 3, 0)
    here = "/p/topics/units/import/"
    with path.open("rb") as file:
        page = as_owner.post(here, {"name": "SCUs", "file": file})
    assert page.status_code == 422
    held = str(page.context["held"])
    assert f'name="anyway" value="{held}"' in page.content.decode()
    other = factories.make_outsider("Editor")
    Membership.objects.create(project=study, user=other, role=Role.EDITOR)
    foreign = sign_in(other).post(here, {"name": "SCUs", "anyway": held})
    assert foreign.status_code == 422, "only the sender goes on with it"
    made = as_owner.post(here, {"name": "SCUs", "anyway": held})
    assert made.status_code == 302
    unit_set = UnitSet.objects.get()
    assert unit_set.name == "SCUs"
    assert as_owner.post(here, {"name": "Twice", "anyway": held}).status_code == 422
    assert unit_set.job is not None
    run(unit_set.job)
    assert (unit_set.units.count(), list(uploads.iterdir())) == (4, [])


def test_a_file_that_is_gone_is_asked_for_again(
    study: Project, as_owner: Client, tmp_path: Path
) -> None:
    page = as_owner.post("/p/topics/units/import/", {"name": "SCUs", "anyway": "../../etc"})
    assert page.status_code == 422
    assert "no longer on the server" in page.content.decode()


def test_a_file_that_came_with_the_corpus_is_asked_about_too(
    study: Project, as_owner: Client, tmp_path: Path
) -> None:
    data = write(tmp_path, 1, 2, 3, 0).read_bytes()
    kept = KeptFile.objects.create(source=study.imports.get(), name="SCUs.txt", data=data)
    here = f"/p/topics/units/kept/{kept.pk}/import/"
    page = as_owner.post(here)
    assert page.status_code == 422
    assert 'value="yes"' in page.content.decode()
    assert as_owner.post(here, {"anyway": "yes"}).status_code == 302


def test_rest_and_the_command_say_how_to_go_on(study: Project, owner: User, tmp_path: Path) -> None:
    path = write(tmp_path, 1, 2, 3, 0)
    client, here = Rest(owner).client, "/api/v1/projects/topics/unit-sets/import/"
    with path.open("rb") as file:
        refused = client.post(here, {"name": "SCUs", "file": file})
    assert refused.status_code == 409
    said = refused.json()["error"]
    assert (said["code"], said["doubtful"]) == ("refused", True)
    with path.open("rb") as file:
        sent = client.post(here, {"name": "SCUs", "file": file, "anyway": "true"})
    assert sent.status_code == 202
    options = ["import_units", str(path), "--project", "topics", "--set", "Again"]
    with pytest.raises(CommandError, match="--anyway"):
        call_command(*options)
    call_command(*options, "--anyway")
    assert UnitSet.objects.get(name="Again").unit_count == 4
