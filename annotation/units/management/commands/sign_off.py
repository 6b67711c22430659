"""`manage.py sign_off --project SLUG --set NAME --reviewer EMAIL [--example KEY]`: it was read."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import Example
from annotation.corpora.management.base import GizaCommand, find_member, find_project
from annotation.corpora.projects.models import Role
from annotation.translation import gettext_lazy
from annotation.units.management.finding import find_set
from annotation.units.studio import progress
from annotation.units.studio.models import Assignment, AssignmentState
from annotation.wording import counted


class Command(GizaCommand):
    help = gettext_lazy(
        "Sign off written examples of a set in the name of a member who is not their author."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--set", required=True, help="NAME[@version]")
        parser.add_argument("--reviewer", required=True, help=_("e-mail of a member"))
        parser.add_argument(
            "--example",
            action="append",
            default=[],
            help=_("id of an example; default: all written ones"),
        )
        parser.add_argument("--json", action="store_true", help=_("print the outcome as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        unit_set = find_set(project, options["set"])
        reviewer = find_member(project, options["reviewer"], Role.ANNOTATOR)
        examples = _list_written(unit_set.pk, options["example"])
        with transaction.atomic():
            for example in examples:
                progress.sign_off(unit_set=unit_set, example=example, user=reviewer)
        keys = [example.key for example in examples]
        words = _("{unit_set}: {examples} signed off.").format(
            unit_set=unit_set, examples=counted(len(keys), "example", "examples")
        )
        self.stdout.write(json.dumps({"examples": keys}) if options["json"] else words)


def _list_written(unit_set: int, keys: list[str]) -> list[Example]:
    """Those that wait to be checked; a key that does not is an error."""
    rows = Assignment.objects.filter(set=unit_set, state=AssignmentState.WRITTEN)
    rows = rows.select_related("example").order_by("example__position")
    written = {row.example.key: row.example for row in rows}
    if missing := sorted(set(keys) - set(written)):
        raise CommandError(
            _("Example '{missing}' is not written, or is already signed off.").format(
                missing=missing[0]
            )
        )
    return [written[key] for key in keys] if keys else list(written.values())
