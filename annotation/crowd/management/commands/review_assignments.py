"""`manage.py review_assignments CAMPAIGN --action approve --rule …`: decide about what came in."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import finish_job
from annotation.corpora.management.base import GizaCommand
from annotation.crowd.campaigns.live import PAY_RULES, list_by_rule
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.management.finding import find_campaign, read_dollars
from annotation.crowd.review import bulk
from annotation.crowd.review.bulk import ACTIONS
from annotation.translation import gettext_lazy
from annotation.wording import counted


class Command(GizaCommand):
    help = gettext_lazy(
        "Approve or reject assignments, overturn a rejection, or pay bonuses. Spends money."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help=_("number or token of the campaign"))
        parser.add_argument(
            "--action", required=True, choices=list(ACTIONS), help=_("the decision")
        )
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument(
            "--rule",
            choices=list(PAY_RULES),
            help=_("all submitted assignments that meet this rule"),
        )
        which.add_argument(
            "--assignment", action="append", type=int, help=_("number of an assignment; repeatable")
        )
        parser.add_argument(
            "--text",
            default="",
            help=_("message to the worker; required for rejections and bonuses"),
        )
        parser.add_argument("--amount", type=read_dollars, help=_("bonus in dollars"))
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        done = bulk.review_assignments(
            campaign=campaign,
            user=None,
            action=options["action"],
            ids=_list_ids(campaign, options),
            text=options["text"],
            amount=options["amount"],
        )
        result = _finish(done) if isinstance(done, Job) else {"decided": done, "refused": 0}
        words = _("{campaign}: {assignments} decided.").format(
            campaign=campaign, assignments=counted(result["decided"], "assignment", "assignments")
        )
        self.stdout.write(json.dumps(result) if options["json"] else words)


def _list_ids(campaign: Campaign, options: dict[str, Any]) -> list[int]:
    if options["assignment"]:
        return list(options["assignment"])
    return list(list_by_rule(campaign, options["rule"]).values_list("pk", flat=True))


def _finish(job: Job) -> dict[str, Any]:
    finish_job(job=job)
    if job.state != JobState.DONE:
        raise CommandError(_("Not all assignments were decided: {error}").format(error=job.error))
    return {name: job.result[name] for name in ("decided", "refused")}
