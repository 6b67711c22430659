"""Forms of a campaign that are refused: ticks stay, and the way out is a link."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.crowd.campaigns.models import Assignment, Campaign
from annotation.refill import Control, read_forms
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import HOSTILE, page_of


def here(campaign: Campaign) -> str:
    return f"/p/{campaign.project.slug}/crowd/{campaign.pk}/"


def controls(html: str, name: str) -> list[Control]:
    return [row for form in read_forms(html) for row in form.controls if row.name == name]


def ticked(html: str) -> set[int]:
    boxes = controls(html, "assignment")
    return {int(row.value) for row in boxes if "checked" in row.attributes}


def test_rejecting_without_a_reason_keeps_the_ticks(collected: Campaign, owner: User):
    at, page = sign_in(owner), f"{here(collected)}review/?state=any"
    chosen = {row.pk for row in Assignment.objects.order_by("pk")[1:4]}
    response = at.post(
        f"{here(collected)}review/decide/",
        {"assignment": chosen, "action": "reject", "text": "", "amount": ""},
        headers={"referer": f"http://testserver{page}"},
    )
    html = response.content.decode()
    assert response.status_code == 400
    assert ticked(html) == chosen
    assert 'id="refusal"' in html
    assert 'id="subnav"' in html
    actions = controls(html, "action")[-1].options
    chosen_action = [row.value for row in actions if "selected" in row.attributes]
    assert chosen_action == ["reject"]
    assert not Assignment.objects.exclude(state="submitted").exists()


def test_nothing_of_another_page_is_shown(collected: Campaign, owner: User):
    """Only a page of this server is made again, and only one that its view shows to this person."""
    at = sign_in(owner)
    for referer in ("http://elsewhere.test/", "http://testserver/nowhere/", "http://testserver/"):
        response = at.post(
            f"{here(collected)}review/decide/",
            {"assignment": "1", "action": "bonus", "text": HOSTILE},
            headers={"referer": referer},
        )
        assert response.status_code == 400
        page = page_of(response, 400)
        assert "Send again" in page.text
        assert f"{here(collected)}review/" in page.links
        assert f"{here(collected)}review/decide/" in page.actions


@pytest.mark.parametrize("method", ["get", "post"])
def test_topping_up_beyond_the_cap_leads_to_the_cap(collected: Campaign, owner: User, method: str):
    collected.assignments.update(seconds=3600)
    Campaign.objects.filter(pk=collected.pk).update(budget=Decimal("1.44"))
    response = getattr(sign_in(owner), method)(f"{here(collected)}top-up/")
    page = page_of(response, 409)
    assert f"{here(collected)}setup/" in page.links
    assert f"{here(collected)}workers/" in page.links or 'id="subnav"' in page.html


def test_an_expired_form_keeps_what_was_entered(collected: Campaign, owner: User):
    at = Client(enforce_csrf_checks=True)
    at.force_login(owner)
    sent = {"reason": "Too quick."}
    action = f"{here(collected)}workers/{Assignment.objects.latest('pk').worker_id}/exclude/"
    response = at.post(
        action, sent, headers={"referer": f"http://testserver{here(collected)}workers/"}
    )
    assert "Too quick." in page_of(response, 403).html
    # What another site sent is not offered to be sent again.
    response = at.post(action, sent, headers={"referer": "http://elsewhere.test/"})
    assert "Too quick." not in page_of(response, 403).html
