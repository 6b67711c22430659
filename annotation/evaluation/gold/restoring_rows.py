"""Answers and labels of a gold dataset as rows: HITs, assignments, judgements, drops, labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Any

from django.db.models import F
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.bulk import insert_rows
from annotation.corpora.corpus.models import Example, Summary
from annotation.crowd.campaigns.models import (
    Assignment,
    AssignmentState,
    Campaign,
    CampaignState,
    Hit,
    HitState,
    Intent,
    IntentKind,
    Judgement,
    Outcome,
    ProviderName,
    Settlement,
    Worker,
)
from annotation.crowd.market.models_accounts import dollars
from annotation.evaluation.labels.models import (
    Adjudication,
    Decision,
    Drop,
    LabelSet,
    SummaryLabels,
)
from annotation.evaluation.labels.queries import describe_restored_draw
from annotation.units.sets.models import Unit
from scoring.io.gold import CampaignFacts, GoldAnswer, GoldExample, GoldFacts, assignment_facts

MAX_TITLE = 128


def make_campaigns(label_set: LabelSet, facts: GoldFacts, user: User | None) -> list[Campaign]:
    """As many as the study had, with their answers to come; nothing was published from here."""
    told = facts.campaigns or (CampaignFacts(title=_("Judgements from a gold dataset")),)
    names = [f"{facts.name} v{facts.version}"[:110]]
    names += [f"{names[0]} ({number})" for number in range(2, len(told) + 1)]
    return [
        _make_campaign(label_set, name, row, user) for name, row in zip(names, told, strict=True)
    ]


def _make_campaign(
    label_set: LabelSet, name: str, told: CampaignFacts, user: User | None
) -> Campaign:
    now = clock.now()
    return Campaign.objects.create(
        project=label_set.project,
        unit_set=label_set.unit_set,
        name=name,
        provider=ProviderName.OFFLINE,
        state=CampaignState.ENDED,
        title=told.title[:MAX_TITLE],
        description=_("Restored from a gold dataset. Nothing was published from this project."),
        instructions=told.instructions,
        assignments_per_hit=max(told.judges, 1),
        reward=Decimal(0),
        budget=Decimal(0),
        wage_floor=Decimal(str(told.settings.get("wage_floor", "12.00"))),
        provider_state={"imported": True, "pseudonymous": True},
        created_by=user,
        published_at=now,
        ended_at=now,
        collected_at=now,
    )


@dataclass(frozen=True, slots=True)
class _Work:
    """One assignment of the file: what is said of it, its answers, and the HIT it belongs to."""

    hit: Hit
    about: GoldAnswer
    answers: list[GoldAnswer]
    units: list[int]


class RowWriter:
    """Writes some examples at a time, table by table. Call inside a transaction."""

    def __init__(self, label_set: LabelSet, facts: GoldFacts) -> None:
        self.label_set = label_set
        self.campaigns = list(label_set.campaigns.order_by("pk"))
        self.words = {row.worker: row for row in facts.decisions}

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
        if self.campaigns:
            self._write_answers(places)

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

    def _write_answers(self, places: Sequence[_Place]) -> None:
        hits = [hit for place in places for hit in place.unanswered_hits(self.campaigns)]
        work = [item for place in places for item in place.work(self.campaigns)]
        Hit.objects.bulk_create([*hits, *{id(item.hit): item.hit for item in work}.values()])
        workers = self._workers({item.about.worker for item in work} - {""})
        made = Assignment.objects.bulk_create(_assignment(item, workers) for item in work)
        rows = [
            (assignment.pk, item.units[answer.unit], answer.present)
            for assignment, item in zip(made, work, strict=True)
            for answer in item.answers
        ]
        insert_rows(Judgement, ["assignment", "unit", "present"], rows)
        pairs = [(row, item.about) for row, item in zip(made, work, strict=True)]
        self._write_decisions(pairs)
        self._write_bonuses(pairs)

    def _write_decisions(self, pairs: Sequence[tuple[Assignment, GoldAnswer]]) -> None:
        """Why work was left out of the labels, and what researchers said of it."""
        Drop.objects.bulk_create(
            Drop(
                label_set=self.label_set,
                assignment=assignment,
                rule=about.dropped_by[:40],
                reason=about.drop_reason[:300] or _("Excluded when the labels were created."),
            )
            for assignment, about in pairs
            if not about.kept
        )
        Decision.objects.bulk_create(
            Decision(
                project=self.label_set.project,
                assignment=assignment,
                verdict=about.verdict,
                reason=about.verdict_reason[:300],
                made_at=self.label_set.created_at,
            )
            for assignment, about in pairs
            if about.verdict
        )

    def _write_bonuses(self, pairs: Sequence[tuple[Assignment, GoldAnswer]]) -> None:
        """In the campaign's books as settled: they were paid elsewhere, and never again here."""
        intents = [
            Intent(
                campaign=assignment.campaign,
                kind=IntentKind.BONUS,
                base=f"bonus:{assignment.pk}:restored-{number}",
                amount=Decimal(bonus.amount),
                fee=Decimal(0),
                hit=assignment.hit,
                assignment=assignment,
                params={"reason": bonus.reason},
            )
            for assignment, about in pairs
            for number, bonus in enumerate(about.bonuses, start=1)
        ]
        made = Intent.objects.bulk_create(intents)
        note = _("Restored from a gold dataset. Paid elsewhere.")
        Settlement.objects.bulk_create(
            Settlement(intent=intent, outcome=Outcome.DONE, note=note) for intent in made
        )
        for campaign in self.campaigns:
            paid = sum((row.amount for row in made if row.campaign == campaign), Decimal(0))
            Campaign.objects.filter(pk=campaign.pk).update(budget=F("budget") + dollars(paid))

    def _workers(self, names: set[str]) -> dict[str, int]:
        about: dict[str, Any] = {
            "project": self.label_set.project,
            "provider": ProviderName.OFFLINE,
        }
        Worker.objects.bulk_create(
            [Worker(provider_id=name, **about) for name in sorted(names)], ignore_conflicts=True
        )
        rows = Worker.objects.filter(provider_id__in=names, **about)
        found = dict(rows.values_list("provider_id", "pk"))
        Decision.objects.bulk_create(
            (
                Decision(
                    project=self.label_set.project,
                    worker_id=found[name],
                    verdict=word.verdict,
                    reason=word.reason[:300],
                    made_at=self.label_set.created_at,
                )
                for name, word in self.words.items()
                if name in found
            ),
            ignore_conflicts=True,
        )
        return found


