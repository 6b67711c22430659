"""A campaign's pages from the first draft to its end."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone

from annotation import append_only
from annotation.corpora.jobs.service import run_job
from annotation.crowd.campaigns.ledger import Draft, intend
from annotation.crowd.campaigns.models import (
    Assignment,
    Campaign,
    CampaignState,
    Intent,
    IntentKind,
    Settlement,
)
from annotation.units.sets.models import UnitSet
from tests.annotation.crowd.campaigns.playing import publish
from tests.annotation.crowd.wire import Wire, refuse_connection

CROWD = "/p/study/crowd/"


def html(client: Client, url: str, status: int = 200) -> str:
    response = client.get(url)
    assert response.status_code == status, response.content
    return response.content.decode()


def test_it_asks_for_a_frozen_set_first(as_owner: Client, corpus: object) -> None:
    assert "Freeze a unit set first" in html(as_owner, CROWD)
    assert "No frozen unit set yet" in html(as_owner, f"{CROWD}new/")


def test_it_drafts_with_one_click(as_owner: Client, frozen: UnitSet) -> None:
    assert "No campaign yet" in html(as_owner, CROWD)
    data = {
        "name": "Round 1",
        "unit_set": frozen.pk,
        "preset": "pyrxsum",
        "provider": "mturk",
    }
    response = as_owner.post(f"{CROWD}new/", data)
    made = Campaign.objects.get()
    assert response["Location"] == f"{CROWD}{made.pk}/setup/"
    assert len(made.requirements) == 3
    page = html(as_owner, response["Location"])
    assert 'value="US"' in page
    assert 'value="98"' in page
    assert 'value="10000"' in page
    again = as_owner.post(f"{CROWD}new/", data)
    assert again.status_code == 422
    assert b"already" in again.content


def test_it_says_what_it_costs_and_asks_once(
    as_owner: Client, campaign: Campaign, wire: object
) -> None:
    here = f"{CROWD}{campaign.pk}/"
    assert "Publish for $1.20" in html(as_owner, here)
    page = html(as_owner, f"{here}publish/")
    assert "Publish First?" in page
    assert 'name="total" value="1.2000"' in page
    stale = as_owner.post(f"{here}publish/", {"total": "0.9000"})
    assert b"has changed" in stale.content
    assert Campaign.objects.get().state == CampaignState.DRAFT
    assert as_owner.post(f"{here}publish/", {"total": "1.2000"}).status_code == 302
    found = Campaign.objects.get()
    assert found.state == CampaignState.PUBLISHING
    assert "Publish First" in html(as_owner, here)
    assert found.job is not None
    run_job(job_id=found.job.pk)
    page = html(as_owner, here)
    assert page.count("square--open") == 7  # six HITs and the legend
    assert "6 open, no answers" in page
    # Who presses the button of an old tab once more sees the campaign, and nothing is paid.
    assert as_owner.post(f"{here}publish/", {"total": "1.2000"})["Location"] == here


def test_it_names_what_stands_in_the_way(
    as_owner: Client, campaign: Campaign, wire: object
) -> None:
    Campaign.objects.update(budget=Decimal("0.50"), cap_follows=False)
    page = html(as_owner, f"{CROWD}{campaign.pk}/")
    assert "the budget is $0.50" in page
    assert "Publish for" not in page
    assert as_owner.get(f"{CROWD}{campaign.pk}/publish/").status_code == 409


def test_it_sends_nothing_when_nothing_has_changed(as_owner: Client, published: Campaign) -> None:
    here = f"{CROWD}{published.pk}/"
    page = html(as_owner, here)
    stamp = page.partition("?stamp=")[2][:16]
    headers = {"HX-Request": "true"}
    assert as_owner.get(f"{here}?stamp={stamp}", headers=headers).status_code == 204
    published.hits.update(collected=1)
    assert as_owner.get(f"{here}?stamp={stamp}", headers=headers).status_code == 200


def test_it_shows_how_it_goes(as_viewer: Client, collected: Campaign) -> None:
    page = html(as_viewer, f"{CROWD}{collected.pk}/")
    for words in ("12 <small>of 12", "12 assignments to review.", "6 collected, to review"):
        assert words in page
    assert "$12.00 <small>floor $12.00" in page
    assert "Collect now" not in page
    assert "First" in html(as_viewer, CROWD)
    lines = b"".join(as_viewer.get(f"{CROWD}{collected.pk}/collected.csv")).decode().splitlines()
    assert lines[0] == "until,collected"
    assert lines[-1].endswith(",12")


@pytest.mark.parametrize("sign_up", ["open", "invitation"])
def test_it_leads_new_workers_to_where_they_can_join(
    as_owner: Client, as_viewer: Client, published: Campaign, settings: Any, sign_up: str
) -> None:
    """Without a link nobody joins a marketplace by invitation."""
    settings.MARKET_SIGN_UP = sign_up
    page = html(as_owner, f"{CROWD}{published.pk}/")
    assert ('href="/work/join/"' in page) == (sign_up == "open")
    assert ('href="/p/study/members/#workers"' in page) == (sign_up == "invitation")
    assert "#workers" not in html(as_viewer, f"{CROWD}{published.pk}/")
    assert 'id="workers"' in html(as_owner, "/p/study/members/")


def test_it_lists_hits_with_what_is_outstanding(as_viewer: Client, collected: Campaign) -> None:
    here = f"{CROWD}{collected.pk}/hits/"
    assert here in html(as_viewer, f"{CROWD}{collected.pk}/")
    assert "Every HIT is complete" in html(as_viewer, here)
    row = collected.hits.earliest("pk")
    collected.hits.filter(pk=row.pk).update(collected=1)
    page = html(as_viewer, here)
    assert '"Collected">1 of 2</td>' in page
    assert '"Outstanding">1</td>' in page
    assert page.count("<tr>") == 2
    assert html(as_viewer, f"{here}?all=1").count("<tr>") == 7


def test_it_tops_up_to_the_floor(as_owner: Client, collected: Campaign) -> None:
    Campaign.objects.update(wage_floor=Decimal("18.00"), budget=Decimal("5.00"))
    here = f"{CROWD}{collected.pk}/"
    page = html(as_owner, here)
    assert "2 of 2 workers" in page
    # Six assignments of 30 seconds at $18 an hour are $0.90, of which $0.60 are the rewards.
    assert "Top up 2 workers for $0.60" in page
    assert "Pay $0.60" in html(as_owner, f"{here}top-up/")
    assert as_owner.post(f"{here}top-up/", {"total": "0.6000"}).status_code == 302
    paid = Intent.objects.filter(kind=IntentKind.BONUS)
    assert [row.amount for row in paid] == [Decimal("0.30")] * 2
    assert as_owner.post(f"{here}top-up/", {"total": "0.6000"}).status_code == 409


@pytest.mark.parametrize(
    "steps, state",
    [
        (["pause"], CampaignState.PAUSED),
        (["pause", "resume"], CampaignState.LIVE),
        (["end"], CampaignState.ENDED),
    ],
)
def test_it_pauses_resumes_and_ends(
    as_owner: Client, published: Campaign, steps: list[str], state: str
) -> None:
    for step in steps:
        assert as_owner.post(f"{CROWD}{published.pk}/{step}/").status_code == 302
        found = Campaign.objects.get()
        assert found.job is not None
        run_job(job_id=found.job.pk)
    assert found.state == state


def test_it_extends_for_the_sum_that_it_said(as_owner: Client, collected: Campaign) -> None:
    Campaign.objects.update(budget=Decimal("5.00"))
    here = f"{CROWD}{collected.pk}/extend/"
    assert 'name="systems"' not in html(as_owner, here)
    assert "Extend campaign for $1.20" in html(as_owner, f"{here}?additional=2")
    assert as_owner.post(here, {"additional": 2, "total": "1.2000"}).status_code == 302
    found = Campaign.objects.get()
    assert found.job is not None
    run_job(job_id=found.job.pk)
    intents = Intent.objects.filter(kind=IntentKind.EXTEND)
    assert sum(row.amount + row.fee for row in intents) == Decimal("1.20")
    assert set(found.hits.values_list("wanted", flat=True)) == {4}
    # The page that was shown before, sent once more.
    again = as_owner.post(here, {"additional": 2, "total": "1.2000", "expected": 2})
    assert again.status_code == 409


def test_it_says_which_cap_an_extension_needs(as_owner: Client, published: Campaign) -> None:
    page = html(as_owner, f"{CROWD}{published.pk}/extend/?additional=2")
    assert "Extend campaign for" not in page
    assert "to $2.40 or more first." in page
    assert f'href="{CROWD}{published.pk}/setup/#id_budget"' in page


def test_it_says_what_room_the_cap_leaves(as_owner: Client, campaign: Campaign) -> None:
    page = html(as_owner, f"{CROWD}{campaign.pk}/setup/")
    assert "None of the cap remains" in page
    assert "would add $0.60, which needs a cap of $1.80." in page
    Campaign.objects.update(budget=Decimal("2.00"), cap_follows=False)
    page = html(as_owner, f"{CROWD}{campaign.pk}/")
    assert "$0.80 of the cap remains" in page
    assert "would add $0.60. You can also raise" in page


def test_it_extends_by_examples(as_owner: Client, campaign: Campaign, wire: Wire) -> None:
    first, second, third = campaign.project.examples.order_by("position", "pk")
    Campaign.objects.update(scope={"examples": [first.pk]}, cap_follows=False)
    campaign.refresh_from_db()
    publish(campaign)
    here = f"{CROWD}{campaign.pk}/extend/"
    assert "More examples" in html(as_owner, here)
    strange = as_owner.get(here, {"additional": "0", "examples": "nothing"})
    assert "&#x27;nothing&#x27; has no units" in strange.content.decode()
    chosen = {"additional": "0", "examples": f"{second.key}\n{third.key}"}
    page = as_owner.get(here, chosen).content.decode()
    assert "Extend campaign for $0.80" in page
    assert f"{second.key}\n{third.key}</textarea>" in page
    assert as_owner.post(here, {**chosen, "total": "0.8000", "expected": "2"}).status_code == 302
    found = Campaign.objects.get()
    assert found.scope["examples"] == [first.pk, second.pk, third.pk]


def test_it_can_be_ended_when_publishing_has_failed(
    as_owner: Client, campaign: Campaign, wire: Wire
) -> None:
    for _ in range(4):
        wire.fail("CreateHITWithHITType", refuse_connection)
    publish(campaign)
    here = f"{CROWD}{campaign.pk}/"
    assert 'id="end"' in html(as_owner, here)
    assert as_owner.post(f"{here}end/").status_code == 302
    assert Campaign.objects.get().state == CampaignState.ENDED


def test_it_lets_a_person_settle_what_is_unclear(as_owner: Client, collected: Campaign) -> None:
    row = Assignment.objects.select_related("hit").earliest("pk")
    draft = Draft(
        IntentKind.APPROVE, f"approve:{row.pk}", row.hit.reward, hit=row.hit, assignment=row
    )
    [intent] = intend(campaign=collected, drafts=[draft])
    with append_only.suspended():
        QuerySet(Intent).update(created_at=timezone.now() - timedelta(hours=1))
    assert 'id="unclear"' in html(as_owner, f"{CROWD}{collected.pk}/")
    address = f"{CROWD}{collected.pk}/settle/{intent.pk}/"
    assert as_owner.post(address, {"outcome": "perhaps"}).status_code == 400
    assert as_owner.post(address, {"outcome": "done", "note": "seen"}).status_code == 302
    row.refresh_from_db()
    assert row.state == "approved"
    assert "seen" in Settlement.objects.get(intent=intent).note
    assert as_owner.post(address, {"outcome": "void"}).status_code == 409


def test_it_deletes_a_draft(as_owner: Client, campaign: Campaign) -> None:
    assert as_owner.post(f"{CROWD}{campaign.pk}/delete/")["Location"] == CROWD
    assert not Campaign.objects.exists()
