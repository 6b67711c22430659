"""Evaluation: labels, gold datasets and scores."""

from importlib import import_module

from django.apps import AppConfig

from annotation.translation import gettext_lazy

# What makes itself known when it is loaded: jobs, sweeps, guards, stages of the overview.
LOADED = (
    "estimates.service",
    "gold.restoring",
    "gold.service",
    "judges.service",
    "labels.files",
    "labels.score_jobs",
    "labels.service",
    "labels.settling",
    "metrics.files",
    "metrics.names",
    "metrics.service",
    "overview.demo",
    "overview.guards",
    "overview.next_steps",
    "overview.search",
    "overview.stages",
    "planning.curves",
    "planning.service",
    "planning.taken",
    "power.service",
    "reports.service",
    "robustness.service",
    "runs.compare",
    "runs.judging",
    "runs.probing",
    "runs.service",
    "runs.text_scores",
    "samples.service",
    "targets",
)


class EvaluationConfig(AppConfig):
    name = "annotation.evaluation"
    label = "evaluation"
    verbose_name = gettext_lazy("Evaluation")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make jobs, guards and the overview's stages known to those who ask."""
        for name in LOADED:
            import_module(f"{self.name}.{name}")
