"""Who did what: written with the act, never changed, found by filters, taken along as files."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from annotation import append_only
from annotation.corpora.accounts import service as accounts_service
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity, Door, Verb
from annotation.corpora.activity.queries import (
    COLUMNS,
    ActivityFilter,
    add_links,
    list_activity,
    list_own_acts,
    page_activity,
    read_filter,
)
from annotation.corpora.activity.service import record_activity
from annotation.corpora.jobs.models import Job
from annotation.corpora.notifications.models import NotificationKind
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Project, Role
from annotation.corpora.targets import KINDS, find_subject, name_kind
from annotation.doors import current_actor, current_door, through
from annotation.errors import DomainError, Invalid
from tests.annotation.corpora.places import make_job, undone
from tests.annotation.corpora.rest import Rest, error_of
from tests.servers import ROOT

pytestmark = pytest.mark.django_db


def record(project: Project, text: str = "did it", **fields: Any) -> Activity:
    return record_activity(project=project, text=text, **{"verb": Verb.CHANGE, **fields})


def texts(project: Project, **asked: str) -> list[str]:
    return [row.text for row in list_activity(project, read_filter(asked))]


def age(row: Activity, days: int) -> None:
    """Only a test may: rows are never changed."""
    with append_only.suspended():
        Activity._base_manager.filter(pk=row.pk).update(at=timezone.now() - timedelta(days=days))


# Writing ------------------------------------------------------------------------------------


def test_it_is_written_with_the_act_or_not_at_all(project: Project, owner: User):
    membership = project.memberships.get(user=owner)
    before = project.activities.count()
    with pytest.raises(DomainError, match="only owner"):
        projects_service.change_role(membership=membership, role=Role.VIEWER, user=owner)
    with undone():
        projects_service.update_project(project=project, name="Other", description="")
    assert project.activities.count() == before


def test_it_is_never_changed_or_removed(project: Project):
    row = record(project)
    with pytest.raises(TypeError, match="never changed"):
        row.save()
    with pytest.raises(TypeError, match="never deleted"):
        row.delete()
    with pytest.raises(TypeError, match="never changed"):
        Activity.objects.filter(pk=row.pk).update(text="something else")
    with pytest.raises(TypeError, match="never deleted"):
        project.activities.all().delete()


def test_it_goes_with_its_project_and_says_that_it_went(project: Project, owner: User):
    with through(Door.REST, lambda: owner):
        projects_service.delete_project(project=project)
    row = Activity.objects.get(verb=Verb.DELETE)
    assert (row.project, row.actor, row.door) == (None, owner, Door.REST)
    assert (row.target_kind, row.label) == ("project", "A study")
    assert Activity.objects.exclude(project=None).count() == 0


def test_it_knows_the_door_and_who_came_in(project: Project, owner: User):
    assert (current_door(), current_actor()) == (Door.COMMAND, None)
    assert record(project).actor is None
    with through(Door.PAGE, lambda: owner):
        inside = record(project)
        with through(Door.JOB):
            assert record(project).door == Door.JOB
    assert (inside.door, inside.actor) == (Door.PAGE, owner)
    assert current_door() == Door.COMMAND


def test_it_tells_pages_from_rest(project: Project, owner: User, as_owner: Client):
    as_owner.post("/p/study/settings/", {"name": "By page"})
    Rest(owner)("PATCH", "/projects/study/", {"name": "By script"})
    rows = project.activities.filter(verb=Verb.CHANGE).order_by("pk")
    assert [(row.door, row.actor) for row in rows] == [("page", owner), ("rest", owner)]


def test_it_tells_who_changed_their_account(owner: User, as_owner: Client):
    as_owner.post("/account/", {"name": "Ada", "email": "owner@example.org"})
    page = as_owner.get("/account/").content.decode()
    assert "You changed their name or e-mail" not in page
    assert "changed the name or e-mail of the account" in page
    [act] = list_own_acts(owner)
    assert (act.target_kind, act.target_id, act.door) == ("account", owner.pk, Door.PAGE)


def test_it_keeps_no_key_and_no_note(project: Project, owner: User):
    token, key = accounts_service.create_token(user=owner, name="notebook")
    projects_service.create_invitation(
        project=project, user=owner, role=Role.VIEWER, note="for Ada"
    )
    with through(Door.PAGE, lambda: owner):
        accounts_service.revoke_token(token=token)
    told = json.dumps(list(Activity.objects.values("text", "label", "details")))
    assert "created the key notebook" in told
    assert "revoked the key notebook" in told
    assert key not in told
    assert "Ada" not in told
    assert [act.verb for act in list_own_acts(owner)] == ["revoke", "create"]


def test_it_names_every_kind_of_target_once():
    models = [kind.model for kind in KINDS.values()]
    assert len(models) == len(set(models)) > 20
    assert all(name == kind.name for name, kind in KINDS.items())
    with pytest.raises(LookupError, match="Activity is not a kind of target"):
        name_kind(Activity())


def test_it_finds_what_a_job_is_about(corpus: Project):
    assert find_subject(Job(params={"report": 7})) == ("report", 7)
    written = corpus.jobs.get(kind="write_import")
    assert find_subject(written) == ("import", corpus.imports.get().pk)
    plain = make_job(corpus)
    assert find_subject(plain) == ("job", plain.pk)


# Reading ------------------------------------------------------------------------------------


def test_it_filters(project: Project, owner: User, editor: User):
    job = make_job(project)
    record(project, "froze Alpha", actor=owner, verb=Verb.FREEZE)
    record(project, "cancelled it", actor=editor, verb=Verb.CANCEL, target=job)
    record(project, "collected answers", verb=Verb.FINISH)
    age(record(project, "was long ago", actor=owner), days=9)
    made = "created the project"
    today, old = timezone.localdate(), timezone.localdate() - timedelta(days=9)
    assert texts(project, person=str(editor.pk)) == ["cancelled it"]
    assert texts(project, person="program") == ["collected answers"]
    assert texts(project, verb="freeze") == ["froze Alpha"]
    assert texts(project, target="job") == ["cancelled it"]
    assert texts(project, q="alpha") == ["froze Alpha"]
    assert texts(project, q="check it") == ["cancelled it"]  # what the job is called
    assert texts(project, since=str(old), until=str(old)) == ["was long ago"]
    assert texts(project, until=str(old - timedelta(days=1))) == []
    found = ["collected answers", "cancelled it", "froze Alpha", made]
    assert texts(project, since=str(today)) == found
    assert texts(project, person=str(owner.pk), verb="freeze", q="nothing") == []


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"person": "ada"}, "person: 'ada'"),
        ({"person": "9" * 30}, "is not an account"),
        ({"verb": "eat"}, "verb: 'eat'"),
        ({"target": "cake"}, "target: 'cake'"),
        ({"since": "yesterday"}, "since: 'yesterday'"),
        ({"until": "2026-02-31"}, "until: '2026-02-31'"),
        ({"q": "a" * 201}, "too long"),
        ({"q": "\x00"}, "NUL"),
    ],
)
def test_it_refuses_what_it_does_not_know(asked: dict[str, str], message: str):
    with pytest.raises(Invalid, match=message):
        read_filter(asked)


def test_it_pages_by_the_last_row_seen(project: Project):
    for number in range(5):
        record(project, str(number))
    rows = list_activity(project, ActivityFilter(verb="change"))
    first = page_activity(rows, None, size=2)
    record(project, "meanwhile")
    second = page_activity(rows, first.before, size=2)
    third = page_activity(rows, second.before, size=2)
    pages = [[row.text for row in page.rows] for page in (first, second, third)]
    assert pages == [["4", "3"], ["2", "1"], ["0"]]
    assert third.before is None


def test_it_links_what_is_still_there(project: Project):
    job, gone = make_job(project), make_job(project)
    rows = [record(project, target=job), record(project, target=gone), record(project)]
    gone.delete()
    urls = [row.url for row in add_links(project, rows)]  # type: ignore[attr-defined]
    assert urls == [f"/p/study/jobs/{job.pk}/", "", ""]
    assert rows[1].label == "Check it"


# Pages, files, REST and the command ----------------------------------------------------------


def test_it_is_a_page_that_can_be_shared(project: Project, owner: User, as_owner: Client):
    record(project, "froze Alpha", actor=owner, verb=Verb.FREEZE)
    page = as_owner.get(f"/p/study/activity/?verb=freeze&person={owner.pk}").content.decode()
    assert "froze Alpha" in page
    assert "created the project" not in page
    assert '<option value="freeze" selected>' in page
    assert f'<option value="{owner.pk}" selected>' in page
    assert f"activity.csv?person={owner.pk}&amp;verb=freeze" in page
    assert "No results" in as_owner.get("/p/study/activity/?q=unheard").content.decode()
    assert as_owner.get("/p/study/activity/?verb=eat").status_code == 400
    assert as_owner.get("/p/study/activity/?before=x").status_code == 400


def test_it_renders_its_rows_alone_for_a_filter(project: Project, as_owner: Client):
    page = as_owner.get("/p/study/activity/", headers={"HX-Target": "activity-rows"})
    assert page.content.decode().lstrip().startswith('<section id="activity-rows"')


def test_it_leads_to_older_ones(project: Project, as_owner: Client):
    for number in range(60):
        record(project, f"act {number}")
    page = as_owner.get("/p/study/activity/?verb=change").content.decode()
    assert "act 59<" in page
    assert "act 9<" not in page
    before = project.activities.get(text="act 10").pk
    assert f"?verb=change&amp;before={before}" in page
    older = as_owner.get(f"/p/study/activity/?verb=change&before={before}").content.decode()
    assert "act 9<" in older
    assert "No older activity." in older


def test_it_is_streamed_as_csv_and_jsonl(project: Project, owner: User, as_owner: Client):
    record(project, "=HYPERLINK()", actor=owner, details={"examples": 2})
    record(project, "froze Alpha", verb=Verb.FREEZE)
    sheet = as_owner.get("/p/study/activity/activity.csv?verb=change")
    assert sheet["Content-Disposition"] == 'attachment; filename="study-activity.csv"'
    head, row = csv.reader(io.StringIO(b"".join(sheet).decode()))
    assert tuple(head) == COLUMNS
    told = dict(zip(head, row, strict=True))
    assert (told["text"], told["email"]) == ("'=HYPERLINK()", "owner@example.org")
    assert json.loads(told["details"]) == {"examples": 2}
    lines = b"".join(as_owner.get("/p/study/activity/activity.jsonl?verb=export")).splitlines()
    assert [json.loads(line)["text"] for line in lines] == [
        "exported the activity as jsonl",
        "exported the activity as csv",
    ]
    assert as_owner.get("/p/study/activity/activity.xml").status_code == 400


def test_it_is_told_by_rest(project: Project, owner: User):
    for number in range(3):
        record(project, str(number), actor=owner)
    rest = Rest(owner)
    first = rest.get("/projects/study/activity/?verb=change&page_size=2").json()
    assert [row["text"] for row in first["results"]] == ["2", "1"]
    assert list(first["results"][0]) == list(COLUMNS)
    assert first["results"][0]["person"] == "Owner"
    path = first["next"].partition("/api/v1")[2]
    second = rest.get(path).json()
    assert [row["text"] for row in second["results"]] == ["0"]
    assert second["next"] is None
    for wrong in ("verb=eat", "verb=", "until=", "since=20260101", "before=0", "page_size=0"):
        assert error_of(rest.get(f"/projects/study/activity/?{wrong}")) == (400, "invalid")
    lines = b"".join(rest.get("/projects/study/activity/jsonl/?q=1")).splitlines()
    assert [json.loads(line)["text"] for line in lines] == ["1"]


def test_it_is_printed_by_a_command(
    project: Project, owner: User, capsys: pytest.CaptureFixture[str]
):
    record(project, "froze Alpha", actor=owner, verb=Verb.FREEZE)
    call_command("list_activity", project="study", verb="freeze")
    assert capsys.readouterr().out.endswith("  Owner froze Alpha\n")
    call_command("list_activity", project="study", person="owner@example.org", json=True, limit=1)
    assert json.loads(capsys.readouterr().out)["text"] == "froze Alpha"
    call_command("list_activity", project="study", csv=True)
    assert len(capsys.readouterr().out.splitlines()) == 3
    accounts_service.create_token(user=owner, name="notebook")
    call_command("list_activity")
    assert capsys.readouterr().out.endswith("Owner created the key notebook\n")
    for wrong in ({"project": "none"}, {"person": "x@example.org"}, {"since": "soon"}):
        with pytest.raises(CommandError):
            call_command("list_activity", **wrong)


def test_it_is_told_on_the_overview_to_every_member(project: Project, viewer: User):
    record(project, "froze Alpha")
    client = Client()
    client.force_login(viewer)
    page = client.get("/p/study/").content.decode()
    assert "froze Alpha" in page
    assert "/p/study/activity/" not in page
    assert client.get("/p/study/activity/").status_code == 403


def test_it_records_what_leaves_the_project(corpus: Project, owner: User, as_owner: Client):
    b"".join(as_owner.get("/p/study/export/jsonl/"))
    row = corpus.activities.get(verb=Verb.EXPORT)
    assert (row.text, row.actor) == ("exported the corpus as jsonl", owner)


@pytest.mark.parametrize("words", [Verb.values, list(KINDS), Door.values, NotificationKind.values])
def test_it_documents_every_word(words: list[str]):
    text = (ROOT / "docs" / "activity.md").read_text(encoding="utf-8")
    assert [word for word in words if f"`{word}`" not in text] == []
