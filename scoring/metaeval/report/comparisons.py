"""The meta-metrics of WMT and clusters of systems in a report: numbers, drawings and words."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from scoring.figures.axes import short
from scoring.figures.intervals import IntervalPanel, draw_intervals
from scoring.metaeval.bootstrap import resample_means
from scoring.metaeval.clusters import cluster_systems
from scoring.metaeval.draws import BY_INPUTS, Resampling, draw_as
from scoring.metaeval.intervals import percentile_interval
from scoring.metaeval.meta_metrics import score_meta_metrics
from scoring.metaeval.numbers import kept
from scoring.metaeval.report.drawing import Drawing, Record, draw_both, make_table
from scoring.metaeval.report.options import ReportOptions
from scoring.metaeval.report.saying import counted, listed
from scoring.metaeval.report.section import Section, make_section
from scoring.metaeval.study import Study
from scoring.translation import gettext as _
from scoring.translation import ngettext

Row = dict[str, Any]


def describe_comparisons(study: Study, options: ReportOptions) -> list[Row]:
    """Every metric's meta-metrics, the best by acc_eq first."""
    resampling = Resampling(BY_INPUTS, options.resamples, options.seed, options.coverage)
    rows = [_plain(asdict(row)) for row in score_meta_metrics(study, resampling=resampling)]
    return sorted(rows, key=lambda row: 1.0 if row["acc_eq"] is None else -row["acc_eq"])


def describe_clusters(study: Study, options: ReportOptions) -> list[Row]:
    """Systems by people's mean score, the best first, with intervals and clusters."""
    resampling = Resampling(BY_INPUTS, options.resamples, options.seed, options.coverage)
    draws = draw_as(resampling, systems=len(study.systems), judged=study.judged)
    drawn = resample_means(study.people[None], draws, slice(None))[:, 0]
    places = {name: place for place, name in enumerate(study.systems)}
    found = []
    for row in cluster_systems(study, seed=options.seed):
        known = drawn[:, places[row.name]]
        count = int(study.judged.sum())
        low, high = percentile_interval(known[known == known], options.coverage, count)
        found.append(_plain(asdict(row) | {"low": low, "high": high}))
    return found


def _plain(row: Row) -> Row:
    return {name: kept(value) if isinstance(value, float) else value for name, value in row.items()}


def draw_comparisons(record: Record) -> Drawing | None:
    rows = [row for row in record.get("comparisons", []) if row["acc_eq"] is not None]
    if not rows:
        return None
    panels = [
        IntervalPanel(
            "acc_eq", tuple((r["acc_eq"], r["acc_eq_low"], r["acc_eq_high"]) for r in rows)
        ),
        IntervalPanel("SPA", tuple((row["spa"], None, None) for row in rows)),
        IntervalPanel("PDP", tuple((row["pdp"], row["pdp_low"], row["pdp_high"]) for row in rows)),
    ]
    return draw_both(
        draw_intervals,
        [row["metric"] for row in rows],
        panels,
        name="comparisons",
        title=_("Pairwise comparisons by each metric, ties included"),
        table=make_table(COLUMNS, [[row[name] for name in COLUMNS] for row in rows]),
    )


COLUMNS = (
    "metric",
    "acc_eq",
    "acc_eq_low",
    "acc_eq_high",
    "acc_eq_chance",
    "epsilon",
    "acc_eq_uncalibrated",
    "human_ties",
    "spa",
    "spa_chance",
    "pdp",
    "pdp_low",
    "pdp_high",
    "pdp_chance",
    "cluster",
    "cluster_holm",
    "pairs",
    "inputs",
    "permutations",
)


def write_comparisons(record: Record) -> Section:
    rows = [row for row in record["comparisons"] if row["acc_eq"] is not None]
    above = [row["metric"] for row in rows if _is_above_chance(row)]
    others = [row["metric"] for row in rows if not _is_above_chance(row)]
    first = [row["metric"] for row in rows if row["cluster_holm"] == 1]
    chance = ", ".join(
        _("{range} for {name}").format(range=_range([row[key] for row in rows]), name=name)
        for key, name in (("acc_eq_chance", "acc_eq"), ("spa_chance", "SPA"))
    )
    return make_section(
        _("Pairwise comparisons by each metric"),
        _(
            "acc_eq (pairwise accuracy with ties): how often the metric agrees with people on "
            "which of two summaries of one example is better, or that they tie. SPA (soft "
            "pairwise accuracy): how close the metric’s confidence that one system is better than "
            "another is to people’s. PDP (pairwise difference Pearson): the correlation between "
            "the metric’s and people’s differences between two summaries of one example. Chance "
            "level: {chance}, 0 for PDP."
        ).format(chance=chance),
        may=[
            _say_better(above),
            _(
                "{first} is the only metric in the first cluster: its acc_eq is significantly "
                "higher than the next metric’s."
            ).format(first=first[0])
            if len(first) == 1 and len(rows) > 1
            else "",
        ],
        may_not=[
            _say_not_better(others),
            _("That {listed} differ by acc_eq: they share the first cluster.").format(
                listed=listed(first)
            )
            if len(first) > 1
            else "",
            _(
                "That an acc_eq is high or low in itself: compare it with its chance level, which "
                "depends on how often scores tie."
            ),
        ],
        how=_say_how(record, rows[0]),
    )


