"""A run beside what people said: correlation, calibration, accuracy, bias, disagreements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from annotation.corpora.corpus.models import System
from annotation.errors import DomainError
from annotation.evaluation.labels import scores
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.labels.scores import KEPT_SECONDS, ScoreRow, rank_systems
from annotation.evaluation.runs.models import JudgeRun, SummaryPresence
from annotation.evaluation.runs.queries import READ_CHUNK, list_presences
from annotation.evaluation.runs.texts import list_units
from annotation.evaluation.stored.queries import Stored
from scoring.judge.agreement import Biases, bound_biases, bound_correlations, say_coverage
from scoring.judge.held_out import HeldOutRecord, evaluate_held_out
from scoring.pyramid import ScoreTable

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
    rows = _list_labelled(run, label_set).values_list(
        "summary_id", "summary__system__name", "presence"
    )
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
class _Columns:
    """The fields of `Pairs` as plain lists, for the cache."""

    names: list[str]
    summaries: list[int]
    places: list[int]
    systems: list[int]
    values: list[float]
    labels: list[int]


MOST_DISAGREEING = 2000
DISAGREEING = Stored("run-disagreeing", _Columns, KEPT_SECONDS)


def get_disagreeing(run: JudgeRun, label_set: LabelSet) -> Pairs:
    """The pairs on which judge and people differ most, found once; never all that there are."""
    found = recall(
        DISAGREEING, run, label_set, lambda: _choose_disagreeing(get_pairs(run, label_set))
    )
    whole = (found.summaries, found.places, found.systems, found.labels)
    summaries, places, systems, labels = (np.array(part, dtype=np.int64) for part in whole)
    values = np.array(found.values, dtype=np.float64)
    return Pairs(found.names, summaries, places, systems, values, labels)


def _choose_disagreeing(pairs: Pairs) -> _Columns:
    order = np.argsort(-pairs.gaps, kind="stable")
    kept = order[pairs.disagree[order]][:MOST_DISAGREEING]
    columns = (pairs.summaries, pairs.places, pairs.systems, pairs.values, pairs.labels)
    return _Columns(list(pairs.names), *(column[kept].tolist() for column in columns))


@dataclass(frozen=True, slots=True)
class SystemBeside:
    """A system by the judge and by people, on the labelled units of the same summaries."""

    judge_row: ScoreRow
    people_row: ScoreRow
    accuracy: float
    bias_low: float | None
    bias_high: float | None

    @property
    def system(self) -> str:
        return self.people_row.system

    @property
    def documents(self) -> int:
        return self.people_row.documents

    @property
    def judge(self) -> float:
        return float(self.judge_row.score or 0)

    @property
    def people(self) -> float:
        return float(self.people_row.score or 0)

    @property
    def bias(self) -> float:
        """The judge's mean minus the human mean."""
        return self.judge - self.people


@dataclass(frozen=True, slots=True)
class Ends:
    """The middle 95 % of resamples."""

    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Beside:
    """A run compared with a label set; `figures` are those of `HeldOut`.

    `examples` counts those that have a label and were judged: both sides are means over them.
    `intervals` are by level and measure, those of the biases from resampling examples.
    """

    figures: dict[str, Any]
    disagreements: int
    examples: int
    systems: list[SystemBeside]
    intervals: dict[str, dict[str, Ends]]
    bias_low: float | None
    bias_high: float | None

    @property
    def bias(self) -> float:
        return float(np.mean([row.bias for row in self.systems]))

    @property
    def coverage(self) -> str:
        """How often the correlations' intervals hold, if not as often as they say."""
        return say_coverage() if self.intervals else ""

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
COMPARISONS = Stored("compared", list[Beside | None], KEPT_SECONDS)
T = TypeVar("T")


def name_parts(run: JudgeRun, label_set: LabelSet, *more: str) -> tuple[object, ...]:
    """Neither a run nor labels change when they are ready."""
    return (run.pk, run.content_hash, label_set.pk, label_set.content_hash, *more)


def is_large_pair(run: JudgeRun, label_set: LabelSet) -> bool:
    """Whether nobody should wait until so many summaries are compared."""
    sides = (run.counts, label_set.figures.get("counts", {}))
    return min(side.get("summaries", 0) for side in sides) > scores.MOST_AT_ONCE


def is_compared(run: JudgeRun, label_set: LabelSet) -> bool:
    """False where a job has to compare them first."""
    if not is_large_pair(run, label_set):
        return True
    return COMPARISONS.find(name_parts(run, label_set)) is not None


