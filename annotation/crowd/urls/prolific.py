"""Addresses for Prolific and its participants."""

from __future__ import annotations

from django.urls import path

from annotation.crowd.views import prolific

urlpatterns = [
    path("prolific/webhook/", prolific.webhook, name="prolific_webhook"),
    path("prolific/<uuid:token>/", prolific.arrive, name="prolific"),
    path("prolific/<uuid:token>/submit", prolific.submit, name="prolific_submit"),
]
