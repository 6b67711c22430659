"""Words under the figures on the best systems, and on how many documents a ranking needs."""

from __future__ import annotations

from scoring.figures.axes import short
from scoring.metaeval.report.section import Record, Section, make_section
from scoring.translation import gettext as _


def describe_top(record: Record) -> Section:
    return make_section(
        _("Correlation among the best systems"),
        _(
            "As systems improve, weak ones are no longer compared. From right to left, only the k "
            "systems with the highest human scores are left."
        ),
        may=[_say_best(record)],
        may_not=[
            _(
                "That a metric with a high correlation over all systems can distinguish the best "
                "ones."
            ),
            _("Much from the left end: a correlation over few systems varies widely."),
        ],
        how=_(
            "Pearson’s r at the system level among the k systems with the highest mean human score "
            "(Bhandari et al. 2020, section 4.2), on the judged examples."
        ),
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
    return _(
        "For these systems, {lead} has r {short} with human scores among {most} "
        "systems and r {short_2} among the {few} best."
    ).format(lead=lead, short=short(among_all), most=most, short_2=short(among_few), few=few)


def describe_stability(record: Record) -> Section:
    options = record["options"]
    return make_section(
        _("Stability of the ranking by number of examples"),
        _(
            "Systems are ranked on two random sets of examples; the curve is the correlation "
            "between the two rankings, the band is one standard deviation. Near 1, other examples "
            "would give the same ranking."
        ),
        may=[_say_people(record)],
        may_not=[
            _("That a stable ranking is right: a metric can be consistently wrong."),
            _("Whether two systems with adjacent ranks differ."),
        ],
        how=_(
            "Kendall’s τ between two rankings, each by examples drawn with replacement "
            "(Deutsch et al. 2022, section 3), {resamples:,} draws per point, seed "
            "{seed}."
        ).format(resamples=options["resamples"], seed=options["seed"]),
    )


def _say_people(record: Record) -> str:
    row = record["stability"]["people"]
    if not row or row["mean"][-1] is None:
        return ""
    return _(
        "Two human rankings on {inputs:,} examples each would agree with τ "
        "{short} ± {short_2} (one standard deviation)."
    ).format(inputs=row["inputs"][-1], short=short(row["mean"][-1]), short_2=short(row["sd"][-1]))
