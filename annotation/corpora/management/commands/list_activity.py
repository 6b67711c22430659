"""`manage.py list_activity --project SLUG [--verb delete] [--json]`: who did what, as lines."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity, Verb
from annotation.corpora.activity.queries import (
    PROGRAM,
    ActivityFilter,
    describe,
    list_activity,
    read_filter,
    stream_activity,
)
from annotation.corpora.management.base import GizaCommand
from annotation.corpora.projects.models import Project
from annotation.errors import Invalid
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy("List who did what in a project, or to accounts, newest first.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--project", help=_("slug of the project (default: what was done outside projects)")
        )
        parser.add_argument(
            "--person",
            default="",
            help=_("an e-mail address, or {program}").format(program=PROGRAM),
        )
        parser.add_argument(
            "--verb",
            default="",
            choices=["", *Verb.values],
            metavar="VERB",
            help=_("kind of action, such as publish"),
        )
        parser.add_argument("--target", default="", help=_("kind of object, such as campaign"))
        parser.add_argument("--since", default="", help=_("first day, such as 2026-03-31"))
        parser.add_argument("--until", default="", help=_("last day"))
        parser.add_argument("--q", default="", help=_("words to search for"))
        parser.add_argument("--limit", type=int, help=_("maximum number of entries (default: all)"))
        parser.add_argument("--json", action="store_true", help=_("print one JSON object per line"))
        parser.add_argument("--csv", action="store_true", help=_("print CSV"))

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            asked = read_filter({**options, "person": _find_person(options["person"])})
        except Invalid as error:
            raise CommandError(f"{error.message} {error.hint}".strip()) from None
        self._print(_find_project(options["project"]), asked, options)

    def _print(
        self, project: Project | None, asked: ActivityFilter, options: dict[str, Any]
    ) -> None:
        rows = list_activity(project, asked)
        limit = options["limit"]
        if options["csv"]:
            lines = stream_activity(rows[:limit] if limit else rows, "csv")
        else:
            tell = _as_json if options["json"] else _as_words
            found = rows[:limit] if limit else rows
            lines = (tell(row) for row in found.iterator(chunk_size=1000))
        for line in lines:
            self.stdout.write(line, ending="")


def _as_json(row: Activity) -> str:
    return json.dumps(describe(row), ensure_ascii=False) + "\n"


def _as_words(row: Activity) -> str:
    return f"{row.at:%Y-%m-%d %H:%M:%S}  {row.actor or 'Giza'} {row.text}\n"


def _find_project(slug: str | None) -> Project | None:
    if not slug:
        return None
    found = Project.objects.filter(slug=slug).first()
    if found is None:
        raise CommandError(_("There is no project '{slug}'.").format(slug=slug))
    return found


def _find_person(said: str) -> str:
    if said in ("", PROGRAM):
        return said
    user = User.objects.filter(email=User.objects.normalize_email(said)).first()
    if user is None:
        raise CommandError(
            _("--person: no account has the e-mail address {said}.").format(said=said)
        )
    return str(user.pk)
