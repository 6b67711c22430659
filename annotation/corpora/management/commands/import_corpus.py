"""`manage.py import_corpus PATH --project SLUG [--json]`: check, then write, in this process."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.imports import service as imports_service
from annotation.corpora.imports.models import Import, ImportState
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.management.base import (
    GizaCommand,
    check_slug,
    ensure_tables,
    find_new_owner,
    get_owner,
)
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.corpora.projects.service import create_project
from annotation.errors import DomainError
from annotation.translation import gettext_lazy
from scoring.io import FORMATS
from scoring.io.wide import ROLES


class Command(GizaCommand):
    help = gettext_lazy(
        "Import documents, references and summaries into a project, all or nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        about = _("a folder, a zip, or a JSONL, CSV, TSV or Excel file")
        parser.add_argument("path", type=Path, help=about)
        parser.add_argument(
            "--project", required=True, help=_("slug of the project; created if it doesn't exist")
        )
        parser.add_argument("--owner", help=_("e-mail address of the project's owner"))
        parser.add_argument(
            "--format",
            default="",
            choices=["", *FORMATS],
            help=_("format of the files (default: detected automatically)"),
        )
        parser.add_argument(
            "--column",
            action="append",
            default=[],
            metavar="NAME=ROLE",
            help=_("what a column of a table contains: {roles}").format(roles=", ".join(ROLES)),
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help=_("report what would happen without changing anything"),
        )
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["path"].resolve()
        if not path.exists():
            raise CommandError(_("{path}: no such file or folder.").format(path=options["path"]))
        ensure_tables()
        owner = get_owner(options["owner"])
        project, is_new = _get_project(options["project"], owner)
        is_imported = False
        try:
            is_imported = self._import(project, path, options)
        finally:
            if is_new and not is_imported:
                projects_service.delete_project(project=project)
        if is_imported and owner is not None:
            _make_owner(project, owner)

    def _import(self, project: Project, path: Path, options: dict[str, Any]) -> bool:
        """Check and write; False if it was only to be checked."""
        import_ = imports_service.create_import(
            project=project,
            user=None,
            name=path.name,
            format=options["format"],
            path=str(path),
            columns=_read_columns(options["column"]),
        )
        self._run(import_)
        if import_.state == ImportState.READY and not options["check"]:
            self._write(import_)
        self._tell(import_, as_json=options["json"])
        if import_.state == ImportState.READY:
            imports_service.drop_import(import_=import_)
        if import_.state == ImportState.REFUSED:
            raise CommandError(_("Nothing was changed."))
        return not options["check"]

    def _run(self, import_: Import) -> None:
        assert import_.job is not None
        jobs_service.finish_job(job=import_.job)
        import_.refresh_from_db()
        if import_.job.error:
            self._give_up(import_, import_.job.error)

    def _give_up(self, import_: Import, error: str) -> None:
        """Take back the half that was written: nobody may be there to do it on a page."""
        if imports_service.can_undo(import_):
            jobs_service.finish_job(job=imports_service.undo_import(import_=import_, user=None))
        else:
            imports_service.drop_import(import_=import_)
        raise CommandError(_("{error} Nothing was changed.").format(error=error))

    def _write(self, import_: Import) -> None:
        if not imports_service.has_news(import_):
            imports_service.drop_import(import_=import_)
            return
        try:
            imports_service.write_import(import_=import_, user=None)
        except DomainError as error:
            imports_service.drop_import(import_=import_)
            raise CommandError(f"{error.message} {error.hint}") from None
        self._run(import_)
        if import_.state != ImportState.DONE:
            raise CommandError(_("The import was cancelled."))

    def _tell(self, import_: Import, *, as_json: bool) -> None:
        outcome = _outcome(import_)
        if as_json:
            self.stdout.write(json.dumps(outcome, ensure_ascii=False))
            return
        for problem in outcome["problems"]:
            where = _(", line ").join(
                str(part) for part in (problem["file"], problem["line"]) if part
            )
            self.stderr.write(
                _("{where}: {message} Expected {expected}").format(
                    where=where, message=problem["message"], expected=problem["expected"]
                )
            )
        for note in (*outcome["warnings"], *outcome["notes"]):
            self.stdout.write(note)
        self.stdout.write(
            _(
                "{project}: {examples:,} examples, {systems:,} systems, {summaries:,} summaries "
                "({examples_2:,} examples and {summaries_2:,} summaries new)."
            ).format(
                project=outcome["project"],
                examples=outcome["examples"],
                systems=outcome["systems"],
                summaries=outcome["summaries"],
                examples_2=outcome["new"]["examples"],
                summaries_2=outcome["new"]["summaries"],
            )
        )


def _read_columns(said: list[str]) -> dict[str, str]:
    columns = dict(item.rpartition("=")[::2] for item in said)
    for name, role in columns.items():
        if not name or role not in ROLES:
            raise CommandError(
                _("--column {name}={role}: expected NAME={roles}.").format(
                    name=name, role=role, roles="|".join(ROLES)
                )
            )
    return columns


def _get_project(slug: str, owner: User | None) -> tuple[Project, bool]:
    """The project, and whether it is new: it belongs to `owner` or the only account there is."""
    project = Project.objects.filter(slug=slug).first()
    if project is not None:
        return project, False
    check_slug(slug)
    return create_project(user=find_new_owner(owner), name=slug, slug=slug), True


def _make_owner(project: Project, user: User) -> None:
    Membership.objects.update_or_create(project=project, user=user, defaults={"role": Role.OWNER})


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
        "warnings": plan.get("warnings", []),
        "notes": plan.get("notes", []),
        "problems": plan.get("problems", []),
        "problem_count": plan.get("problem_count", 0),
    }
