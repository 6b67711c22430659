"""What is chosen to be judged is judged, the cap follows it, and presets fit the crowd."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.crowd.campaigns import planning, steps
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns.models import Campaign, ProviderName, Worker
from annotation.crowd.campaigns.overview import Block, get_reach
from annotation.crowd.campaigns.presets import APPROVAL_RATE, HITS_APPROVED, LOCALE
from annotation.crowd.market.models_accounts import WorkerBlock
from annotation.crowd.requesters.queries import find_payer
from annotation.errors import Invalid
from annotation.units.sets.models import UnitSet
from tests.annotation.crowd.campaigns.playing import publish
from tests.annotation.crowd.campaigns.views.test_setup import save, shown
from tests.annotation.crowd.wire import Wire
from tests.annotation.crowd.working import make_worker


def test_ticked_systems_are_never_dropped(as_owner: Client, campaign: Campaign):
    lead, _ = campaign.project.systems.order_by("pk")
    data = shown(as_owner, campaign) | {"systems": [str(lead.pk)]}
    refused = save(as_owner, campaign, data)
    assert refused.status_code == 422
    assert refused.context["form"].errors.keys() == {"all_systems"}
    del data["all_systems"]
    assert save(as_owner, campaign, data).status_code == 302
    campaign.refresh_from_db()
    assert campaign.scope["systems"] == [lead.pk]
    # Who ticks "every" later means it: the old choice was not made just now.
    data = shown(as_owner, campaign) | {"all_systems": "on"}
    assert save(as_owner, campaign, data).status_code == 302
    campaign.refresh_from_db()
    assert "systems" not in campaign.scope


@pytest.mark.parametrize(
    "given", [{"listed_examples": "e1"}, {"first_examples": "2"}], ids=["listed", "first"]
)
def test_chosen_examples_are_never_dropped(
    as_owner: Client, campaign: Campaign, given: dict[str, str]
):
    refused = save(as_owner, campaign, shown(as_owner, campaign) | given)
    assert refused.status_code == 422
    assert refused.context["form"].errors.keys() == given.keys()


def test_the_cap_follows_the_scope_until_somebody_sets_it(as_owner: Client, campaign: Campaign):
    lead, _ = campaign.project.systems.order_by("pk")
    assert (campaign.budget, campaign.cap_follows) == (Decimal("1.20"), True)
    data = shown(as_owner, campaign) | {"systems": [str(lead.pk)]}
    del data["all_systems"]
    assert save(as_owner, campaign, data).status_code == 302
    campaign.refresh_from_db()
    assert campaign.budget == Decimal("0.60")
    assert save(as_owner, campaign, data | {"budget": "5"}).status_code == 302
    assert save(as_owner, campaign, shown(as_owner, campaign)).status_code == 302
    campaign.refresh_from_db()
    assert (campaign.budget, campaign.cap_follows) == (Decimal(5), False)
    assert save(as_owner, campaign, data | {"budget": "", "reward": "0.20"}).status_code == 302
    campaign.refresh_from_db()
    assert (campaign.budget, campaign.cap_follows) == (Decimal("1.20"), True)


def test_the_cap_follows_what_was_imported_since(campaign: Campaign, owner: User, wire: Wire):
    first = campaign.project.systems.earliest("pk")
    system = campaign.project.systems.create(name="late", kind="other", source=first.source)
    for row in list(first.summaries.all()):
        row.pk, row.system = None, system
        row.save()
    cost = planning.estimate_cost(campaign)
    assert cost.total > campaign.budget
    assert steps.list_obstacles(campaign) == []
    publish(campaign)
    assert campaign.budget == cost.total
    assert campaign.state == "live"


def test_a_published_cap_is_an_amount(published: Campaign, owner: User):
    with pytest.raises(Invalid, match="budget"):
        campaigns_service.update_campaign(campaign=published, user=owner, budget=None)


WANTED = {
    ProviderName.MARKETPLACE: {LOCALE, APPROVAL_RATE},
    ProviderName.MTURK: {LOCALE, APPROVAL_RATE, HITS_APPROVED},
    ProviderName.PROLIFIC: {APPROVAL_RATE, HITS_APPROVED},
    ProviderName.OFFLINE: set(),
}


@pytest.mark.parametrize("provider", WANTED)
def test_presets_adapt_to_the_provider(frozen: UnitSet, owner: User, provider: str):
    about: dict[str, Any] = {"project": frozen.project, "user": owner, "unit_set": frozen}
    made = campaigns_service.create_campaign(name="P", preset="pyrxsum", provider=provider, **about)
    asked = {row["QualificationTypeId"] for row in made.requirements}
    assert asked == WANTED[ProviderName(provider)]
    priced = campaigns_service.create_campaign(
        name="R", preset="realsumm", provider=provider, **about
    )
    is_flat = provider == ProviderName.PROLIFIC
    assert (not priced.rewards_by_kind, priced.reward == Decimal("0.20")) == (is_flat, is_flat)


def test_a_new_draft_says_what_does_not_fit(as_owner: Client, frozen: UnitSet):
    data = {"name": "P", "unit_set": frozen.pk, "preset": "pyrxsum"}
    page = as_owner.post("/p/study/crowd/new/", data, follow=True).content.decode()
    assert "at least 10,000 HITs approved" in page


@pytest.fixture
def people(campaign: Campaign) -> dict[str, Any]:
    """One who may, and one for each thing that can keep somebody out."""
    far = {"country": "FR"}
    made = {name: make_worker(name) for name in ("Able", "Blocked", "Excluded", "Gone", "Poor")}
    made |= {"Far": make_worker("Far", **far), "FarPoor": make_worker("FarPoor", **far)}
    for name in ("Poor", "FarPoor"):
        made[name].approved, made[name].rejected = 1, 9
        made[name].save()
    made["Gone"].is_suspended = True
    made["Gone"].save()
    payer = find_payer(campaign)
    assert payer is not None
    WorkerBlock.objects.create(requester=payer, worker=made["Blocked"])
    Worker.objects.create(
        project=campaign.project,
        provider=campaign.provider,
        provider_id=made["Excluded"].worker_id,
        excluded_at=campaign.created_at,
    )
    return made


REQUIREMENTS = [
    {
        "QualificationTypeId": LOCALE,
        "Comparator": "EqualTo",
        "LocaleValues": [{"Country": "DE"}],
    },
    {"QualificationTypeId": APPROVAL_RATE, "Comparator": "GreaterThan", "IntegerValues": [98]},
]


def test_it_counts_who_qualifies_and_what_blocks_the_rest(
    campaign: Campaign, people: dict[str, Any]
):
    campaign.requirements = REQUIREMENTS
    reach = get_reach(campaign)
    assert reach is not None
    assert (reach.known, reach.qualified) == (7, 1)
    assert set(reach.blocks) == {
        Block("doesn't meet “located in DE”", 2),
        Block("doesn't meet “approval rate above 98 %”", 2),
        Block("is suspended or deactivated", 1),
        Block("is blocked by the requester", 1),
        Block("is excluded from this project", 1),
    }


def test_members_of_the_project_are_not_counted_as_workers_of_it(campaign: Campaign, owner: User):
    from annotation.crowd.market.models_accounts import WorkerAccount

    WorkerAccount.objects.create(user=owner, country="DE")
    reach = get_reach(campaign)
    assert reach is not None
    assert (reach.known, reach.qualified, len(reach.blocks)) == (1, 0, 1)


@pytest.mark.parametrize("workers, warned", [(0, True), (1, True), (2, False)])
def test_it_warns_before_a_hit_can_not_be_completed(
    as_owner: Client, campaign: Campaign, wire: Wire, workers: int, warned: bool
):
    """Two assignments per HIT need two workers."""
    for number in range(workers):
        make_worker(f"W{number}")
    said = steps.list_warnings(campaign)
    assert bool(said) == warned
    assert "blocks" not in "".join(said), "nobody is kept from it"
    for page in ("", "publish/"):
        text = as_owner.get(f"/p/study/crowd/{campaign.pk}/{page}").content.decode()
        assert (f"{workers} of {workers} known worker" in text) == (warned and workers > 0) or (
            "qualif" in text
        )
    cost = as_owner.get(f"/api/v1/projects/study/campaigns/{campaign.pk}/cost/").json()
    assert cost["workers"] == {"known": workers, "qualified": workers, "blocks": []}


def test_no_other_crowd_says_who_its_workers_are(campaign: Campaign):
    campaign.provider = ProviderName.MTURK
    assert get_reach(campaign) is None
