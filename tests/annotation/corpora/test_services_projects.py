"""Projects: made, renamed and deleted with everything in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.apps import apps

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import System, SystemKind
from annotation.corpora.imports import service as imports_service
from annotation.corpora.imports.models import ImportState, Upload
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.errors import DomainError
from tests import factories
from tests.annotation.corpora.places import tell
from tests.factories import check, example, import_corpus, write_jsonl


def count_rows() -> dict[str, int]:
    models = apps.get_app_config("corpora").get_models()
    return {model.__name__: model._default_manager.count() for model in models}


def fill(owner: User, slug: str, folder: Path) -> Project:
    """A project with at least one row in every table that belongs to a project."""
    project = factories.make_project(owner, slug=slug)
    study = folder / slug
    study.mkdir()
    for name in ("ids.txt", "documents.txt", "references.txt", "x.summary", "SCUs.txt"):
        (study / name).write_text("One.\nTwo.")
    import_corpus(project, study)
    projects_service.create_invitation(project=project, user=owner, role=Role.VIEWER)
    job = project.jobs.first()
    assert job is not None
    job.lines.create(text="A line.")
    tell(owner, project, slug)
    Upload.objects.create(folder=slug, project=project, created_by=owner, size=1)
    return project


def test_it_makes_its_maker_the_owner(owner: User) -> None:
    project = projects_service.create_project(user=owner, name="A", slug="a", description="D")
    assert Membership.objects.get(project=project).role == Role.OWNER
    assert project.activities.get().text == "created the project"
    assert (project.name, project.description) == ("A", "D")


def test_it_refuses_an_address_that_is_taken(project: Project, outsider: User) -> None:
    with pytest.raises(DomainError, match="The address 'study' is taken") as caught:
        projects_service.create_project(user=outsider, name="Another", slug="study")
    assert caught.value.hint == "Choose another one, for instance with a year."
    assert Project.objects.count() == 1
    assert not Membership.objects.filter(user=outsider).exists()


def test_it_is_renamed(project: Project) -> None:
    projects_service.update_project(project=project, name="New", description="Words")
    project.refresh_from_db()
    assert (project.name, project.description, project.slug) == ("New", "Words", "study")


def test_it_deletes_every_row_of_its_own_and_no_other(
    owner: User, tmp_path: Path, uploads: Path
) -> None:
    fill(owner, "kept", tmp_path)
    before = count_rows()
    project = fill(owner, "gone", tmp_path)
    without_project = {"User", "ApiToken", "Attempt", "WorkerBeat"}
    both = count_rows()
    assert [name for name in both if both[name] == before[name]] == [
        name for name in both if name in without_project
    ], "the test fills every table"
    projects_service.delete_project(project=project)
    left = count_rows()
    assert left | {"Activity": left["Activity"] - 1} == before, "that it was deleted is told"
    assert Project.objects.get().slug == "kept"


def test_it_deletes_the_files_that_were_sent(project: Project, uploads: Path) -> None:
    imports_service.create_import(
        project=project, user=None, name="x", files=[("a.jsonl", [b"{}"])]
    )
    assert len(list(uploads.iterdir())) == 1
    projects_service.delete_project(project=project)
    assert list(uploads.iterdir()) == []


@pytest.mark.parametrize("state", [ImportState.WRITING, ImportState.REMOVING])
def test_it_is_not_deleted_under_a_running_import(
    state: ImportState, corpus: Project, tmp_path: Path
) -> None:
    if state == ImportState.WRITING:
        import_ = check(corpus, write_jsonl(tmp_path / "b.jsonl", [example("x")]))
        imports_service.write_import(import_=import_, user=None)
    else:
        import_ = corpus.imports.get()
        imports_service.undo_import(import_=import_, user=None)
    assert import_.state == state
    before = count_rows()
    with pytest.raises(DomainError, match="An import to this project"):
        projects_service.delete_project(project=corpus)
    assert count_rows() == before


def test_it_corrects_what_is_said_of_a_system(corpus: Project, owner: User) -> None:
    system = System.objects.get(name="lead")
    projects_service.update_system(
        system=system, user=owner, name="Lead-3", kind=SystemKind.EXTRACTIVE
    )
    system.refresh_from_db()
    assert (system.name, system.kind) == ("Lead-3", "extractive")
    event = corpus.activities.latest("pk")
    assert event.text == "changed system lead (other) to Lead-3 (extractive)"


def test_it_keeps_the_names_of_systems_apart(corpus: Project, owner: User) -> None:
    system = System.objects.get(name="lead")
    with pytest.raises(DomainError, match="a system called 'soup'"):
        projects_service.update_system(
            system=system, user=owner, name="soup", kind=SystemKind.OTHER
        )
    assert set(System.objects.values_list("name", flat=True)) == {"lead", "soup"}


def test_it_sets_the_kinds_of_several_systems_at_once(corpus: Project, owner: User) -> None:
    lead, soup = corpus.systems.order_by("name")
    kinds = {lead.pk: "extractive", soup.pk: "other"}
    assert projects_service.set_system_kinds(project=corpus, user=owner, kinds=kinds) == 1
    assert dict(corpus.systems.values_list("name", "kind")) == {
        "lead": "extractive",
        "soup": "other",
    }
    assert "lead (extractive)" in corpus.activities.latest("pk").text
    assert projects_service.set_system_kinds(project=corpus, user=owner, kinds=kinds) == 0
