"""Tables with an example a row: what columns hold is guessed, shown and chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example, Summary
from annotation.corpora.imports import service as imports_service
from annotation.corpora.imports.cleaning import remove_unclaimed
from annotation.corpora.imports.models import Import, ImportState
from annotation.corpora.imports.uploads import get_project_usage
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, Invalid
from tests.annotation.corpora.importing import run
from tests.annotation.corpora.rest import Rest

ROWS = (
    "key,body,reference,bart,comment",
    "a1,The dam burst on Monday.,The dam burst.,A dam burst.,fine",
    "a2,Nobody was hurt there.,Nobody was hurt.,All were safe.,odd",
)
ROLES = {"body": "document", "comment": "ignore"}


def send(client: Client, text: str = "\n".join(ROWS)) -> Import:
    file = SimpleUploadedFile("table.csv", text.encode())
    assert client.post("/p/study/imports/new/", {"files": [file]}).status_code == 302
    import_ = Import.objects.latest("pk")
    run(import_)
    return import_


def test_what_columns_hold_is_guessed_and_shown(project: Project, as_owner: Client) -> None:
    import_ = send(as_owner)
    assert (import_.state, import_.format) == (ImportState.READY, "wide")
    assert dict(import_.plan["columns"]) == {
        "key": "id",
        "body": "summary",
        "reference": "reference",
        "bart": "summary",
        "comment": "summary",
    }
    page = as_owner.get(f"/p/study/imports/{import_.pk}/").content.decode()
    assert page.count("<select") == 5
    assert 'id="choose-columns"' in page


def test_they_are_chosen_on_the_page_and_imported_so(project: Project, as_owner: Client) -> None:
    import_ = send(as_owner)
    here = f"/p/study/imports/{import_.pk}/"
    chosen = ["id", "document", "reference", "summary", "ignore"]
    sent = {f"column-{place}": role for place, role in enumerate(chosen)}
    assert as_owner.post(f"{here}columns/", sent).status_code == 302
    import_.refresh_from_db()
    assert import_.state == ImportState.CHECKING
    run(import_)
    assert [role for _, role in import_.plan["columns"]] == chosen
    as_owner.post(f"{here}write/")
    run(import_)
    assert import_.state == ImportState.DONE
    first = Example.objects.get(key="a1")
    assert [row.text for row in first.documents.all()] == ["The dam burst on Monday."]
    assert dict(Summary.objects.values_list("example__key", "system__name")) == {
        "a1": "bart",
        "a2": "bart",
    }


def test_a_table_that_is_refused_can_be_checked_with_other_columns(
    project: Project, as_owner: Client, uploads: Path
) -> None:
    import_ = send(as_owner, "id,doc_id,document\na1,x1,The dam burst.\na1,x2,Nobody was hurt.\n")
    assert import_.state == ImportState.REFUSED
    columns = {"id": "ignore", "doc_id": "id", "document": "document"}
    imports_service.choose_columns(import_=import_, user=None, columns=columns)
    run(import_)
    assert import_.state == ImportState.READY, import_.plan["problems"]


def test_the_file_of_a_refused_table_stays_and_counts(
    project: Project, as_owner: Client, uploads: Path
) -> None:
    import_ = send(as_owner, "id,document\na1,The dam burst.\na1,Nobody was hurt.\n")
    assert import_.state == ImportState.REFUSED
    assert (uploads / str(import_.folder)).exists()
    assert get_project_usage(project).used == import_.size > 0
    assert remove_unclaimed() == 0
    imports_service.drop_import(import_=import_)
    assert not (uploads / str(import_.folder)).exists()
    assert get_project_usage(project).used == 0
    import_.state = ImportState.REFUSED
    with pytest.raises(DomainError, match="no longer here"):
        imports_service.choose_columns(import_=import_, user=None, columns={})


def test_only_a_table_has_columns(project: Project, as_owner: Client, owner: User) -> None:
    import_ = send(as_owner)
    with pytest.raises(Invalid, match="can't be 'title'"):
        imports_service.choose_columns(import_=import_, user=owner, columns={"bart": "title"})
    import_.plan = {**import_.plan, "columns": []}
    with pytest.raises(DomainError, match="no columns"):
        imports_service.choose_columns(import_=import_, user=owner, columns={"bart": "ignore"})


def test_rest_and_the_command_choose_them_too(
    project: Project, as_owner: Client, owner: User, tmp_path: Path
) -> None:
    import_ = send(as_owner)
    here = f"/projects/study/imports/{import_.pk}/columns/"
    assert Rest(owner).post(here, {"columns": {"bart": "title"}}).status_code == 400
    assert Rest(owner).post(here, {"columns": ROLES}).status_code == 202
    run(import_)
    assert dict(import_.plan["columns"])["body"] == "document"
    path = tmp_path / "table.csv"
    path.write_text("\n".join(ROWS))
    options = ["import_corpus", str(path), "--project", "study", "--column", "body=document"]
    with pytest.raises(CommandError, match="NAME=id"):
        call_command(*options, "--column", "bart=title")
    call_command(*options, "--column", "comment=ignore")
    assert set(project.systems.values_list("name", flat=True)) == {"bart"}


def test_kinds_are_saved_in_one_table(corpus: Project, as_owner: Client, as_viewer: Client) -> None:
    lead, soup = corpus.systems.order_by("name")
    page = as_owner.get("/p/study/systems/").content.decode()
    assert page.count('aria-label="Kind of') == 2
    assert "<select" not in as_viewer.get("/p/study/systems/").content.decode()
    sent = {f"kind-{lead.pk}": "extractive", f"kind-{soup.pk}": "human"}
    assert as_owner.post("/p/study/systems/", sent).status_code == 302
    assert dict(corpus.systems.values_list("name", "kind")) == {
        "lead": "extractive",
        "soup": "human",
    }
    assert as_owner.post("/p/study/systems/", {f"kind-{lead.pk}": "x"}).status_code == 400
