"""Scores of a run by summary, next to people's: a page of them, never all.

- A run as files: every value with its unit and its summary.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from django.core.paginator import Page
from django.db.models import QuerySet

from annotation.corpora.corpus.models import Example, Summary
from annotation.corpora.corpus.queries import CountedPaginator
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.labels.score_pages import list_judged_examples, list_summary_ids
from annotation.evaluation.labels.scores import KEPT_SECONDS
from annotation.evaluation.runs.comparison import is_compared, name_parts, recall
from annotation.evaluation.runs.models import JudgeRun, SummaryPresence
from annotation.evaluation.runs.queries import READ_CHUNK, list_presences, list_run_scores
from annotation.evaluation.runs.texts import UnitText, list_units
from annotation.evaluation.stored.queries import Stored
from annotation.translation import gettext_lazy
from scoring.io.cells import defuse, row_line

SORTS = {
    "corpus": gettext_lazy("Corpus order"),
    "gap": gettext_lazy("Largest difference from human score first"),
    "high": gettext_lazy("Highest first"),
    "low": gettext_lazy("Lowest first"),
}
SIZE = 50
MOST_GAPS = 1000
# Summaries that are furthest from people, by id.
GAPS = Stored("run-gaps", list[int], KEPT_SECONDS)


@dataclass(frozen=True, slots=True)
class SummaryScore:
    """`people` and `same` are of the units that have a label; `judge` is of all units."""

    example: int
    key: str
    system: str
    judge: float
    people: float | None = None
    same: float | None = None

    @property
    def gap(self) -> float | None:
        """The judge minus people, on the same units."""
        return None if self.people is None or self.same is None else self.same - self.people


def get_summary_page(
    run: JudgeRun,
    label_set: LabelSet | None,
    number: str,
    *,
    sort: str = "corpus",
    system: str = "",
) -> Page[Any]:
    """Of the corpus so many examples with their systems; else so many summaries."""
    rows = SummaryPresence.objects.filter(run=run)
    if sort == "corpus":
        page = _page_of_examples(run, number, system)
        rows = rows.filter(summary__in=list_summary_ids([row.pk for row in page.object_list]))
        rows = rows.filter(summary__system__name=system) if system else rows
        order = ("summary__example__position", "summary__example_id", "summary__system__name")
        found = list(_with_names(rows).order_by(*order))
    else:
        page = _page_of_ids(run, label_set, number, sort, system)
        by_id = {
            row.summary_id: row for row in _with_names(rows.filter(summary__in=page.object_list))
        }
        found = [by_id[pk] for pk in page.object_list if pk in by_id]
    page.object_list = _score(run, label_set, found)
    return page


def _with_names(rows: QuerySet[SummaryPresence]) -> QuerySet[SummaryPresence]:
    return rows.select_related("summary__example", "summary__system").defer("sentences")


def _page_of_examples(run: JudgeRun, number: str, system: str) -> Page[Any]:
    systems = list_run_scores(run)
    size = SIZE if system else max(SIZE // max(len(systems), 1), 1)
    is_whole = run.counts["examples"] == run.project.example_count
    rows = (
        Example.objects.filter(project=run.project).order_by("position", "pk")
        if is_whole
        else list_judged_examples(run)
    )
    return CountedPaginator(rows, size, run.counts["examples"]).get_page(number)


def _page_of_ids(
    run: JudgeRun, label_set: LabelSet | None, number: str, sort: str, system: str
) -> Page[Any]:
    """Ids of summaries; the tables of names are not joined before a page is cut out."""
    if sort == "gap":
        can_rank = label_set is not None and is_compared(run, label_set)
        ids = _list_gaps(run, label_set, system) if label_set and can_rank else []
        return CountedPaginator(ids, SIZE, len(ids)).get_page(number)
    rows = SummaryPresence.objects.filter(run=run)
    count = run.counts["summaries"]
    if system:
        rows = rows.filter(summary__in=_of_system(run, system))
        known = {row.system: row.documents for row in list_run_scores(run)}
        count = known.get(system, 0)
    order = ("-score", "-pk") if sort == "high" else ("score", "pk")
    ordered = rows.order_by(*order).values_list("summary_id", flat=True)
    return CountedPaginator(ordered, SIZE, count).get_page(number)


def _of_system(run: JudgeRun, system: str) -> QuerySet[Summary]:
    return Summary.objects.filter(system__project=run.project_id, system__name=system)


def _list_gaps(run: JudgeRun, label_set: LabelSet, system: str) -> list[int]:
    """Computed once; a large pair has none of a system that isn't in the run."""
    if system and system not in {row.system for row in list_run_scores(run)}:
        return []
    return recall(GAPS, run, label_set, lambda: _rank_gaps(run, label_set, system), system)


