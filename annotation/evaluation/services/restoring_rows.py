"""Answers and labels of a gold dataset as rows: HITs, assignments, judgements, drops, labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Any

from annotation import clock
from annotation.corpora.models import Example, Summary, User
from annotation.corpora.services.bulk import insert_rows
from annotation.crowd.models import (
    Assignment,
    AssignmentState,
    Campaign,
    CampaignState,
    Hit,
    HitState,
    Judgement,
    ProviderName,
    Worker,
)
from annotation.evaluation.models import Adjudication, Drop, LabelSet, SummaryLabels
from annotation.units.models import Unit
from scoring.io.gold import GoldAnswer, GoldExample, GoldFacts

MAX_TITLE = 128


def make_campaign(label_set: LabelSet, facts: GoldFacts, user: User | None) -> Campaign:
    """One campaign for all answers; what the study's own were is told in the gold's facts."""
    first = facts.campaigns[0] if facts.campaigns else None
    now = clock.now()
    return Campaign.objects.create(
        project=label_set.project,
        unit_set=label_set.unit_set,
        name=f"{facts.name} v{facts.version}"[:120],
        provider=ProviderName.OFFLINE,
        state=CampaignState.ENDED,
        title=(first.title if first else "Judgements of a gold dataset")[:MAX_TITLE],
        description="Restored from a gold dataset; nothing was published from here.",
        instructions=first.instructions if first else "",
        assignments_per_hit=max(first.judges if first else 1, 1),
        reward=Decimal(0),
        budget=Decimal(0),
        provider_state={"imported": True, "pseudonymous": True},
        created_by=user,
        published_at=now,
        ended_at=now,
        collected_at=now,
    )


@dataclass(frozen=True, slots=True)
class _Work:
    """One assignment of the file: its answers, and the HIT they belong to."""

    hit: Hit
    answers: list[GoldAnswer]
    units: list[int]


class RowWriter:
    """Writes some examples at a time, table by table. Call inside a transaction."""

    def __init__(self, label_set: LabelSet, campaign: Campaign | None) -> None:
        self.label_set = label_set
        self.campaign = campaign

    def write(self, chunk: Sequence[GoldExample]) -> None:
        keys = [example.key for example in chunk]
        rows = Example.objects.filter(project=self.label_set.project, key__in=keys)
        examples = dict(rows.values_list("key", "pk"))
        summaries = self._summaries(list(examples.values()))
        units = self._units(list(examples.values()))
        places = [
            _Place(example, summaries[examples[example.key]], units[examples[example.key]])
            for example in chunk
        ]
        SummaryLabels.objects.bulk_create(
            row for place in places for row in place.labels(self.label_set)
        )
        Adjudication.objects.bulk_create(
            row for place in places for row in place.adjudications(self.label_set)
        )
        if self.campaign is not None:
            self._write_answers(self.campaign, places)

    def _summaries(self, examples: list[int]) -> dict[int, dict[str, int]]:
        found: dict[int, dict[str, int]] = defaultdict(dict)
        rows = Summary.objects.filter(example__in=examples)
        for example, system, pk in rows.values_list("example_id", "system__name", "pk"):
            found[example][system] = pk
        return found

    def _units(self, examples: list[int]) -> dict[int, list[tuple[int, str]]]:
        found: dict[int, list[tuple[int, str]]] = defaultdict(list)
        rows = Unit.objects.filter(
            set=self.label_set.unit_set, is_deleted=False, example__in=examples
        ).order_by("position", "pk")
        for example, pk, text in rows.values_list("example_id", "pk", "text"):
            found[example].append((pk, text))
        return found

    def _write_answers(self, campaign: Campaign, places: Sequence[_Place]) -> None:
        work = [item for place in places for item in place.work(campaign)]
        Hit.objects.bulk_create({id(item.hit): item.hit for item in work}.values())
        workers = self._workers(campaign, {item.answers[0].worker for item in work} - {""})
        made = Assignment.objects.bulk_create(_assignment(campaign, item, workers) for item in work)
        rows = [
            (assignment.pk, item.units[answer.unit], answer.present)
            for assignment, item in zip(made, work, strict=True)
            for answer in item.answers
        ]
        insert_rows(Judgement, ["assignment", "unit", "present"], rows)
        Drop.objects.bulk_create(
            Drop(
                label_set=self.label_set,
                assignment=assignment,
                rule=item.answers[0].dropped_by[:40],
                reason="Left out when the labels were made.",
            )
            for assignment, item in zip(made, work, strict=True)
            if not item.answers[0].kept
        )

    def _workers(self, campaign: Campaign, names: set[str]) -> dict[str, int]:
        about: dict[str, Any] = {"project": campaign.project, "provider": ProviderName.OFFLINE}
        Worker.objects.bulk_create(
            [Worker(provider_id=name, **about) for name in sorted(names)], ignore_conflicts=True
        )
        rows = Worker.objects.filter(provider_id__in=names, **about)
        return dict(rows.values_list("provider_id", "pk"))


@dataclass(frozen=True, slots=True)
class _Place:
    """An example of the file beside its rows: summaries by system, units in their order."""

    example: GoldExample
    summaries: dict[str, int]
    units: list[tuple[int, str]]

    def labels(self, label_set: LabelSet) -> Iterator[SummaryLabels]:
        votes = _count_votes(self.example)
        experts: dict[str, list[int]] = defaultdict(list)
        for item in self.example.adjudications:
            experts[item.system].append(item.unit)
        for system, labels in self.example.labels.items():
            yield SummaryLabels(
                label_set=label_set,
                summary_id=self.summaries[system],
                labels=list(labels),
                posteriors=list(self.example.posteriors.get(system, ())),
                votes=votes.get(system, []),
                expert=sorted(experts[system]),
            )

    def adjudications(self, label_set: LabelSet) -> Iterator[Adjudication]:
        for item in self.example.adjudications:
            yield Adjudication(
                project=label_set.project,
                summary_id=self.summaries[item.system],
                unit_id=self.units[item.unit][0],
                present=item.present,
                reason=item.reason,
                expert=item.expert,
                made_at=label_set.created_at,
            )

    def work(self, campaign: Campaign) -> Iterator[_Work]:
        """A HIT for each summary that was judged, with all units, whatever it had been."""
        statements = [
            {"key": f"s{number}", "text": text, "unit": pk}
            for number, (pk, text) in enumerate(self.units, start=1)
        ]
        ids = [pk for pk, _ in self.units]
        for system, answers in groupby(self.example.answers, key=lambda answer: answer.system):
            groups = [
                list(group) for _, group in groupby(answers, key=lambda answer: answer.assignment)
            ]
            hit = Hit(
                campaign=campaign,
                summary_id=self.summaries[system],
                statements=statements,
                reward=Decimal(0),
                wanted=len(groups),
                collected=len(groups),
                decided=len(groups),
                state=HitState.CLOSED,
            )
            yield from (_Work(hit, group, ids) for group in groups)


def _count_votes(example: GoldExample) -> dict[str, list[list[int]]]:
    votes: dict[str, list[list[int]]] = {}
    for answer in example.answers:
        rows = votes.setdefault(answer.system, [[0, 0] for _ in example.units])
        if answer.kept:
            rows[answer.unit][int(answer.present)] += 1
    return votes


def _assignment(campaign: Campaign, item: _Work, workers: dict[str, int]) -> Assignment:
    first = item.answers[0]
    return Assignment(
        campaign=campaign,
        hit=item.hit,
        worker_id=workers.get(first.worker),
        provider_id=first.assignment,
        state=AssignmentState.APPROVED,
        raw="",
        answers={
            f"s{answer.unit + 1}": "present" if answer.present else "absent"
            for answer in item.answers
        },
        gold_asked=first.gold_asked,
        gold_right=first.gold_right,
        seconds=first.seconds,
    )
