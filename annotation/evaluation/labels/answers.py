"""The answers of campaigns as arrays, with the rows of the tables that they stand for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from django.db.models import Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from annotation.corpora.corpus.models import Summary
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Assignment, AssignmentState, Campaign, Hit, Judgement
from annotation.crowd.campaigns.sums import get_answer_stamp, list_counts
from annotation.errors import DomainError, NotFound
from annotation.evaluation.labels.models import Adjudication, Decision, LabelSet, Verdict
from annotation.memory import Memory
from annotation.units.sets.models import Unit, UnitSet
from scoring.aggregation import Answers
from scoring.aggregation.answers import PickedKeys

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


Ids = NDArray[np.int64]
READ_CHUNK = 20_000
# The campaigns looked at last stay in memory: the what-if page reads them at every move.
KEPT = 4
# At a dozen answers each, rules are applied to so many assignments within a second.
MOST_ASSIGNMENTS = 20_000


@dataclass(frozen=True, slots=True)
class Collected:
    """Answers, and which assignments, summaries and units their codes stand for.

    `weights` are those of the statements' units; `until` is the last assignment of each campaign
    that is among them.
    """

    answers: Answers
    assignments: Ids
    summaries: Ids
    statement_units: Ids
    weights: NDArray[np.float64]
    rejected: NDArray[np.bool_]
    until: dict[int, int]

    def find_statement(self, summary: int, unit: int) -> int | None:
        """The code of a unit in a summary, by their ids; None where nobody was asked."""
        for code in np.flatnonzero(self.summaries == summary):
            first, last = np.searchsorted(self.answers.statement_summaries, [code, code + 1])
            for place in np.flatnonzero(self.statement_units[first:last] == unit):
                return int(first + place)
        return None

    def __post_init__(self) -> None:
        """Every thread gets this object: a change to it is an error where it is made."""
        for value in (*vars_of(self), *vars_of(self.answers)):
            if isinstance(value, np.ndarray):
                value.setflags(write=False)


def vars_of(row: DataclassInstance) -> list[object]:
    return [getattr(row, field.name) for field in fields(row)]


def list_judged_campaigns(project: Project, unit_set: UnitSet | None = None) -> list[Campaign]:
    """Campaigns that have brought at least one judgement, the newest first."""
    judged = Judgement.objects.filter(assignment__campaign=OuterRef("pk"))
    rows = Campaign.objects.filter(Exists(judged), project=project)
    if unit_set is not None:
        rows = rows.filter(unit_set=unit_set)
    return list(rows.select_related("unit_set"))


def get_judged_campaigns(project: Project, ids: Iterable[int]) -> list[Campaign]:
    """Those named, or all about the newest one's units; they must be about the same units."""
    wanted = set(ids)
    found = list_judged_campaigns(project)
    if not found:
        raise DomainError(
            _("There are no judgements yet."), _("Publish a campaign, or import one.")
        )
    if not wanted:
        return [campaign for campaign in found if campaign.unit_set_id == found[0].unit_set_id]
    chosen = [campaign for campaign in found if campaign.pk in wanted]
    if missing := wanted - {campaign.pk for campaign in chosen}:
        raise NotFound(
            _("There is no campaign {missing} with judgements in this project.").format(
                missing=min(missing)
            )
        )
    if len({campaign.unit_set_id for campaign in chosen}) > 1:
        raise DomainError(
            _("These campaigns use different unit sets."),
            _("Choose campaigns with the same unit set."),
        )
    return chosen


def has_many(campaigns: Sequence[Campaign]) -> bool:
    """Whether there are more assignments than can be looked through at every move."""
    counts = list_counts(campaigns).values()
    return sum(row.to_review + row.approved + row.rejected for row in counts) > MOST_ASSIGNMENTS


_collected: Memory[Collected] = Memory(KEPT)


def get_collected(campaigns: Sequence[Campaign]) -> Collected:
    """Read anew only when there is another assignment, or another decision of a provider."""
    return _collected.get(get_answer_stamp(campaigns), lambda: _load(campaigns))


@dataclass(frozen=True, slots=True)
class _People:
    """Assignments in the order of their codes; without a known worker, each is its own person."""

    ids: Ids
    keys: list[str]
    summaries: Ids
    workers: Ids
    worker_keys: list[str]
    seconds: NDArray[np.float64]
    gold: Ids
    rejected: NDArray[np.bool_]
    until: dict[int, int]


@dataclass(frozen=True, slots=True)
class _Texts:
    """Summaries in the order of their codes: by example, then by system."""

    ids: Ids
    keys: list[str]
    documents: Ids
    document_keys: list[str]
    systems: Ids
    system_keys: list[str]


def read_some(campaigns: Sequence[Campaign], summaries: Collection[int]) -> Collected:
    """All answers about a few summaries, by their ids."""
    return _load(campaigns, summaries)


