from importlib import import_module

from django.apps import AppConfig

from annotation.translation import gettext_lazy

# What makes itself known when it is loaded: jobs, sweeps, guards, stages of the overview.
LOADED = (
    "demo_units",
    "double.service",
    "files.service",
    "overview",
    "plans.leaving",
    "plans.service",
    "sets.bulk",
    "sets.narrowing",
    "sets.service",
    "sets.versions",
    "studio.comments",
    "studio.merging",
    "studio.ops",
    "studio.progress",
    "stus.easiness",
    "stus.extraction",
    "stus.ranking",
    "targets",
)


class UnitsConfig(AppConfig):
    name = "annotation.units"
    label = "units"
    verbose_name = gettext_lazy("Content units")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make jobs, guards and the overview's stage known to those who ask."""
        for name in LOADED:
            import_module(f"{self.name}.{name}")
