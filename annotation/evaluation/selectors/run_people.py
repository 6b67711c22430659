"""A run beside what people said: correlation, calibration, accuracy, bias, disagreements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from annotation.computed import Computed
from annotation.evaluation.models import JudgeRun, LabelSet, SummaryLabels
from annotation.evaluation.selectors.run_scores import READ_CHUNK, list_presences
from annotation.evaluation.selectors.run_texts import list_units
from annotation.evaluation.selectors.scores import KEPT_SECONDS
from scoring.judge.held_out import HeldOutRecord, evaluate_held_out

THRESHOLD = 0.5
Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


def list_labels_beside(run: JudgeRun) -> QuerySet[LabelSet]:
    """Labels of the same units that are ready, the newest first."""
    rows = LabelSet.objects.filter(unit_set=run.unit_set, is_ready=True)
    return rows.select_related("unit_set")


@dataclass(frozen=True)
class Pairs:
    """Every unit in every summary that both judge and people have said something of.

    `summaries` are ids, `places` those of units in their example, `systems` codes of `names`.
    """

    names: Sequence[str]
    summaries: Codes
    places: Codes
    systems: Codes
    values: Floats
    labels: Codes

    @cached_property
    def disagree(self) -> NDArray[np.bool_]:
        return np.asarray((self.values > THRESHOLD) != (self.labels == 1))

    @cached_property
    def gaps(self) -> Floats:
        """How far the judge is from people: near 1 where it is sure of the opposite."""
        return np.abs(self.values - self.labels)


def get_pairs(run: JudgeRun, label_set: LabelSet) -> Pairs:
    labels = _read_labels(label_set)
    rows = list_presences(run).values_list("summary_id", "summary__system__name", "presence")
    names: dict[str, int] = {}
    found: list[tuple[int, int, int, float, int]] = []
    for summary, system, values in rows.iterator(READ_CHUNK):
        code = names.setdefault(system, len(names))
        if summary in labels:
            said = enumerate(zip(values, labels[summary], strict=True))
            found += [
                (summary, place, code, value, label)
                for place, (value, label) in said
                if label is not None
            ]

    def column(part: int) -> Codes:
        return np.array([row[part] for row in found], dtype=np.int64)

    values = np.array([row[3] for row in found], dtype=np.float64)
    return Pairs(list(names), column(0), column(1), column(2), values, column(4))


@dataclass(frozen=True, slots=True)
class SystemBeside:
    """A system by the judge and by people, on the labelled units of the same summaries."""

    system: str
    judge: float
    people: float
    documents: int
    accuracy: float

    @property
    def bias(self) -> float:
        """The judge's mean less people's."""
        return self.judge - self.people


@dataclass(frozen=True, slots=True)
class Beside:
    """All that is told of a run beside a label set; `figures` are those of `HeldOut`."""

    figures: dict[str, Any]
    disagreements: int
    systems: list[SystemBeside]

    @property
    def bias(self) -> float:
        return float(np.mean([row.bias for row in self.systems]))

    @property
    def precision(self) -> float | None:
        """How often a unit that the judge finds is there."""
        found = self.figures["confusion"]
        return _share(found["true_present"], found["false_present"])

    @property
    def recall(self) -> float | None:
        """How many of the units that are there the judge finds."""
        found = self.figures["confusion"]
        return _share(found["true_present"], found["false_absent"])

    @property
    def bins(self) -> list[dict[str, Any]]:
        return [row for row in self.figures["calibration"] if row["units"]]


# A list of one, as null alone would read like nothing computed.
COMPARISONS = Computed("compared", list[Beside | None], KEPT_SECONDS)


def _share(part: int, rest: int) -> float | None:
    return part / (part + rest) if part + rest else None


def get_beside(run: JudgeRun, label_set: LabelSet) -> Beside | None:
    """Reckoned once: neither a run nor labels change when they are ready. None if nothing meets."""
    parts = (run.pk, run.content_hash, label_set.pk, label_set.content_hash)
    (found,) = COMPARISONS.get(parts, lambda: [_compare(run, label_set)])
    return found


def _compare(run: JudgeRun, label_set: LabelSet) -> Beside | None:
    records = list(list_records(run, label_set))
    if not any(label is not None for record in records for label in record.labels):
        return None
    systems = _list_systems(records)
    pairs = sum(_count_apart(record) for record in records)
    return Beside(evaluate_held_out(records).to_json(), pairs, systems)


def list_records(run: JudgeRun, label_set: LabelSet) -> Iterator[HeldOutRecord]:
    """Every summary that is both judged and labelled."""
    labels = _read_labels(label_set)
    weights = {
        example: tuple(unit.weight for unit in units)
        for example, units in list_units(run.unit_set).items()
    }
    fields = ("summary_id", "summary__example_id", "summary__example__key", "summary__system__name")
    rows = list_presences(run).values_list(*fields, "presence")
    for summary, example, key, system, presence in rows.iterator(READ_CHUNK):
        if summary in labels:
            yield HeldOutRecord(key, system, labels[summary], presence, weights[example])


def _read_labels(label_set: LabelSet) -> dict[int, list[int | None]]:
    rows = SummaryLabels.objects.filter(label_set=label_set)
    return dict(rows.values_list("summary_id", "labels").iterator(READ_CHUNK))


def _list_systems(records: Iterable[HeldOutRecord]) -> list[SystemBeside]:
    """The best by people first."""
    grouped: dict[str, list[HeldOutRecord]] = {}
    for record in records:
        if any(label is not None for label in record.labels):
            grouped.setdefault(record.system, []).append(record)
    found = [_system(name, rows) for name, rows in grouped.items()]
    return sorted(found, key=lambda row: (-row.people, row.system))


def _system(name: str, records: Sequence[HeldOutRecord]) -> SystemBeside:
    scores = []
    for record in records:
        known = [place for place, label in enumerate(record.labels) if label is not None]
        weights = [record.weights[place] for place in known]
        scores.append(
            [
                float(np.average([float(side[place] or 0) for place in known], weights=weights))
                for side in (record.presence, record.labels)
            ]
        )
    judge, people = np.mean(scores, axis=0).tolist()
    apart = sum(map(_count_apart, records))
    labels = sum(label is not None for record in records for label in record.labels)
    return SystemBeside(name, judge, people, len(records), 1 - apart / labels)


def _count_apart(record: HeldOutRecord) -> int:
    """How many labels the judge contradicts."""
    said = zip(record.presence, record.labels, strict=True)
    return sum((value > THRESHOLD) != (label == 1) for value, label in said if label is not None)
