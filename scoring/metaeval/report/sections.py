"""The sections of a report, one for each figure; all of their words follow from the numbers."""

from __future__ import annotations

from collections.abc import Callable

from scoring.metaeval.report.comparisons import tell_clusters, tell_comparisons
from scoring.metaeval.report.drawings import draw_report
from scoring.metaeval.report.on_metrics import (
    tell_kinds,
    tell_leaderboard,
    tell_scatter,
    tell_scatters,
)
from scoring.metaeval.report.on_pairs import tell_decisions, tell_heatmap, tell_pairs
from scoring.metaeval.report.on_systems import tell_stability, tell_top
from scoring.metaeval.report.on_tests import tell_permutation, tell_williams
from scoring.metaeval.report.section import Record, Section

SECTIONS: dict[str, Callable[[Record], Section]] = {
    "leaderboard": tell_leaderboard,
    "kinds": tell_kinds,
    "scatter": tell_scatter,
    "scatters": tell_scatters,
    "comparisons": tell_comparisons,
    "clusters": tell_clusters,
    "pairs": tell_pairs,
    "heatmap": tell_heatmap,
    "decisions": tell_decisions,
    "permutation": tell_permutation,
    "williams": tell_williams,
    "top": tell_top,
    "stability": tell_stability,
}


def tell_sections(record: Record) -> list[Section]:
    """One for each figure that can be drawn, in their order."""
    return [{"figure": name} | SECTIONS[name](record) for name in draw_report(record)]
