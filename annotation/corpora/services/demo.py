"""The demo project: a small corpus of our own, so that every page has something to show."""

from __future__ import annotations

from pathlib import Path

from django.db import transaction

from annotation.corpora.models import ImportState, Project, User
from annotation.corpora.services.imports import create_import, write_import
from annotation.corpora.services.jobs import run_job
from annotation.corpora.services.projects import create_project

DEMO_EMAIL = "demo@example.org"
DEMO_SLUG = "demo"
CORPUS = Path(__file__).resolve().parent.parent / "demo" / "corpus.jsonl"
DESCRIPTION = (
    "Twelve short news stories, five systems of plainly different quality. "
    "Everything here may be changed or deleted."
)


def load_demo(*, password: str) -> bool:
    """True if the project was made now. A demo project that somebody deleted stays deleted."""
    user, is_new = _demo_user(password)
    if not is_new and not _is_half_made():
        return False
    project = Project.objects.filter(slug=DEMO_SLUG).first()
    if project is None:
        project = create_project(
            user=user, name="Demo: town news", slug=DEMO_SLUG, description=DESCRIPTION
        )
    _import_corpus(project, user)
    return True


def _demo_user(password: str) -> tuple[User, bool]:
    user = User.objects.filter(email=DEMO_EMAIL).first()
    if user is None:
        with transaction.atomic():
            return User.objects.create_user(DEMO_EMAIL, password, name="Demo researcher"), True
    if not user.check_password(password):
        user.set_password(password)
        user.save(update_fields=["password"])
    return user, False


def _is_half_made() -> bool:
    """A first start that was killed may have left the project without its corpus."""
    project = Project.objects.filter(slug=DEMO_SLUG).first()
    return project is not None and not project.imports.exists()


def _import_corpus(project: Project, user: User) -> None:
    import_ = create_import(project=project, user=user, name=CORPUS.name, path=str(CORPUS))
    assert import_.job is not None
    run_job(job_id=import_.job.pk)
    import_.refresh_from_db()
    if import_.state == ImportState.READY:
        run_job(job_id=write_import(import_=import_, user=user).pk)
