"""Answers and labels of a gold dataset as rows: HITs, assignments, judgements, drops, labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from itertools import groupby
from typing import Any

from django.utils import timezone

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
    now = timezone.now()
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


class RowWriter:
    """Writes some examples at a time. Call inside a transaction."""

    def __init__(self, label_set: LabelSet, campaign: Campaign | None) -> None:
        self.label_set = label_set
        self.campaign = campaign

    def write(self, chunk: Sequence[GoldExample]) -> None:
        keys = [example.key for example in chunk]
        examples = dict(
            Example.objects.filter(project=self.label_set.project, key__in=keys).values_list(
                "key", "pk"
            )
        )
        summaries = self._summaries(list(examples.values()))
        units = self._units(list(examples.values()))
        for example in chunk:
            pk = examples[example.key]
            self._write_labels(example, summaries[pk], units[pk])
            if self.campaign is not None:
                self._write_answers(self.campaign, example, summaries[pk], units[pk])

    def _summaries(self, examples: list[int]) -> dict[int, dict[str, int]]:
        found: dict[int, dict[str, int]] = defaultdict(dict)
        rows = Summary.objects.filter(example__in=examples)
        for example, system, pk in rows.values_list("example_id", "system__name", "pk"):
            found[example][system] = pk
        return found

    def _units(self, examples: list[int]) -> dict[int, list[Unit]]:
        found: dict[int, list[Unit]] = defaultdict(list)
        rows = Unit.objects.filter(
            set=self.label_set.unit_set, is_deleted=False, example__in=examples
        )
        for unit in rows.order_by("position", "pk"):
            found[unit.example_id].append(unit)
        return found

    def _write_labels(
        self, example: GoldExample, summaries: dict[str, int], units: list[Unit]
    ) -> None:
        votes = _count_votes(example)
        experts: dict[str, list[int]] = defaultdict(list)
        for item in example.adjudications:
            experts[item.system].append(item.unit)
        SummaryLabels.objects.bulk_create(
            SummaryLabels(
                label_set=self.label_set,
                summary_id=summaries[system],
                labels=list(labels),
                posteriors=list(example.posteriors.get(system, ())),
                votes=votes.get(system, []),
                expert=sorted(experts[system]),
            )
            for system, labels in example.labels.items()
        )
        Adjudication.objects.bulk_create(
            Adjudication(
                project=self.label_set.project,
                summary_id=summaries[item.system],
                unit=units[item.unit],
                present=item.present,
                reason=item.reason,
                expert=item.expert,
                made_at=self.label_set.created_at,
            )
            for item in example.adjudications
        )

    def _write_answers(
        self,
        campaign: Campaign,
        example: GoldExample,
        summaries: dict[str, int],
        units: list[Unit],
    ) -> None:
        statements = [
            {"key": f"s{number}", "text": unit.text, "unit": unit.pk}
            for number, unit in enumerate(units, start=1)
        ]
        for system, answers in groupby(example.answers, key=lambda answer: answer.system):
            groups = [
                list(group) for _, group in groupby(answers, key=lambda answer: answer.assignment)
            ]
            hit = Hit.objects.create(
                campaign=campaign,
                summary_id=summaries[system],
                statements=statements,
                reward=Decimal(0),
                wanted=len(groups),
                collected=len(groups),
                decided=len(groups),
                state=HitState.CLOSED,
            )
            self._write_assignments(campaign, hit, groups, units)

    def _write_assignments(
        self, campaign: Campaign, hit: Hit, groups: list[list[GoldAnswer]], units: list[Unit]
    ) -> None:
        workers = self._workers(campaign, {group[0].worker for group in groups} - {""})
        made = Assignment.objects.bulk_create(
            _assignment(campaign, hit, group, workers.get(group[0].worker)) for group in groups
        )
        rows = [
            (assignment.pk, units[answer.unit].pk, answer.present)
            for assignment, group in zip(made, groups, strict=True)
            for answer in group
        ]
        insert_rows(Judgement, ["assignment", "unit", "present"], rows)
        Drop.objects.bulk_create(
            Drop(
                label_set=self.label_set,
                assignment=assignment,
                rule=group[0].dropped_by[:40],
                reason="Left out when the labels were made.",
            )
            for assignment, group in zip(made, groups, strict=True)
            if not group[0].kept
        )

    def _workers(self, campaign: Campaign, names: set[str]) -> dict[str, int]:
        about: dict[str, Any] = {"project": campaign.project, "provider": ProviderName.OFFLINE}
        Worker.objects.bulk_create(
            [Worker(provider_id=name, **about) for name in sorted(names)], ignore_conflicts=True
        )
        rows = Worker.objects.filter(provider_id__in=names, **about)
        return dict(rows.values_list("provider_id", "pk"))


def _count_votes(example: GoldExample) -> dict[str, list[list[int]]]:
    votes: dict[str, list[list[int]]] = {}
    for answer in example.answers:
        rows = votes.setdefault(answer.system, [[0, 0] for _ in example.units])
        if answer.kept:
            rows[answer.unit][int(answer.present)] += 1
    return votes


def _assignment(
    campaign: Campaign, hit: Hit, group: list[GoldAnswer], worker: int | None
) -> Assignment:
    first = group[0]
    return Assignment(
        campaign=campaign,
        hit=hit,
        worker_id=worker,
        provider_id=first.assignment,
        state=AssignmentState.APPROVED,
        raw="",
        answers={
            f"s{answer.unit + 1}": "present" if answer.present else "absent" for answer in group
        },
        gold_asked=first.gold_asked,
        gold_right=first.gold_right,
        seconds=first.seconds,
    )
