"""The crowds that a campaign can go to, by name."""

from __future__ import annotations

from importlib import import_module

from annotation.crowd.campaigns.models import Campaign, ProviderName
from annotation.crowd.providers.base import Provider

# Imported when first used: boto3 alone takes half a second.
PROVIDERS = {
    ProviderName.MARKETPLACE: "annotation.crowd.providers.marketplace:Marketplace",
    ProviderName.MTURK: "annotation.crowd.providers.mturk:MTurk",
    ProviderName.PROLIFIC: "annotation.crowd.providers.prolific:Prolific",
    ProviderName.OFFLINE: "annotation.crowd.providers.offline:Offline",
}


def get_provider(campaign: Campaign) -> Provider:
    module, _, name = PROVIDERS[ProviderName(campaign.provider)].partition(":")
    provider: Provider = getattr(import_module(module), name)(campaign)
    return provider
