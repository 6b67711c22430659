"""Words under the figures on the best systems, and on how many documents a ranking needs."""

from __future__ import annotations

from scoring.figures.axes import short
from scoring.metaeval.report.section import Record, Section, make_section


def describe_top(record: Record) -> Section:
    return make_section(
        "Correlation among the best systems",
        "As systems improve, weak ones are no longer compared. From right to left, only the k "
        "systems with the highest human scores are left.",
        may=[_say_best(record)],
        may_not=[
            "That a metric with a high correlation over all systems can distinguish the best ones.",
            "Much from the left end: a correlation over few systems varies widely.",
        ],
        how="Pearson’s r at the system level among the k systems with the highest mean human score "
        "(Bhandari et al. 2020, section 4.2), on the judged examples.",
    )


def _say_best(record: Record) -> str:
    top, lead = record["kinds"][0]["top"], record["lead"]
    known = [
        (k, value)
        for k, value in zip(top["k"], top["rows"][lead], strict=True)
        if value is not None
    ]
    if len(known) < 2:
        return ""
    (few, among_few), (most, among_all) = known[0], known[-1]
    return (
        f"For these systems, {lead} has r {short(among_all)} with human scores among {most} "
        f"systems and r {short(among_few)} among the {few} best."
    )


def describe_stability(record: Record) -> Section:
    options = record["options"]
    return make_section(
        "Stability of the ranking by number of examples",
        "Systems are ranked on two random sets of examples; the curve is the correlation between "
        "the two rankings, the band is one standard deviation. Near 1, other examples would give "
        "the same ranking.",
        may=[_say_people(record)],
        may_not=[
            "That a stable ranking is right: a metric can be consistently wrong.",
            "Whether two systems with adjacent ranks differ.",
        ],
        how="Kendall’s τ between two rankings, each by examples drawn with replacement "
        f"(Deutsch et al. 2022, section 3), {options['resamples']:,} draws per point, seed "
        f"{options['seed']}.",
    )


def _say_people(record: Record) -> str:
    row = record["stability"]["people"]
    if not row or row["mean"][-1] is None:
        return ""
    return (
        f"Two human rankings on {row['inputs'][-1]:,} examples each would agree with τ "
        f"{short(row['mean'][-1])} ± {short(row['sd'][-1])} (one standard deviation)."
    )
