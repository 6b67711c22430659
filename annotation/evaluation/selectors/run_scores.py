"""Scores of a run: by system and by summary, with their doubt."""

from __future__ import annotations

import numpy as np

from annotation.evaluation.models import JudgeRun, SummaryPresence
from scoring.pyramid import ScoreTable

READ_CHUNK = 2000


def get_run_table(run: JudgeRun) -> ScoreTable:
    """A score for each system and example; nan where the system wrote no summary."""
    rows = SummaryPresence.objects.filter(run=run).order_by(
        "summary__example__position", "summary__example_id", "summary__system__name"
    )
    fields = ("summary__example__key", "summary__system__name", "score")
    cells = list(rows.values_list(*fields).iterator(READ_CHUNK))
    documents = list(dict.fromkeys(example for example, _, _ in cells))
    systems = sorted({system for _, system, _ in cells})
    columns = {name: code for code, name in enumerate(documents)}
    places = {name: code for code, name in enumerate(systems)}
    scores = np.full((len(systems), len(documents)), np.nan)
    for example, system, score in cells:
        scores[places[system], columns[example]] = score
    return ScoreTable(tuple(systems), tuple(documents), scores, run.signature)
