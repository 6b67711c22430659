"""Words under the figures on the best systems, and on how many documents a ranking needs."""

from __future__ import annotations

from scoring.figures.axes import short
from scoring.metaeval.report.section import Record, Section, make_section


def describe_top(record: Record) -> Section:
    return make_section(
        "The best systems only",
        "As systems get better, weak ones are no longer compared. From right to left only the k "
        "systems with the highest human scores are left.",
        may=[_say_best(record)],
        may_not=[
            "That a high correlation over all systems helps to choose among the best.",
            "Much from the left end: a correlation of few systems varies widely.",
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
        f"On these systems, {lead} correlates with human scores with r {short(among_all)} among "
        f"{most} systems, and with r {short(among_few)} among the {few} best."
    )


def describe_stability(record: Record) -> Section:
    options = record["options"]
    return make_section(
        "How many examples a ranking needs",
        "Two sets of examples are drawn and the systems ranked on each; the curve is how alike "
        "the two rankings are, the band one standard deviation. Near 1, other examples would give "
        "the same ranking.",
        may=[_say_people(record)],
        may_not=[
            "That a stable ranking is right: a metric can be wrong the same way every time.",
            "Whether two systems with neighbouring ranks differ.",
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
        f"Two rankings by people on {row['inputs'][-1]:,} examples each would agree with τ "
        f"{short(row['mean'][-1])} ± {short(row['sd'][-1])} (one standard deviation)."
    )
