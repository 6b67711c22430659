"""One thing of every kind that an address can name, each in a state where its verbs succeed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from annotation.corpora.accounts import service as accounts_service
from annotation.corpora.accounts.models import ApiToken, User
from annotation.corpora.corpus.models import Example, System
from annotation.corpora.imports import service as imports_service
from annotation.corpora.imports.models import Import, ImportState
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.notifications import service as notifications_service
from annotation.corpora.notifications.models import Notification, NotificationKind
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Invitation, Membership, Project, Role
from tests import factories


@dataclass(frozen=True, slots=True)
class Places:
    project: Project
    token: ApiToken
    bystander: Membership
    invitation: Invitation
    example: Example
    system: System
    done: Import
    ready: Import
    table: Import
    queued: Job
    failed: Job
    notification: Notification


def make_places(corpus: Project, owner: User, folder: Path) -> Places:
    """Around a project that has a corpus."""
    bystander = factories.add_member(corpus, factories.make_user("Bystander"), Role.VIEWER)
    path = factories.write_jsonl(folder / "more.jsonl", [factories.example("e9")])
    checking = imports_service.create_import(
        project=corpus, user=owner, name="later", path=str(path)
    )
    assert checking.job is not None
    return Places(
        project=corpus,
        token=accounts_service.create_token(user=owner, name="notebook")[0],
        bystander=bystander,
        invitation=projects_service.create_invitation(project=corpus, user=owner, role=Role.VIEWER),
        example=Example.objects.filter(project=corpus)[0],
        system=System.objects.filter(project=corpus)[0],
        done=corpus.imports.get(state=ImportState.DONE),
        ready=factories.check(corpus, path),
        table=factories.check(corpus, _write_table(folder / "wide.csv")),
        queued=checking.job,
        failed=make_job(corpus, state=JobState.FAILED, error="The disk is full."),
        notification=tell(owner, corpus),
    )


def _write_table(path: Path) -> Path:
    path.write_text("id,document,bart\nw1,The dam burst on Monday.,The dam burst.\n")
    return path


def tell(
    user: User,
    project: Project,
    key: str = "told",
    *,
    kind: NotificationKind = NotificationKind.JOB_FAILED,
    text: str = "“Check it” has failed.",
) -> Notification:
    """Something that needs a member of the project."""
    notifications_service.notify(
        users=[user],
        project=project,
        kind=kind,
        key=key,
        text=text,
        target=project,
    )
    return Notification.objects.get(user=user, key=key)


def make_job(project: Project, **fields: object) -> Job:
    return Job.objects.create(
        **{"project": project, "kind": "check_import", "title": "Check it", "params": {}, **fields}
    )


class Undone(Exception):
    """Ends a savepoint."""


@contextmanager
def undone() -> Iterator[None]:
    """Take back whatever a call has changed, so that the next one finds everything in place."""
    block = transaction.atomic()
    # As in a test's own transaction, a block that wants to be the outermost may begin here.
    block._from_testcase = True  # type: ignore[attr-defined]
    try:
        with block:
            yield
            raise Undone
    except Undone:
        return
