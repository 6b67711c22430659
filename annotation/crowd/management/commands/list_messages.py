"""`manage.py list_messages CAMPAIGN [--unread]`: what workers wrote about a campaign's HITs."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import ServiceCommand
from annotation.crowd.management.finding import find_campaign
from annotation.crowd.review.queries import describe_message, list_campaign_messages, list_inbox
from annotation.translation import gettext_lazy


class Command(ServiceCommand):
    help = gettext_lazy(
        "List worker messages about a campaign, newest first, without marking them as read."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help=_("number or token of the campaign"))
        parser.add_argument("--unread", action="store_true", help=_("only unread messages"))

    def run(self, options: dict[str, Any]) -> tuple[str, Any]:
        rows = list_inbox(list_campaign_messages(find_campaign(options["campaign"])))
        unread = rows.filter(read_at=None)
        shown = unread if options["unread"] else rows
        found = [describe_message(row) for row in shown.select_related("worker")]
        lines = [
            f"{row['id']}{'' if row['read_at'] else _(' (unread)')} {row['worker']}, HIT "
            f"{row['hit_id']}: {row['subject']}\n  {row['text']}"
            for row in found
        ]
        words = "\n".join([_("Unread: {unread:,}").format(unread=unread.count()), *lines])
        return words, {"unread": unread.count(), "messages": found}
