"""Drawings of pairs of systems: close ones, distances, verdicts."""

from __future__ import annotations

from scoring.figures.curves import Series, draw_curves
from scoring.figures.grids import draw_heatmap as draw_cells
from scoring.figures.intervals import IntervalPanel, draw_intervals
from scoring.metaeval.report.drawing import Drawing, Record, draw_both, make_table
from scoring.translation import gettext as _


def draw_pairs(record: Record) -> Drawing | None:
    """How well closest pairs are ordered, by the share of pairs that count as close."""
    pairs = record["pairs"]
    if not pairs["rows"]:
        return None
    shares = tuple(pairs["shares"])
    series = [
        Series(row["metric"], shares, tuple(row["values"]), tuple(row["low"]), tuple(row["high"]))
        for row in pairs["rows"]
    ]
    data = [
        (row["metric"], share, *(row[name][at] for name in PAIR_COLUMNS))
        for row in pairs["rows"]
        for at, share in enumerate(shares)
    ]
    return draw_both(
        draw_curves,
        series,
        name="pairs",
        title=_("Kendall’s τ over the pairs of systems with the closest scores"),
        across=_("% of pairs, closest scores first"),
        up=_("Kendall’s τ over these pairs"),
        x_ticks=[share for share in shares if share % 20 == 0] or list(shares),
        table=make_table(("metric", "percent_of_pairs", *PAIR_COLUMNS), data),
    )


PAIR_COLUMNS = ("values", "low", "high", "gap", "pairs", "right", "wrong")


def draw_heatmap(record: Record) -> Drawing | None:
    metric, maps = record["lead"], record["heatmap"]
    if not metric or metric not in maps["rows"]:
        return None
    ends = [f"{share:g} %" for share in maps["shares"]]
    starts = ["0 %", *ends[:-1]]
    data = [
        (name, maps["shares"][at - 1] if at else 0, share, row[place])
        for name in record["metrics"]
        for at, row in enumerate(maps["rows"][name])
        for place, share in enumerate(maps["shares"])
        if place >= at
    ]
    return draw_both(
        draw_cells,
        maps["rows"][metric],
        starts,
        ends,
        name="heatmap",
        title=_("Kendall’s τ of {metric} over pairs between two distances").format(metric=metric),
        across=_("up to this share of pairs"),
        up=_("from this share on"),
        table=make_table(("metric", "from_percent", "to_percent", "tau"), data),
    )


def draw_decisions(record: Record) -> Drawing | None:
    """Agreement with people on which of two systems is better, by kind."""
    groups = [group for group in record["kinds"] if group["f1"]]
    if not groups:
        return None
    metrics = record["metrics"]
    panels = [
        IntervalPanel(
            f"{group['words']} ({group['systems']})",
            tuple((group["f1"].get(metric), None, None) for metric in metrics),
        )
        for group in groups
    ]
    data = [
        (metric, group["kind"], group["systems"], group["f1"].get(metric))
        for group in groups
        for metric in metrics
    ]
    return draw_both(
        draw_intervals,
        metrics,
        panels,
        name="decisions",
        title=_("Weighted macro F1 of each metric’s verdicts on pairs of systems"),
        table=make_table(("metric", "kind", "systems", "weighted_macro_f1"), data),
    )
