"""The sections of a report, one for each figure; all of their words follow from the numbers."""

from __future__ import annotations

from collections.abc import Callable

from scoring.metaeval.report.annotators import write_annotators
from scoring.metaeval.report.comparisons import write_clusters, write_comparisons
from scoring.metaeval.report.drawings import draw_report
from scoring.metaeval.report.on_metrics import (
    describe_kinds,
    describe_leaderboard,
    describe_scatter,
    describe_scatters,
)
from scoring.metaeval.report.on_pairs import describe_decisions, describe_heatmap, describe_pairs
from scoring.metaeval.report.on_systems import describe_stability, describe_top
from scoring.metaeval.report.on_tests import (
    describe_differences,
    describe_permutation,
    describe_summary_permutation,
    describe_williams,
)
from scoring.metaeval.report.section import Record, Section

SECTIONS: dict[str, Callable[[Record], Section]] = {
    "leaderboard": describe_leaderboard,
    "kinds": describe_kinds,
    "scatter": describe_scatter,
    "scatters": describe_scatters,
    "comparisons": write_comparisons,
    "clusters": write_clusters,
    "annotators": write_annotators,
    "pairs": describe_pairs,
    "heatmap": describe_heatmap,
    "decisions": describe_decisions,
    "permutation": describe_permutation,
    "summary_permutation": describe_summary_permutation,
    "williams": describe_williams,
    "differences": describe_differences,
    "top": describe_top,
    "stability": describe_stability,
}


def describe_sections(record: Record) -> list[Section]:
    """One for each figure that can be drawn, in their order."""
    return [{"figure": name} | SECTIONS[name](record) for name in draw_report(record)]
