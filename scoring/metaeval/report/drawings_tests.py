"""Drawings of metrics compared with each other: tests as a matrix, differences with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.figures.grids import BEFORE, NOT, OPEN, SURE, draw_matrix
from scoring.figures.intervals import Estimate, IntervalPanel, draw_intervals
from scoring.metaeval.report.drawing import LEVEL, Drawing, Record, draw_both, make_table
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy

TESTS = {
    "permutation": gettext_lazy(
        "Significant differences of Kendall’s τ, system level, by permutation"
    ),
    "summary_permutation": gettext_lazy(
        "Significant differences of Kendall’s τ, summary level, by permutation"
    ),
    "williams": gettext_lazy(
        "Significant differences of Pearson’s r, system level, by Williams’ test"
    ),
}
LEVELS = ("system", "summary")
BOUNDS = ("value", "low", "high", "bca_low", "bca_high", "bca_note")


def draw_permutation(record: Record) -> Drawing | None:
    return _draw_tests(record, "permutation")


def draw_summary_permutation(record: Record) -> Drawing | None:
    return _draw_tests(record, "summary_permutation")


def draw_williams(record: Record) -> Drawing | None:
    return _draw_tests(record, "williams")


def _draw_tests(record: Record, test: str) -> Drawing | None:
    """A square where the row's metric correlates higher than the column's."""
    groups = [each for each in record["kinds"] if each.get(test)]
    if not groups or groups[0] is not record["kinds"][0]:
        return None
    metrics, table = record["metrics"], groups[0][test]
    places = range(len(metrics))
    columns = tuple(name for name in COLUMNS if name in table)
    data = [
        (each["kind"], metrics[at], metrics[to], *(each[test][name][at][to] for name in columns))
        for each in groups
        for at in places
        for to in places
        if each[test]["p"][at][to] is not None
    ]
    return draw_both(
        draw_matrix,
        metrics,
        [[_state(table, at, to) for to in places] for at in places],
        name=test,
        title=TESTS[test],
        table=make_table(("kind", "metric", "above", *columns), data),
    )


# As far as a report has them: earlier ones have the p values only.
COLUMNS = (
    *("p", "p_low", "p_high", "swaps", "holm", "benjamini_hochberg", "unsettled", "cohens_q"),
)


def _state(table: Mapping[str, Any], at: int, to: int) -> str:
    p, corrected = table["p"][at][to], table["holm"][at][to]
    unsettled = ((table["unsettled"][at][to] or "") if "unsettled" in table else "").split()
    if "holm" in unsettled or "p" in unsettled:
        return OPEN
    if p is None or p > LEVEL:
        return NOT
    return SURE if corrected is not None and corrected <= LEVEL else BEFORE


def draw_differences(record: Record) -> Drawing | None:
    """The first metric's τ minus each other's, at both levels; the data hold every pair."""
    group = record["kinds"][0] if record["kinds"] else {}
    if not group.get("differences") or not group["differences"]["system"]:
        return None
    rows = {level: list_differences(record, level) for level in LEVELS}
    names = [name for name in record["metrics"] if name in rows["system"]]
    if not names:
        return None
    panels = [
        IntervalPanel(
            _("Difference of τ, {level} level").format(level=level),
            tuple(rows[level][name] for name in names),
        )
        for level in LEVELS
    ]
    data = [
        (each["kind"], level, row["first"], row["second"], *(row[name] for name in BOUNDS))
        for each in record["kinds"]
        for level in LEVELS
        for row in each["differences"][level]
    ]
    return draw_both(
        draw_intervals,
        names,
        panels,
        name="differences",
        title=_("Kendall’s τ of {lead} minus that of each other metric").format(
            lead=record["lead"]
        ),
        table=make_table(("kind", "level", "first", "second", *BOUNDS), data),
    )


def list_differences(record: Record, level: str) -> dict[str, Estimate]:
    """By other metric: how much higher the first one correlates."""
    lead = record["lead"]
    found: dict[str, Estimate] = {}
    for row in record["kinds"][0]["differences"][level]:
        value, low, high = row["value"], row["low"], row["high"]
        if row["first"] == lead:
            found[row["second"]] = (value, low, high)
        elif row["second"] == lead:
            found[row["first"]] = (_minus(value), _minus(high), _minus(low))
    return found


def _minus(value: float | None) -> float | None:
    return None if value is None else -value
