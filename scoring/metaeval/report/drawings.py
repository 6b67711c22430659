"""The figures of a report, drawn from what it found: wide, narrow, and their data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.figures.axes import short
from scoring.figures.curves import Series, draw_curves
from scoring.figures.display import Cell, Figure, Table
from scoring.figures.grids import BEFORE, NOT, SURE, draw_heatmap, draw_matrix
from scoring.figures.intervals import Estimate, IntervalPanel, draw_intervals
from scoring.figures.scale import NARROW, WIDE
from scoring.figures.scatter import Point, ScatterPanel, draw_scatter, draw_small_scatters

Record = Mapping[str, Any]
LEVEL = 0.05
MOST_SMALL = 16
HUMAN = "people"
MEASURES = {"kendall": "Kendall’s τ", "spearman": "Spearman’s ρ", "pearson": "Pearson’s r"}


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure for a page, one for a telephone, and the numbers behind both."""

    wide: Figure
    narrow: Figure
    table: Table

    @property
    def name(self) -> str:
        return self.wide.name


def draw_report(record: Record) -> dict[str, Drawing]:
    """Every figure that the record has numbers for, by name, in the order of the report."""
    found = {name: draw(record) for name, draw in FIGURES.items()}
    return {name: drawing for name, drawing in found.items() if drawing is not None}


def draw_one(record: Record, name: str) -> Drawing | None:
    return FIGURES[name](record) if name in FIGURES else None


def _both(draw: Callable[..., Figure], *given: Any, table: Table, **options: Any) -> Drawing:
    wide, narrow = (draw(*given, width=width, **options) for width in (WIDE, NARROW))
    return Drawing(wide, narrow, table)


def _table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Table:
    return Table(tuple(columns), tuple(tuple(row) for row in rows))


def _leaderboard(record: Record) -> Drawing | None:
    rows = record["leaderboard"]
    panels = [
        IntervalPanel(f"Kendall’s τ, {level} level", tuple(_three(row[level]["kendall"]) for row in rows))
        for level in ("system", "summary")
    ]
    data = [
        (row["metric"], level, measure, *_three(row[level][measure]))
        for row in rows
        for level in ("system", "summary")
        for measure in MEASURES
    ]
    return _both(
        draw_intervals,
        [row["metric"] for row in rows],
        panels,
        name="leaderboard",
        title=f"Correlation of {len(rows)} metrics with people, the best on top",
        table=_table(("metric", "level", "measure", "value", "low", "high"), data),
    )


def _three(values: Sequence[float | None]) -> Estimate:
    value, low, high = values
    return value, low, high


def _kinds(record: Record) -> Drawing | None:
    """Each kind of system on its own, beside all of them."""
    groups = record["kinds"]
    if len(groups) < 2:
        return None
    metrics = record["metrics"]
    panels = [
        IntervalPanel(
            f"{group['words']} ({group['systems']})",
            tuple(_three(group["kendall"][metric]) for metric in metrics),
        )
        for group in groups
    ]
    data = [
        (metric, group["kind"], group["systems"], *_three(group["kendall"][metric]))
        for group in groups
        for metric in metrics
    ]
    return _both(
        draw_intervals,
        metrics,
        panels,
        name="kinds",
        title="Kendall’s τ at the system level by kind of system",
        table=_table(("metric", "kind", "systems", "tau", "low", "high"), data),
    )


