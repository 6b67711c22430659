"""Evaluation: labels, gold datasets and scores."""

from django.apps import AppConfig

from annotation.translation import gettext_lazy


class EvaluationConfig(AppConfig):
    name = "annotation.evaluation"
    label = "evaluation"
    verbose_name = gettext_lazy("Evaluation")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make jobs, guards and the overview's stages known to those who ask."""
        from annotation.evaluation import services, targets  # noqa: F401
        from annotation.evaluation.selectors import (  # noqa: F401
            example_part,
            next_steps,
            overview,
            search,
        )
