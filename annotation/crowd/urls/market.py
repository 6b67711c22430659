"""Addresses of the requester's side: the endpoint, and requesters on the account page."""

from __future__ import annotations

from django.urls import path

from annotation.crowd.views import layouts, messages, requesters, webhooks
from annotation.crowd.views.mturk import mturk_endpoint

REQUESTER = "account/requesters/<int:pk>/"
LAYOUT = f"{REQUESTER}layouts/<str:layout_id>/"

urlpatterns = [
    path("mturk", mturk_endpoint, name="mturk_plain"),
    path("mturk/", mturk_endpoint, name="mturk"),
    path("account/requesters/", requesters.create_requester, name="create_requester"),
    path(REQUESTER, requesters.requester, name="requester"),
    path(f"{REQUESTER}statement.csv", requesters.requester_statement, name="requester_statement"),
    path(f"{REQUESTER}deposit/", requesters.deposit, name="deposit"),
    path(f"{REQUESTER}keys/", requesters.create_requester_key, name="create_requester_key"),
    path(
        f"{REQUESTER}keys/<int:key>/revoke/",
        requesters.revoke_requester_key,
        name="revoke_requester_key",
    ),
    path(
        f"{REQUESTER}messages/<int:message>/answer/",
        messages.answer_requester_message,
        name="answer_requester_message",
    ),
    path(f"{REQUESTER}layouts/", layouts.layouts, name="layouts"),
    path(LAYOUT, layouts.layout, name="layout"),
    path(f"{LAYOUT}preview/", layouts.layout_preview, name="layout_preview"),
    path(f"{LAYOUT}hits/", layouts.layout_hits, name="layout_hits"),
    path(f"{LAYOUT}delete/", layouts.delete_layout, name="delete_layout"),
    path(f"{REQUESTER}webhooks/", webhooks.webhooks, name="webhooks"),
    path(f"{REQUESTER}webhooks/<int:webhook>/retry/", webhooks.retry_webhook, name="retry_webhook"),
    path(
        f"{REQUESTER}webhooks/<int:webhook>/disable/",
        webhooks.disable_webhook,
        name="disable_webhook",
    ),
]
