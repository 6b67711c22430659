"""The kinds of things in this app that acts are done to."""

from __future__ import annotations

from annotation.corpora.targets import add_kind, at_id
from annotation.crowd.models import Campaign

add_kind("campaign", "Campaign", Campaign, at_id("crowd:campaign"), param="campaign")
