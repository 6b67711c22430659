"""Publishing and collecting from the command line."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.crowd.campaigns.models import Campaign, CampaignState
from tests.annotation.crowd.campaigns.playing import work_off
from tests.annotation.crowd.wire import Wire
from tests.annotation.crowd.working import make_worker


def run(*arguments: object) -> str:
    out = StringIO()
    call_command(*map(str, arguments), stdout=out)
    return out.getvalue()


def test_it_publishes_for_the_sum_that_was_said_and_collects(
    campaign: Campaign, wire: Wire
) -> None:
    for name in ("Bob", "Cem"):
        make_worker(name)
    shown = json.loads(run("publish_campaign", campaign.pk, "--json"))
    assert (shown["total"], shown["state"], shown["hits"]) == ("1.2000", "draft", 6)
    with pytest.raises(CommandError, match=r"It costs \$"):
        run("publish_campaign", campaign.pk, "--for", "1.10")
    assert run("publish_campaign", campaign.token, "--for", "1.20") == (
        "First: 6 HITs, $1.20, live.\n"
    )
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.LIVE
    work_off("ann", s1="present", s2="absent")
    found = json.loads(run("collect_campaign", campaign.pk, "--json"))
    assert found == {"new": 6, "decided": 0, "problems": 0}
    assert run("collect_campaign", campaign.pk).startswith("First: 0 new")


@pytest.mark.parametrize("name", ["999999", "nonsense", "00000000-0000-0000-0000-000000000000"])
def test_it_knows_no_such_campaign(db: None, name: str) -> None:
    with pytest.raises(CommandError, match="no campaign|neither"):
        run("collect_campaign", name)
