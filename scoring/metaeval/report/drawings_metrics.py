"""Drawings that compare metrics with human scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.figures.axes import short
from scoring.figures.intervals import IntervalPanel, draw_intervals
from scoring.figures.scatter import Point, ScatterPanel, draw_small_scatters
from scoring.figures.scatter import draw_scatter as draw_points
from scoring.metaeval.report.drawing import Drawing, Record, draw_both, make_table, three
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy

MOST_SMALL = 16
COLUMNS = ("metric", "level", "measure", "value", "low", "high")
MEASURES = {
    "kendall": gettext_lazy("Kendall’s τ"),
    "spearman": gettext_lazy("Spearman’s ρ"),
    "pearson": gettext_lazy("Pearson’s r"),
}


def draw_leaderboard(record: Record) -> Drawing | None:
    rows = record["leaderboard"]
    panels = [
        IntervalPanel(
            _("Kendall’s τ, {level} level").format(level=level),
            tuple(three(row[level]["kendall"]) for row in rows),
        )
        for level in ("system", "summary")
    ]
    data = [
        (
            row["metric"],
            level,
            measure,
            *three(row[level][measure]),
            *_corrected(row, level, measure),
        )
        for row in rows
        for level in ("system", "summary")
        for measure in MEASURES
    ]
    return draw_both(
        draw_intervals,
        [row["metric"] for row in rows],
        panels,
        name="leaderboard",
        title=_("Correlation of {rows} metrics with human scores, highest first").format(
            rows=len(rows)
        ),
        table=make_table((*COLUMNS, "bca_low", "bca_high", "bca_note"), data),
    )


def _corrected(row: Mapping[str, Any], level: str, measure: str) -> Sequence[Any]:
    """Bounds with bias correction and why there are none; earlier reports have none."""
    found: Sequence[Any] = row.get("bca", {}).get(level, {}).get(measure, (None, None, ""))
    return found


def draw_kinds(record: Record) -> Drawing | None:
    """Each kind of system on its own, next to all of them."""
    groups = record["kinds"]
    if len(groups) < 2:
        return None
    metrics = record["metrics"]
    panels = [
        IntervalPanel(
            f"{group['words']} ({group['systems']})",
            tuple(three(group["kendall"][metric]) for metric in metrics),
        )
        for group in groups
    ]
    data = [
        (metric, group["kind"], group["systems"], *three(group["kendall"][metric]))
        for group in groups
        for metric in metrics
    ]
    return draw_both(
        draw_intervals,
        metrics,
        panels,
        name="kinds",
        title=_("Kendall’s τ at the system level by kind of system"),
        table=make_table(("metric", "kind", "systems", "tau", "low", "high"), data),
    )


def draw_scatter(record: Record) -> Drawing | None:
    metric = record["lead"]
    points = _points(record, metric) if metric else ()
    if len(points) < 2:
        return None
    return draw_both(
        draw_points,
        points,
        name="scatter",
        title=_("Each system’s mean by {metric} and human score").format(metric=metric),
        across=metric,
        up=_("human score, {human}").format(human=record["human"]),
        table=make_table(
            ("system", "kind", metric, record["human"]),
            [(point.name, point.kind, point.x, point.y) for point in points],
        ),
    )


def _points(record: Record, metric: str) -> tuple[Point, ...]:
    rows = zip(record["systems"], record["means"][metric], record["people"], strict=True)
    return tuple(
        Point(system["name"], x, y, system["kind"])
        for system, x, y in rows
        if x is not None and y is not None
    )


def draw_scatters(record: Record) -> Drawing | None:
    metrics = record["metrics"]
    if len(metrics) < 2 or len(record["systems"]) < 3:
        return None
    rows = {row["metric"]: row["system"] for row in record["leaderboard"]}
    panels = [
        ScatterPanel(
            metric,
            f"τ {short(rows[metric]['kendall'][0])} · r {short(rows[metric]['pearson'][0])}",
            _points(record, metric),
        )
        for metric in metrics[:MOST_SMALL]
    ]
    data = [
        (point.name, point.kind, metric, point.x, point.y)
        for metric in metrics
        for point in _points(record, metric)
    ]
    return draw_both(
        draw_small_scatters,
        panels,
        name="scatters",
        title=_("Systems’ mean human scores and each of {panels} metrics").format(
            panels=len(panels)
        ),
        across=_("mean of the metric"),
        up=_("mean human score"),
        table=make_table(("system", "kind", "metric", "metric_mean", "human_mean"), data),
    )
