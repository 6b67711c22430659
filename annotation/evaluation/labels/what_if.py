"""What labels would be by some rules, in plain values; REST and commands tell the same.

- What the what-if page shows: before and after, what is left out and why, votes in turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Assignment, Campaign
from annotation.evaluation.labels.figures import count_outcome, describe_agreement, describe_outcome
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.labels.outcome import Comparison, Outcome, compare, recall_outcome
from annotation.evaluation.labels.people import PeopleNames
from annotation.evaluation.labels.votes import refuse_if_slow
from annotation.units.sets.models import UnitSet
from scoring.aggregation import Recipe
from scoring.io.cells import defuse, row_line


def preview_labels(
    project: Project, campaigns: Sequence[Campaign], recipe: Recipe
) -> dict[str, Any]:
    """Figures by *recipe*, beside the plain majority of all that came in."""
    refuse_if_slow(campaigns, recipe)
    before, after = (
        recall_outcome(project, campaigns[0].unit_set, campaigns, rule)
        for rule in (Recipe(), recipe)
    )
    found = compare(before, after)
    return {
        **describe_outcome(after),
        "campaigns": [campaign.pk for campaign in campaigns],
        "recipe": recipe.to_json(),
        "agreement_before": describe_agreement(before.aggregate.agreement),
        "labels_changed": found.labels_changed,
        "systems": [asdict(row) for row in found.systems],
    }


SHOWN_DROPS = 20


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One measure before and after, with the interval of each where there is one."""

    name: str
    about: str
    before: dict[str, Any]
    after: dict[str, Any]
    is_share: bool = False


def list_figures(comparison: Comparison) -> list[FigureRow]:
    old = describe_agreement(comparison.before.aggregate.agreement)
    new = describe_agreement(comparison.after.aggregate.agreement)

    def plain(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"alpha": old[name]}, {"alpha": new[name]}

    return [
        FigureRow(
            _("Krippendorff’s alpha, pooled"), _("all statements"), old["pooled"], new["pooled"]
        ),
        FigureRow(_("Alpha by summary"), "mean", old["by_summary"], new["by_summary"]),
        FigureRow(_("Alpha by example"), "mean", old["by_document"], new["by_document"]),
        FigureRow(_("Alpha by system"), "mean", old["by_system"], new["by_system"]),
        FigureRow("Fleiss’ kappa", _("all statements"), *plain("fleiss_kappa")),
        FigureRow(_("Percent agreement"), _("pairs of answers"), *plain("percent"), is_share=True),
    ]


def count_changes(comparison: Comparison) -> list[tuple[str, int, int]]:
    """How much there is, before and after."""
    old, new = count_outcome(comparison.before), count_outcome(comparison.after)
    names = {
        "kept": _("Assignments"),
        "workers_kept": _("Workers"),
        "answers_kept": _("Answers"),
        "labelled": _("Labels"),
        "present": "Labels “present”",
        "ties": _("Ties"),
        "expert": _("Expert decisions"),
    }
    return [(words, old[name], new[name]) for name, words in names.items()]


@dataclass(frozen=True, slots=True)
class DropRow:
    """An assignment that would be left out; who it was is told as the reader may know it."""

    summary: str
    worker: str
    worker_pk: int | None
    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class DropSummary:
    rules: list[dict[str, Any]]
    first: list[DropRow]
    total: int


def summarise_drops(outcome: Outcome, people: PeopleNames) -> DropSummary:
    rows = list(iter_drops(outcome))
    shown = rows[:SHOWN_DROPS]
    pks = [int(outcome.collected.assignments[code]) for code, __, __ in shown]
    works = Assignment.objects.select_related(
        "worker", "hit__summary__example", "hit__summary__system"
    ).in_bulk(pks)
    first = [
        _row(works[pk], people, rule, reason)
        for pk, (__, rule, reason) in zip(pks, shown, strict=True)
    ]
    return DropSummary(describe_outcome(outcome)["drops"], first, len(rows))


def iter_drops(outcome: Outcome) -> Iterator[tuple[int, str, str]]:
    """Assignment code, rule and reason of everything that does not count."""
    reasons = {drop.assignment: (drop.rule, drop.reason) for drop in outcome.aggregate.drops}
    reasons |= {
        code: words
        for code, words in outcome.overrides.reasons.items()
        if outcome.overrides.drop[code]
    }
    for code in np.flatnonzero(~outcome.aggregate.kept):
        yield (int(code), *reasons[int(code)])


def _row(work: Assignment, people: PeopleNames, rule: str, reason: str) -> DropRow:
    worker = work.worker.provider_id if work.worker else ""
    summary = _("{example} by {system}").format(
        example=work.hit.summary.example.key, system=work.hit.summary.system.name
    )
    return DropRow(summary, people.name(worker), people.pk(worker), rule, reason)


def stream_comparison(comparison: Comparison) -> Iterator[str]:
    """The ranking before and after, safe to open in a spreadsheet."""
    yield row_line("system", "score_before", "score_after", "rank_before", "rank_after")
    for row in comparison.systems:
        scores = ("" if score is None else repr(score) for score in (row.before, row.after))
        yield row_line(defuse(row.name), *scores, str(row.rank_before), str(row.rank_after))


def get_next_version(unit_set: UnitSet) -> int:
    newest = LabelSet.objects.filter(unit_set=unit_set).order_by("-version").first()
    return newest.version + 1 if newest else 1
