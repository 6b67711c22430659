"""`manage.py freeze_set --project SLUG --set NAME [--reason TEXT]`: review, then freeze."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_member, find_project
from annotation.corpora.projects.models import Role
from annotation.translation import gettext_lazy
from annotation.units.management.finding import find_set
from annotation.units.sets import service as sets_service
from annotation.units.sets.models import SetState
from annotation.wording import counted


class Command(GizaCommand):
    help = gettext_lazy(
        "Send a unit set to review and freeze it. A frozen set has a hash and can't be changed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--set", required=True, help="NAME[@version]")
        parser.add_argument(
            "--by", default="", help=_("e-mail of an owner; default: the only owner")
        )
        parser.add_argument(
            "--reason",
            default="",
            help=_("required if examples are not signed off; stored with the set"),
        )
        parser.add_argument(
            "--review", action="store_true", help=_("only send it to review, don't freeze it")
        )
        parser.add_argument("--json", action="store_true", help=_("print the outcome as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        unit_set = find_set(project, options["set"])
        user = find_member(project, options["by"], Role.OWNER)
        with transaction.atomic():
            if unit_set.state == SetState.DRAFT:
                sets_service.send_to_review(unit_set=unit_set, user=user)
            if not options["review"]:
                sets_service.freeze_set(
                    unit_set=unit_set, user=user, role=Role.OWNER, reason=options["reason"]
                )
        unit_set.refresh_from_db()
        result = {
            "set": unit_set.pk,
            "version": unit_set.version,
            "state": unit_set.state,
            "units": unit_set.unit_count,
            "hash": unit_set.content_hash,
        }
        words = f"{unit_set}: {unit_set.get_state_display().lower()}, "
        words += f"{counted(unit_set.unit_count, 'unit', 'units')}. {unit_set.content_hash}".strip()
        self.stdout.write(json.dumps(result) if options["json"] else words)
