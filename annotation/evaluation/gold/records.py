"""A study as the records that a gold dataset is made of, an example at a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from django.db.models import QuerySet

from annotation.corpora.corpus.exports import iter_records
from annotation.corpora.corpus.models import Example, System
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Assignment, Campaign, Judgement
from annotation.crowd.review.bulk import list_bonuses
from annotation.evaluation.gold.models import PseudonymKey, WorkerNames
from annotation.evaluation.labels.answers import list_decisions, list_labelled_assignments
from annotation.evaluation.labels.models import Adjudication, Drop, LabelSet, SummaryLabels
from annotation.units.files.queries import unit_record
from annotation.units.sets.models import Unit
from scoring.io.gold import (
    DecisionFacts,
    GoldAdjudication,
    GoldAnswer,
    GoldBonus,
    GoldExample,
    GoldSystem,
    make_fit,
    pseudonym,
)
from scoring.types import ExampleRecord

BATCH = 100
READ_CHUNK = 5000
Work = dict[int, list[GoldAnswer]]


@dataclass(frozen=True, slots=True)
class Names:
    """How workers, assignments and experts are called in a dataset.

    What a study was restored with has been made pseudonymous already, and keeps its names.
    """

    key: bytes | None

    def worker(self, campaign: Campaign, name: str) -> str:
        return name if self._as_it_is(campaign) else pseudonym(self.key or b"", name)

    def assignment(self, campaign: Campaign, name: str, rank: int) -> str:
        """Pseudonyms sort as the names of a summary's assignments do: a filter goes by that."""
        if self._as_it_is(campaign):
            return name
        return f"a{rank:04d}" + pseudonym(self.key or b"", f"assignment {name}")[1:]

    def expert(self, name: str) -> str:
        return name if self.key is None else "e" + pseudonym(self.key, f"expert {name}")[1:]

    def _as_it_is(self, campaign: Campaign) -> bool:
        return self.key is None or bool(campaign.provider_state.get("pseudonymous"))


def get_names(project: Project, worker_names: str) -> Names:
    if worker_names == WorkerNames.ID:
        return Names(None)
    key, _ = PseudonymKey.objects.get_or_create(project=project)
    return Names(bytes(key.key))


def list_gold_systems(project: Project) -> list[GoldSystem]:
    rows = System.objects.live().filter(project=project, summary_count__gt=0)
    return [GoldSystem(row.name, row.kind) for row in rows.order_by("name", "pk")]


def iter_gold_examples(label_set: LabelSet, names: Names) -> Iterator[GoldExample]:
    """All examples of the project in their order, with what is known of them."""
    records = iter_records(label_set.project)
    while batch := tuple(islice(records, BATCH)):
        yield from _Batch(label_set, names, batch).examples()


def list_worker_decisions(label_set: LabelSet, names: Names) -> list[DecisionFacts]:
    """Words on workers that stand, of those who worked for these labels."""
    campaigns = {row.pk: row for row in label_set.campaigns.all()}
    work = list_labelled_assignments(label_set).filter(worker__isnull=False).order_by()
    called = {
        worker: names.worker(campaigns[campaign], worker)
        for campaign, worker in work.values_list("campaign", "worker__provider_id").distinct()
    }
    rows = list_decisions(label_set.project).filter(worker__provider_id__in=called)
    words = {called[str(row.worker)]: row for row in rows.order_by("made_at", "pk")}
    return [
        DecisionFacts(worker, row.verdict, make_fit(row.reason))
        for worker, row in sorted(words.items())
    ]


def _rank_names(rows: Iterable[Assignment]) -> dict[int, int]:
    """The place of each assignment among those of its summary, by name."""
    ranks: dict[int, int] = {}
    sizes: Counter[int] = Counter()
    for row in sorted(rows, key=lambda row: row.provider_id):
        ranks[row.pk] = sizes[row.hit.summary_id]
        sizes[row.hit.summary_id] += 1
    return ranks


def _describe(row: Assignment) -> dict[str, Any]:
    """What came of an assignment, names apart."""
    return {
        "system": row.hit.summary.system.name,
        "seconds": row.seconds,
        "gold_asked": row.gold_asked,
        "gold_right": row.gold_right,
        "status": row.state,
        "feedback": make_fit(row.feedback),
        "problem": make_fit(row.problem),
        "reward": f"{row.hit.reward.normalize():f}" if row.hit.reward else "",
    }


class _Judged:
    """What was decided on some assignments: drops, words of researchers, bonuses."""

    def __init__(self, label_set: LabelSet, rows: QuerySet[Assignment]) -> None:
        drops = Drop.objects.filter(label_set=label_set, assignment__in=rows)
        self.drops = {row.assignment_id: row for row in drops}
        words = list_decisions(label_set.project).filter(assignment__in=rows)
        self.words = {row.assignment_id: row for row in words}
        self.bonuses: dict[int, list[GoldBonus]] = defaultdict(list)
        for assignment, amount, params in list_bonuses(rows):
            bonus = GoldBonus(f"{amount:.2f}", make_fit(params.get("reason", "")))
            self.bonuses[assignment].append(bonus)

    def describe(self, pk: int) -> dict[str, Any]:
        drop, word = self.drops.get(pk), self.words.get(pk)
        return {
            "kept": drop is None,
            "dropped_by": drop.rule if drop else "",
            "drop_reason": make_fit(drop.reason) if drop else "",
            "verdict": word.verdict if word else "",
            "verdict_reason": make_fit(word.reason) if word else "",
            "bonuses": tuple(sorted(self.bonuses[pk])),
        }


