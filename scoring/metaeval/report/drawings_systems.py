"""Drawings of the best systems, and of rankings as documents grow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.figures.curves import Series, draw_curves
from scoring.metaeval.report.drawing import HUMAN, Drawing, Record, draw_both, make_table
from scoring.translation import gettext as _


def draw_top(record: Record) -> Drawing | None:
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
    return draw_both(
        draw_curves,
        series,
        name="top",
        title=_("Pearson’s r among the k systems that people rank highest"),
        across=_("k systems that people rank highest"),
        up=_("Pearson’s r, system level"),
        table=make_table(("metric", "kind", "k", "pearson"), data),
    )


def draw_stability(record: Record) -> Drawing | None:
    """People first, so that their curve is the one that stands out."""
    stability = record["stability"]
    if not stability["people"]:
        return None
    rows = [(HUMAN, stability["people"])]
    rows += [(metric, stability["rows"][metric]) for metric in record["metrics"]]
    data = [
        (name, size, row["mean"][at], row["sd"][at])
        for name, row in rows
        for at, size in enumerate(row["inputs"])
    ]
    return draw_both(
        draw_curves,
        [_stable(name, row) for name, row in rows],
        name="stability",
        title=_("Agreement between two rankings of the systems on different examples"),
        across="examples",
        up=_("Kendall’s τ between two rankings"),
        banded=2,
        table=make_table(("scores", "documents", "mean_tau", "sd"), data),
    )


def _stable(name: str, row: Mapping[str, Any]) -> Series:
    low, high = (
        tuple(_moved(mean, sd, sign) for mean, sd in zip(row["mean"], row["sd"], strict=True))
        for sign in (-1, 1)
    )
    return Series(name, tuple(row["inputs"]), tuple(row["mean"]), low, high)


def _moved(mean: float | None, sd: float | None, sign: int) -> float | None:
    return None if mean is None or sd is None else max(min(mean + sign * sd, 1.0), -1.0)