def recall(
    values: Stored[T], run: JudgeRun, label_set: LabelSet, make: Callable[[], T], *more: str
) -> T:
    """What was computed of the two; of a large pair only a job computes it."""
    parts = name_parts(run, label_set, *more)
    if not is_large_pair(run, label_set):
        return values.get(parts, make)
    found = values.find(parts)
    if found is None:
        raise DomainError(
            _("Comparing {run} with {label_set} takes a while.").format(
                run=run, label_set=label_set
            ),
            _("Start the comparison as a job on the page of the run."),
            fix=run,
        )
    return found


def keep_comparison(run: JudgeRun, label_set: LabelSet) -> None:
    """In a job: compute and store what pages show of the two."""
    parts = name_parts(run, label_set)
    DISAGREEING.keep(parts, lambda: _choose_disagreeing(get_pairs(run, label_set)))
    COMPARISONS.keep(parts, lambda: [_compare(run, label_set)])


def _share(part: int, rest: int) -> float | None:
    return part / (part + rest) if part + rest else None


def get_beside(run: JudgeRun, label_set: LabelSet) -> Beside | None:
    """Computed once. None if no summary is both judged and labelled."""
    (found,) = recall(COMPARISONS, run, label_set, lambda: [_compare(run, label_set)])
    return found


def _compare(run: JudgeRun, label_set: LabelSet) -> Beside | None:
    records = [row for row in list_records(run, label_set) if _list_known(row)]
    if not records:
        return None
    kinds = dict(System.objects.filter(project=run.project).values_list("name", "kind"))
    tables = tabulate(records)
    biases = bound_biases(*tables)
    return Beside(
        evaluate_held_out(records).to_json(),
        sum(_count_apart(record) for record in records),
        len({record.document for record in records}),
        _list_systems(records, kinds, tables, biases),
        {
            level: {measure: Ends(*ends) for measure, ends in found.items()}
            for level, found in bound_correlations(*tables).items()
        },
        *biases.mean,
    )


def list_records(run: JudgeRun, label_set: LabelSet) -> Iterator[HeldOutRecord]:
    """Every summary that is both judged and labelled."""
    labels = _read_labels(label_set)
    weights = {
        example: tuple(unit.weight for unit in units)
        for example, units in list_units(run.unit_set).items()
    }
    fields = ("summary_id", "summary__example_id", "summary__example__key", "summary__system__name")
    rows = _list_labelled(run, label_set).values_list(*fields, "presence")
    for summary, example, key, system, presence in rows.iterator(READ_CHUNK):
        if summary in labels:
            yield HeldOutRecord(key, system, labels[summary], presence, weights[example])


def _list_labelled(run: JudgeRun, label_set: LabelSet) -> QuerySet[SummaryPresence]:
    """People may have judged a few of the run's summaries only."""
    labelled = SummaryLabels.objects.filter(label_set=label_set)
    return list_presences(run).filter(summary__in=labelled.values("summary"))


def _read_labels(label_set: LabelSet) -> dict[int, list[int | None]]:
    rows = SummaryLabels.objects.filter(label_set=label_set)
    return dict(rows.values_list("summary_id", "labels").iterator(READ_CHUNK))


def _list_known(record: HeldOutRecord) -> list[int]:
    """Places of the units that have a label."""
    return [place for place, label in enumerate(record.labels) if label is not None]


def _list_systems(
    records: Sequence[HeldOutRecord],
    kinds: dict[str, str],
    tables: tuple[ScoreTable, ScoreTable],
    biases: Biases,
) -> list[SystemBeside]:
    """The best by people first."""
    judge, people = (
        {row.system: row for row in rank_systems(table, kinds, seed=0)} for table in tables
    )
    apart: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    for record in records:
        apart[record.system] += _count_apart(record)
        labels[record.system] += len(_list_known(record))
    return [
        SystemBeside(judge[name], row, 1 - apart[name] / labels[name], *biases.systems[name])
        for name, row in people.items()
    ]


def tabulate(records: Sequence[HeldOutRecord]) -> tuple[ScoreTable, ScoreTable]:
    """The judge's scores and people's of the same summaries, each from the labelled units only."""
    systems = {name: place for place, name in enumerate(sorted({row.system for row in records}))}
    documents = {name: at for at, name in enumerate(dict.fromkeys(r.document for r in records))}
    scores = np.full((2, len(systems), len(documents)), np.nan)
    for record in records:
        known = _list_known(record)
        sides = [
            [float(side[at] or 0) for at in known] for side in (record.presence, record.labels)
        ]
        weights = [record.weights[at] for at in known]
        cell = systems[record.system], documents[record.document]
        scores[:, *cell] = np.average(sides, axis=1, weights=weights)
    judge, people = (ScoreTable(tuple(systems), tuple(documents), table, "") for table in scores)
    return judge, people


def _count_apart(record: HeldOutRecord) -> int:
    """How many labels the judge contradicts."""
    said = zip(record.presence, record.labels, strict=True)
    return sum((value > THRESHOLD) != (label == 1) for value, label in said if label is not None)
