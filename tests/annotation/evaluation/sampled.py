"""Samples for tests, made through the services that the product uses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.samples import service as samples_service
from annotation.evaluation.samples.models import Sample
from tests import factories
from tests.annotation.evaluation.scored import bring_whole, write_csv


def import_many(project: Project, folder: Path, count: int = 12) -> None:
    """Twelve examples of two systems."""
    factories.import_examples(project, folder, count)


def score_many(project: Project, folder: Path, *, lacking: str = "") -> ScoreSet:
    """By `r1`, `r2` and `ter` later examples are easier; by `ter` less is better."""
    keys = list(project.examples.order_by("position").values_list("key", flat=True))
    rows: list[tuple[str, str, str, object]] = [
        (key, system, metric, (place + shift) / 100 if metric != "ter" else 1 - place / 100)
        for place, key in enumerate(keys)
        for shift, system in enumerate(("lead", "soup"))
        for metric in ("r1", "r2", "ter")
        if (key, system) != (lacking, "soup")
    ]
    return bring_whole(project, write_csv(folder / "scores.csv", rows), lower=["ter"])


def draw(scores: ScoreSet, *columns: str, user: User | None = None, **said: Any) -> Sample:
    said = {"bins": 2, "per_bin": 1, **said}
    sources = [f"scores:{scores.pk}:{column}" for column in columns or scores.columns[:1]]
    return samples_service.sample_examples(
        project=scores.project, user=user, sources=sources, **said
    )