@dataclass(frozen=True, slots=True)
class _Place:
    """An example of the file beside its rows: summaries by system, units in their order."""

    example: GoldExample
    summaries: dict[str, int]
    units: list[tuple[int, str]]

    def labels(self, label_set: LabelSet) -> Iterator[SummaryLabels]:
        votes = _count_votes(self.example)
        experts: dict[str, list[int]] = defaultdict(list)
        settled: dict[str, list[list[int | float]]] = defaultdict(list)
        for item in self.example.adjudications:
            experts[item.system].append(item.unit)
            if item.before is not None and item.chance is not None:
                settled[item.system].append([item.unit, item.before, item.chance])
        for system, labels in self.example.labels.items():
            yield SummaryLabels(
                label_set=label_set,
                summary_id=self.summaries[system],
                labels=list(labels),
                posteriors=list(self.example.posteriors.get(system, ())),
                votes=votes.get(system, []),
                expert=sorted(experts[system]),
                settled=sorted(settled[system]),
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
                draw=describe_restored_draw(item.before, item.chance),
                made_at=label_set.created_at,
            )

    def unanswered_hits(self, campaigns: Sequence[Campaign]) -> Iterator[Hit]:
        """Summaries that were asked about, and of which no answer came."""
        answered = {answer.system for answer in (*self.example.answers, *self.example.unanswered)}
        for system in self.example.labels:
            if system not in answered:
                yield self._hit(campaigns[0], system, Decimal(0), 0)

    def work(self, campaigns: Sequence[Campaign]) -> Iterator[_Work]:
        """A HIT for each summary, campaign and reward, with all units, whatever it had been."""
        ids = [pk for pk, __ in self.units]
        by_assignment = groupby(self.example.answers, key=assignment_facts)
        groups = [(answers[0], answers) for answers in (list(rows) for __, rows in by_assignment)]
        groups += [(blank, []) for blank in self.example.unanswered]
        hits: dict[tuple[str, int, str], Hit] = {}
        for about, answers in groups:
            key = about.system, about.campaign, about.reward
            if key not in hits:
                part = sum(known[:2] == key[:2] for known in hits)
                campaign = campaigns[min(about.campaign, len(campaigns) - 1)]
                hits[key] = self._hit(campaign, about.system, Decimal(about.reward or 0), part)
            hit = hits[key]
            hit.wanted += 1
            hit.collected += 1
            hit.decided += about.status != AssignmentState.SUBMITTED
            yield _Work(hit, about, answers, ids)

    def _hit(self, campaign: Campaign, system: str, reward: Decimal, part: int) -> Hit:
        return Hit(
            campaign=campaign,
            summary_id=self.summaries[system],
            part=part,
            statements=[
                {"key": f"s{number}", "text": text, "unit": pk}
                for number, (pk, text) in enumerate(self.units, start=1)
            ],
            reward=reward,
            wanted=0,
            state=HitState.CLOSED,
        )


def _count_votes(example: GoldExample) -> dict[str, list[list[int]]]:
    votes: dict[str, list[list[int]]] = {}
    for answer in example.answers:
        rows = votes.setdefault(answer.system, [[0, 0] for __ in example.units])
        if answer.kept:
            rows[answer.unit][int(answer.present)] += 1
    return votes


def _assignment(item: _Work, workers: dict[str, int]) -> Assignment:
    about = item.about
    return Assignment(
        campaign=item.hit.campaign,
        hit=item.hit,
        worker_id=workers.get(about.worker),
        provider_id=about.assignment,
        state=about.status,
        raw="",
        answers={
            f"s{answer.unit + 1}": "present" if answer.present else "absent"
            for answer in item.answers
        },
        problem=about.problem[:300],
        gold_asked=about.gold_asked,
        gold_right=about.gold_right,
        feedback=about.feedback[:1024],
        seconds=about.seconds,
    )
