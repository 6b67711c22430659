"""The scores of some examples: those that are stored, and the metric's for what is missing."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from annotation.corpora.models import Document, Reference, Summary
from annotation.evaluation.models import ExampleScores, ScoreSet, StoredScore
from annotation.evaluation.selectors.score_tables import FLOAT, pack
from scoring.io.texts import without_marks
from scoring.metrics import Metric
from scoring.metrics.protocol import DOCUMENTS, REFERENCES

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scored:
    """Rows with their numbers, what is to be stored, and how many summaries were known before."""

    rows: list[ExampleScores]
    fresh: list[StoredScore]
    known: int


@dataclass(frozen=True, slots=True)
class _Texts:
    """All that a metric reads of one summary."""

    summary: str
    references: tuple[str, ...]
    documents: tuple[str, ...]

    def key(self) -> bytes:
        digest = hashlib.blake2b(digest_size=16)
        for texts in ((self.summary,), self.references, self.documents):
            digest.update(len(texts).to_bytes(8, "big"))
            for text in texts:
                digest.update(len(text).to_bytes(8, "big") + text.encode())
        return digest.digest()


def score_block(score_set: ScoreSet, metric: Metric, rows: Sequence[ExampleScores]) -> Scored:
    """Each text once, though two systems may have written the same."""
    cells = _read(score_set, metric, [row.example_id for row in rows])
    keys = {place: texts.key() for place, texts in cells.items()}
    metric_key = hashlib.blake2b(metric.signature.encode(), digest_size=16).digest()
    known = _find_stored(metric_key, keys.values(), len(metric.columns))
    missing = {key: cells[place] for place, key in keys.items() if key not in known}
    found = known | _ask(metric, missing)
    systems = {name: place for place, name in enumerate(score_set.systems)}
    tables = {row.example_id: np.full((len(systems), len(metric.columns)), np.nan) for row in rows}
    for (example, system), key in keys.items():
        tables[example][systems[system]] = found[key]
    for row in rows:
        row.values = pack(tables[row.example_id])
    fresh = [
        StoredScore(metric_key=metric_key, text_key=key, values=pack(found[key]))
        for key in sorted(missing)
    ]
    return Scored(list(rows), fresh, sum(key in known for key in keys.values()))


def _read(
    score_set: ScoreSet, metric: Metric, examples: Sequence[int]
) -> dict[tuple[int, str], _Texts]:
    """By example and system; an example without what the metric reads has no scores."""
    references = _texts(Reference.objects.all(), examples, REFERENCES in metric.needs)
    documents = _texts(Document.objects.all(), examples, DOCUMENTS in metric.needs)
    summaries = Summary.objects.live().filter(
        example__in=examples, system__name__in=score_set.systems
    )
    rows = summaries.order_by("example_id", "system__name")
    return {
        (example, system): _Texts(
            text,
            tuple(map(without_marks, references.get(example, ()))),
            tuple(documents.get(example, ())),
        )
        for example, system, text in rows.values_list("example_id", "system__name", "text")
        if (REFERENCES not in metric.needs or example in references)
        and (DOCUMENTS not in metric.needs or example in documents)
    }


def _texts(
    rows: QuerySet[Reference] | QuerySet[Document], examples: Sequence[int], is_needed: bool
) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    if is_needed:
        wanted = rows.filter(example__in=examples).order_by("example_id", "position")
        for example, text in wanted.values_list("example_id", "text"):
            found[example].append(text)
    return dict(found)


def _find_stored(metric_key: bytes, keys: Collection[bytes], width: int) -> dict[bytes, Floats]:
    rows = StoredScore.objects.filter(metric_key=metric_key, text_key__in=sorted(set(keys)))
    found = rows.values_list("text_key", "values")
    read = {bytes(key): np.frombuffer(bytes(values), FLOAT) for key, values in found}
    return {key: values.astype(np.float64) for key, values in read.items() if len(values) == width}


def _ask(metric: Metric, missing: dict[bytes, _Texts]) -> dict[bytes, Floats]:
    if not missing:
        return {}
    texts = list(missing.values())
    table = metric.score(
        [row.summary for row in texts],
        [row.references for row in texts],
        [row.documents for row in texts],
    )
    return dict(zip(missing, table.values, strict=True))
