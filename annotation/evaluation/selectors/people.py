"""The people behind answers: how they are called, and what each of them did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from django.db.models import Sum

from annotation.access import ProjectAccess
from annotation.corpora.models import Project
from annotation.crowd.models import Assignment, Campaign, Worker
from annotation.errors import NotFound
from annotation.evaluation.models import Decision
from annotation.evaluation.selectors.answers import get_collected, list_decisions
from scoring.aggregation import WorkerTable, describe_workers

CENTS = Decimal("0.01")
HOUR = 3600
UNKNOWN = "Unknown worker"


@dataclass(frozen=True, slots=True)
class Naming:
    """Ids as the provider gave them for those who may see them, numbers for all others."""

    numbers: Mapping[str, int] | None

    def call(self, provider_id: str) -> str:
        if self.numbers is None:
            return provider_id
        number = self.numbers.get(provider_id)
        return UNKNOWN if number is None else f"Worker {number}"


def get_naming(access: ProjectAccess) -> Naming:
    """Numbers go by when a worker was first met, so that they stay."""
    if access.can_edit:
        return Naming(None)
    known = Worker.objects.filter(project=access.project).order_by("pk")
    ids = dict.fromkeys(known.values_list("provider_id", flat=True))
    return Naming({provider_id: number for number, provider_id in enumerate(ids, start=1)})


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """One person in figures; `id` is None where a file does not say who it was.

    `compared` answers met a strict majority of the others, `agreed` of them say the same.
    `judged` answers lie on statements with a strict majority of everybody, `departed` of them
    differ from it. `wage` is dollars an hour over the work whose time is known.
    """

    id: int | None
    worker: str
    hits: int
    answers: int
    present: int
    compared: int
    agreed: int
    judged: int
    departed: int
    seconds: float | None
    gold_asked: int
    gold_right: int
    wage: Decimal | None
    decision: Decision | None

    @property
    def agreement(self) -> float | None:
        return self.agreed / self.compared if self.compared else None

    @property
    def disagreement(self) -> float | None:
        return self.departed / self.judged if self.judged else None

    @property
    def present_share(self) -> float | None:
        return self.present / self.answers if self.answers else None

    @property
    def seconds_per_answer(self) -> float | None:
        is_known = self.seconds is not None and self.answers
        return None if not is_known else (self.seconds or 0) / self.answers


def list_worker_rows(project: Project, campaigns: Sequence[Campaign]) -> list[WorkerRow]:
    """Everybody with an assignment, the busiest first."""
    answers = get_collected(campaigns).answers
    table = describe_workers(answers)
    ids = _ids(campaigns)
    wages = _wages(campaigns)
    decisions = {row.worker_id: row for row in list_decisions(project)}
    rows = []
    for code in np.flatnonzero(table.hits > 0).tolist():
        name = answers.worker_keys[code]
        pk = ids.get(name)
        rows.append(
            WorkerRow(
                id=pk,
                worker=name,
                wage=wages.get(pk),
                decision=decisions.get(pk) if pk else None,
                **_figures(table, code),
            )
        )
    return sorted(rows, key=lambda row: (-row.hits, row.worker))


def _figures(table: WorkerTable, code: int) -> dict[str, Any]:
    names = ("hits", "answers", "present", "compared", "agreed", "judged", "departed")
    found = {name: int(getattr(table, name)[code]) for name in names}
    seconds = float(table.seconds[code])
    return {
        **found,
        "seconds": None if np.isnan(seconds) else seconds,
        "gold_asked": int(table.gold_asked[code]),
        "gold_right": int(table.gold_right[code]),
    }


def _ids(campaigns: Sequence[Campaign]) -> dict[str, int]:
    rows = Worker.objects.filter(assignments__campaign__in=campaigns).order_by("-pk")
    return dict(rows.values_list("provider_id", "pk"))


def _wages(campaigns: Sequence[Campaign]) -> dict[int | None, Decimal]:
    rows = (
        Assignment.objects.filter(campaign__in=campaigns, worker__isnull=False, seconds__gt=0)
        .order_by("worker")
        .values("worker")
        .annotate(paid=Sum("hit__reward"), seconds_known=Sum("seconds"))
    )
    return {
        row["worker"]: (row["paid"] * HOUR / Decimal(row["seconds_known"])).quantize(CENTS)
        for row in rows
    }


def get_worker(project: Project, pk: int) -> Worker:
    found = Worker.objects.filter(project=project, pk=pk).first()
    if found is None:
        raise NotFound(f"The project knows no worker {pk}.")
    return found


def get_assignment(project: Project, pk: int) -> Assignment:
    rows = Assignment.objects.filter(campaign__project=project, pk=pk)
    found = rows.select_related("worker").first()
    if found is None:
        raise NotFound(f"The project has no assignment {pk}.")
    return found
