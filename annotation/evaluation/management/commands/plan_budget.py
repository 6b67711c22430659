"""`manage.py plan_budget --project SLUG --money 150 --hours 6 [--take KEY|best] [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django.core.management.base import CommandError

from annotation.corpora.management.base import GizaCommand, run_here
from annotation.corpora.management.finding import find_project
from annotation.corpora.models import Project, User
from annotation.crowd.models import ProviderName
from annotation.evaluation import services
from annotation.evaluation.management.finding import find_labels, find_set
from annotation.evaluation.models import BudgetPlan
from annotation.evaluation.selectors.plans import get_goal_figure, get_verdict
from annotation.evaluation.services.asked import USUAL
from annotation.units.selectors.plans import list_scu_sets
from scoring.planning.plans import POWER
from scoring.planning.simulation import ROUNDS

BEST = "best"
SAID = (
    *("money", "hours", "goal_width", "goal_difference", "power", "examples", "systems"),
    *("minutes_per_scu", "provider", "reward", "units_per_hit", "judge", "rounds", "seed"),
)
ROW = (
    "{mark} {key:<28} {money:>9} {hours:>6.1f} h  correlation {correlation:.3f}  "
    "width {width:.3f}  power {power:.2f}"
)


class Command(GizaCommand):
    help = "Show the plans that a budget allows and that no other beats; take one if asked to."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--money", help="dollars for HITs, fees included; no limit if left out")
        parser.add_argument("--hours", type=float, help="of writing; no limit if left out")
        goal = parser.add_mutually_exclusive_group()
        goal.add_argument("--goal-width", type=float, help="of a system score's interval")
        goal.add_argument("--goal-difference", type=float, help="between systems, to be told")
        parser.add_argument("--power", type=float, default=POWER, help="with which to tell it")
        parser.add_argument("--examples", type=int, help="at most; the project's if left out")
        parser.add_argument("--systems", type=int, help="the project's if left out")
        parser.add_argument("--minutes-per-scu", type=float, help="as measured if left out")
        parser.add_argument(
            "--provider", default=ProviderName.MARKETPLACE.value, choices=ProviderName.values
        )
        parser.add_argument("--reward", default=str(USUAL.reward), help="dollars a HIT")
        parser.add_argument("--units-per-hit", type=int, default=USUAL.units_per_hit)
        parser.add_argument("--stus", default="", help="NAME[@version] of a set of STUs")
        existing = parser.add_mutually_exclusive_group()
        existing.add_argument(
            "--scus", default="", help="NAME[@version] of SCUs that are written; the newest set"
        )
        existing.add_argument(
            "--from-scratch", action="store_true", help="as if no SCUs were written yet"
        )
        parser.add_argument("--pilot", type=int, help="version of labels to learn from")
        parser.add_argument("--set", default="", help="NAME[@version] of the pilot's unit set")
        parser.add_argument("--judge", default="", help="of the pilot; has run on both sets")
        parser.add_argument("--rounds", type=int, default=ROUNDS, help="studies simulated a plan")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--take", default="", metavar="KEY", help="make it so: a key, or best")
        parser.add_argument("--name", default="", help="of the draft set and campaign")
        parser.add_argument("--author", default="", metavar="EMAIL", help="who writes")
        parser.add_argument("--json", action="store_true", help="print the plans as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        plan = _begin(project, options)
        run_here(plan.job, f"{plan} was not reckoned")
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
    return services.plan_budget(
        project=project, user=None, stus=stus, scus=scus, pilot=labels, **said
    )


def _take(plan: BudgetPlan, options: dict[str, Any]) -> None:
    email, author = options["author"], None
    if email:
        author = User.objects.filter(email=email).first()
        if author is None:
            raise CommandError(f"Nobody here has the address '{email}'.")
    key = plan.frontier["best"] if options["take"] == BEST else options["take"]
    services.apply_plan(plan=plan, user=None, key=key, name=options["name"], author=author)


def describe(plan: BudgetPlan) -> Iterator[str]:
    found = plan.frontier
    yield (
        f"{plan}: {found['affordable']:,} of {found['considered']:,} plans are within the budget; "
        f"{len(plan.plans):,} to consider (* recommended, ^ the best expected)."
    )
    for row in plan.plans:
        money = f"${Decimal(row['money']):,.2f}"
        mark = {found["top"]: "^", found["best"]: "*"}.get(row["key"], " ")
        yield ROW.format(**(row | {"money": money, "mark": mark}))
    verdict = get_verdict(plan)
    if verdict and verdict.adds and verdict.top != verdict.base:
        value, low, high = verdict.adds
        yield (
            f"Money adds {value:+.3f} ({low:+.3f} to {high:+.3f}) to the {get_goal_figure(plan)} "
            f"at most{'' if verdict.is_sure else ', within noise'}."
        )
    if plan.chosen:
        campaign = f", and drafted the campaign {plan.campaign}" if plan.campaign else ""
        yield f"Took {plan.chosen}: assigned the sentences of {plan.unit_set}{campaign}."
