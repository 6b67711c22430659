"""`manage.py undo_plan PLAN --project SLUG`: remove the drafts that were made of a plan."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project
from annotation.evaluation.planning import taken
from annotation.evaluation.planning.models import BudgetPlan
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy(
        "Undo a plan: delete its draft set and draft campaign if no work has begun."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("plan", type=int, help=_("the budget's number"))
        parser.add_argument("--project", required=True, help="slug")

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        found = BudgetPlan.objects.filter(project=project, pk=options["plan"]).first()
        if found is None:
            raise CommandError(
                _("{slug} has no budget {plan}.").format(slug=project.slug, plan=options["plan"])
            )
        taken.undo_plan(plan=found, user=None)
        self.stdout.write(_("{found}: plan undone, drafts deleted.").format(found=found))