def _scatter(record: Record) -> Drawing | None:
    metric = record["lead"]
    points = _points(record, metric) if metric else ()
    if len(points) < 2:
        return None
    return _both(
        draw_scatter,
        points,
        name="scatter",
        title=f"Each system’s mean by {metric} and by people",
        across=metric,
        up=f"people, {record['human']}",
        table=_table(
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


def _scatters(record: Record) -> Drawing | None:
    metrics = record["metrics"]
    if len(metrics) < 2 or len(record["systems"]) < 3:
        return None
    rows = {row["metric"]: row["system"] for row in record["leaderboard"]}
    panels = [
        ScatterPanel(
            metric,
            f"τ {short(rows[metric]['kendall'][0])}  r {short(rows[metric]['pearson'][0])}",
            _points(record, metric),
        )
        for metric in metrics[:MOST_SMALL]
    ]
    data = [
        (point.name, point.kind, metric, point.x, point.y)
        for metric in metrics
        for point in _points(record, metric)
    ]
    return _both(
        draw_small_scatters,
        panels,
        name="scatters",
        title=f"Systems’ means by people against each of {len(panels)} metrics",
        across="the metric’s mean",
        up="people’s mean",
        table=_table(("system", "kind", "metric", "metric_mean", "human_mean"), data),
    )


def _pairs(record: Record) -> Drawing | None:
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
    return _both(
        draw_curves,
        series,
        name="pairs",
        title="Kendall’s τ over pairs of systems whose scores lie closest",
        across="% of pairs, those with the closest scores first",
        up="Kendall’s τ over these pairs",
        x_ticks=[share for share in shares if share % 20 == 0] or list(shares),
        table=_table(("metric", "percent_of_pairs", *PAIR_COLUMNS), data),
    )


PAIR_COLUMNS = ("values", "low", "high", "gap", "pairs", "right", "wrong")


def _heatmap(record: Record) -> Drawing | None:
    metric, maps = record["lead"], record["heatmap"]
    if not metric or metric not in maps["rows"]:
        return None
    ends = [f"{share:g} %" for share in maps["shares"]]
    starts = ["0 %", *ends[:-1]]
    data = [
        (name, maps["shares"][at - 1] if at else 0, share, row[place])
        for name, rows in maps["rows"].items()
        for at, row in enumerate(rows)
        for place, share in enumerate(maps["shares"])
        if place >= at
    ]
    return _both(
        draw_heatmap,
        maps["rows"][metric],
        starts,
        ends,
        name="heatmap",
        title=f"Kendall’s τ of {metric} over pairs between two distances",
        across="up to this share of pairs",
        up="from this share on",
        table=_table(("metric", "from_percent", "to_percent", "tau"), data),
    )


def _decisions(record: Record) -> Drawing | None:
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
    return _both(
        draw_intervals,
        metrics,
        panels,
        name="decisions",
        title="Weighted macro F1 of each metric’s verdicts on pairs of systems",
        table=_table(("metric", "kind", "systems", "weighted_macro_f1"), data),
    )


def _top(record: Record) -> Drawing | None:
    group = record["kinds"][0] if record["kinds"] else None
    if group is None or not group["top"]["k"]:
        return None
    ks = group["top"]["k"]
    series = [
        Series(metric, tuple(ks), tuple(group["top"]["rows"][metric]))
        for metric in record["metrics"]
    ]
    data = [
        (metric, each["kind"], k, each["top"]["rows"][metric][at])
        for each in record["kinds"]
        for metric in record["metrics"]
        for at, k in enumerate(each["top"]["k"])
    ]
    return _both(
        draw_curves,
        series,
        name="top",
        title="Pearson’s r among the k systems that people rank highest",
        across="k systems that people rank highest",
        up="Pearson’s r, system level",
        table=_table(("metric", "kind", "k", "pearson"), data),
    )


def _stability(record: Record) -> Drawing | None:
    rows = record["stability"]["rows"]
    if not rows:
        return None
    # People first, so that their curve is the one that stands out.
    order = [HUMAN, *(name for name in record["metrics"] if name in rows)]
    series = [
        Series(
            name,
            tuple(rows[name]["inputs"]),
            tuple(rows[name]["mean"]),
            *(
                tuple(_moved(mean, sign * sd) for mean, sd in zip(rows[name]["mean"], rows[name]["sd"], strict=True))
                for sign in (-1, 1)
            ),
        )
        for name in order
        if name in rows
    ]
    data = [
        (name, size, rows[name]["mean"][at], rows[name]["sd"][at])
        for name in order
        if name in rows
        for at, size in enumerate(rows[name]["inputs"])
    ]
    return _both(
        draw_curves,
        series,
        name="stability",
        title="How alike two rankings of the systems are that stand on different documents",
        across="documents",
        up="Kendall’s τ between two rankings",
        banded=2,
        table=_table(("scores", "documents", "mean_tau", "sd"), data),
    )


def _moved(mean: float | None, by: float | None) -> float | None:
    return None if mean is None or by is None else max(min(mean + by, 1.0), -1.0)


def _significance(record: Record) -> Drawing | None:
    """A square where the row's metric goes with people better than the column's."""
    group = record["kinds"][0] if record["kinds"] else None
    if group is None or not group["tests"]["p"]:
        return None
    metrics, tests = record["metrics"], group["tests"]
    states = [
        [_state(tests["p"][at][place], tests["holm"][at][place]) for place in range(len(metrics))]
        for at in range(len(metrics))
    ]
    data = [
        (each["kind"], first, second, *(each["tests"][name][at][place] for name in P_COLUMNS))
        for each in record["kinds"]
        if each["tests"]["p"]
        for at, first in enumerate(metrics)
        for place, second in enumerate(metrics)
        if at != place
    ]
    return _both(
        draw_matrix,
        metrics,
        states,
        name="significance",
        title="Which metric goes with people better than which, by Williams’ test",
        table=_table(("kind", "metric", "better_than", *P_COLUMNS), data),
    )


P_COLUMNS = ("p", "holm", "benjamini_hochberg")


def _state(p: float | None, corrected: float | None) -> str:
    if p is None or p > LEVEL:
        return NOT
    return SURE if corrected is not None and corrected <= LEVEL else BEFORE


FIGURES: dict[str, Callable[[Record], Drawing | None]] = {
    "leaderboard": _leaderboard,
    "kinds": _kinds,
    "scatter": _scatter,
    "scatters": _scatters,
    "pairs": _pairs,
    "heatmap": _heatmap,
    "decisions": _decisions,
    "significance": _significance,
    "top": _top,
    "stability": _stability,
}
