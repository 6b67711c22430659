"""A run beside what people said: correlation, calibration, accuracy, bias, disagreements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from django.core.cache import cache
from django.db.models import QuerySet
from numpy.typing import NDArray

from annotation.evaluation.models import JudgeRun, LabelSet, SummaryLabels
from annotation.evaluation.selectors.run_scores import READ_CHUNK, get_run_table, list_presences
from annotation.evaluation.selectors.scores import KEPT_SECONDS, get_table
from scoring.judge.comparison import (
    THRESHOLD,
    Calibration,
    Confusion,
    Correlation,
    calibrate,
    confuse,
    correlate_summaries,
    correlate_systems,
)
from scoring.pyramid import ScoreTable

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
    labels = dict(
        SummaryLabels.objects.filter(label_set=label_set)
        .values_list("summary_id", "labels")
        .iterator(READ_CHUNK)
    )
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
    """A system by the judge and by people, on the summaries that both have; `bias` is j − p."""

    system: str
    judge: float
    people: float
    documents: int
    accuracy: float | None

    @property
    def bias(self) -> float:
        return self.judge - self.people


@dataclass(frozen=True, slots=True)
class Beside:
    """All that is told of a run beside a label set."""

    pairs: int
    disagreements: int
    by_system: Correlation
    by_summary: Correlation
    calibration: Calibration
    confusion: Confusion
    systems: list[SystemBeside]

    @property
    def bias(self) -> float | None:
        gaps = [row.bias for row in self.systems]
        return float(np.mean(gaps)) if gaps else None


def get_beside(run: JudgeRun, label_set: LabelSet) -> Beside:
    """Reckoned once: neither a run nor labels change when they are ready."""
    key = f"beside:{run.pk}:{run.content_hash}:{label_set.pk}:{label_set.content_hash}"
    found: Beside | None = cache.get(key)
    if found is None:
        found = _compare(run, label_set)
        cache.set(key, found, KEPT_SECONDS)
    return found


def _compare(run: JudgeRun, label_set: LabelSet) -> Beside:
    pairs = get_pairs(run, label_set)
    tables = align_tables(get_run_table(run), get_table(label_set))
    return Beside(
        pairs=len(pairs.values),
        disagreements=int(pairs.disagree.sum()),
        by_system=correlate_systems(*tables[1:]),
        by_summary=correlate_summaries(*tables[1:]),
        calibration=calibrate(pairs.values, pairs.labels),
        confusion=confuse(pairs.values, pairs.labels),
        systems=_list_systems(pairs, *tables),
    )


def align_tables(run: ScoreTable, people: ScoreTable) -> tuple[list[str], Floats, Floats]:
    """Both on the systems and documents that both know, in the run's order."""
    systems = [name for name in run.systems if name in set(people.systems)]
    documents = [name for name in run.documents if name in set(people.documents)]
    cut = []
    for table in (run, people):
        rows = {name: place for place, name in enumerate(table.systems)}
        columns = {name: place for place, name in enumerate(table.documents)}
        grid = np.ix_([rows[name] for name in systems], [columns[name] for name in documents])
        cut.append(table.scores[grid])
    return systems, cut[0], cut[1]


def _list_systems(
    pairs: Pairs, systems: list[str], judge: Floats, people: Floats
) -> list[SystemBeside]:
    codes = {name: code for code, name in enumerate(pairs.names)}
    found = []
    for place, name in enumerate(systems):
        known = ~(np.isnan(judge[place]) | np.isnan(people[place]))
        if not known.any():
            continue
        mine = pairs.systems == codes[name]
        right = float((~pairs.disagree[mine]).mean()) if mine.any() else None
        by_judge, by_people = (float(side[place][known].mean()) for side in (judge, people))
        found.append(SystemBeside(name, by_judge, by_people, int(known.sum()), right))
    return sorted(found, key=lambda row: (-row.people, row.system))
