"""What needs somebody: one row for each person and thing, a bell, a list, and settings."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.work import Work
from annotation.corpora.notifications import service as notifications_service
from annotation.corpora.notifications.models import Notification, NotificationKind
from annotation.corpora.notifications.queries import count_unread
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Project, Role
from annotation.errors import DomainError, NotFound
from scoring.errors import InputError
from tests import factories
from tests.annotation.conftest import make_member
from tests.annotation.corpora.places import make_job, tell
from tests.annotation.corpora.rest import Rest, error_of

pytestmark = pytest.mark.django_db


def texts(user: User) -> list[str]:
    return [row.text for row in user.notifications.all()]


def end(project: Project, user: User, monkeypatch: pytest.MonkeyPatch, run: Any) -> Any:
    monkeypatch.setitem(KINDS, "check_import", JobKind(run))
    job = begin(project, user)
    jobs_service.run_job(job_id=job.pk)
    job.refresh_from_db()
    return job


def begin(project: Project, user: User, *, ago: int = 120, **fields: Any) -> Any:
    """A job that has waited for two minutes: longer than anybody looks on."""
    began = timezone.now() - timedelta(seconds=ago)
    return make_job(project, created_by=user, created_at=began, **fields)


def fail(error: Exception) -> Any:
    def run(work: Work) -> dict[str, Any]:
        raise error

    return run


# Who is told of what ------------------------------------------------------------------------


def test_it_is_told_once_for_each_person_and_thing(project: Project, owner: User):
    first = tell(owner, project)
    notifications_service.mark_read(user=owner, pk=first.pk)
    assert tell(owner, project).read_at is not None
    assert owner.notifications.count() == 1


def test_it_is_news_again_if_it_is_renewed(project: Project, owner: User):
    first = tell(owner, project)
    notifications_service.mark_read(user=owner, pk=first.pk)
    notifications_service.notify(
        users=[owner],
        project=project,
        kind=NotificationKind.JOB_FAILED,
        key="told",
        text="It failed.",
        renew=True,
    )
    row = owner.notifications.get()
    assert (row.pk, row.read_at, row.text) == (first.pk, None, "It failed.")
    assert row.at > first.at


def test_it_tells_only_members_and_nobody_of_their_own_acts(project: Project, owner: User):
    outsider, sleeper = factories.make_user("Outsider"), make_member(project, "Editor")
    User.objects.filter(pk=sleeper.pk).update(is_active=False)
    notifications_service.notify(
        users=[owner, outsider, sleeper, None],
        project=project,
        kind=NotificationKind.ASSIGNED,
        key="x",
        text="Examples for you.",
        actor=owner,
    )
    assert not Notification.objects.exists()


def test_it_tells_that_work_is_done(project: Project, owner: User, monkeypatch: pytest.MonkeyPatch):
    job = end(project, owner, monkeypatch, lambda work: {})
    row = owner.notifications.get()
    assert (row.kind, row.text) == (NotificationKind.JOB_DONE, "“Check it” has finished.")
    assert (row.target_kind, row.target_id) == ("job", job.pk)
    assert not jobs_service.run_job(job_id=job.pk)
    assert owner.notifications.count() == 1


def test_it_is_quiet_about_what_was_done_at_once(
    project: Project, owner: User, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(KINDS, "check_import", JobKind(lambda work: {}))
    jobs_service.run_job(job_id=begin(project, owner, ago=20).pk)
    assert texts(owner) == []


def test_it_tells_in_one_line_of_jobs_that_were_begun_together(
    project: Project, owner: User, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(KINDS, "check_import", JobKind(lambda work: {}))
    earlier, *together = [begin(project, owner, ago=ago) for ago in (400, 200, 199, 198)]
    for job in (earlier, *together):
        jobs_service.run_job(job_id=job.pk)
    assert texts(owner) == [
        "“Check it” has finished, and so have 2 other jobs started with it.",
        "“Check it” has finished.",
    ]


def test_it_settles_a_failure_that_was_mended(
    project: Project, owner: User, monkeypatch: pytest.MonkeyPatch
):
    job = end(project, owner, monkeypatch, fail(InputError("the file is empty")))
    monkeypatch.setitem(KINDS, "check_import", JobKind(lambda work: {}))
    jobs_service.retry_job(job=job)
    jobs_service.run_job(job_id=job.pk)
    assert list(owner.notifications.unread().values_list("kind", flat=True)) == ["job_done"]


def test_it_tells_of_what_a_job_has_made(
    corpus: Project, owner: User, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("annotation.corpora.jobs.work.SEEN_WITHIN", timedelta(0))
    path = factories.write_jsonl(tmp_path / "more.jsonl", [factories.example("e9")])
    import_ = factories.check(corpus, path, user=owner)
    row = owner.notifications.latest("pk")
    assert (row.target_kind, row.target_id) == ("import", import_.pk)


def test_it_tells_why_work_failed_each_time_that_it_is_tried(
    project: Project, owner: User, monkeypatch: pytest.MonkeyPatch
):
    job = end(project, owner, monkeypatch, fail(InputError("the file is empty")))
    row = owner.notifications.get()
    assert (row.kind, job.state) == (NotificationKind.JOB_FAILED, JobState.FAILED)
    assert row.text == "“Check it” failed: the file is empty"
    notifications_service.mark_read(user=owner, pk=row.pk)
    jobs_service.retry_job(job=job)
    jobs_service.run_job(job_id=job.pk)
    assert owner.notifications.get().read_at is None


def test_it_sets_money_apart(project: Project, owner: User, monkeypatch: pytest.MonkeyPatch):
    error = DomainError("The budget is spent.")
    error.is_about_money = True
    end(project, owner, monkeypatch, fail(error))
    assert owner.notifications.get().kind == NotificationKind.MONEY


def test_it_tells_nobody_of_what_nobody_began(
    project: Project, owner: User, monkeypatch: pytest.MonkeyPatch
):
    end(project, None, monkeypatch, lambda work: {})  # type: ignore[arg-type]
    assert not Notification.objects.exists()


def test_it_tells_of_roles_and_invitations(project: Project, owner: User, editor: User):
    membership = project.memberships.get(user=editor)
    projects_service.change_role(membership=membership, role=Role.VIEWER, user=owner)
    assert texts(editor) == ["Owner changed your role in A study to viewer."]
    invitation = projects_service.create_invitation(
        project=project, user=owner, role=Role.ANNOTATOR
    )
    projects_service.accept_invitation(invitation=invitation, user=factories.make_user("Ada"))
    assert texts(owner) == ["Ada accepted your invitation and joined as an annotator."]


def test_it_tells_who_was_removed_and_nobody_who_left(
    project: Project, owner: User, editor: User, as_owner: Client
):
    leaver = make_member(project, "Annotator")
    projects_service.remove_member(membership=project.memberships.get(user=leaver), user=leaver)
    assert texts(leaver) == []
    projects_service.remove_member(membership=project.memberships.get(user=editor), user=owner)
    assert texts(editor) == [f"{owner} removed you from {project}."]
    row = editor.notifications.get()
    assert (row.kind, row.project) == (NotificationKind.MEMBERS, None)
    # It leads to what they still have, and outlives the project.
    projects_service.delete_project(project=project)
    as_owner.force_login(editor)
    assert as_owner.get(f"/notifications/{row.pk}/")["Location"] == "/"


# The list and the bell ----------------------------------------------------------------------


def test_it_is_counted_in_the_header(project: Project, owner: User, as_owner: Client):
    assert "bell__count" not in as_owner.get("/p/study/").content.decode()
    tell(owner, project)
    page = as_owner.get("/p/study/").content.decode()
    assert "Notifications, 1 unread" in page
    assert "Notifications, 1 unread" in as_owner.get("/notifications/bell/").content.decode()


def test_it_counts_no_further_than_it_shows(project: Project, owner: User, as_owner: Client):
    Notification.objects.bulk_create(
        Notification(user=owner, project=project, kind="review", key=str(number), text="x")
        for number in range(120)
    )
    assert count_unread(owner) == 100
    assert "99+" in as_owner.get("/notifications/").content.decode()


def test_it_leads_to_the_thing_and_is_read(project: Project, owner: User, as_owner: Client):
    row = tell(owner, project)
    assert as_owner.get(f"/notifications/{row.pk}/").url == "/p/study/"  # type: ignore[attr-defined]
    row.refresh_from_db()
    assert row.read_at is not None
    Notification.objects.filter(pk=row.pk).update(target_kind="job", target_id=999)
    gone = as_owner.get(f"/notifications/{row.pk}/")
    assert gone.url == "/p/study/"  # type: ignore[attr-defined]


def test_it_is_marked_as_read(project: Project, owner: User, as_owner: Client):
    rows = [tell(owner, project, f"{number}") for number in range(3)]
    as_owner.post(f"/notifications/{rows[0].pk}/read/")
    assert count_unread(owner) == 2
    assert "new</span>" in as_owner.get("/notifications/?show=unread").content.decode()
    as_owner.post("/notifications/read/")
    assert count_unread(owner) == 0
    assert "No unread notifications" in as_owner.get("/notifications/?show=unread").content.decode()


def test_it_shows_first_what_needs_somebody(project: Project, owner: User, as_owner: Client):
    needed = tell(owner, project, kind=NotificationKind.REVIEW, text="Read me.")
    tell(owner, project, "done", kind=NotificationKind.JOB_DONE, text="It is done.")
    first = as_owner.get("/notifications/").content.decode()
    places = [
        first.index(words) for words in ("Needs your attention</h2>", "Read me.", "It is done.")
    ]
    assert places == sorted(places)
    assert [row.pk for row in owner.notifications.unread()] == [needed.pk]


def test_it_is_nobody_elses(project: Project, owner: User, editor: User):
    row = tell(owner, project)
    with pytest.raises(NotFound):
        notifications_service.mark_read(user=editor, pk=row.pk)
    assert notifications_service.mark_all_read(user=editor) == 0
    assert count_unread(owner) == 1


def test_it_shows_an_empty_list(as_owner: Client):
    page = as_owner.get("/notifications/").content.decode()
    assert "No notifications" in page
    assert "This server sends no e-mail." in page


def test_it_lets_people_choose_what_is_mailed(owner: User, as_owner: Client):
    as_owner.post("/account/mail/", {"kinds": ["job_failed", "cake"]})
    owner.refresh_from_db()
    assert "job_failed" not in owner.unmailed
    assert set(owner.unmailed) == set(NotificationKind.values) - {"job_failed"}
    page = as_owner.get("/account/").content.decode()
    assert 'value="job_failed" checked' in page
    assert 'value="job_done" checked' not in page


def test_it_is_told_and_marked_by_rest(project: Project, owner: User):
    row = tell(owner, project)
    rest = Rest(owner)
    listed = rest.get("/notifications/?show=unread").json()
    assert listed["count"] == 1
    told = listed["results"][0]
    assert (told["text"], told["project"], told["kind"]) == (row.text, "study", "job_failed")
    assert told["url"].endswith(f"/notifications/{row.pk}/")
    assert rest.post(f"/notifications/{row.pk}/read/").json()["read_at"]
    assert rest.post("/notifications/read/").json() == {"read": 0}
    assert error_of(rest.get("/notifications/?show=some")) == (400, "invalid")
    assert error_of(rest.post("/notifications/999/read/")) == (404, "not_found")
