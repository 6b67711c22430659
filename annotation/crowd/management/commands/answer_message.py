"""`manage.py answer_message MESSAGE --campaign CAMPAIGN --text TEXT`: write to the worker."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import BY, ServiceCommand, find_member
from annotation.corpora.projects.models import Role
from annotation.crowd.management.finding import find_campaign
from annotation.crowd.market.messages import answer_worker
from annotation.crowd.review.queries import get_question, list_campaign_messages
from annotation.translation import gettext_lazy


class Command(ServiceCommand):
    help = gettext_lazy("Reply to a message that a worker wrote about a campaign.")

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("message", type=int, help=_("its number, as list_messages prints it"))
        parser.add_argument("--campaign", required=True, help=_("number or token"))
        parser.add_argument("--text", required=True, help=_("the reply"))
        parser.add_argument("--by", default="", help=BY)

    def run(self, options: dict[str, Any]) -> tuple[str, Any]:
        campaign = find_campaign(options["campaign"])
        question = get_question(list_campaign_messages(campaign), options["message"])
        user = find_member(campaign.project, options["by"], Role.OWNER)
        made = answer_worker(message=question, user=user, text=options["text"])
        return _("Your reply to {worker} was sent.").format(worker=question.worker), {"id": made.pk}
