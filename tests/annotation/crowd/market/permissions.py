"""Who may do what with requesters, and what has to be sent for it to succeed."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.crowd.market.layouts import create_layout
from annotation.crowd.market.models_accounts import Message, Requester, RequesterKey, Webhook
from annotation.crowd.market.models_work import HitLayout
from annotation.crowd.market.requesters import create_key, create_requester
from tests.annotation.crowd.working import make_worker
from tests.annotation.roles import Row, but, everybody, signed_in


def mine(method: str, status: int) -> Row:
    """What belongs to the owner's account is not there for others."""
    row = signed_in(302, **{method: status})
    return but(row, method, editor=404, annotator=404, viewer=404, outsider=404)


def mine_to_edit() -> Row:
    row = signed_in(302, GET=200, POST=302)
    for method in ("GET", "POST"):
        row = but(row, method, editor=404, annotator=404, viewer=404, outsider=404)
    return row


TABLE: dict[str, Row] = {
    "crowd:mturk": everybody(POST=403),
    "crowd:mturk_plain": everybody(POST=403),
    "crowd:create_requester": but(
        signed_in(302, POST=403),
        "POST",
        owner=302,
    ),
    "crowd:requester": mine("GET", 200),
    "crowd:requester_statement": mine("GET", 200),
    "crowd:deposit": mine("POST", 403),
    "crowd:create_requester_key": mine("POST", 302),
    "crowd:revoke_requester_key": mine("POST", 302),
    "crowd:answer_requester_message": mine("POST", 302),
    "crowd:layouts": mine_to_edit(),
    "crowd:layout": mine_to_edit(),
    "crowd:layout_preview": mine("GET", 302),
    "crowd:layout_hits": mine_to_edit(),
    "crowd:delete_layout": mine("POST", 302),
    "crowd:webhooks": mine("GET", 200),
    "crowd:retry_webhook": mine("POST", 302),
    "crowd:disable_webhook": mine("POST", 302),
}


# Of a layout with one placeholder, published at no cost.
HITS = {
    "title": "Judge",
    "description": "Judge it.",
    "reward": "0",
    "assignments": "1",
    "minutes": "10",
    "days": "1",
    "approval_days": "3",
    "text": "text\nA dam burst.\n",
    "publish": "yes",
}


@dataclass(frozen=True, slots=True)
class MarketPlaces:
    requester: Requester
    key: RequesterKey
    webhook: Webhook
    layout: HitLayout
    message: Message


def make_market_places(owner: User) -> MarketPlaces:
    requester = create_requester(name="Lab", owner=owner)
    webhook = Webhook.objects.create(
        requester=requester, destination="https://hooks.example.org/giza"
    )
    layout = create_layout(requester=requester, user=owner, name="Dams", html="<p>${text}</p>")
    key = create_key(requester=requester, user=owner)
    message = Message.objects.create(
        requester=requester, worker=make_worker(), is_from_worker=True, subject="Dams", text="?"
    )
    return MarketPlaces(requester, key, webhook, layout, message)


def values_for(name: str, places: MarketPlaces) -> dict[str, Any]:
    return {
        "pk": places.requester.pk,
        "key": places.key.pk,
        "webhook": places.webhook.pk,
        "message": places.message.pk,
        "layout_id": places.layout.layout_id,
    }


def sent_to(name: str, places: MarketPlaces) -> dict[str, Any]:
    layout = {"name": "Dams", "html": "<p>A dam.</p>", "frame_height": 0}
    sent: dict[str, dict[str, Any]] = {
        "crowd:layouts": layout,
        "crowd:layout": layout,
        "crowd:answer_requester_message": {"text": "Yes."},
        "crowd:layout_hits": {**HITS, "key": str(uuid.uuid4())},
        "crowd:create_requester": {"name": "Another lab", "project": "study"},
        "crowd:create_requester_key": {"scope": "read"},
        "crowd:deposit": {"amount": "5", "note": "Grant", "key": str(uuid.uuid4())},
    }
    return sent.get(name, {})
