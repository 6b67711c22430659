"""The scores of some examples: those that are stored, and the metric's for what is missing."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from annotation.corpora.models import Document, Reference, Summary
from annotation.evaluation.models import ExampleScores, ScoreSet, StoredScore
from annotation.evaluation.selectors.score_tables import FLOAT, pack
from scoring.io.marks import without_marks
from scoring.metrics import Metric
from scoring.metrics.protocol import DOCUMENTS, REFERENCES

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scored:
    """Rows with their numbers, what is to be stored, and how many summaries were known before."""

    rows: list[ExampleScores]
    fresh: list[StoredScore]
    known: int


Place = tuple[int, str]  # an example and a system


@dataclass(frozen=True, slots=True)
class MetricTexts:
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


@dataclass(frozen=True, slots=True)
class Answered:
    """Numbers by place, what is to be stored, and how many summaries were known before."""

    values: dict[Place, Floats]
    fresh: list[StoredScore]
    known: int


def score_block(score_set: ScoreSet, metric: Metric, rows: Sequence[ExampleScores]) -> Scored:
    """The numbers of some examples, as their rows keep them."""
    examples = [row.example_id for row in rows]
    cells = fit_texts(metric, read_texts(score_set.systems, examples, metric.needs))
    answered = score_once(metric, cells)
    systems = {name: place for place, name in enumerate(score_set.systems)}
    tables = {pk: np.full((len(systems), len(metric.columns)), np.nan) for pk in examples}
    for (example, system), values in answered.values.items():
        tables[example][systems[system]] = values
    for row in rows:
        row.values = pack(tables[row.example_id])
    return Scored(list(rows), answered.fresh, answered.known)


def score_once(metric: Metric, cells: Mapping[Place, MetricTexts]) -> Answered:
    """What is stored, and the metric's own answers to the rest.

    Each text once, though two systems may have written the same.
    """
    keys = {place: texts.key() for place, texts in cells.items()}
    metric_key = hashlib.blake2b(metric.signature.encode(), digest_size=16).digest()
    known = _find_stored(metric_key, keys.values(), len(metric.columns))
    missing = {key: cells[place] for place, key in keys.items() if key not in known}
    found = known | _ask(metric, missing)
    fresh = [
        StoredScore(metric_key=metric_key, text_key=key, values=pack(found[key]))
        for key in sorted(missing)
    ]
    values = {place: found[key] for place, key in keys.items()}
    return Answered(values, fresh, sum(key in known for key in keys.values()))


def read_texts(
    systems: Sequence[str], examples: Sequence[int], kinds: Collection[str]
) -> dict[Place, MetricTexts]:
    """Summaries of some systems, with references and documents if they are asked for."""
    references = _texts(Reference.objects.all(), examples, REFERENCES in kinds)
    documents = _texts(Document.objects.all(), examples, DOCUMENTS in kinds)
    summaries = Summary.objects.live().filter(example__in=examples, system__name__in=systems)
    rows = summaries.order_by("example_id", "system__name")
    return {
        (example, system): MetricTexts(
            text,
            tuple(map(without_marks, references.get(example, ()))),
            tuple(documents.get(example, ())),
        )
        for example, system, text in rows.values_list("example_id", "system__name", "text")
    }


def fit_texts(metric: Metric, cells: Mapping[Place, MetricTexts]) -> dict[Place, MetricTexts]:
    """What the metric reads and no more; an example without that has no scores."""
    reads_references, reads_documents = (k in metric.needs for k in (REFERENCES, DOCUMENTS))
    return {
        place: MetricTexts(
            texts.summary,
            texts.references if reads_references else (),
            texts.documents if reads_documents else (),
        )
        for place, texts in cells.items()
        if (texts.references or not reads_references) and (texts.documents or not reads_documents)
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


def _ask(metric: Metric, missing: dict[bytes, MetricTexts]) -> dict[bytes, Floats]:
    if not missing:
        return {}
    texts = list(missing.values())
    table = metric.score(
        [row.summary for row in texts],
        [row.references for row in texts],
        [row.documents for row in texts],
    )
    return dict(zip(missing, table.values, strict=True))
