"""Words under the figures on pairs of systems."""

from __future__ import annotations

from scoring.figures.axes import short
from scoring.measured_coverage import CLOSE_PAIRS, say_departures
from scoring.metaeval.report.abstract import CLOSE, find_close, find_gap
from scoring.metaeval.report.conclusions import conclude_close, conclude_decisions, conclude_gap
from scoring.metaeval.report.section import Record, Section, make_section, say_resampling
from scoring.translation import gettext as _


def describe_pairs(record: Record) -> Section:
    lead = record["lead"]
    found = find_close(record, lead)
    limit = find_gap(record, lead)
    said = conclude_gap(lead, limit, record["ranked"])
    return make_section(
        _("Pairs of systems with close scores"),
        _(
            "In practice, systems with close scores are compared. From right to left, τ is "
            "computed over fewer and closer pairs."
        ),
        may=[conclude_close(lead, CLOSE, found) if found else "", "" if limit else said],
        may_not=[_say_whole(record, lead), said if limit else ""],
        how=_(
            "r_sysΔ(0, u) of Deutsch et al. (2022, section 4): Kendall’s τ-b over the pairs whose "
            "scores by the metric differ by at most u. {say_intervals}"
        ).format(say_intervals=_say_intervals(record)),
    )


def _say_intervals(record: Record) -> str:
    return f"{say_resampling(record)} {say_departures(CLOSE_PAIRS)}".strip()


def _say_whole(record: Record, lead: str) -> str:
    rows = [row for row in record["pairs"]["rows"] if row["metric"] == lead]
    whole = rows[0]["values"][-1] if rows else None
    return (
        ""
        if whole is None
        else _("That τ over all pairs, {short}, holds for close ones.").format(short=short(whole))
    )


def describe_heatmap(record: Record) -> Section:
    metric = record["lead"]
    return make_section(
        _("{metric}: τ by difference between two systems").format(metric=metric),
        _(
            "Pairs of systems are sorted by the difference between their scores. Each cell is τ "
            "over the pairs between two percentiles: the closest tenth at top left, the farthest "
            "at bottom right. Stronger colours are higher values; negative values have a "
            "different colour."
        ),
        may=[_say_far(record, metric)],
        may_not=[_("That a single cell is precise: it covers few pairs, which share systems.")],
        how=_(
            "r_sysΔ(l, u) of Deutsch et al. (2022, section 4), with l and u at tenths of the "
            "pairs. The table has every metric."
        ),
    )


def _say_far(record: Record, metric: str) -> str:
    rows = record["heatmap"]["rows"][metric]
    near, far = rows[0][0], rows[-1][-1]
    if near is None or far is None:
        return ""
    return _(
        "For these systems, τ is {short} over the closest tenth of pairs and {short_2} "
        "over the farthest."
    ).format(short=short(near), short_2=short(far))


def describe_decisions(record: Record) -> Section:
    options = record["options"]
    group = next(each for each in record["kinds"] if each["f1"])
    return make_section(
        _("Agreement on pairs of systems (F1)"),
        _(
            "For each pair of systems, human scores and the metric each give a verdict: which "
            "system is better, or that they aren’t significantly different. F1 measures how well "
            "the verdicts agree; 1 is perfect."
        ),
        may=[conclude_decisions(group["f1"])],
        may_not=[
            _("That a metric’s verdict can replace people’s if F1 is well below 1."),
            _("That metrics with similar F1 differ: it has no interval."),
        ],
        how=_(
            "Paired bootstrap over the judged examples, {resamples:,} resamples, seed "
            "{seed}: a system is better if it is better in 95 % of them. Weighted macro F1 "
            "of the three verdicts (Bhandari et al. 2020, section 4.3)."
        ).format(resamples=options["resamples"], seed=options["seed"]),
    )
