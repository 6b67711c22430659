"""Annotators as a random factor in a report, where people's scores come from raw answers."""

from __future__ import annotations

from typing import Any

from scoring.figures.axes import short
from scoring.figures.intervals import IntervalPanel, draw_intervals
from scoring.metaeval.annotators import (
    ALL_THREE,
    AND_SYSTEMS,
    bootstrap_correlations,
    describe_annotators,
    plain,
)
from scoring.metaeval.raw_judgements import RawJudgements, choose_judgements
from scoring.metaeval.report.conclusions import FEW_SYSTEMS
from scoring.metaeval.report.drawing import Drawing, Record, draw_both, make_table
from scoring.metaeval.report.options import ReportOptions
from scoring.metaeval.report.saying import counted, listed, percent
from scoring.metaeval.report.section import Section, make_section
from scoring.metaeval.study import Study
from scoring.translation import gettext as _
from scoring.translation import ngettext


def describe_raw_answers(
    study: Study, judgements: RawJudgements, options: ReportOptions
) -> dict[str, Any]:
    """Variance components, and τ of each metric with each set of factors resampled."""
    chosen = choose_judgements(judgements, systems=study.systems, documents=study.documents)
    rows = bootstrap_correlations(
        study, chosen, inputs=options.inputs, resampling=options.resampling
    )
    found = describe_annotators(chosen, options.resampling)
    return found | {"correlations": [plain(row) for row in rows]}


def draw_annotators(record: Record) -> Drawing | None:
    found = record.get("annotators")
    if not found:
        return None
    names = list(dict.fromkeys(row["name"] for row in found["correlations"]))
    panels = [
        IntervalPanel(_("τ, systems and examples"), _estimates(record, AND_SYSTEMS)),
        IntervalPanel(_("τ, annotators too"), _estimates(record, ALL_THREE)),
    ]
    columns = ("value", "low", "high", "undefined")
    data = [
        (row["name"], " + ".join(row["drawn"]), *(row[name] for name in columns))
        for row in found["correlations"]
    ]
    return draw_both(
        draw_intervals,
        names,
        panels,
        name="annotators",
        title=_("Kendall’s τ at the system level, with annotators fixed and resampled"),
        table=make_table(("metric", "resampled", "tau", *columns[1:]), data),
    )


def _estimates(record: Record, drawn: tuple[str, ...]) -> tuple[Any, ...]:
    rows = [row for row in record["annotators"]["correlations"] if row["drawn"] == list(drawn)]
    return tuple((row["value"], row["low"], row["high"]) for row in rows)


def write_annotators(record: Record) -> Section:
    found, options = record["annotators"], record["options"]
    rows = [row for row in found["correlations"] if row["drawn"] == list(ALL_THREE)]
    # Resampling repeats few systems: their intervals can't be relied on.
    is_enough = len({row["name"] for row in found["systems"]}) >= FEW_SYSTEMS
    sure = [row["name"] for row in rows if row["low"] is not None and row["low"] > 0 and is_enough]
    doubtful = [row["name"] for row in rows if row["low"] is not None and row["low"] <= 0]
    return make_section(
        _("Effect of the choice of annotators"),
        _(
            "Annotators are a sample, just like systems and examples. The first intervals resample "
            "systems and examples; the second also resample annotators."
        ),
        may=[
            ngettext(
                "With other annotators too, {listed} ranks systems better than chance.",
                "With other annotators too, {listed} rank systems better than chance.",
                len(sure),
            ).format(listed=listed(sure))
            if sure
            else "",
            _say_components(found),
        ],
        may_not=[
            ngettext(
                "That {listed} ranks systems better than chance with other annotators.",
                "That {listed} rank systems better than chance with other annotators.",
                len(doubtful),
            ).format(listed=listed(doubtful))
            if doubtful
            else "",
            "" if is_enough else _("Anything about other systems: there are too few."),
            say_overstatement(found),
        ],
        how=_(
            "From {judgements} of {annotators}: a judgement is the share of units that one "
            "annotator found in one summary. Human scores are means of raw answers here, so τ may "
            "differ from the other figures. Examples, systems and annotators are resampled "
            "independently with replacement, {resamples:,} times, seed {seed}; noise of single "
            "answers counts in each, which makes the interval conservative. Variance components "
            "are from REML with crossed random effects."
        ).format(
            judgements=counted(found["judgements"], "judgement", "judgements"),
            annotators=counted(found["annotators"], "annotator", "annotators"),
            resamples=options["resamples"],
            seed=options["seed"],
        ),
    )


def _say_components(found: dict[str, Any]) -> str:
    if not found["components"]:
        return ""
    parts = [f"{row['factor']} {percent(row['share'])}" for row in found["components"]]
    return _("Variance components of judgements: {parts}.").format(parts=", ".join(parts))


def say_overstatement(found: dict[str, Any]) -> str:
    """The warning, or why there is none; nothing where ignoring annotators changes little."""
    if found["reason"]:
        return _(
            "That tests of systems hold for other annotators: the effect of annotators can’t be "
            "estimated, {reason}."
        ).format(reason=found["reason"])
    if not found["is_overstated"]:
        return ""
    return _(
        "That two systems differ just because a test that ignores annotators is significant: "
        "standard errors are {short} times as large with annotators, and a test "
        "at 5 % has a false-positive rate of {percent} (Steen and "
        "Markert 2021)."
    ).format(short=short(found["ratio"]), percent=percent(found["false_positives"]))
