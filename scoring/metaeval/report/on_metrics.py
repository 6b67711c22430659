"""Words under the figures that compare metrics with human scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.metaeval.report.abstract import find_row, list_rivals, say_missing
from scoring.metaeval.report.conclusions import (
    FEW_SYSTEMS,
    conclude_above,
    conclude_agreement,
    conclude_better_than_chance,
    conclude_highest,
    conclude_not_shown,
    find_first,
)
from scoring.metaeval.report.saying import listed
from scoring.metaeval.report.section import (
    Record,
    Section,
    make_section,
    say_means,
    say_resampling,
)
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy, ngettext

# Said wherever a percentile interval is drawn.
WHY_LOW = gettext_lazy(
    "A resample repeats some examples and leaves others out, so its means are noisier than the "
    "observed means, and noise lowers a correlation. Percentile intervals are therefore biased "
    "downwards and can even lie below the estimate. Bias-corrected intervals (BCa) are in the "
    "CSV; where they can’t be computed, it has percentile intervals and the reason."
)


def describe_leaderboard(record: Record) -> Section:
    estimates = {row["metric"]: row["system"]["kendall"] for row in record["leaderboard"]}
    systems = {row["metric"]: row["systems"] for row in record["leaderboard"]}
    return make_section(
        _("Correlation of each metric with human scores"),
        _(
            "Each dot is a correlation with human scores; the line is its interval. System level: "
            "the correlation of systems’ mean scores. Summary level: the correlation across the "
            "summaries of each example, averaged over examples."
        ),
        may=[conclude_better_than_chance(estimates, systems), _conclude_summary_level(record)],
        may_not=[
            conclude_not_shown(estimates),
            str(BOTH_LEVELS),
            _say_unlike(record),
            _say_few(record),
            conclude_above(estimates),
        ],
        how=" ".join(
            [
                _("Kendall’s τ-b; Pearson’s r and Spearman’s ρ are in the table."),
                say_means(record),
                say_resampling(record, ("system", "summary")),
                str(WHY_LOW),
                *[each for each in _say_exceptions(record) if each],
            ]
        ),
    )


BOTH_LEVELS = gettext_lazy(
    "That a metric that ranks systems well also ranks the summaries of one example well: see the "
    "summary level."
)


def _conclude_summary_level(record: Record) -> str:
    row = find_row(record, record["lead"])
    if row is None:
        return ""
    summaries = _("the summaries of an example")
    return conclude_agreement(row["metric"], summaries, row["summary"]["kendall"], row["systems"])


def _say_unlike(record: Record) -> str:
    rows = record["leaderboard"]
    fewer = [row["metric"] for row in rows if row["missing"] and row["system"]["kendall"][0]]
    if not fewer or len(record["metrics"]) < 2:
        return ""
    return ngettext(
        "That {listed} is better or worse than the other metrics: its correlation is based on "
        "fewer systems.",
        "That {listed} are better or worse than the other metrics: their correlations are based "
        "on fewer systems.",
        len(fewer),
    ).format(listed=listed(fewer))


def _say_few(record: Record) -> str:
    if record["ranked"] >= FEW_SYSTEMS:
        return ""
    return _("Much about other systems: with only {ranked}, each has a large influence.").format(
        ranked=record["ranked"]
    )


def _say_exceptions(record: Record) -> list[str]:
    """Documents that have no correlation, and metrics that count the other way round."""
    found = []
    most = max((row["undefined"] for row in record["leaderboard"]), default=0)
    if most:
        found.append(
            ngettext(
                "Up to {most:,} example has no correlation, because a metric or people give all "
                "summaries the same score; they don’t count at the summary level.",
                "Up to {most:,} examples have no correlation, because a metric or people give all "
                "summaries the same score; they don’t count at the summary level.",
                most,
            ).format(most=most)
        )
    names = [row["metric"] for row in record["leaderboard"]]
    lower = [name for name in names if name in record["options"]["lower"]]
    if lower:
        found.append(
            ngettext(
                "{listed} is negated, because lower is better.",
                "{listed} are negated, because lower is better.",
                len(lower),
            ).format(listed=listed(lower))
        )
    return [*found, say_missing(record)]


def describe_kinds(record: Record) -> Section:
    groups = list(enumerate(record["kinds"]))[1:]
    return make_section(
        _("Correlation by kind of system"),
        _(
            "Kendall’s τ at the system level, among all systems and within each kind. The number "
            "of systems is in brackets."
        ),
        may=[_conclude_kind(record, at, group) for at, group in groups],
        may_not=[
            _("That a metric that is good for one kind is good for another."),
            _("That a metric is better for one kind than for another if the intervals overlap."),
        ],
        how=_(
            "The same correlations on fewer systems; significance is by the permutation test "
            "within the kind, Holm-corrected. Kinds with fewer than "
            "{least_systems} systems are not shown. {say_resampling}"
        ).format(
            least_systems=record["options"]["least_systems"], say_resampling=say_resampling(record)
        ),
    )


def _conclude_kind(record: Record, at: int, group: Mapping[str, Any]) -> str:
    values = {name: estimate[0] for name, estimate in group["kendall"].items()}
    first = find_first(values)
    rivals = None
    if first and group["permutation"]:
        others = list_rivals(record, ("permutation",), metric=first[0], group=at)
        rivals = [name for name in others if values[name] is not None]
    return conclude_highest(
        values, rivals, _("among {words} systems").format(words=group["words"].lower())
    )


def describe_scatter(record: Record) -> Section:
    metric = record["lead"]
    return make_section(
        _("{metric} and human scores by system").format(metric=metric),
        _(
            "Each mark is a system: its mean {metric} on the x-axis, its mean human score on the "
            "y-axis. The closer the marks are to one rising line, the more both agree."
        ).format(metric=metric),
        may=[_("On which systems the metric and people disagree: those far from the line.")],
        may_not=[_("That the metric’s values equal human scores: the scales differ.")],
        how=say_means(record),
    )


def describe_scatters(record: Record) -> Section:
    return make_section(
        _("All metrics and human scores"),
        _(
            "The same systems for every metric, highest τ first. Scales differ between plots, so "
            "compare only the shapes of the clouds."
        ),
        may=[_("Whether a correlation comes from all systems or from a few outliers.")],
        may_not=[_("Which metric is better if the clouds look similar: see the tests below.")],
        how=say_means(record),
    )
