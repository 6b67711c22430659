"""Words under the figures on pairs of systems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.figures.axes import short
from scoring.metaeval.report.abstract import CLOSE, find_close, find_gap
from scoring.metaeval.report.saying import gap, percent, told
from scoring.metaeval.report.section import Record, Section, make_section, say_resampling


def tell_pairs(record: Record) -> Section:
    lead = record["lead"]
    return make_section(
        "Pairs of systems that lie close",
        "Systems that one compares in earnest have scores that lie close. From right to left "
        "fewer and closer pairs are left, and τ is taken over these alone.",
        may=[_say_right(lead, find_close(record, lead))],
        may_not=[_say_whole(record, lead), _say_gap(lead, find_gap(record, lead))],
        how="r_sysΔ(0, u) of Deutsch et al. (2022, section 4): Kendall’s τ-b over the pairs whose "
        f"scores by the metric differ by at most u. {say_resampling(record)}",
    )


def _say_whole(record: Record, lead: str) -> str:
    rows = [row for row in record["pairs"]["rows"] if row["metric"] == lead]
    whole = rows[0]["values"][-1] if rows else None
    return "" if whole is None else f"That τ over all pairs, {short(whole)}, holds for close ones."


def _say_right(lead: str, found: Mapping[str, Any] | None) -> str:
    if found is None or not found["right"] + found["wrong"]:
        return ""
    total = found["right"] + found["wrong"]
    return (
        f"Among the {CLOSE} % of pairs that lie closest (a gap up to {gap(found['gap'])}), {lead} "
        f"orders {found['right']} of {total} as people do, {percent(found['right'] / total)}: τ "
        f"{told((found['values'], found['low'], found['high']))}."
    )


def _say_gap(lead: str, limit: float | None) -> str:
    if not limit:
        return ""
    if limit == float("inf"):
        return f"Anything from a gap by {lead}: at none is it told from a coin."
    return f"Which of two systems is better if {lead} differs by less than {gap(limit)}."


def tell_heatmap(record: Record) -> Section:
    metric = record["lead"]
    return make_section(
        f"{metric}: at which distances it can be trusted",
        "Pairs of systems are sorted by how far their scores lie apart. A cell is τ over the pairs "
        "between two shares: top left are the closest tenth, bottom right the farthest. The fuller "
        "the colour, the better; below 0 it changes.",
        may=[_say_far(record, metric)],
        may_not=["That a single cell is known well: it stands on few pairs, which share systems."],
        how="r_sysΔ(l, u) of Deutsch et al. (2022, section 4), with l and u at tenths of the "
        "pairs. The table holds every metric.",
    )


def _say_far(record: Record, metric: str) -> str:
    rows = record["heatmap"]["rows"][metric]
    near, far = rows[0][0], rows[-1][-1]
    if near is None or far is None:
        return ""
    return f"Over the closest tenth of pairs τ is {short(near)}, over the farthest {short(far)}."


def tell_decisions(record: Record) -> Section:
    options = record["options"]
    return make_section(
        "Verdicts on pairs of systems",
        "For each pair of systems, people’s scores and the metric’s each say which is better, or "
        "that it can’t be told. The figure is how well the verdicts agree; 1 is perfect.",
        may=[_say_best(record)],
        may_not=[
            "That a metric’s verdict stands for people’s where the figure is well below 1.",
            "That metrics differ which have nearly the same figure: it has no interval.",
        ],
        how=f"Paired bootstrap over the judged examples, {options['resamples']:,} resamples, seed "
        f"{options['seed']}: a system is better if it is so in 95 % of them. Weighted macro F1 of "
        "the three verdicts (Bhandari et al. 2020, section 4.3).",
    )


def _say_best(record: Record) -> str:
    group = next(each for each in record["kinds"] if each["f1"])
    known = {name: value for name, value in group["f1"].items() if value is not None}
    if not known:
        return ""
    best = max(known, key=lambda name: known[name])
    return f"{best} agrees best with people’s verdicts: F1 {short(known[best])}."
