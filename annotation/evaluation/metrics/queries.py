"""Score sets as pages, REST and reports read them: the sets, their tables, their systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import numpy as np
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from annotation.corpora.corpus.models import System
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, NotFound
from annotation.evaluation.labels.scores import KEPT_SECONDS, ScoreRow, rank_systems
from annotation.evaluation.metrics.models import ExampleScores, ScoreSet
from annotation.evaluation.stored.queries import Stored
from scoring.io.cells import defuse, row_line
from scoring.pyramid import ScoreTable

FLOAT = np.dtype("<f8")
READ_CHUNK = 500
ROWS = Stored("score-set", list[ScoreRow], KEPT_SECONDS)
HEADER = ("doc_id", "system", "metric", "score")

Floats = NDArray[np.float64]
Packed: TypeAlias = "bytes | memoryview[int]"


def list_score_sets(project: Project) -> QuerySet[ScoreSet]:
    """The newest first, those that are still being made among them."""
    return ScoreSet.objects.filter(project=project).select_related(
        "project", "job__project", "created_by"
    )


def get_score_set(project: Project, pk: int) -> ScoreSet:
    found = list_score_sets(project).filter(pk=pk).first()
    if found is None:
        raise NotFound(_("The project has no scores {pk}.").format(pk=pk))
    return found


def get_ready_scores(project: Project, pk: int) -> ScoreSet:
    found = get_score_set(project, pk)
    if not found.is_ready:
        raise DomainError(
            _("{found} are not ready yet.").format(found=found),
            _("Wait for their job to finish."),
            fix=found,
        )
    return found


def list_example_scores(score_set: ScoreSet) -> QuerySet[ExampleScores]:
    """In the order of the corpus."""
    rows = ExampleScores.objects.filter(score_set=score_set).select_related("example")
    return rows.order_by("example__position", "example_id")


def unpack(score_set: ScoreSet, values: Packed) -> Floats:
    """An example's numbers, systems × columns."""
    shape = (len(score_set.systems), len(score_set.columns))
    return np.frombuffer(bytes(values), FLOAT).astype(np.float64).reshape(shape)


def pack(values: Floats) -> bytes:
    """Every nan as the same bytes, so that equal numbers have equal hashes."""
    values = np.where(np.isnan(values), np.nan, values)
    return np.ascontiguousarray(values, FLOAT).tobytes()


def check_column(score_set: ScoreSet, column: str) -> int:
    """The place of a column; the first where none is named."""
    if column and column not in score_set.columns:
        known = ", ".join(score_set.columns)
        raise NotFound(
            _("{score_set} has no column '{column}'.").format(
                score_set=score_set, column=column[:100]
            ),
            _("Known: {known}.").format(known=known),
        )
    return score_set.columns.index(column) if column else 0


def get_score_table(score_set: ScoreSet, column: str = "") -> ScoreTable:
    """One column for each system and example; nan where there is no score."""
    place = check_column(score_set, column)
    keys, parts = [], []
    rows = list_example_scores(score_set).values_list("example__key", "values")
    for key, values in rows.iterator(READ_CHUNK):
        keys.append(key)
        parts.append(unpack(score_set, values)[:, place])
    scores = np.array(parts).reshape(len(keys), len(score_set.systems)).T
    return ScoreTable(tuple(score_set.systems), tuple(keys), scores, score_set.signature)


def list_system_scores(score_set: ScoreSet, column: str = "") -> list[ScoreRow]:
    """Systems from best to worst, with intervals from resampling examples; reckoned once."""
    place = check_column(score_set, column)
    parts = (score_set.pk, score_set.content_hash, place)
    return ROWS.get(parts, lambda: _rank(score_set, score_set.columns[place]))


def keep_system_scores(score_set: ScoreSet) -> None:
    """In the job that makes a set: every column, so that no page has to compute one."""
    for place, column in enumerate(score_set.columns):
        parts = (score_set.pk, score_set.content_hash, place)
        ROWS.keep(parts, partial(_rank, score_set, column))


def _rank(score_set: ScoreSet, column: str) -> list[ScoreRow]:
    kinds = dict(System.objects.filter(project=score_set.project).values_list("name", "kind"))
    table = get_score_table(score_set, column)
    if column not in score_set.lower:
        return rank_systems(table, kinds, seed=0)
    return [_negate(row) for row in rank_systems(replace(table, scores=-table.scores), kinds, 0)]


def _negate(row: ScoreRow) -> ScoreRow:
    """Where less is better, systems were ranked by the negative."""
    low, high = _minus(row.high), _minus(row.low)
    return replace(row, score=_minus(row.score), low=low, high=high)


def _minus(value: float | None) -> float | None:
    """Zero has no sign, or pages would show -0.00."""
    return None if value is None else 0.0 - value


def order_columns(score_set: ScoreSet, first: str) -> list[str]:
    """All columns, one of them before the others."""
    return [first, *(name for name in score_set.columns if name != first)]


def list_cells(
    score_set: ScoreSet, rows: Sequence[ExampleScores], columns: Sequence[str], system: str = ""
) -> list[tuple[str, str, list[float | None]]]:
    """Example, system and numbers of each summary in some rows; of one system, or of all."""
    places = [score_set.columns.index(name) for name in columns]
    found = []
    for row in rows:
        table = unpack(score_set, row.values)[:, places]
        for name, values in zip(score_set.systems, table.tolist(), strict=True):
            if system in ("", name):
                found.append((row.example.key, name, [None if v != v else v for v in values]))
    return found


def stream_scores(score_set: ScoreSet) -> Iterator[str]:
    """A line for each number, in the form that `import_scores` reads; nothing for a nan."""
    yield row_line(*HEADER)
    rows = list_example_scores(score_set).values_list("example__key", "values")
    for key, values in rows.iterator(READ_CHUNK):
        table = unpack(score_set, values).tolist()
        for system, numbers in zip(score_set.systems, table, strict=True):
            for column, number in zip(score_set.columns, numbers, strict=True):
                if number == number:
                    yield row_line(*map(defuse, (key, system, column)), repr(number))
