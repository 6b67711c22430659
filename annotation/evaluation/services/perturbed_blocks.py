"""Some examples of a robustness study: their texts in other words, scored and summed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.evaluation.models import ExampleDrops, RobustnessStudy, StoredScore
from annotation.evaluation.selectors.robustness import list_example_drops, pack_sums
from annotation.evaluation.services.score_blocks import (
    MetricTexts,
    Place,
    fit_texts,
    read_texts,
    score_once,
)
from scoring.backends.wordnet import load_wordnet
from scoring.io.texts import SummaryTexts
from scoring.metrics import Metric
from scoring.metrics.perturbations import SYNONYMS, perturb
from scoring.metrics.protocol import DOCUMENTS, REFERENCES
from scoring.metrics.robustness import sum_pairs

Floats = NDArray[np.float64]
Cells = dict[Place, MetricTexts]


@dataclass(slots=True)
class Summed:
    """What is to be stored, and how many scores of summaries were known before."""

    fresh: list[StoredScore]
    known: int


def sum_block(
    study: RobustnessStudy, metrics: Sequence[Metric], rows: Sequence[ExampleDrops]
) -> Summed:
    """Give every row its sums: texts as they are, and at each share, by every metric."""
    examples = [row.example_id for row in rows]
    cells = read_texts(study.systems, examples, (REFERENCES, DOCUMENTS))
    versions = [cells, *(perturb_cells(study, cells, share) for share in study.shares)]
    summed = Summed([], 0)
    tables = [_score(metrics, version, summed) for version in versions]
    for row in rows:
        own = [place for place in cells if place[0] == row.example_id]
        before, *after = (_stack(table, own, len(study.columns)) for table in tables)
        row.sums = pack_sums(np.stack([sum_pairs(before, one) for one in after]))
    return summed


def perturb_cells(study: RobustnessStudy, cells: Cells, share: float) -> Cells:
    """The same summaries and documents, with that share of them changed."""
    texts = SummaryTexts(
        documents=tuple(str(example) for example, _ in cells),
        systems=tuple(system for _, system in cells),
        summaries=tuple(row.summary for row in cells.values()),
        references=tuple(row.references for row in cells.values()),
        sources=tuple(row.documents for row in cells.values()),
    )
    synonyms = load_wordnet().list_synonyms if study.perturbation == SYNONYMS else None
    found = perturb(texts, study.perturbation, share=share, seed=study.seed, synonyms=synonyms)
    rows = zip(cells.items(), found.summaries, found.sources, strict=True)
    return {
        place: replace(row, summary=summary, documents=sources)
        for (place, row), summary, sources in rows
    }


def _score(metrics: Sequence[Metric], cells: Cells, summed: Summed) -> dict[Place, Floats]:
    """Every metric's numbers of a summary, one after the other; nan where one has none."""
    parts: list[tuple[int, dict[Place, Floats]]] = []
    for metric in metrics:
        answered = score_once(metric, fit_texts(metric, cells))
        summed.fresh += answered.fresh
        summed.known += answered.known
        parts.append((len(metric.columns), answered.values))
    return {
        place: np.concatenate([own.get(place, np.full(width, np.nan)) for width, own in parts])
        for place in cells
    }


def _stack(table: dict[Place, Floats], places: Sequence[Place], width: int) -> Floats:
    return np.array([table[place] for place in places]).reshape(len(places), width)


def list_changed(study: RobustnessStudy, most: int) -> list[dict[str, Any]]:
    """A few summaries before and after, of as many examples: what replacing words does to them."""
    rows = list_example_drops(study)[:most]
    keys = dict(rows.values_list("example_id", "example__key"))
    cells = read_texts(study.systems, list(keys), (DOCUMENTS,))
    found: dict[int, dict[str, Any]] = {}
    for share in reversed(study.shares):
        for (example, system), row in perturb_cells(study, cells, share).items():
            before = cells[example, system].summary
            if example not in found and row.summary != before:
                found[example] = {
                    "example": keys[example],
                    "system": system,
                    "share": share,
                    "before": before,
                    "after": row.summary,
                }
    return [found[example] for example in keys if example in found]