def keep_gaps(run: JudgeRun, label_set: LabelSet) -> None:
    """In a job: of all systems, and of each."""
    by_system: dict[str, list[tuple[float, int]]] = {row.system: [] for row in list_run_scores(run)}
    everything: list[tuple[float, int]] = []
    for system, gap, pk in _measure_gaps(run, label_set):
        everything.append((gap, pk))
        by_system[system].append((gap, pk))
    for name, found in (("", everything), *by_system.items()):
        GAPS.keep(name_parts(run, label_set, name), partial(_list_largest, found))


def _rank_gaps(run: JudgeRun, label_set: LabelSet, system: str) -> list[int]:
    return _list_largest([row[1:] for row in _measure_gaps(run, label_set, system)])


def _list_largest(found: list[tuple[float, int]]) -> list[int]:
    found.sort(key=lambda row: (-row[0], row[1]))
    return [pk for _, pk in found[:MOST_GAPS]]


def _measure_gaps(
    run: JudgeRun, label_set: LabelSet, system: str = ""
) -> Iterator[tuple[str, float, int]]:
    """System, distance and id of every summary that is judged and labelled."""
    labels = dict(
        SummaryLabels.objects.filter(label_set=label_set)
        .values_list("summary_id", "labels")
        .iterator(READ_CHUNK)
    )
    units = list_units(run.unit_set)
    rows = SummaryPresence.objects.filter(run=run)
    rows = rows.filter(summary__in=_of_system(run, system)) if system else rows
    fields = ("summary_id", "summary__example_id", "summary__system__name", "presence")
    for pk, example, name, presence in rows.values_list(*fields).iterator(READ_CHUNK):
        if sides := average_labelled(labels.get(pk) or [], presence, units[example]):
            yield name, abs(sides[1] - sides[0]), pk


def average_labelled(
    labels: Sequence[int | None], presence: Sequence[float], units: Sequence[UnitText]
) -> tuple[float, float] | None:
    """People's score and the judge's, both of the units that have a label."""
    known = [at for at, label in enumerate(labels) if label is not None]
    if not known:
        return None
    sides = [[float(side[at] or 0) for at in known] for side in (labels, presence)]
    people, judge = np.average(sides, axis=1, weights=[units[at].weight for at in known])
    return float(people), float(judge)


def _score(
    run: JudgeRun, label_set: LabelSet | None, rows: Sequence[SummaryPresence]
) -> list[SummaryScore]:
    labels = dict(
        SummaryLabels.objects.filter(
            label_set=label_set, summary__in=[row.summary_id for row in rows]
        ).values_list("summary_id", "labels")
    )
    units = list_units(run.unit_set, {row.summary.example_id for row in rows})
    return [_score_one(row, labels.get(row.summary_id) or [], units) for row in rows]


def _score_one(
    row: SummaryPresence, labels: Sequence[int | None], units: Mapping[int, Sequence[UnitText]]
) -> SummaryScore:
    summary = row.summary
    sides = average_labelled(labels, row.presence, units[summary.example_id])
    named = (summary.example_id, summary.example.key, summary.system.name, row.score)
    return SummaryScore(*named, *(sides or ()))


def stream_pairs_csv(run: JudgeRun) -> Iterator[str]:
    """A unit in a summary a line, with the judge's value and the sentence's place, from 0."""
    yield row_line("example", "system", "unit", "text", "presence", "sentence")
    for record in _records(run):
        for place, (text, value, sentence) in enumerate(
            zip(record["units"], record["presence"], record["sentences"], strict=True), 1
        ):
            names = map(defuse, (record["example"], record["system"]))
            named = str(sentence) if sentence >= 0 else ""
            yield row_line(*names, str(place), defuse(text), repr(value), named)


def stream_pairs_jsonl(run: JudgeRun) -> Iterator[str]:
    """The run in the first line; then a summary a line."""
    yield _line({"run": run.pk, "signature": run.signature, "hash": run.content_hash})
    for record in _records(run):
        yield _line(record)


def _records(run: JudgeRun) -> Iterator[dict[str, Any]]:
    texts = {
        example: [unit.text for unit in units]
        for example, units in list_units(run.unit_set).items()
    }
    fields = ("summary__example_id", "summary__example__key", "summary__system__name")
    rows = list_presences(run).values_list(*fields, "score", "presence", "sentences")
    for example, key, system, score, presence, sentences in rows.iterator(READ_CHUNK):
        yield {
            "example": key,
            "system": system,
            "score": score,
            "units": texts[example],
            "presence": presence,
            "sentences": sentences,
        }


def _line(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"
