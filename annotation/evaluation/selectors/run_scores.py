"""Scores of a run: by system and by summary, with their doubt."""

from __future__ import annotations

import numpy as np
from django.db.models import QuerySet

from annotation.corpora.models import System
from annotation.evaluation.models import JudgeRun, SummaryPresence
from annotation.evaluation.selectors.scores import KEPT_SECONDS, ScoreRow, rank_systems
from annotation.evaluation.selectors.stored import Stored
from scoring.pyramid import ScoreTable

READ_CHUNK = 2000
ROWS = Stored("run-scores", list[ScoreRow], KEPT_SECONDS)


def list_presences(run: JudgeRun) -> QuerySet[SummaryPresence]:
    """Summaries in the order of the corpus, then by system."""
    return SummaryPresence.objects.filter(run=run).order_by(
        "summary__example__position", "summary__example_id", "summary__system__name"
    )


def get_run_table(run: JudgeRun) -> ScoreTable:
    """A score for each system and example; nan where the system wrote no summary."""
    fields = ("summary__example__key", "summary__system__name", "score")
    cells = list(list_presences(run).values_list(*fields).iterator(READ_CHUNK))
    documents = list(dict.fromkeys(example for example, _, _ in cells))
    systems = sorted({system for _, system, _ in cells})
    columns = {name: code for code, name in enumerate(documents)}
    places = {name: code for code, name in enumerate(systems)}
    scores = np.full((len(systems), len(documents)), np.nan)
    for example, system, score in cells:
        scores[places[system], columns[example]] = score
    return ScoreTable(tuple(systems), tuple(documents), scores, run.signature)


def list_run_scores(run: JudgeRun) -> list[ScoreRow]:
    """Systems from best to worst, with intervals from resampling examples; reckoned once."""
    return ROWS.get((run.pk, run.content_hash), lambda: _rank(run))


def keep_run_scores(run: JudgeRun) -> list[ScoreRow]:
    """In the run's job: what its pages show is there when it is ready."""
    return ROWS.keep((run.pk, run.content_hash), lambda: _rank(run))


def _rank(run: JudgeRun) -> list[ScoreRow]:
    kinds = System.objects.filter(project=run.project).values_list("name", "kind")
    return rank_systems(get_run_table(run), dict(kinds), seed=0)
