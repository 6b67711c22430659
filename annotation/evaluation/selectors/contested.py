"""The statements that people disagree about most, with the answers behind them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.corpora.models import Summary
from annotation.evaluation.models import Adjudication
from annotation.evaluation.selectors.answers import list_adjudications
from annotation.evaluation.selectors.whatif import Outcome
from annotation.units.models import Unit, UnitSet

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
        {summary for summary, _ in pairs}
    )
    units = Unit.objects.in_bulk({unit for _, unit in pairs})
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
    rules |= {code: reason for code, (_, reason) in outcome.overrides.reasons.items()}
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
