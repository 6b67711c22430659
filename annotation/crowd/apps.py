"""The crowd: campaigns, the marketplace, workers and money."""

from django.apps import AppConfig

from annotation.translation import gettext_lazy


class CrowdConfig(AppConfig):
    name = "annotation.crowd"
    label = "crowd"
    verbose_name = gettext_lazy("Crowd")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make jobs, sweeps, guards, homes and the overview's stage known to those who ask."""
        from annotation.crowd import services, targets  # noqa: F401
        from annotation.crowd.market import key_ends, sweep, ties, workers  # noqa: F401
        from annotation.crowd.selectors import overview, search, work  # noqa: F401
