"""The first paragraph of a report: what was compared with what, and what follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.metaeval.report.conclusions import (
    conclude_agreement,
    conclude_close,
    conclude_gap,
    find_first,
)
from scoring.metaeval.report.drawing import LEVEL
from scoring.metaeval.report.options import LEAST_RANKED
from scoring.metaeval.report.saying import MOST_LISTED, counted, listed
from scoring.translation import gettext as _
from scoring.translation import ngettext

Record = Mapping[str, Any]
# The percentage of closest pairs that is described.
CLOSE = 20
TESTS = ("permutation", "williams")
HOLM = "holm"


def write_abstract(record: Record) -> list[str]:
    """A sentence or two each; none where nothing can be said."""
    found = [
        _describe_data(record),
        _conclude_lead(record),
        _conclude_rivals(record),
        _conclude_pairs(record),
        say_missing(record),
        _warn(record),
    ]
    return [each for each in found if each]


def _describe_data(record: Record) -> str:
    judged, documents = record["judged"], record["documents"]
    over = counted(documents, "example", "examples")
    if judged < documents:
        over += _(", {judged:,} of them judged by people").format(judged=judged)
    systems = counted(len(record["systems"]), "system", "systems")
    if record["ranked"] < len(record["systems"]):
        systems += _(" ({ranked:,} with human scores)").format(ranked=record["ranked"])
    metrics = counted(len(record["leaderboard"]), "metric", "metrics")
    return ngettext(
        "{metrics} is compared with human scores ({human}) on {systems} and {over}.",
        "{metrics} are compared with human scores ({human}) on {systems} and {over}.",
        len(record["leaderboard"]),
    ).format(metrics=metrics, human=record["human"], systems=systems, over=over)


def find_row(record: Record, metric: str | None) -> Mapping[str, Any] | None:
    return next((row for row in record["leaderboard"] if row["metric"] == metric), None)


def _conclude_lead(record: Record) -> str:
    """All metrics with the highest τ, and how well the first of them orders systems."""
    row = find_row(record, record["lead"])
    if row is None:
        return _explain_nothing(record)
    estimate = row["system"]["kendall"]
    said = conclude_agreement(row["metric"], "systems", estimate, row["systems"])
    taus = {each["metric"]: each["system"]["kendall"][0] for each in record["leaderboard"]}
    first = find_first(taus)
    if len(first) > 1:
        return _("{listed} tie for the highest τ at the system level. {said}").format(
            listed=listed(first), said=said
        )
    return said


def _explain_nothing(record: Record) -> str:
    if record["ranked"] < LEAST_RANKED:
        judged = counted(record["ranked"], "system", "systems")
        return _(
            "No correlation can be computed: people have judged {judged}, but at least three are "
            "needed."
        ).format(judged=judged)
    return _(
        "No correlation can be computed: people, or all metrics, give every system the same score."
    )


def _conclude_rivals(record: Record) -> str:
    """Which metrics the first is not significantly better than, by every test that was made."""
    if record["lead"] is None or len(record["metrics"]) < 2:
        return ""
    made = [test for test in TESTS if record["kinds"][0][test]]
    if not made:
        return _("Differences between metrics were not tested: there are too few systems.")
    rivals, others = list_rivals(record), len(record["metrics"]) - 1
    lead = record["lead"]
    if not rivals:
        better = (
            _("the other metric")
            if others == 1
            else _("each of the {others} other metrics").format(others=others)
        )
        by = _("both tests") if len(made) == 2 else _("the only possible test")
        return _("By {by}, {lead} correlates significantly higher than {better}.").format(
            by=by, lead=lead, better=better
        )
    if len(rivals) == others:
        return _(
            "{lead} is not significantly better than any other metric; the order of the metrics "
            "may be due to chance."
        ).format(lead=lead)
    return _(
        "{lead} is not significantly better than {listed}; their order may be due to chance."
    ).format(lead=lead, listed=listed(rivals))


def list_rivals(
    record: Record, tests: Sequence[str] = TESTS, *, metric: str = "", group: int = 0
) -> list[str]:
    """Metrics that one, by default the first, is not significantly better than.

    Every one of these tests has to say so after Holm's correction, and to be settled.
    """
    metrics, found = record["metrics"], record["kinds"][group]
    at = metrics.index(metric or record["lead"])
    tables = [found[test] for test in tests if found[test]]
    return [
        name
        for place, name in enumerate(metrics)
        if place != at and not all(is_significant(table, at, place) for table in tables)
    ]


def is_significant(table: Mapping[str, Any], at: int, place: int) -> bool:
    """After Holm's correction; a verdict that more swaps might change is none."""
    p = table[HOLM][at][place]
    return p is not None and p <= LEVEL and not is_open(table, at, place)


