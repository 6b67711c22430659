"""The crowd: campaigns, the marketplace, workers and money."""

from importlib import import_module

from django.apps import AppConfig

from annotation.translation import gettext_lazy

# What makes itself known when it is loaded: jobs, sweeps, guards, stages of the overview.
LOADED = (
    "campaigns.collecting",
    "campaigns.ledger",
    "campaigns.overview",
    "campaigns.planning",
    "campaigns.publishing",
    "campaigns.qualification_tests",
    "campaigns.recollecting",
    "campaigns.service",
    "campaigns.steps",
    "market.requesters",
    "market.sweep",
    "market.workers",
    "offline.service",
    "review.bulk",
    "review.service",
    "targets",
    "work.queries",
)


class CrowdConfig(AppConfig):
    name = "annotation.crowd"
    label = "crowd"
    verbose_name = gettext_lazy("Crowd")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make jobs, sweeps, guards, homes and the overview's stage known to those who ask."""
        for name in LOADED:
            import_module(f"{self.name}.{name}")
