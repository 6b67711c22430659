"""The kinds of things in this app that acts are done to."""

from __future__ import annotations

from django.urls import reverse

from annotation.corpora.targets import add_kind, at_id
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.market.models_accounts import Message, Requester, RequesterKey
from annotation.crowd.market.models_work import HitLayout
from annotation.crowd.review.queries import locate_message
from annotation.translation import gettext_lazy

add_kind("campaign", gettext_lazy("Campaign"), Campaign, at_id("crowd:campaign"), param="campaign")
add_kind("message", gettext_lazy("Worker message"), Message, locate_message, is_global=True)
add_kind(
    "requester_key",
    gettext_lazy("MTurk key"),
    RequesterKey,
    lambda slug, pk: reverse("corpora:account"),
)
add_kind("layout", gettext_lazy("Layout"), HitLayout, lambda slug, pk: reverse("corpora:account"))
add_kind(
    "requester",
    gettext_lazy("Requester"),
    Requester,
    lambda slug, pk: reverse("crowd:webhooks", args=[pk]),
    is_global=True,
)
