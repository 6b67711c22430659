"""The demo project: a small corpus of our own, so that every page has something to show."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.db import transaction

from annotation.corpora.accounts.models import User
from annotation.corpora.accounts.service import change_rights
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.imports.models import ImportState
from annotation.corpora.imports.service import create_import, drop_import, write_import
from annotation.corpora.jobs.service import finish_job
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.corpora.projects.service import create_project

DEMO_EMAIL = "demo@example.org"
DEMO_SLUG = "demo"
READY = "created the demo project"
UNWRITTEN = (ImportState.CHECKING, ImportState.READY)
CORPUS = Path(__file__).resolve().parent.parent / "demo" / "corpus.jsonl"
DESCRIPTION = (
    "Twelve short news stories and five systems of clearly different quality. "
    "You can change or delete everything here."
)


# What later apps add to the demo project once its corpus is there.
PARTS: list[Callable[[Project, User], None]] = []


def load_demo(*, password: str, is_staff: bool = False) -> bool:
    """True if the project was made now. A demo project that somebody deleted stays deleted."""
    user = User.objects.filter(email=DEMO_EMAIL).first()
    if user is None:
        user = _make_user_and_project(password)
    elif not user.check_password(password):
        user.set_password(password)
        user.save(update_fields=["password"])
    # Where one person runs all of it, their account adds money to budgets and pays workers, too.
    change_rights(user=user, is_staff=is_staff or None, can_create_projects=True)
    project = user.projects.filter(slug=DEMO_SLUG).first()
    if project is None or project.activities.filter(text=READY).exists():
        return False
    if _has_no_corpus(project):
        _import_corpus(project, user)
    for add in PARTS:
        add(project, user)
    record_activity(project=project, actor=user, verb=Verb.FINISH, target=project, text=READY)
    return True


def _make_user_and_project(password: str) -> User:
    """Both or neither: an account without the project would look like a project deleted."""
    with transaction.atomic():
        user = User.objects.create_user(
            DEMO_EMAIL, password, name="Demo researcher", can_create_projects=True
        )
        _adopt_orphans(user)
        if not Project.objects.filter(slug=DEMO_SLUG).exists():
            create_project(
                user=user, name="Demo: town news", slug=DEMO_SLUG, description=DESCRIPTION
            )
    return user


def _adopt_orphans(user: User) -> None:
    """Projects imported by command before there was any account would be seen by nobody."""
    for project in Project.objects.filter(memberships=None):
        Membership.objects.create(project=project, user=user, role=Role.OWNER)


def _has_no_corpus(project: Project) -> bool:
    """A first start that was killed may have left the project without its corpus."""
    return not project.imports.exclude(state__in=UNWRITTEN).exists()


def _import_corpus(project: Project, user: User) -> None:
    for left in project.imports.filter(state__in=UNWRITTEN):
        drop_import(import_=left)
    import_ = create_import(project=project, user=user, name=CORPUS.name, path=str(CORPUS))
    assert import_.job is not None
    finish_job(job=import_.job)
    import_.refresh_from_db()
    finish_job(job=write_import(import_=import_, user=user))
