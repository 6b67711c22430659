"""The set-up: what the form shows is what is kept, and a fault is told where it is."""

from __future__ import annotations

import re
from decimal import Decimal
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.crowd.campaigns.forms import SpanField
from annotation.crowd.campaigns.forms_setup import Setup
from annotation.crowd.campaigns.models import Campaign, CampaignState
from annotation.crowd.campaigns.presets import (
    LOCALE,
    PRESETS,
    compared,
    read_requirements,
    write_requirements,
)
from annotation.crowd.market.models_accounts import Requester
from annotation.units.sets.models import SetState, UnitSet


class Fields(HTMLParser):
    """What a browser would send of the page's set-up form if nobody touched it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.sent: dict[str, list[str]] = {}
        self._inside = self._select = ""
        self._text: list[str] = []
        self._idle = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "template":
            self._idle += 1
        if self._idle:
            return
        name = given.get("name", "")
        is_box = given.get("type") in ("checkbox", "radio")
        if tag == "input" and name and ("checked" in given or not is_box):
            self.sent.setdefault(name, []).append(given.get("value", "on" if is_box else ""))
        elif tag == "textarea":
            self._inside, self._text = name, []
        elif tag == "select":
            self._select = name
        elif tag == "option" and "selected" in given and self._select:
            self.sent.setdefault(self._select, []).append(given["value"])

    def handle_endtag(self, tag: str) -> None:
        if tag == "template":
            self._idle -= 1
        if tag == "textarea" and self._inside:
            self.sent[self._inside] = ["".join(self._text).removeprefix("\n").strip("\r\n")]
            self._inside = ""
        if tag == "select":
            self._select = ""

    def handle_data(self, data: str) -> None:
        if self._inside:
            self._text.append(data)


def shown(client: Client, campaign: Campaign) -> dict[str, Any]:
    response = client.get(f"/p/study/crowd/{campaign.pk}/setup/")
    assert response.status_code == 200
    return dict(Fields(response.content.decode()).sent)


def save(client: Client, campaign: Campaign, data: dict[str, Any]) -> Any:
    return client.post(f"/p/study/crowd/{campaign.pk}/setup/", data)


KEPT = [
    "scope",
    "worked_examples",
    "training",
    "gold",
    "requirements",
    "rewards_by_kind",
    "reward",
    "seconds_allotted",
    "lifetime_seconds",
    "auto_approve_seconds",
    "instructions",
    "budget",
    "provider",
]


def settings_of(campaign: Campaign) -> dict[str, Any]:
    campaign.refresh_from_db()
    return {name: getattr(campaign, name) for name in KEPT}


@pytest.mark.parametrize("preset", PRESETS)
def test_it_keeps_everything_when_nothing_was_touched(
    as_owner: Client, campaign: Campaign, preset: str
) -> None:
    for name, value in PRESETS[preset].fields.items():
        setattr(campaign, name, value)
    item = {"summary": "It rained.", "statement": "It snowed.", "answer": "absent", "why": ""}
    campaign.training = [item]
    campaign.gold = [{"text": "Snow is warm.", "answer": False, "example": "e1"}]
    campaign.seconds_allotted, campaign.cap_follows = 95, False
    campaign.scope = {"systems": [campaign.project.systems.earliest("pk").pk]}
    campaign.save()
    before = settings_of(campaign)
    assert save(as_owner, campaign, shown(as_owner, campaign)).status_code == 302
    after = settings_of(campaign)
    assert after.pop("worked_examples") == before.pop("worked_examples")
    assert after == before


def test_it_saves_before_it_is_checked(as_owner: Client, campaign: Campaign) -> None:
    """What was typed is saved on the way to the page that publishes."""
    page = as_owner.get(f"/p/study/crowd/{campaign.pk}/setup/").content.decode()
    assert '<button class="button" type="submit" form="setup" name="then" value="check"' in page
    assert "data-unsaved" in page
    data = shown(as_owner, campaign) | {"title": ["Another title"], "then": ["check"]}
    response = save(as_owner, campaign, data)
    assert response["Location"] == f"/p/study/crowd/{campaign.pk}/"
    campaign.refresh_from_db()
    assert campaign.title == "Another title"


def test_it_leads_to_where_an_obstacle_is_removed(as_owner: Client, campaign: Campaign) -> None:
    """The first button is the one that helps: the prepaid budget, not the set-up."""

    def primary() -> str:
        page = as_owner.get(f"/p/study/crowd/{campaign.pk}/").content.decode()
        assert 'id="warned-set"' not in page
        (link,) = re.findall(r'<a class="button button--primary" href="([^"]+)"', page)
        return str(link)

    requester = Requester.objects.get(project=campaign.project)
    Requester.objects.update(balance="0.10")
    assert primary() == f"/account/requesters/{requester.pk}/"
    Requester.objects.update(balance="1000")
    Campaign.objects.filter(pk=campaign.pk).update(budget="0.10", cap_follows=False)
    assert primary() == f"/p/study/crowd/{campaign.pk}/setup/"
    UnitSet.objects.filter(pk=campaign.unit_set_id).update(state=SetState.REVIEW)
    assert primary() == f"/p/study/units/{campaign.unit_set_id}/"


def test_the_prepaid_budget_leads_back_to_the_project(
    as_owner: Client, client: Client, campaign: Campaign
) -> None:
    requester = Requester.objects.get(project=campaign.project)
    way_back = b'<a href="/p/study/crowd/">'
    assert way_back in as_owner.get(f"/account/requesters/{requester.pk}/").content
    client.force_login(User.objects.create_user("staff@example.org", is_staff=True))
    assert way_back not in client.get(f"/account/requesters/{requester.pk}/").content


def test_it_adds_and_removes_rows(as_owner: Client, campaign: Campaign) -> None:
    data = shown(as_owner, campaign)
    data |= {"gold-0-text": ["Snow is warm."], "gold-0-answer": ["absent"]}
    data |= {"worked-0-DELETE": ["on"]}
    assert save(as_owner, campaign, data).status_code == 302
    campaign.refresh_from_db()
    assert campaign.gold == [{"text": "Snow is warm.", "answer": False}]
    assert len(campaign.worked_examples) == 1


@pytest.mark.parametrize(
    "choice, scope",
    [
        ({"example_choice": "first", "first_examples": "2"}, ["e1", "e2"]),
        ({"example_choice": "listed", "listed_examples": "e3\n e1 \n\ne3"}, ["e3", "e1"]),
    ],
)
def test_it_chooses_examples(
    as_owner: Client, campaign: Campaign, choice: dict[str, str], scope: list[str]
) -> None:
    assert save(as_owner, campaign, shown(as_owner, campaign) | choice).status_code == 302
    campaign.refresh_from_db()
    ids = dict(campaign.project.examples.values_list("key", "pk"))
    assert campaign.scope["examples"] == [ids[key] for key in scope]
    again = shown(as_owner, campaign)
    assert again["example_choice"] == [choice["example_choice"]]


@pytest.mark.parametrize(
    "fault, words",
    [
        ({"reward": "0.155"}, "no more than 2 decimal places"),
        ({"seconds_allotted": "soon"}, "Enter a time such as"),
        ({"seconds_allotted": "10 s"}, "expected a whole number from 30"),
        ({"countries": "USA"}, "not an ISO 3166 country"),
        ({"other_requirements": '[{"Comparator": "Exists"}]'}, "requirements 1: expected"),
        ({"example_choice": "listed", "listed_examples": "e9"}, "no example &#x27;e9&#x27;"),
        ({"example_choice": "first", "first_examples": ""}, "Enter the number of examples."),
        ({"all_systems": ""}, "Choose at least one system"),
        ({"worked-0-statement": ""}, "This field is required."),
    ],
)
def test_it_says_at_the_field_what_is_wrong(
    as_owner: Client, campaign: Campaign, fault: dict[str, str], words: str
) -> None:
    before = settings_of(campaign)
    data = shown(as_owner, campaign) | fault
    data = {name: value for name, value in data.items() if value != ""} | {
        name: "" for name, value in fault.items() if not value and name != "all_systems"
    }
    response = save(as_owner, campaign, data)
    assert response.status_code == 422
    assert words in response.content.decode()
    assert settings_of(campaign) == before


def test_it_shows_what_typed_settings_would_cost(as_owner: Client, campaign: Campaign) -> None:
    page = as_owner.get(f"/p/study/crowd/{campaign.pk}/setup/").content.decode()
    preview = f"/p/study/crowd/{campaign.pk}/setup/cost/"
    assert f'hx-post="{preview}"' in page
    before = settings_of(campaign)
    data = shown(as_owner, campaign)
    costs = [
        as_owner.post(preview, data | change).context["cost"].rewards
        for change in ({}, {"reward": "0.20"}, {"assignments_per_hit": "4"})
    ]
    assert costs[1:] == [2 * costs[0], 2 * costs[0]]
    assert settings_of(campaign) == before
    unfinished = as_owner.post(preview, data | {"reward": ""})
    assert unfinished.status_code == 200
    assert b"Not calculated" in unfinished.content
    assert b"Not calculated" in as_owner.post(preview, data | {"seconds_allotted": "1 s"}).content


def test_it_leaves_a_long_list_of_attention_items_alone(campaign: Campaign) -> None:
    campaign.gold = [{"text": f"Item {number}.", "answer": True} for number in range(101)]
    assert not Setup(campaign).has_gold_rows


def test_it_changes_only_what_no_worker_has_seen(as_owner: Client, published: Campaign) -> None:
    page = shown(as_owner, published)
    wanted = {"name", "budget", "bonus_reserve", "wage_floor", "approve_rule"}
    assert wanted <= set(page)
    assert "reward" not in page
    assert save(as_owner, published, page | {"budget": "7.50"}).status_code == 302
    published.refresh_from_db()
    assert published.budget == Decimal("7.50")
    assert published.state == CampaignState.LIVE
    response = save(as_owner, published, page | {"budget": "0.10"})
    assert response.status_code == 422
    assert b"is already committed" in response.content


@pytest.mark.parametrize(
    "text, seconds, again",
    [
        ("7 d", 604_800, "7 d"),
        ("90 minutes", 5400, "90 min"),
        ("36h", 129_600, "36 h"),
        ("95 s", 95, "95 s"),
        ("0 min", 0, "0 min"),
    ],
)
def test_it_reads_times_as_people_write_them(text: str, seconds: int, again: str) -> None:
    field = SpanField()
    assert field.clean(text) == seconds
    assert field.prepare_value(seconds) == again


@pytest.mark.parametrize(
    "row, name",
    [
        (compared(LOCALE, "In", LocaleValues=[{"Country": "US"}, {"Country": "GB"}]), "countries"),
        (compared(LOCALE, "NotIn", LocaleValues=[{"Country": "US"}]), "other_requirements"),
        (
            compared(LOCALE, "EqualTo", LocaleValues=[{"Country": "US", "Subdivision": "NY"}]),
            "other_requirements",
        ),
        (
            compared("3CUSTOM", "Exists", ActionsGuarded="DiscoverPreviewAndAccept"),
            "other_requirements",
        ),
    ],
)
def test_it_loses_no_requirement(row: dict[str, Any], name: str) -> None:
    read = read_requirements([row])
    assert read[name]
    empty: dict[str, Any] = {"countries": [], "approval_rate": None, "hits_approved": None}
    assert write_requirements({**empty, **read}) == [row]
