"""The statements that people disagree about most, with the answers behind them.

- A page of contested statements: by whose rules votes are counted, and what the reader may see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from annotation.corpora.corpus.models import Summary
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign
from annotation.errors import DomainError
from annotation.evaluation.labels.answers import get_judged_campaigns, list_adjudications
from annotation.evaluation.labels.models import Adjudication, LabelOrigin, LabelSet
from annotation.evaluation.labels.outcome import Outcome, recall_outcome
from annotation.evaluation.labels.people import PeopleNames
from annotation.units.sets.models import Unit, UnitSet
from scoring.aggregation import Recipe

SHOWN = ("open", "settled", "all")


@dataclass(frozen=True, slots=True)
class Contested:
    """A statement as the browser shows it; `answers` come later, for the page's rows alone."""

    summary: Summary
    unit: Unit
    absent: int
    present: int
    label: int
    adjudication: Adjudication | None
    answers: list[dict[str, Any]]

    @property
    def split(self) -> float:
        """How evenly people were divided: 0 when all agreed, 1 at a draw."""
        return 2 * min(self.absent, self.present) / max(self.absent + self.present, 1)


def rank_contested(outcome: Outcome, show: str = "open", system: str = "") -> NDArray[np.int64]:
    """Codes of statements: the most evenly divided first, then those with more answers."""
    counts = outcome.counts
    total = counts.sum(axis=1)
    split = np.divide(counts.min(axis=1), total, out=np.zeros(len(total)), where=total > 0)
    wanted = split > 0
    if show == "settled":
        wanted = outcome.expert.copy()
    elif show == "open":
        wanted &= ~outcome.expert
    if system:
        answers = outcome.collected.answers
        codes = [code for code, name in enumerate(answers.system_keys) if name == system]
        wanted &= np.isin(answers.summary_systems[answers.statement_summaries], codes)
    order = np.lexsort((-total, -split))
    return order[wanted[order]].astype(np.int64)


def list_contested(
    unit_set: UnitSet, outcome: Outcome, codes: NDArray[np.int64]
) -> list[Contested]:
    """The statements of one page, with who answered what."""
    collected = outcome.collected
    pairs = [
        (
            int(collected.summaries[collected.answers.statement_summaries[code]]),
            int(collected.statement_units[code]),
        )
        for code in codes
    ]
    summaries = Summary.objects.select_related("system", "example").in_bulk(
        {summary for summary, __ in pairs}
    )
    units = Unit.objects.in_bulk({unit for __, unit in pairs})
    settled = {
        (row.summary_id, row.unit_id): row
        for row in list_adjudications(unit_set).filter(summary__in=summaries)
    }
    answers = _answers(outcome, codes)
    return [
        Contested(
            summaries[summary],
            units[unit],
            int(outcome.counts[code, 0]),
            int(outcome.counts[code, 1]),
            int(outcome.present[code]),
            settled.get((summary, unit)),
            answers[int(code)],
        )
        for code, (summary, unit) in zip(codes, pairs, strict=True)
    ]


def _answers(outcome: Outcome, codes: NDArray[np.int64]) -> dict[int, list[dict[str, Any]]]:
    """Each answer: who gave it, what it was, and whether it counts."""
    answers = outcome.collected.answers
    found: dict[int, list[dict[str, Any]]] = {int(code): [] for code in codes}
    rules = {drop.assignment: drop.reason for drop in outcome.aggregate.drops}
    rules |= {code: reason for code, (__, reason) in outcome.overrides.reasons.items()}
    for row in np.flatnonzero(np.isin(answers.statements, codes)):
        code = int(answers.assignments[row])
        kept = bool(outcome.aggregate.kept[code])
        found[int(answers.statements[row])].append(
            {
                "assignment": int(outcome.collected.assignments[code]),
                "worker": answers.worker_keys[answers.assignment_workers[code]],
                "present": bool(answers.labels[row]),
                "kept": kept,
                "reason": "" if kept else rules.get(code, ""),
            }
        )
    return found


@dataclass(frozen=True, slots=True)
class Ground:
    """What votes are counted by: the newest labels of these campaigns, or all that came in."""

    campaigns: list[Campaign]
    recipe: Recipe
    label_set: LabelSet | None

    def get_outcome(self, project: Project) -> Outcome:
        unit_set = self.campaigns[0].unit_set
        return recall_outcome(project, unit_set, self.campaigns, self.recipe)


def get_ground(project: Project) -> Ground:
    newest = (
        LabelSet.objects.filter(project=project, is_ready=True, origin=LabelOrigin.CROWD)
        .prefetch_related("campaigns__unit_set")
        .first()
    )
    campaigns = list(newest.campaigns.all()) if newest else []
    if newest is None or not campaigns:
        return Ground(get_judged_campaigns(project, []), Recipe(), None)
    return Ground(campaigns, Recipe.from_json(newest.recipe), newest)


def get_ground_of(label_set: LabelSet) -> Ground:
    """The answers and rules that these labels were made with."""
    campaigns = list(label_set.campaigns.select_related("unit_set"))
    if not campaigns:
        raise DomainError(
            _("{label_set} was not created from answers.").format(label_set=label_set),
            _("Choose labels that were."),
        )
    return Ground(campaigns, Recipe.from_json(label_set.recipe), label_set)


@dataclass(frozen=True, slots=True)
class ContestedRow:
    """A statement with its answers, people called as the reader may know them."""

    item: Contested
    answers: list[dict[str, Any]]

    @property
    def key(self) -> str:
        return f"{self.item.summary.pk}-{self.item.unit.pk}"

    @property
    def total(self) -> int:
        return self.item.absent + self.item.present


def name_people(items: Sequence[Contested], people: PeopleNames) -> list[ContestedRow]:
    """Those who said present first, then by name."""
    return [
        ContestedRow(
            item,
            sorted(
                (
                    {**row, "worker": people.name(row["worker"]), "pk": people.pk(row["worker"])}
                    for row in item.answers
                ),
                key=lambda row: (not row["kept"], not row["present"], row["worker"]),
            ),
        )
        for item in items
    ]