def is_open(table: Mapping[str, Any], at: int, place: int, correction: str = HOLM) -> bool:
    """Whether more random swaps might change the verdict; reports used not to say."""
    rows = table.get("unsettled")
    return bool(rows and correction in (rows[at][place] or "").split())


def find_close(record: Record, metric: str | None) -> dict[str, Any] | None:
    """What is known of the closest fifth of pairs."""
    rows = [row for row in record["pairs"]["rows"] if row["metric"] == metric]
    shares: Sequence[float] = record["pairs"]["shares"]
    if not rows or CLOSE not in shares:
        return None
    at = list(shares).index(CLOSE)
    names = ("values", "low", "high", "gap", "pairs", "right", "wrong")
    return {name: rows[0][name][at] for name in names}


def _conclude_pairs(record: Record) -> str:
    lead = record["lead"]
    found = find_close(record, lead)
    if lead is None or found is None:
        return ""
    limit = conclude_gap(lead, find_gap(record, lead), record["ranked"])
    return f"{conclude_close(lead, CLOSE, found)} {limit}".strip()


def find_gap(record: Record, metric: str | None) -> float | None:
    """The widest gap at which the interval isn't above 0; 0 if none is so, infinite if all are."""
    row = next((row for row in record["pairs"]["rows"] if row["metric"] == metric), None)
    if row is None or all(low is None for low in row["low"]):
        return None
    doubtful = [place for place, low in enumerate(row["low"]) if low is None or low <= 0]
    if not doubtful:
        return 0.0
    if doubtful[-1] == len(row["low"]) - 1:
        return float("inf")
    return float(row["gap"][doubtful[-1]])


def say_missing(record: Record) -> str:
    """Metrics that do not score every system or summary that people did."""
    rows = [row for row in record["leaderboard"] if row["missing"] or row["lacks"]]
    found = [_say_lack(row, record["ranked"]) for row in rows[:MOST_LISTED]]
    if len(rows) > MOST_LISTED:
        more = counted(len(rows) - MOST_LISTED, "other metric", "other metrics")
        found.append(
            _(
                "{more} also lack scores; the table of correlations gives the number of systems."
            ).format(more=more)
        )
    if any(row["missing"] for row in rows):
        found.append(_("Two metrics are tested on the systems that both score."))
    return " ".join(found)


def _say_lack(row: Mapping[str, Any], ranked: int) -> str:
    found = []
    if row["missing"]:
        found.append(
            _(
                "scores only {systems} of {systems_2} with human scores "
                "(missing: {listed}), so its correlations use {systems}"
            ).format(
                systems=row["systems"],
                systems_2=counted(ranked, "system", "systems"),
                listed=listed(row["missing"]),
            )
        )
    if row["lacks"]:
        found.append(_say_lacking(row["lacks"], of_others=bool(row["missing"])))
    return f"{row['metric']} {_(' and ').join(found)}."


def _say_lacking(lacks: int, *, of_others: bool) -> str:
    if of_others:
        words = ngettext(
            "lacks {lacks:,} judged summary",
            "lacks {lacks:,} judged summaries of the others",
            lacks,
        )
    else:
        words = ngettext(
            "lacks {lacks:,} judged summary", "lacks {lacks:,} judged summaries", lacks
        )
    return words.format(lacks=lacks)


def _warn(record: Record) -> str:
    found = [
        _(
            "{first} and {second} have identical scores but count as two systems; one of them may "
            "be a duplicate."
        ).format(first=first, second=second)
        for first, second in record["copies"][:3]
    ]
    found += [
        _("{name} has exactly the same scores as {first}; both count as one metric.").format(
            name=name, first=first
        )
        for name, first in record.get("same", ())
    ]
    if record["constant"]:
        found.append(
            ngettext(
                "{listed} gives every system the same score.",
                "{listed} give every system the same score.",
                len(record["constant"]),
            ).format(listed=listed(record["constant"]))
        )
    undefined = list_undefined(record)
    if undefined and record["lead"]:
        found.append(
            ngettext(
                "{listed} has no defined correlation with human scores and is excluded from "
                "comparisons.",
                "{listed} have no defined correlation with human scores and are excluded from "
                "comparisons.",
                len(undefined),
            ).format(listed=listed(undefined))
        )
    return " ".join(found)


def list_undefined(record: Record) -> list[str]:
    """Metrics that have no correlation at the system level."""
    return [row["metric"] for row in record["leaderboard"] if row["system"]["kendall"][0] is None]