def _load(campaigns: Sequence[Campaign], only: Collection[int] | None = None) -> Collected:
    works, judgements = list_once(campaigns, only), _list_judgements(campaigns)
    texts = Summary.objects.filter(hits__campaign__in=campaigns)
    units = Unit.objects.filter(set=campaigns[0].unit_set, is_deleted=False)
    if only is not None:
        # By their ids: joined, all judgements of the campaigns would be looked through.
        ids = list(works.order_by().values_list("pk", flat=True))
        judgements = Judgement.objects.filter(assignment__in=ids)
        texts = texts.filter(pk__in=only)
        units = units.filter(example__in=texts.order_by().values("example"))
    # More judgements may come in once the people are read.
    return _put_together(
        _read_people(works), _read_judgements(judgements), _read_texts(texts), _read_units(units)
    )


def _put_together(people: _People, rows: Ids, texts: _Texts, units: _Units) -> Collected:
    rows = rows[np.isin(rows[:, 0], people.ids)]
    assignment = np.searchsorted(people.ids, rows[:, 0])
    summary = _code(texts.ids, people.summaries[assignment])
    unit = np.searchsorted(units.ids, rows[:, 1])
    place = units.places[unit]
    size = int(units.places.max(initial=0)) + 1
    pairs, first, statement = np.unique(
        summary * size + place, return_index=True, return_inverse=True
    )
    answers = Answers(
        statements=statement.astype(np.int64),
        assignments=assignment.astype(np.int64),
        labels=rows[:, 2].astype(np.int8),
        statement_summaries=(pairs // size).astype(np.int64),
        assignment_workers=people.workers,
        summary_documents=texts.documents,
        summary_systems=texts.systems,
        statement_keys=PickedKeys([str(number) for number in range(1, size + 1)], pairs % size),
        summary_keys=texts.keys,
        assignment_keys=people.keys,
        worker_keys=people.worker_keys,
        document_keys=texts.document_keys,
        system_keys=texts.system_keys,
        assignment_seconds=people.seconds,
        assignment_gold_asked=people.gold[:, 0],
        assignment_gold_right=people.gold[:, 1],
    )
    return Collected(
        answers,
        people.ids,
        texts.ids,
        rows[first, 1],
        units.weights[unit[first]],
        people.rejected,
        people.until,
    )


def _code(ids: Ids, values: Ids) -> Ids:
    """The places of *values* among *ids*, which are in an order of their own."""
    order = np.argsort(ids)
    return order[np.searchsorted(ids[order], values)].astype(np.int64)


def _list_judgements(campaigns: Sequence[Campaign]) -> QuerySet[Judgement]:
    return Judgement.objects.filter(assignment__campaign__in=campaigns)


def _read_judgements(judgements: QuerySet[Judgement]) -> Ids:
    """Assignment, unit and answer of every judgement, in an order that the tables fix."""
    rows = judgements.order_by("assignment_id", "unit_id").values_list(
        "assignment_id", "unit_id", "present"
    )
    flat = chain.from_iterable(rows.iterator(chunk_size=READ_CHUNK))
    return np.fromiter(flat, dtype=np.int64).reshape(-1, 3)


def _read_people(assignments: QuerySet[Assignment]) -> _People:
    rows = list(
        assignments.order_by("pk").values_list(
            "pk",
            "provider_id",
            "hit__summary_id",
            "worker__provider_id",
            "seconds",
            "gold_asked",
            "gold_right",
            "state",
            "campaign_id",
        )
    )
    names = [row[3] or _("unknown worker of {row}").format(row=row[1]) for row in rows]
    worker_keys = sorted(set(names))
    codes = {name: code for code, name in enumerate(worker_keys)}
    return _People(
        ids=np.array([row[0] for row in rows], dtype=np.int64),
        keys=[row[1] for row in rows],
        summaries=np.array([row[2] for row in rows], dtype=np.int64),
        workers=np.array([codes[name] for name in names], dtype=np.int64),
        worker_keys=worker_keys,
        seconds=np.array([np.nan if row[4] is None else row[4] for row in rows], dtype=np.float64),
        gold=np.array([row[5:7] for row in rows], dtype=np.int64).reshape(-1, 2),
        rejected=np.array([row[7] == AssignmentState.REJECTED for row in rows], dtype=np.bool_),
        until={row[8]: row[0] for row in rows},
    )


def _read_texts(summaries: QuerySet[Summary]) -> _Texts:
    rows = list(
        summaries.order_by("example__position", "example_id", "system__name", "system_id")
        .distinct()
        .values_list("pk", "example__key", "system__name")
    )
    document_keys = list(dict.fromkeys(row[1] for row in rows))
    system_keys = sorted({row[2] for row in rows})
    document = {key: code for code, key in enumerate(document_keys)}
    system = {key: code for code, key in enumerate(system_keys)}
    return _Texts(
        ids=np.array([row[0] for row in rows], dtype=np.int64),
        keys=[_("{row} by {row_2}").format(row=row[1], row_2=row[2]) for row in rows],
        documents=np.array([document[row[1]] for row in rows], dtype=np.int64),
        document_keys=document_keys,
        systems=np.array([system[row[2]] for row in rows], dtype=np.int64),
        system_keys=system_keys,
    )


@dataclass(frozen=True, slots=True)
class _Units:
    """Units by ascending id, the place that each has in its example, and its weight."""

    ids: Ids
    places: Ids
    weights: NDArray[np.float64]


def _read_units(units: QuerySet[Unit]) -> _Units:
    rows = units.order_by("position", "pk")
    found: dict[int, tuple[int, int]] = {}
    seen: Counter[int] = Counter()
    fields = rows.values_list("pk", "example_id", "weight")
    for pk, example, weight in fields.iterator(chunk_size=READ_CHUNK):
        found[pk] = (seen[example], weight)
        seen[example] += 1
    ids = sorted(found)
    return _Units(
        np.array(ids, dtype=np.int64),
        np.array([found[pk][0] for pk in ids], dtype=np.int64),
        np.array([found[pk][1] for pk in ids], dtype=np.float64),
    )


def list_once(
    campaigns: Sequence[Campaign], summaries: Collection[int] | None = None
) -> QuerySet[Assignment]:
    """The campaigns' assignments, each once: the same one may have come by several of them.

    Those about a few summaries are found by their HITs, and not among all of the campaigns.
    """
    rows: QuerySet[Assignment] = Assignment.objects.filter(campaign__in=campaigns)
    if summaries is not None:
        hits = Hit.objects.filter(campaign__in=campaigns, summary__in=summaries).order_by()
        rows = Assignment.objects.filter(hit__in=list(hits.values_list("pk", flat=True)))
    if len(campaigns) < 2:
        return rows
    before = (
        Assignment.objects.filter(
            campaign__in=campaigns,
            provider_id=OuterRef("provider_id"),
            hit__summary=OuterRef("hit__summary"),
            pk__lt=OuterRef("pk"),
        )
        .annotate(by=Coalesce("worker__provider_id", Value("")))
        .filter(by=Coalesce(OuterRef("worker__provider_id"), Value("")))
    )
    return rows.filter(~Exists(before))


def list_labelled_assignments(
    label_set: LabelSet, summaries: Collection[int] | None = None
) -> QuerySet[Assignment]:
    """What labels were made of: of a campaign that runs on, no more than it had brought by then."""
    rows = list_once(list(label_set.campaigns.all()), summaries)
    for campaign, last in label_set.answers_until.items():
        rows = rows.exclude(campaign=int(campaign), pk__gt=last)
    return rows


def get_labelled_answers(label_set: LabelSet) -> Answers | None:
    """The answers that count in a label set; None where its labels came from files."""
    campaigns = list(label_set.campaigns.select_related("unit_set").order_by("pk"))
    if not campaigns:
        return None
    collected = get_collected(campaigns)
    read = list_labelled_assignments(label_set).exclude(drops__label_set=label_set)
    kept = np.isin(collected.assignments, list(read.values_list("pk", flat=True)))
    return collected.answers.keep(kept) if kept.any() else None


def list_decisions(project: Project) -> QuerySet[Decision]:
    """Decisions that stand, the newest first."""
    return Decision.objects.filter(project=project, undone_at=None).select_related(
        "worker", "assignment", "assignment__worker", "made_by"
    )


@dataclass(frozen=True, slots=True)
class Overrides:
    """Assignments that people, or a provider's rejection, have left out or kept in."""

    drop: NDArray[np.bool_]
    keep: NDArray[np.bool_]
    reasons: dict[int, tuple[str, str]]


def get_overrides(project: Project, collected: Collected) -> Overrides:
    """A word on an assignment goes before a word on its worker, and that before a rejection."""
    by_assignment: dict[int, Decision] = {}
    by_worker: dict[str, Decision] = {}
    for decision in list_decisions(project):
        if decision.assignment_id is not None:
            by_assignment[decision.assignment_id] = decision
        elif decision.worker is not None:
            by_worker[decision.worker.provider_id] = decision
    answers = collected.answers
    drop = collected.rejected.copy()
    keep = np.zeros(len(drop), dtype=np.bool_)
    reasons = {
        int(code): ("rejected", _("The work was rejected.")) for code in np.flatnonzero(drop)
    }
    workers = [code for code, key in enumerate(answers.worker_keys) if key in by_worker]
    decided = np.isin(collected.assignments, list(by_assignment)) | np.isin(
        answers.assignment_workers, workers
    )
    for code in np.flatnonzero(decided).tolist():
        worker = answers.worker_keys[answers.assignment_workers[code]]
        made = by_assignment.get(int(collected.assignments[code])) or by_worker[worker]
        drop[code] = made.verdict == Verdict.DROP
        keep[code] = made.verdict == Verdict.KEEP
        reasons[code] = ("decision", made.reason)
    return Overrides(drop, keep, reasons)


def list_adjudications(unit_set: UnitSet) -> QuerySet[Adjudication]:
    """What experts have settled about a set's units, and not taken back."""
    return Adjudication.objects.filter(unit__set=unit_set, undone_at=None).select_related(
        "unit", "summary__system", "summary__example", "made_by"
    )
