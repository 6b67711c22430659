"""Workers and their work, as decisions name them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from django.db.models import QuerySet, Sum
from django.utils.translation import gettext as _

from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Assignment, AssignmentState, Campaign, Worker
from annotation.crowd.review.bulk import sum_bonuses
from annotation.errors import NotFound
from annotation.evaluation.labels.answers import Collected, get_collected, list_decisions
from annotation.evaluation.labels.models import Decision
from annotation.translation import gettext_lazy
from scoring.aggregation import WorkerTable, describe_workers, measure_biases
from scoring.aggregation.workers import find_departures


def get_worker(project: Project, pk: int) -> Worker:
    found = Worker.objects.filter(project=project, pk=pk).first()
    if found is None:
        raise NotFound(_("The project has no worker {pk}.").format(pk=pk))
    return found


def get_assignment(project: Project, pk: int) -> Assignment:
    rows = Assignment.objects.filter(campaign__project=project, pk=pk)
    found = rows.select_related("worker").first()
    if found is None:
        raise NotFound(_("The project has no assignment {pk}.").format(pk=pk))
    return found


UNKNOWN = gettext_lazy("Unknown worker")


@dataclass(frozen=True, slots=True)
class PeopleNames:
    """A worker's number is the same on every page of the project."""

    numbers: dict[str, int]
    ids: dict[str, int]
    can_see_ids: bool

    def name(self, worker: str) -> str:
        if worker not in self.numbers:
            return UNKNOWN
        return (
            worker
            if self.can_see_ids
            else _("Worker {numbers}").format(numbers=self.numbers[worker])
        )

    def pk(self, worker: str) -> int | None:
        """For a link to the worker's page, which only those who see ids may open."""
        return self.ids.get(worker) if self.can_see_ids else None


def get_people_names(project: Project, *, can_see_ids: bool) -> PeopleNames:
    rows = list(
        Worker.objects.filter(project=project).order_by("pk").values_list("provider_id", "pk")
    )
    numbers = {name: number for number, (name, __) in enumerate(rows, start=1)}
    return PeopleNames(numbers, dict(rows), can_see_ids)


CENT = Decimal("0.01")
# What is stored of a worker just as it is shown.
SAME = (
    *("hits", "answers", "present", "agreed", "compared", "departed", "judged", "seconds"),
    *("gold_asked", "gold_right"),
)
SORTS = ("assignments", "agreement", "departures", "seconds", "wage", "gold")


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """A worker in numbers; what can't be told is None."""

    worker: Worker
    hits: int
    answers: int
    present: float
    agreed: int
    compared: int
    departed: int
    judged: int
    seconds: float | None
    wage: Decimal | None
    gold_asked: int
    gold_right: int
    decision: Decision | None

    @property
    def agreement(self) -> float | None:
        return self.agreed / self.compared if self.compared else None

    @property
    def departures(self) -> float | None:
        return self.departed / self.judged if self.judged else None

    @property
    def gold(self) -> float | None:
        return self.gold_right / self.gold_asked if self.gold_asked else None

    @property
    def assignments(self) -> int:
        return self.hits


@dataclass(frozen=True, slots=True)
class WorkerList:
    """Those who are known, and how many assignments nobody's name is on."""

    rows: list[WorkerRow]
    unknown: int


@dataclass(frozen=True, slots=True)
class WorkerFigures:
    """What is stored of a worker where there are too many answers to read for a page."""

    worker: int
    hits: int
    answers: int
    present: float
    agreed: int
    compared: int
    departed: int
    judged: int
    seconds: float | None
    wage: str | None
    gold_asked: int
    gold_right: int
    leanings: dict[str, float]


def list_worker_rows(
    project: Project, campaigns: Sequence[Campaign], sort: str = "assignments"
) -> WorkerList:
    """The busiest first, or by a figure: those whom one should look at first."""
    collected = get_collected(campaigns)
    table = describe_workers(collected.answers)
    known = {row.provider_id: row for row in Worker.objects.filter(project=project)}
    wages = _wages(campaigns)
    decisions = _decisions(project)
    codes = {key: code for code, key in enumerate(collected.answers.worker_keys)}
    rows = [
        _row(table, codes[key], worker, wages.get(worker.pk), decisions.get(worker.pk))
        for key, worker in known.items()
        if key in codes
    ]
    named = sum(row.hits for row in rows)
    return WorkerList(_sorted(rows, sort), len(collected.assignments) - named)


def describe_all_workers(
    campaigns: Sequence[Campaign], collected: Collected
) -> list[WorkerFigures]:
    """In a job: everybody's figures, to be stored."""
    project = campaigns[0].project
    found = []
    for row in list_worker_rows(project, campaigns).rows:
        leanings = {item.system: item.value for item in list_leanings(collected, row.worker)}
        wage = None if row.wage is None else str(row.wage)
        same = {name: getattr(row, name) for name in SAME}
        found.append(WorkerFigures(row.worker.pk, **same, wage=wage, leanings=leanings))
    return found


def list_stored_rows(
    project: Project, figures: Sequence[WorkerFigures], sort: str = "assignments"
) -> list[WorkerRow]:
    """Those figures, with what was decided by now."""
    workers = Worker.objects.in_bulk([row.worker for row in figures])
    decisions = _decisions(project)
    rows = [
        WorkerRow(
            worker=workers[row.worker],
            wage=None if row.wage is None else Decimal(row.wage),
            decision=decisions.get(row.worker),
            **{name: getattr(row, name) for name in SAME},
        )
        for row in figures
        if row.worker in workers
    ]
    return _sorted(rows, sort)


