"""Rows of results files as HITs, assignments and judgements of a campaign."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import Any

from django.db.models import Count, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce, Greatest

from annotation import clock
from annotation.corpora.services.bulk import insert_rows
from annotation.crowd.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Hit,
    HitState,
    Judgement,
    ProviderName,
    Worker,
)
from annotation.crowd.services.offline_matching import HitPlan, Matched
from annotation.translation import gettext as _
from annotation.units.models import UnitSet

CHUNK = 500


@dataclass(slots=True)
class Written:
    """What an import brought; `known` assignments were there before and stay as they are.

    They may be in another campaign about the same units: answers count once, however they came.
    """

    assignments: int = 0
    judgements: int = 0
    hits: int = 0
    known: int = 0


class KnownAnswers:
    """Which assignments about a unit set are there already, in this campaign or in another."""

    def __init__(self, unit_set: UnitSet, campaign: Campaign | None) -> None:
        self._here: set[str] = set()
        self._elsewhere: dict[tuple[str, int, str], int] = {}
        rows = Assignment.objects.filter(campaign__unit_set=unit_set)
        fields = ("campaign_id", "provider_id", "hit__summary_id", "worker__provider_id")
        for pk, identity, summary, worker in rows.values_list(*fields):
            if campaign is not None and pk == campaign.pk:
                self._here.add(identity)
            else:
                self._elsewhere[identity, summary, worker or ""] = pk

    def add(self, item: Matched) -> None:
        self._here.add(item.row.identity)

    def find_elsewhere(self, item: Matched) -> int | None:
        """Only another campaign that has these answers: the same assignment, summary, worker."""
        key = (item.row.identity, item.hit.summary, item.row.worker_id)
        return None if item.row.identity in self._here else self._elsewhere.get(key)

    def __contains__(self, item: Matched) -> bool:
        return item.row.identity in self._here or self.find_elsewhere(item) is not None


class Writer:
    """Writes into one campaign. Call inside a transaction."""

    def __init__(self, campaign: Campaign, *, count_blank: bool = False) -> None:
        self.campaign = campaign
        self.count_blank = count_blank
        self.written = Written()
        self._known = KnownAnswers(campaign.unit_set, campaign)

    def write(self, matches: Iterable[Matched]) -> None:
        for chunk in _chunks(self._new(matches)):
            self._make_hits(chunk)
            workers = self._find_workers(chunk)
            made = Assignment.objects.bulk_create(
                [self._assignment(item, workers.get(item.row.worker_id)) for item in chunk]
            )
            judgements = [
                (assignment.pk, unit, present)
                for assignment, item in zip(made, chunk, strict=True)
                for unit, present in _judgements(item)
            ]
            insert_rows(Judgement, ["assignment", "unit", "present"], judgements)
            self.written.assignments += len(made)
            self.written.judgements += len(judgements)

    def finish(self) -> None:
        """Count what each HIT has by now."""
        hits = Hit.objects.filter(campaign=self.campaign)
        decided = ~Q(state=AssignmentState.SUBMITTED)
        hits.update(collected=_count_assignments(), decided=_count_assignments(decided))
        siblings = Hit.objects.filter(campaign=self.campaign, summary=OuterRef("summary"))
        parts = siblings.order_by().values("summary").annotate(count=Count("pk")).values("count")
        hits.update(wanted=Greatest("wanted", "collected"), parts=Subquery(parts))

    def _new(self, matches: Iterable[Matched]) -> Iterator[Matched]:
        for item in matches:
            if item in self._known:
                self.written.known += 1
                continue
            self._known.add(item)
            yield item

    def _make_hits(self, chunk: Sequence[Matched]) -> None:
        missing = {id(item.hit): (item.hit, item.row.hit_id) for item in chunk if not item.hit.pk}
        rows = [self._hit(plan, hit_id) for plan, hit_id in missing.values()]
        for (plan, __), hit in zip(missing.values(), Hit.objects.bulk_create(rows), strict=True):
            plan.pk = hit.pk
        self.written.hits += len(rows)

    def _hit(self, plan: HitPlan, hit_id: str) -> Hit:
        return Hit(
            campaign=self.campaign,
            summary_id=plan.summary,
            part=plan.part,
            statements=plan.statements,
            reward=Decimal(0),
            wanted=0,
            state=HitState.CLOSED,
            provider_id=hit_id,
        )

    def _find_workers(self, chunk: Sequence[Matched]) -> dict[str, int]:
        ids = {item.row.worker_id for item in chunk} - {""}
        about: dict[str, Any] = {
            "project": self.campaign.project,
            "provider": ProviderName.OFFLINE,
        }
        Worker.objects.bulk_create(
            [Worker(provider_id=worker_id, **about) for worker_id in sorted(ids)],
            ignore_conflicts=True,
        )
        found = Worker.objects.filter(provider_id__in=ids, **about)
        return dict(found.values_list("provider_id", "pk"))

    def _assignment(self, item: Matched, worker: int | None) -> Assignment:
        row = item.row
        asked, right = _gold(item)
        if self.count_blank:
            asked, right = asked + len(row.blanks), right + row.blanks.count(False)
        assert item.hit.pk is not None
        return Assignment(
            campaign=self.campaign,
            hit_id=item.hit.pk,
            worker_id=worker,
            provider_id=row.identity,
            state=row.status,
            raw=row.raw,
            answers=item.answers,
            problem=_problem(item.unanswered),
            gold_asked=asked,
            gold_right=right,
            comment=row.comment,
            accepted_at=row.accepted_at,
            submitted_at=row.submitted_at,
            decided_at=row.decided_at,
            seconds=row.seconds,
            received_at=clock.now(),
        )


def _chunks(items: Iterator[Matched]) -> Iterator[list[Matched]]:
    while chunk := list(islice(items, CHUNK)):
        yield chunk


def _judgements(item: Matched) -> Iterator[tuple[int, bool]]:
    for statement in item.hit.statements:
        answer = item.answers.get(statement["key"])
        if answer is not None and "unit" in statement:
            yield statement["unit"], answer == "present"


def _gold(item: Matched) -> tuple[int, int]:
    """Attention items: how many were asked, and how many answered rightly."""
    known = [row for row in item.hit.statements if "gold" in row]
    right = [row for row in known if item.answers.get(row["key"]) == _wanted(row["gold"])]
    return len(known), len(right)


def _wanted(gold: bool) -> str:
    return "present" if gold else "absent"


def _problem(unanswered: Sequence[int]) -> str:
    listed = ", ".join(map(str, unanswered))
    return _("No answer to statement {listed}.").format(listed=listed)[:300] if unanswered else ""


def _count_assignments(where: Q | None = None) -> Coalesce:
    rows = Assignment.objects.filter(where or Q(), hit=OuterRef("pk")).order_by()
    counted = rows.values("hit").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)
