"""`manage.py import_gold PATH --project SLUG [--owner E-MAIL] [--json]`: restores a study."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import (
    GizaCommand,
    check_slug,
    ensure_tables,
    find_new_owner,
    get_owner,
    run_here,
    tell_problems,
)
from annotation.corpora.projects import service as projects_service
from annotation.evaluation.gold import restoring
from annotation.evaluation.gold.restoring import Restoring
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy("Restore a study from a gold dataset into a new project, all or nothing.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help=_("gold.zip, its folder, or gold.jsonl"))
        parser.add_argument("--project", required=True, help=_("slug of the new project"))
        parser.add_argument(
            "--name", default="", help=_("name of the project (default: name of the dataset)")
        )
        parser.add_argument("--owner", help=_("e-mail of the project's owner"))
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["path"].resolve()
        if not path.exists():
            raise CommandError(
                _("{path}: there is no such file or folder.").format(path=options["path"])
            )
        ensure_tables()
        check_slug(options["project"])
        outcome = restoring.import_gold(
            user=find_new_owner(get_owner(options["owner"])),
            name=options["name"],
            slug=options["project"],
            path=path,
        )
        self._finish(outcome, as_json=options["json"])

    def _finish(self, outcome: Restoring, *, as_json: bool) -> None:
        result = _run(outcome)
        if as_json:
            told = {**result, "problems": outcome.problems}
            self.stdout.write(json.dumps(told, ensure_ascii=False))
        else:
            tell_problems(self.stderr, outcome.problems)
        if outcome.project is None:
            raise CommandError(_("Nothing was changed."))
        if not as_json:
            self.stdout.write(
                _("{slug}: restored, sha256 {hash}.").format(
                    slug=outcome.project.slug, hash=result["hash"]
                )
            )


def _run(outcome: Restoring) -> dict[str, Any]:
    """What the job found; a study that was not restored to its end goes."""
    if outcome.project is None or outcome.job is None:
        return {}
    try:
        run_here(outcome.job, _("Nothing was changed"))
    except CommandError:
        projects_service.delete_project(project=outcome.project)
        raise
    result: dict[str, Any] = outcome.job.result
    return result
