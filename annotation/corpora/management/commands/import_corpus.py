"""`manage.py import_corpus PATH --project SLUG [--json]`: check, then write, in this process."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.corpora import services
from annotation.corpora.models import Import, ImportState, Job, Membership, Project, Role, User
from annotation.corpora.services.projects import create_project
from annotation.errors import DomainError
from scoring.io import FORMATS


class Command(BaseCommand):
    help = "Import documents, references and summaries into a project, all or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="a folder, a zip, or a JSONL or CSV file")
        parser.add_argument("--project", required=True, help="slug; made if there is none")
        parser.add_argument("--owner", help="e-mail of the owner of a project that is made")
        parser.add_argument("--format", default="", choices=["", *FORMATS])
        parser.add_argument("--check", action="store_true", help="say what would happen, and stop")
        parser.add_argument("--json", action="store_true", help="print the outcome as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["path"].resolve()
        if not path.exists():
            raise CommandError(f"{options['path']}: there is no such file or folder.")
        project = _get_project(options["project"], options["owner"])
        import_ = services.create_import(
            project=project,
            user=None,
            name=path.name,
            format=options["format"],
            path=str(path),
        )
        self._run(import_)
        if import_.state == ImportState.READY and not options["check"]:
            self._write(import_)
        self._tell(import_, as_json=options["json"])
        if import_.state == ImportState.REFUSED:
            raise CommandError("Nothing was changed.")

    def _run(self, import_: Import) -> None:
        assert import_.job is not None
        _run_here(import_.job)
        import_.refresh_from_db()
        if import_.job.error:
            raise CommandError(import_.job.error)

    def _write(self, import_: Import) -> None:
        if not services.has_news(import_):
            services.drop_import(import_=import_)
            return
        try:
            services.write_import(import_=import_, user=None)
        except DomainError as error:
            raise CommandError(f"{error.message} {error.mend}") from None
        self._run(import_)

    def _tell(self, import_: Import, *, as_json: bool) -> None:
        outcome = _outcome(import_)
        if as_json:
            self.stdout.write(json.dumps(outcome, ensure_ascii=False))
            return
        for problem in outcome["problems"]:
            where = ", line ".join(str(part) for part in (problem["file"], problem["line"]) if part)
            self.stderr.write(f"{where}: {problem['message']} Expected {problem['expected']}")
        for note in outcome["notes"]:
            self.stdout.write(note)
        self.stdout.write(
            f"{outcome['project']}: {outcome['examples']:,} examples, "
            f"{outcome['systems']:,} systems, {outcome['summaries']:,} summaries "
            f"({outcome['new']['examples']:,} examples and "
            f"{outcome['new']['summaries']:,} summaries new)."
        )


def _get_project(slug: str, owner: str | None) -> Project:
    project = Project.objects.filter(slug=slug).first()
    if project is not None:
        return project
    user = User.objects.filter(email=User.objects.normalize_email(owner)).first() if owner else None
    if owner and user is None:
        raise CommandError(f"--owner: there is no account for {owner}.")
    if user is not None:
        return create_project(user=user, name=slug, slug=slug)
    project = Project.objects.create(name=slug, slug=slug)
    for admin in User.objects.filter(is_superuser=True):
        Membership.objects.create(project=project, user=admin, role=Role.OWNER)
    return project


def _run_here(job: Job) -> None:
    """Run the job in this process, or wait for the worker that was quicker."""
    services.run_job(job_id=job.pk)
    job.refresh_from_db()
    while not job.is_over:
        time.sleep(0.2)
        job.refresh_from_db()


def _outcome(import_: Import) -> dict[str, Any]:
    plan = import_.plan
    counts = plan.get("counts", {})
    parts = ("examples", "documents", "references", "sentences", "systems", "summaries")
    none = {"new": 0, "same": 0}
    return {
        "project": import_.project.slug,
        "import": import_.pk,
        "state": import_.state,
        "format": import_.format,
        **{part: sum(counts.get(part, none).values()) for part in parts},
        "new": {part: counts.get(part, none)["new"] for part in parts},
        "kept": [kept["name"] for kept in plan.get("kept", [])],
        "notes": plan.get("notes", []),
        "problems": plan.get("problems", []),
        "problem_count": plan.get("problem_count", 0),
    }