def _row(
    table: WorkerTable,
    code: int,
    worker: Worker,
    wage: Decimal | None,
    decision: Decision | None,
) -> WorkerRow:
    answers = int(table.answers[code])
    seconds = float(table.seconds[code])
    return WorkerRow(
        worker=worker,
        hits=int(table.hits[code]),
        answers=answers,
        present=int(table.present[code]) / answers if answers else 0.0,
        agreed=int(table.agreed[code]),
        compared=int(table.compared[code]),
        departed=int(table.departed[code]),
        judged=int(table.judged[code]),
        seconds=None if np.isnan(seconds) or not answers else seconds / answers,
        wage=wage,
        gold_asked=int(table.gold_asked[code]),
        gold_right=int(table.gold_right[code]),
        decision=decision,
    )


def _sorted(rows: list[WorkerRow], sort: str) -> list[WorkerRow]:
    """High departures and volume first; low agreement, speed, wage and gold first."""
    falling = sort in ("assignments", "departures")

    def order(row: WorkerRow) -> tuple[bool, float, str]:
        value = getattr(row, sort)
        figure = float(value or 0)
        return value is None, -figure if falling else figure, row.worker.provider_id

    return sorted(rows, key=order)


def _wages(campaigns: Sequence[Campaign]) -> dict[int, Decimal]:
    """Rewards and bonuses for an hour of the time that a worker's assignments took."""
    rows = (
        Assignment.objects.filter(campaign__in=campaigns, seconds__gt=0, worker__isnull=False)
        .exclude(state=AssignmentState.REJECTED)
        .values_list("worker")
        .annotate(paid=Sum("hit__reward"), time=Sum("seconds"))
    )
    bonuses: dict[int, Decimal] = {}
    for campaign in campaigns:
        for worker, amount in sum_bonuses(campaign).items():
            bonuses[worker] = bonuses.get(worker, Decimal(0)) + amount
    return {
        worker: wage
        for worker, paid, time in rows
        if (
            wage := ((paid + bonuses.get(worker, Decimal(0))) * 3600 / Decimal(time)).quantize(CENT)
        )
    }


def _decisions(project: Project) -> dict[int, Decision]:
    return {row.worker_id: row for row in list_decisions(project) if row.worker_id is not None}


@dataclass(frozen=True, slots=True)
class SystemBias:
    """How much more often than others a worker says *present* of one system."""

    system: str
    value: float

    @property
    def percent(self) -> float:
        """Half of a bar is 50 points wide."""
        return round(min(abs(self.value), 1) * 50, 1)

    @property
    def start(self) -> float:
        return 50 if self.value >= 0 else 50 - self.percent


def list_leanings(collected: Collected, worker: Worker) -> list[SystemBias]:
    """The strongest first; systems of which nobody else judged the same are left out."""
    answers = collected.answers
    if worker.provider_id not in answers.worker_keys:
        return []
    code = list(answers.worker_keys).index(worker.provider_id)
    found = measure_biases(answers, code)
    return sort_leanings(
        {
            name: float(found[place])
            for place, name in enumerate(answers.system_keys)
            if not np.isnan(found[place])
        }
    )


def sort_leanings(values: Mapping[str, float]) -> list[SystemBias]:
    """By system; the strongest first."""
    rows = [SystemBias(name, value) for name, value in values.items()]
    return sorted(rows, key=lambda row: (-abs(row.value), row.system))


@dataclass(frozen=True, slots=True)
class WorkRow:
    """One assignment of a worker: how often it departs from the majority."""

    assignment: Assignment
    departed: int
    judged: int
    decision: Decision | None


def list_work(campaigns: Sequence[Campaign], worker: Worker) -> QuerySet[Assignment]:
    return (
        Assignment.objects.filter(campaign__in=campaigns, worker=worker)
        .select_related("hit__summary__example", "hit__summary__system", "campaign")
        .defer("raw")
    )


def describe_work(
    project: Project, collected: Collected, rows: Sequence[Assignment]
) -> list[WorkRow]:
    found = find_departures(collected.answers)
    size = len(collected.assignments)
    departed = np.bincount(collected.answers.assignments[found.departed], minlength=size)
    judged = np.bincount(collected.answers.assignments[found.counted], minlength=size)
    code = {int(pk): place for place, pk in enumerate(collected.assignments)}
    decisions = {
        row.assignment_id: row for row in list_decisions(project).filter(assignment__in=rows)
    }
    return [
        WorkRow(
            row,
            int(departed[code[row.pk]]) if row.pk in code else 0,
            int(judged[code[row.pk]]) if row.pk in code else 0,
            decisions.get(row.pk),
        )
        for row in rows
    ]


def list_worker_decisions(worker: Worker) -> QuerySet[Decision]:
    """Everything ever decided about a worker or a piece of their work, the newest first."""
    rows = Decision.objects.filter(worker=worker) | Decision.objects.filter(
        assignment__worker=worker
    )
    return rows.select_related(
        "made_by", "undone_by", "assignment__hit__summary__example"
    ).order_by("-made_at", "-pk")