class _Batch:
    """A few examples at a time, so that memory does not grow with the study."""

    def __init__(
        self, label_set: LabelSet, names: Names, records: tuple[ExampleRecord, ...]
    ) -> None:
        self.label_set = label_set
        self.names = names
        self.records = records
        rows = Example.objects.filter(
            project=label_set.project, key__in=[record.key for record in records]
        )
        self.ids = dict(rows.values_list("key", "pk"))
        self.units = self._read_units()
        self.places = {
            unit.pk: place for units in self.units.values() for place, unit in enumerate(units)
        }

    def examples(self) -> Iterator[GoldExample]:
        labels = self._read_labels()
        answers, unanswered = self._read_answers()
        settled = self._read_adjudications(labels)
        for record in self.records:
            pk = self.ids[record.key]
            rows = labels[pk]
            yield GoldExample(
                key=record.key,
                documents=record.documents,
                references=record.references,
                units=tuple(unit_record(unit) for unit in self.units[pk]),
                summaries=record.summaries,
                labels={system: tuple(row.labels) for system, row in rows.items()},
                posteriors={
                    system: tuple(row.posteriors) for system, row in rows.items() if row.posteriors
                },
                answers=tuple(answers[pk]),
                unanswered=tuple(unanswered[pk]),
                adjudications=tuple(settled[pk]),
            )

    def _read_units(self) -> dict[int, list[Unit]]:
        rows = (
            Unit.objects.filter(
                set=self.label_set.unit_set, is_deleted=False, example__in=self.ids.values()
            )
            .select_related("example")
            .prefetch_related("contributors__reference")
            .order_by("position", "pk")
        )
        found: dict[int, list[Unit]] = defaultdict(list)
        for unit in rows:
            found[unit.example_id].append(unit)
        return found

    def _read_labels(self) -> dict[int, dict[str, SummaryLabels]]:
        rows = SummaryLabels.objects.filter(
            label_set=self.label_set, summary__example__in=self.ids.values()
        ).select_related("summary__system")
        found: dict[int, dict[str, SummaryLabels]] = defaultdict(dict)
        for row in rows:
            found[row.summary.example_id][row.summary.system.name] = row
        return found

    def _read_answers(self) -> tuple[Work, Work]:
        """By example, the answers, and the assignments without one.

        Plain values: rows of a model for every answer would take most of the time.
        """
        work = self._read_work()
        found: Work = defaultdict(list)
        rows = Judgement.objects.filter(assignment__in=self._assignments())
        answered = set()
        for assignment, unit, present in rows.values_list(
            "assignment_id", "unit_id", "present"
        ).iterator(chunk_size=READ_CHUNK):
            example, about = work[assignment]
            answered.add(assignment)
            found[example].append(GoldAnswer(unit=self.places[unit], present=present, **about))
        unanswered: Work = defaultdict(list)
        for assignment in work.keys() - answered:
            example, about = work[assignment]
            unanswered[example].append(GoldAnswer(unit=0, present=False, **about))
        return found, unanswered

    def _assignments(self) -> QuerySet[Assignment]:
        rows = list_labelled_assignments(self.label_set)
        return rows.filter(hit__summary__example__in=self.ids.values())

    def _read_work(self) -> dict[int, tuple[int, dict[str, Any]]]:
        """Of each assignment: its example, and what is said of it with each answer."""
        campaigns = {row.pk: row for row in self.label_set.campaigns.order_by("pk")}
        numbers = {pk: number for number, pk in enumerate(campaigns)}
        rows = list(
            self._assignments()
            .select_related("hit__summary__system", "worker")
            .defer("raw", "answers", "hit__statements", "hit__shown", "hit__summary__text")
        )
        judged = _Judged(self.label_set, self._assignments())
        ranks = _rank_names(rows)
        found = {}
        for row in rows:
            campaign = campaigns[row.campaign_id]
            names = {
                "worker": self.names.worker(campaign, str(row.worker)) if row.worker else "",
                "assignment": self.names.assignment(campaign, row.provider_id, ranks[row.pk]),
            }
            about = _describe(row) | judged.describe(row.pk)
            about |= names | {"campaign": numbers[row.campaign_id]}
            found[row.pk] = row.hit.summary.example_id, about
        return found

    def _read_adjudications(
        self, labels: dict[int, dict[str, SummaryLabels]]
    ) -> dict[int, list[GoldAdjudication]]:
        """Those that the label set was made with; a later word is not in it."""
        rows = Adjudication.objects.filter(
            unit__in=self.places, made_at__lte=self.label_set.created_at
        ).select_related("summary__system", "made_by")
        words = {(row.summary_id, row.unit_id): row for row in reversed(rows.order_by("-pk"))}
        found: dict[int, list[GoldAdjudication]] = defaultdict(list)
        for example, units, row in self._settled(labels):
            draws = {place: said for place, *said in row.settled}
            for place in row.expert:
                word = words.get((row.summary_id, units[place].pk))
                before, chance = draws.get(place, (None, None))
                item = self._adjudication(row, place, word)
                found[example].append(replace(item, before=before, chance=chance))
        return found

    def _settled(
        self, labels: dict[int, dict[str, SummaryLabels]]
    ) -> Iterable[tuple[int, list[Unit], SummaryLabels]]:
        for example, rows in labels.items():
            for row in rows.values():
                yield example, self.units[example], row

    def _adjudication(
        self, row: SummaryLabels, place: int, word: Adjudication | None
    ) -> GoldAdjudication:
        expert: dict[str, Any] = {}
        if word is not None:
            name = word.expert or (str(word.made_by) if word.made_by else "")
            expert = {"expert": self._expert(word, name), "reason": word.reason}
        return GoldAdjudication(row.summary.system.name, place, bool(row.labels[place]), **expert)

    def _expert(self, word: Adjudication, name: str) -> str:
        return name if word.expert or not name else self.names.expert(name)
