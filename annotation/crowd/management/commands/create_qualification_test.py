"""`manage.py create_qualification_test CAMPAIGN FILE --name TEXT`: who may work on a draft."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import ServiceCommand, find_file
from annotation.crowd.campaigns import qualification_tests
from annotation.crowd.campaigns.qualification_tests import read_items
from annotation.crowd.management.finding import find_campaign
from annotation.translation import gettext_lazy
from annotation.wording import counted
from scoring.io import CorpusError

ABOUT = gettext_lazy("A few statements about short summaries, like those in the HITs.")


class Command(ServiceCommand):
    help = gettext_lazy(
        "Create a qualification test from a table and require it for a draft campaign."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help=_("number or token of a draft campaign"))
        parser.add_argument(
            "path",
            type=Path,
            help=_("a table: summary, statement, answer (present or absent)"),
        )
        parser.add_argument("--name", required=True, help=_("name that workers see"))
        parser.add_argument("--description", default=ABOUT, help=_("description that workers see"))
        parser.add_argument(
            "--pass-mark", type=int, default=80, help=_("percentage of correct answers needed")
        )
        parser.add_argument("--seconds", type=int, default=600, help=_("time limit of the test"))
        parser.add_argument(
            "--retry-seconds", type=int, help=_("wait before a retake; default: no retake")
        )

    def run(self, options: dict[str, Any]) -> tuple[str, Any]:
        campaign = find_campaign(options["campaign"])
        try:
            items = read_items(find_file(options["path"]))
        except CorpusError as error:
            raise CommandError(str(error)) from None
        named = ("name", "description", "pass_mark", "seconds", "retry_seconds")
        type_id = qualification_tests.create_qualification_test(
            campaign=campaign, user=None, items=items, **{name: options[name] for name in named}
        )
        words = _("{campaign} requires {name}: {items}, {type_id}.").format(
            campaign=campaign,
            name=options["name"],
            items=counted(len(items), "item", "items"),
            type_id=type_id,
        )
        return words, {"qualification_type_id": type_id, "items": len(items)}
