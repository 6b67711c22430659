"""`manage.py preview_cleaning CAMPAIGN`: what workers read where summaries are cleaned."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand
from annotation.crowd.campaigns.live import (
    BeforeAfter,
    get_rules,
    list_before_after,
    list_changed,
    list_shown_summaries,
)
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.management.finding import find_campaign
from annotation.translation import gettext_lazy
from scoring.cleaning import RULES, check_rules
from scoring.errors import InputError

CHUNK = 200


class Command(GizaCommand):
    help = gettext_lazy(
        "Show a campaign's summaries before and after cleaning, without changing anything."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help=_("number or token of the campaign"))
        parser.add_argument(
            "--rule",
            action="append",
            default=[],
            help=_("one of {rules}; default: the campaign's rules").format(rules=", ".join(RULES)),
        )
        parser.add_argument(
            "--limit", type=int, default=10, help=_("number of texts to show; 0 shows none")
        )
        parser.add_argument(
            "--json", action="store_true", help=_("print every changed text as JSON")
        )

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        try:
            rules = list(check_rules(options["rule"])) or get_rules(campaign)
        except InputError as error:
            raise CommandError(str(error)) from None
        found = list(_list_all(campaign, rules if options["rule"] else None))
        if options["json"]:
            self.stdout.write(json.dumps([_as_json(row) for row in found], ensure_ascii=False))
            return
        for row in islice(found, options["limit"]):
            self.stdout.write(
                _("{example} by {system}").format(
                    example=row.summary.example.key, system=row.summary.system.name
                )
            )
            self.stdout.write(f"- {row.before}\n+ {row.after}\n")
        self.stdout.write("\n".join(describe(campaign, rules, found)))


def _list_all(campaign: Campaign, rules: list[str] | None) -> Iterator[BeforeAfter]:
    """Every changed summary, a chunk at a time; by other rules than its own where they are said."""
    rows = list_shown_summaries(campaign).iterator(CHUNK)
    while chunk := list(islice(rows, CHUNK)):
        if rules is None:
            yield from list_before_after(campaign, chunk)
        else:
            yield from list_changed(campaign.project, rules, chunk)


def describe(campaign: Campaign, rules: list[str], found: list[BeforeAfter]) -> Iterator[str]:
    kinds: Counter[str] = Counter()
    for row in found:
        kinds.update(row.kinds)
    told = _("on") if campaign.cleaning else _("off")
    yield _("{campaign}: cleaning is {told}; with {rules} ").format(
        campaign=campaign, told=told, rules=" and ".join(rules) or _("no rules")
    )
    yield _("{found:,} of {list_shown_summaries:,} summaries change.").format(
        found=len(found), list_shown_summaries=list_shown_summaries(campaign).count()
    )
    for kind, count in kinds.most_common():
        yield f"{count:>8,}  {kind}"


def _as_json(row: BeforeAfter) -> dict[str, Any]:
    return {
        "example": row.summary.example.key,
        "system": row.summary.system.name,
        "before": row.before,
        "after": row.after,
        "kinds": dict(row.kinds),
    }
