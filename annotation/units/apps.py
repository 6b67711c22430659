from django.apps import AppConfig

from annotation.translation import gettext_lazy


class UnitsConfig(AppConfig):
    name = "annotation.units"
    label = "units"
    verbose_name = gettext_lazy("Content units")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make jobs, guards and the overview's stage known to those who ask."""
        from annotation.units import services, targets  # noqa: F401
        from annotation.units.selectors import example_part, overview, search  # noqa: F401
