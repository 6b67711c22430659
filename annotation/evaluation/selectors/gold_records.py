"""A study as the records that a gold dataset is made of, an example at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db.models import QuerySet

from annotation.corpora.models import Example, Project, System
from annotation.corpora.selectors.exports import iter_records
from annotation.crowd.models import Assignment, Campaign, Judgement
from annotation.evaluation.models import (
    Adjudication,
    Drop,
    LabelSet,
    PseudonymKey,
    SummaryLabels,
    WorkerNames,
)
from annotation.evaluation.selectors.answers import list_labelled_assignments
from annotation.units.models import Unit
from annotation.units.selectors.files import unit_record
from scoring.io.gold import GoldAdjudication, GoldAnswer, GoldExample, GoldSystem, pseudonym
from scoring.types import ExampleRecord

BATCH = 100
READ_CHUNK = 5000
WORK = (
    "pk",
    "hit__summary__example_id",
    "hit__summary__system__name",
    "campaign_id",
    "provider_id",
    "worker__provider_id",
    "seconds",
    "gold_asked",
    "gold_right",
)


@dataclass(frozen=True, slots=True)
class Names:
    """How workers, assignments and experts are called in a dataset.

    What a study was restored with has been made pseudonymous already, and keeps its names.
    """

    key: bytes | None

    def worker(self, campaign: Campaign, name: str) -> str:
        return name if self._as_it_is(campaign) else pseudonym(self.key or b"", name)

    def assignment(self, campaign: Campaign, name: str) -> str:
        if self._as_it_is(campaign):
            return name
        return "a" + pseudonym(self.key or b"", f"assignment {name}")[1:]

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
        answers = self._read_answers()
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

    def _read_answers(self) -> dict[int, list[GoldAnswer]]:
        """Plain values: rows of a model for every answer would take most of the time."""
        work = self._read_work()
        found: dict[int, list[GoldAnswer]] = defaultdict(list)
        rows = Judgement.objects.filter(assignment__in=self._assignments())
        for assignment, unit, present in rows.values_list(
            "assignment_id", "unit_id", "present"
        ).iterator(chunk_size=READ_CHUNK):
            example, system, about = work[assignment]
            found[example].append(
                GoldAnswer(system=system, unit=self.places[unit], present=present, **about)
            )
        return found

    def _assignments(self) -> QuerySet[Assignment]:
        rows = list_labelled_assignments(self.label_set)
        return rows.filter(hit__summary__example__in=self.ids.values())

    def _read_work(self) -> dict[int, tuple[int, str, dict[str, Any]]]:
        """Of each assignment: its example and system, and what is said of it with each answer."""
        campaigns = {row.pk: row for row in self.label_set.campaigns.all()}
        drops = dict(
            Drop.objects.filter(
                label_set=self.label_set, assignment__in=self._assignments()
            ).values_list("assignment_id", "rule")
        )
        rows = self._assignments().values_list(*WORK)
        return {
            row[0]: (row[1], row[2], self._about(row, campaigns[row[3]], drops)) for row in rows
        }

    def _about(
        self, row: tuple[Any, ...], campaign: Campaign, drops: dict[int, str]
    ) -> dict[str, Any]:
        pk, _, _, _, name, worker, seconds, asked, right = row
        return {
            "worker": self.names.worker(campaign, worker) if worker else "",
            "assignment": self.names.assignment(campaign, name),
            "kept": pk not in drops,
            "dropped_by": drops.get(pk, ""),
            "seconds": None if seconds is None else round(seconds, 3),
            "gold_asked": asked,
            "gold_right": right,
        }

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
            for place in row.expert:
                word = words.get((row.summary_id, units[place].pk))
                found[example].append(self._adjudication(row, place, word))
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
