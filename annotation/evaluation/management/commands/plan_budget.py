"""`manage.py plan_budget --project SLUG --money 150 --hours 6 [--take KEY|best] [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.management.base import GizaCommand, find_project, run_here
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import ProviderName
from annotation.evaluation.management.finding import find_labels, find_set
from annotation.evaluation.planning import service as planning_service
from annotation.evaluation.planning import taken
from annotation.evaluation.planning.asked import USUAL
from annotation.evaluation.planning.models import BudgetPlan
from annotation.evaluation.planning.queries import get_goal_figure, get_verdict
from annotation.translation import gettext_lazy
from annotation.units.plans.queries import list_scu_sets
from scoring.planning.plans import POWER
from scoring.planning.simulation import ROUNDS

BEST = "best"
SAID = (
    *("money", "hours", "goal_width", "goal_difference", "power", "examples", "systems"),
    *("minutes_per_scu", "provider", "reward", "units_per_hit", "judge", "rounds", "seed"),
)
ROW = gettext_lazy(
    "{mark} {key:<28} {money:>9} {hours:>6.1f} h  correlation {correlation:.3f}  "
    "width {width:.3f}  power {power:.2f}"
)


class Command(GizaCommand):
    help = gettext_lazy("Show the best plans within a budget; apply one with --take.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument(
            "--money", help=_("dollars for HITs, including fees; no limit by default")
        )
        parser.add_argument("--hours", type=float, help=_("hours of writing; no limit by default"))
        goal = parser.add_mutually_exclusive_group()
        goal.add_argument(
            "--goal-width", type=float, help=_("goal: width of a system score's interval")
        )
        goal.add_argument(
            "--goal-difference",
            type=float,
            help=_("goal: difference between two systems to detect"),
        )
        parser.add_argument("--power", type=float, default=POWER, help=_("power of detecting it"))
        parser.add_argument(
            "--examples", type=int, help=_("maximum number of examples; default: the project's")
        )
        parser.add_argument(
            "--systems", type=int, help=_("number of systems; default: the project's")
        )
        parser.add_argument(
            "--minutes-per-scu", type=float, help=_("default: as measured in the project")
        )
        parser.add_argument(
            "--provider", default=ProviderName.MARKETPLACE.value, choices=ProviderName.values
        )
        parser.add_argument("--reward", default=str(USUAL.reward), help=_("dollars per HIT"))
        parser.add_argument("--units-per-hit", type=int, default=USUAL.units_per_hit)
        parser.add_argument("--stus", default="", help=_("NAME[@version] of a set of STUs"))
        self._add_inputs(parser)
        parser.add_argument(
            "--take", default="", metavar="KEY", help=_("apply this plan: its key, or best")
        )
        parser.add_argument("--name", default="", help=_("name of the draft set and campaign"))
        parser.add_argument(
            "--author", default="", metavar="EMAIL", help=_("member who writes the SCUs")
        )
        parser.add_argument("--json", action="store_true", help=_("print the plans as JSON"))

    def _add_inputs(self, parser: ArgumentParser) -> None:
        """What is known of the project already, and how plans are simulated from it."""
        existing = parser.add_mutually_exclusive_group()
        existing.add_argument(
            "--scus", default="", help=_("NAME[@version] of existing SCUs; default: the newest set")
        )
        existing.add_argument("--from-scratch", action="store_true", help=_("ignore existing SCUs"))
        parser.add_argument("--pilot", type=int, help=_("version of pilot labels"))
        parser.add_argument("--set", default="", help=_("NAME[@version] of the pilot's unit set"))
        parser.add_argument(
            "--judge", default="", help=_("judge with runs on the pilot's SCUs and STUs")
        )
        parser.add_argument(
            "--rounds", type=int, default=ROUNDS, help=_("simulated studies per plan")
        )
        parser.add_argument("--seed", type=int, default=0)

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        plan = _begin(project, options)
        run_here(plan.job, _("{plan} could not be calculated").format(plan=plan))
        plan.refresh_from_db()
        if options["take"]:
            _take(plan, options)
        if options["json"]:
            made = {"set": plan.unit_set_id, "campaign": plan.campaign_id}
            said = {"id": plan.pk, "asked": plan.asked, "chosen": plan.chosen, **made}
            self.stdout.write(json.dumps({**said, **plan.frontier}, ensure_ascii=False))
            return
        self.stdout.write("\n".join(describe(plan)))


def _begin(project: Project, options: dict[str, Any]) -> BudgetPlan:
    said = {name: options[name] for name in SAID}
    stus = find_set(project, options["stus"]) if options["stus"] else None
    scus = find_set(project, options["scus"]) if options["scus"] else None
    if scus is None and not options["from_scratch"]:
        scus = list_scu_sets(project).first()
    pilot = options["pilot"]
    labels = None if pilot is None else find_labels(project, pilot, options["set"])
    return planning_service.plan_budget(
        project=project, user=None, stus=stus, scus=scus, pilot=labels, **said
    )


def _take(plan: BudgetPlan, options: dict[str, Any]) -> None:
    email, author = options["author"], None
    if email:
        author = User.objects.filter(email=email).first()
        if author is None:
            raise CommandError(
                _("There is no account with the address '{email}'.").format(email=email)
            )
    key = plan.frontier["best"] if options["take"] == BEST else options["take"]
    taken.apply_plan(plan=plan, user=None, key=key, name=options["name"], author=author)


def describe(plan: BudgetPlan) -> Iterator[str]:
    found = plan.frontier
    yield _(
        "{plan}: {affordable:,} of {considered:,} plans are within the budget; "
        "{plans:,} to consider (* recommended, ^ the best expected)."
    ).format(
        plan=plan,
        affordable=found["affordable"],
        considered=found["considered"],
        plans=len(plan.plans),
    )
    for row in plan.plans:
        money = f"${Decimal(row['money']):,.2f}"
        mark = {found["top"]: "^", found["best"]: "*"}.get(row["key"], " ")
        yield ROW.format(**(row | {"money": money, "mark": mark}))
    verdict = get_verdict(plan)
    if verdict and verdict.adds and verdict.top != verdict.base:
        value, low, high = verdict.adds
        yield _(
            "Spending more changes the {get_goal_figure} by at most {value:+.3f} "
            "({low:+.3f} to {high:+.3f}){value_2}."
        ).format(
            get_goal_figure=get_goal_figure(plan),
            value=value,
            low=low,
            high=high,
            value_2="" if verdict.is_sure else _(", not significant"),
        )
    if plan.chosen:
        campaign = (
            _(" and draft campaign {campaign}").format(campaign=plan.campaign)
            if plan.campaign
            else ""
        )
        yield _("Applied {chosen}: created {unit_set}{campaign}.").format(
            chosen=plan.chosen, unit_set=plan.unit_set, campaign=campaign
        )