def _say_better(names: list[str]) -> str:
    if not names:
        return ""
    return ngettext(
        "{listed} compares two summaries better than chance.",
        "{listed} compare two summaries better than chance.",
        len(names),
    ).format(listed=listed(names))


def _say_not_better(names: list[str]) -> str:
    if not names:
        return ""
    return ngettext(
        "That {listed} does better than chance: the interval of acc_eq isn’t above the chance "
        "level.",
        "That {listed} do better than chance: the interval of acc_eq isn’t above the chance level.",
        len(names),
    ).format(listed=listed(names))


def _is_above_chance(row: Row) -> bool:
    low, chance = row["acc_eq_low"], row["acc_eq_chance"]
    return low is not None and chance is not None and low > chance


def _range(values: list[float | None]) -> str:
    known = sorted(value for value in values if value is not None)
    if not known:
        return "unknown"
    ends = dict.fromkeys((short(known[0]), short(known[-1])))
    return " to ".join(ends)


def _say_how(record: Record, row: Row) -> str:
    options = record["options"]
    return _(
        "acc_eq is averaged over examples, with the tie threshold ε that maximises it on these "
        "scores (Deutsch, Foster and Freitag 2023); its chance level is the mean over 100 shuffles "
        "of human scores within examples, each calibrated again. SPA (Thompson et al. 2024) "
        "takes p values from {permutations:,} paired permutations of examples; its chance "
        "level is the mean over all ways to exchange systems. PDP (DiIanni and Deutsch 2025) is "
        "Pearson’s r over all pairs within examples. Intervals are the middle "
        "{value:g} % of {resamples:,} resamples of examples with ε "
        "unchanged, seed {seed}; SPA has none. Clusters rank metrics by acc_eq: a new "
        "one begins where a paired permutation test over examples finds p ≤ .05, uncorrected as at "
        "WMT (cluster) and after Holm (cluster_holm). If all metrics were equally good, the first "
        "would show more than one cluster often, the second in at most 5 % of studies."
    ).format(
        permutations=row["permutations"],
        value=100 * options["coverage"],
        resamples=options["resamples"],
        seed=options["seed"],
    )


def draw_clusters(record: Record) -> Drawing | None:
    rows = record.get("clusters", [])
    if len(rows) < 2:
        return None
    estimates = tuple((row["mean"], row["low"], row["high"]) for row in rows)
    columns = ("name", "mean", "low", "high", "cluster", "cluster_holm")
    return draw_both(
        draw_intervals,
        [f"{row['cluster_holm']} · {row['name']}" for row in rows],
        [IntervalPanel(_("mean human score"), estimates)],
        name="clusters",
        title=_("Systems by human score, in clusters without significant differences"),
        table=make_table(
            ("system", *columns[1:]), [[row[name] for name in columns] for row in rows]
        ),
    )


def write_clusters(record: Record) -> Section:
    rows = record["clusters"]
    count = max(row["cluster_holm"] for row in rows)
    first = [row["name"] for row in rows if row["cluster_holm"] == 1]
    return make_section(
        _("Significant differences between systems"),
        _(
            "Systems by mean human score, best first. The number before a name is its cluster: a "
            "new cluster begins with the first system that is significantly worse than a system "
            "in the current cluster."
        ),
        may=[
            _("Human scores put {systems} into {clusters}.").format(
                systems=counted(len(rows), "system", "systems"),
                clusters=counted(count, "cluster", "clusters"),
            ),
            _("{first} is significantly better than the next system.").format(first=first[0])
            if len(first) == 1
            else "",
        ],
        may_not=[
            _("Which of {listed} is best: they share the first cluster.").format(
                listed=listed(first)
            )
            if len(first) > 1
            else "",
            _(
                "That two systems in one cluster are equally good: there may be too few examples "
                "to detect a difference."
            ),
        ],
        how=_(
            "Paired permutation tests of all pairs of systems over examples; the figure uses "
            "two-sided tests with Holm’s correction, so equal systems are split in at most 5 % of "
            "studies. The table also has clusters from one-sided tests without correction, as at "
            "WMT (cluster): with {pairs}, some of their boundaries may be due to chance. "
            "Intervals are from resampling examples."
        ).format(pairs=counted(len(rows) * (len(rows) - 1) // 2, "pair", "pairs")),
    )
