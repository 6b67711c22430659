"""The figures of a report, drawn from what it found, in the order in which they stand."""

from __future__ import annotations

from collections.abc import Callable

from scoring.metaeval.report.annotators import draw_annotators
from scoring.metaeval.report.comparisons import draw_clusters, draw_comparisons
from scoring.metaeval.report.drawing import Drawing, Record
from scoring.metaeval.report.drawings_metrics import (
    draw_kinds,
    draw_leaderboard,
    draw_scatter,
    draw_scatters,
)
from scoring.metaeval.report.drawings_pairs import (
    draw_decisions,
    draw_heatmap,
    draw_pairs,
)
from scoring.metaeval.report.drawings_systems import draw_stability, draw_top
from scoring.metaeval.report.drawings_tests import (
    draw_differences,
    draw_permutation,
    draw_summary_permutation,
    draw_williams,
)

FIGURES: dict[str, Callable[[Record], Drawing | None]] = {
    "leaderboard": draw_leaderboard,
    "kinds": draw_kinds,
    "scatter": draw_scatter,
    "scatters": draw_scatters,
    "comparisons": draw_comparisons,
    "clusters": draw_clusters,
    "annotators": draw_annotators,
    "pairs": draw_pairs,
    "heatmap": draw_heatmap,
    "decisions": draw_decisions,
    "permutation": draw_permutation,
    "summary_permutation": draw_summary_permutation,
    "williams": draw_williams,
    "differences": draw_differences,
    "top": draw_top,
    "stability": draw_stability,
}


def draw_report(record: Record) -> dict[str, Drawing]:
    """Every figure that the record has numbers for, by name."""
    found = {name: draw(record) for name, draw in FIGURES.items()}
    return {name: drawing for name, drawing in found.items() if drawing is not None}


def draw_one(record: Record, name: str) -> Drawing | None:
    return FIGURES[name](record) if name in FIGURES else None
