"""The commands of manage.py: what they print, what they change, how they end."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command, load_command_class

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.imports import service as imports_service
from annotation.corpora.imports import writing
from annotation.corpora.imports.models import Import, ImportState
from annotation.corpora.jobs.models import Job
from annotation.corpora.management.base import GizaCommand
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.errors import DomainError
from tests import factories
from tests.docs.commands import OURS
from tests.factories import example, make_user, write_jsonl

pytestmark = pytest.mark.django_db


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "two.jsonl", [example("a"), example("b")])


@pytest.fixture
def bad_path(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "bad.jsonl", [example("a"), {"id": "b", "sumaries": {}}])


def run(*arguments: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command(*arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def import_json(path: Path, *more: str) -> dict[str, Any]:
    out, _ = run("import_corpus", str(path), "--project", "study", "--json", *more)
    found: dict[str, Any] = json.loads(out)
    return found


def test_it_imports_once(path: Path) -> None:
    first = import_json(path)
    assert first["new"]["examples"] == 2
    second = import_json(path)
    assert second["state"] == ImportState.DROPPED
    assert (second["examples"], second["new"]["examples"]) == (2, 0)
    assert Example.objects.count() == 2


def test_it_says_in_words_what_it_did(path: Path) -> None:
    out, err = run("import_corpus", str(path), "--project", "study")
    expected = "study: 2 examples, 2 systems, 4 summaries (2 examples and 4 summaries new).\n"
    assert (out, err) == (expected, "")


def test_it_refuses_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no such file or folder") as caught:
        run("import_corpus", str(tmp_path / "gone"), "--project", "study")
    assert caught.value.returncode == 1
    assert not Project.objects.exists()


def test_it_says_what_is_wrong_and_changes_nothing(bad_path: Path) -> None:
    out, err = StringIO(), StringIO()
    with pytest.raises(CommandError, match=r"Nothing was changed\.") as caught:
        call_command("import_corpus", str(bad_path), "--project", "s", stdout=out, stderr=err)
    assert caught.value.returncode == 1
    assert err.getvalue() == (
        "bad.jsonl, line 2: Unknown key 'sumaries'. "
        "Expected only documents, id, references, summaries, type.\n"
    )
    assert not Project.objects.exists(), "not even the project that was to be made"
    assert not Import.objects.exists()
    assert not Job.objects.exists()


def test_it_leaves_a_project_as_it_was_when_it_refuses(
    corpus: Project, bad_path: Path, outsider: User
) -> None:
    before = Example.objects.count()
    with pytest.raises(CommandError):
        run("import_corpus", str(bad_path), "--project", corpus.slug, "--owner", outsider.email)
    assert Example.objects.count() == before
    assert not Membership.objects.filter(user=outsider).exists()


def test_it_takes_back_the_half_when_writing_fails(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill_the_disk(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(writing, "_complete", fill_the_disk)
    with pytest.raises(CommandError, match=r"has been logged\. .* Nothing was changed\."):
        run("import_corpus", str(path), "--project", "study")
    assert not Example.objects.exists()
    assert not Project.objects.exists()


def test_it_lets_a_failed_import_be_tried_again_at_once(
    corpus: Project, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill_the_disk(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(writing, "_complete", fill_the_disk)
        with pytest.raises(CommandError):
            run("import_corpus", str(path), "--project", corpus.slug)
    assert import_json(path)["state"] == "done"
    assert Example.objects.count() == 5


def test_it_waits_its_turn(corpus: Project, path: Path, tmp_path: Path) -> None:
    other = write_jsonl(tmp_path / "other.jsonl", [example("x")])
    imports_service.write_import(import_=factories.check(corpus, other), user=None)
    with pytest.raises(CommandError, match="Another import"):
        run("import_corpus", str(path), "--project", corpus.slug)


def test_it_only_checks_when_it_is_told_to(path: Path) -> None:
    found = import_json(path, "--check")
    assert (found["state"], found["new"]["examples"]) == ("ready", 2)
    assert not Example.objects.exists()
    assert not Project.objects.exists()


@pytest.mark.parametrize("slug", ["a b", "", "a/b", "x" * 65])
def test_it_refuses_an_address_that_no_page_could_have(slug: str, path: Path) -> None:
    with pytest.raises(CommandError, match="--project: "):
        run("import_corpus", str(path), "--project", slug)
    assert not Project.objects.exists()


def test_it_refuses_a_format_that_is_none(path: Path) -> None:
    with pytest.raises(CommandError, match="invalid choice: 'xml'"):
        run("import_corpus", str(path), "--project", "study", "--format", "xml")


def test_it_gives_a_new_project_to_the_only_account(path: Path) -> None:
    user = make_user("Ada")
    import_json(path)
    assert Membership.objects.get().user == user
    assert Membership.objects.get().role == Role.OWNER


def test_it_asks_for_an_owner_when_there_are_several_accounts(path: Path) -> None:
    ada, bob = make_user("Ada"), make_user("Bob")
    with pytest.raises(CommandError, match="--owner E-MAIL"):
        import_json(path)
    with pytest.raises(CommandError, match=r"e-mail address nobody@example\.org"):
        import_json(path, "--owner", "nobody@example.org")
    import_json(path, "--owner", "ADA@example.org")
    assert Membership.objects.get().user == ada
    import_json(path, "--owner", bob.email)
    assert Membership.objects.filter(role=Role.OWNER).count() == 2


def test_it_exports_to_a_file_and_back(corpus: Project, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    assert run("export_corpus", "--project", corpus.slug, "--output", str(target)) == ("", "")
    again, _ = run("import_corpus", str(target), "--project", "again", "--json")
    assert json.loads(again)["examples"] == 3


def test_it_exports_to_standard_output(
    corpus: Project, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    call_command("export_corpus", "--project", corpus.slug, "--format", "csv")
    sent = capfdbinary.readouterr().out
    assert sent.startswith(b"example_id,part,name,safe_text\r\n")
    assert sent.count(b"\r\n") == 1 + 2 + 3 * 4


def test_it_leaves_no_file_of_an_export_that_cannot_be(project: Project, tmp_path: Path) -> None:
    target = tmp_path / "out.zip"
    with pytest.raises(CommandError, match=r"The corpus is empty\. Choose JSONL\."):
        run("export_corpus", f"--project={project.slug}", "--format=folder", f"--output={target}")
    assert not target.exists()
    with pytest.raises(CommandError, match="There is no project 'none'"):
        run("export_corpus", "--project", "none")


def test_it_joins_by_an_invitation(path: Path) -> None:
    owner = make_user("Owner")
    project = factories.make_project(owner)
    link = run("create_invitation", "--project", project.slug, "--role", "editor")[0].strip()
    with pytest.raises(CommandError, match="add --name"):
        run("accept_invitation", link, "--email", "new@example.org")
    options = ("--email", "New@example.org", "--name", "Newcomer", "--json")
    joined = json.loads(run("accept_invitation", link, *options)[0])
    membership = Membership.objects.get(pk=joined["member"])
    assert (membership.role, membership.user.email) == (Role.EDITOR, "new@example.org")
    with pytest.raises(CommandError, match="member of this project|no longer valid"):
        run("accept_invitation", link, "--email", "new@example.org")
    with pytest.raises(CommandError, match="incomplete"):
        run("accept_invitation", f"{link[:-3]}x/", "--email", "new@example.org")


@pytest.mark.parametrize("name", [name for name, app in OURS.items() if app[:6] != "deploy"])
def test_what_a_service_refuses_is_the_commands_error(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a sentence, whichever command it is."""
    command = load_command_class(OURS[name], name)
    assert isinstance(command, GizaCommand)

    def refuse(*args: Any, **options: Any) -> None:
        raise DomainError("The dam says no.", "Ask the dam.")

    monkeypatch.setattr(command, "handle", refuse)
    options = {"force_color": False, "no_color": True, "skip_checks": True}
    with pytest.raises(CommandError, match=r"^The dam says no\. Ask the dam\.$"):
        command.execute(**options, stdout=StringIO())
