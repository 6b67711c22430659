"""Words under the figures that hold metrics against people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.metaeval.report.abstract import FEW_SYSTEMS, find_leader, say_missing
from scoring.metaeval.report.saying import counted, includes_nought, listed, told
from scoring.metaeval.report.section import (
    Record,
    Section,
    make_section,
    say_means,
    say_resampling,
)


def tell_leaderboard(record: Record) -> Section:
    return make_section(
        "How far each metric goes with people",
        "Each dot is a correlation with people’s scores, the line its interval. At the system "
        "level systems’ means are correlated; at the summary level the summaries of each example "
        "are, and the mean over examples is shown.",
        may=[_say_sure(record), _say_summary_level(record)],
        may_not=[_say_doubtful(record), BOTH_LEVELS, _say_unlike(record), _say_few(record)],
        how=" ".join(
            [
                "Kendall’s τ-b; Pearson’s r and Spearman’s ρ are in the table.",
                say_means(record),
                say_resampling(record),
                *[each for each in _say_exceptions(record) if each],
            ]
        ),
    )


BOTH_LEVELS = (
    "That a metric which ranks systems well also tells single summaries apart: for that, read the "
    "summary level."
)


def _say_sure(record: Record) -> str:
    rows = [(row["metric"], row["system"]["kendall"][1]) for row in record["leaderboard"]]
    sure = [name for name, low in rows if low is not None and low > 0]
    if not sure:
        return ""
    verb = "ranks" if len(sure) == 1 else "rank"
    return f"{listed(sure)} {verb} systems better than chance would."


def _say_doubtful(record: Record) -> str:
    rows = [(row["metric"], row["system"]["kendall"]) for row in record["leaderboard"]]
    doubtful = [name for name, estimate in rows if includes_nought(estimate)]
    if not doubtful:
        return ""
    verb = "ranks" if len(doubtful) == 1 else "rank"
    holds = "its interval holds" if len(doubtful) == 1 else "their intervals hold"
    return f"That {listed(doubtful)} {verb} systems better than chance would: {holds} 0."


def _say_summary_level(record: Record) -> str:
    row = find_leader(record)
    if row is None or row["summary"]["kendall"][0] is None:
        return ""
    estimate = told(row["summary"]["kendall"])
    return f"Within an example {row['metric']} orders summaries with τ {estimate}."


def _say_unlike(record: Record) -> str:
    rows = record["leaderboard"]
    fewer = [row["metric"] for row in rows if row["missing"] and row["system"]["kendall"][0]]
    if not fewer or len(record["metrics"]) < 2:
        return ""
    verb, their = (
        ("stands", "its correlation is")
        if len(fewer) == 1
        else (
            "stand",
            "their correlations are",
        )
    )
    return (
        f"That {listed(fewer)} {verb} above or below the other metrics: {their} over fewer systems."
    )


def _say_few(record: Record) -> str:
    if record["ranked"] >= FEW_SYSTEMS:
        return ""
    return f"Much about other systems: {record['ranked']} are few, and each weighs heavily."


def _say_exceptions(record: Record) -> list[str]:
    """Documents that have no correlation, and metrics that count the other way round."""
    said = []
    most = max((row["undefined"] for row in record["leaderboard"]), default=0)
    if most:
        verb = "has" if most == 1 else "have"
        said.append(
            f"Up to {counted(most, 'example')} on which a metric or people score all summaries "
            f"alike {verb} no correlation, and no part in the summary level."
        )
    lower = [
        row["metric"]
        for row in record["leaderboard"]
        if row["metric"] in record["options"]["lower"]
    ]
    if lower:
        verb = "counts" if len(lower) == 1 else "count"
        said.append(f"{listed(lower)} {verb} negated, for less is better.")
    return [*said, say_missing(record)]


def tell_kinds(record: Record) -> Section:
    return make_section(
        "Kinds of systems apart",
        "Kendall’s τ at the system level, among all systems and within each kind. In brackets "
        "stands how many systems there are.",
        may=[_say_leaders(record)],
        may_not=[
            "That a metric which is good on one kind is good on another.",
            "That it is better on one kind than on the other where the intervals overlap.",
        ],
        how=f"The same correlations on fewer systems. Kinds with fewer than "
        f"{record['options']['least_systems']} systems are not shown. {say_resampling(record)}",
    )


def _say_leaders(record: Record) -> str:
    found = [(group["words"].lower(), _best(group)) for group in record["kinds"][1:]]
    known = [(words, best) for words, best in found if best]
    if not known:
        return ""
    if len({best for _, best in known}) == 1:
        return f"{known[0][1]} stands first within every kind."
    each = [f"{best} among {words} systems" for words, best in known]
    return f"First stands {listed(each)}."


def _best(group: Mapping[str, Any]) -> str:
    known = {name: row[0] for name, row in group["kendall"].items() if row[0] is not None}
    return max(known, key=lambda name: known[name], default="")


def tell_scatter(record: Record) -> Section:
    metric = record["lead"]
    return make_section(
        f"{metric} against people, system by system",
        f"Each sign is a system: its mean by {metric} from left to right, by people from bottom "
        "to top. The nearer the signs lie to one rising line, the more both agree.",
        may=["Which systems people like better than the metric does: those above the line."],
        may_not=["That the metric’s numbers are people’s: the scales are not the same."],
        how=say_means(record),
    )


def tell_scatters(record: Record) -> Section:
    return make_section(
        "All metrics against people",
        "The same systems by every metric, the best first. Scales differ from plot to plot: only "
        "the shape of the cloud can be compared.",
        may=["Whether a correlation stands on all systems, or on a few that lie far out."],
        may_not=["Which metric is better where the clouds look alike: the tests below decide."],
        how=say_means(record),
    )
