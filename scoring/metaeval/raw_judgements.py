"""Raw answers as judgements: what one annotator said of one summary, for resampling and models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.aggregation.answers import Answers
from scoring.errors import InputError
from scoring.metaeval.mixed import FACTORS, SUMMARY, Codes
from scoring.translation import gettext as _

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RawJudgements:
    """Each row is one annotator's share of units present in one summary, of `answers` answers.

    Annotators are ordered by what they judged: their names change nothing.
    """

    documents: Codes
    systems: Codes
    annotators: Codes
    scores: Floats
    answers: Floats
    document_names: tuple[str, ...]
    system_names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def annotator_count(self) -> int:
        return int(self.annotators.max(initial=-1)) + 1

    @property
    def codes(self) -> dict[str, Codes]:
        summaries = self.systems * len(self.document_names) + self.documents
        values = (self.documents, self.systems, self.annotators, summaries)
        return dict(zip(FACTORS, values, strict=True))

    def table(self) -> Floats:
        """Mean answers, systems × documents; nan where nobody judged."""
        counts = np.ones((1, self.annotator_count))
        return self.resample(counts)[0]

    def resample(self, counts: Floats) -> Floats:
        """The same with annotators counted as often as they were drawn: resamples × table."""
        from scipy import sparse

        shape = (len(self.system_names), len(self.document_names))
        cells = self.codes[SUMMARY]
        size = (self.annotator_count, shape[0] * shape[1])
        sums, totals = (
            counts @ sparse.csr_matrix((values, (self.annotators, cells)), shape=size)
            for values in (self.scores * self.answers, self.answers)
        )
        found = np.divide(sums, totals, out=np.full(sums.shape, np.nan), where=totals > 0)
        return np.asarray(found).reshape(-1, *shape)


def read_judgements(answers: Answers) -> RawJudgements:
    """One row per annotator and summary; somebody's second assignment on it is added up."""
    if not len(answers):
        raise InputError(_("There are no answers. Expected at least one."))
    summaries = answers.statement_summaries[answers.statements]
    workers = answers.assignment_workers[answers.assignments]
    count = len(answers.summary_keys)
    keys, places = np.unique(workers * count + summaries, return_inverse=True)
    worker, summary = np.divmod(keys, count)
    counts = np.bincount(places).astype(np.float64)
    scores = np.bincount(places, weights=answers.labels) / counts
    documents = answers.summary_documents[summary]
    systems = answers.summary_systems[summary]
    annotators = _order_annotators(worker, documents, systems, scores, counts)
    order = np.lexsort((documents, systems, annotators))
    return RawJudgements(
        documents[order],
        systems[order],
        annotators[order],
        scores[order],
        counts[order],
        tuple(answers.document_keys),
        tuple(answers.system_keys),
    )


def _order_annotators(
    workers: Codes, documents: Codes, systems: Codes, scores: Floats, counts: Floats
) -> Codes:
    """Codes in the order of what each judged, so that pseudonyms give the same draws."""
    rows: dict[int, list[tuple[float, ...]]] = {}
    for worker, *row in zip(
        workers.tolist(),
        documents.tolist(),
        systems.tolist(),
        scores.tolist(),
        counts.tolist(),
        strict=True,
    ):
        rows.setdefault(worker, []).append(tuple(row))
    ordered = sorted(rows, key=lambda worker: sorted(rows[worker]))
    places = {worker: place for place, worker in enumerate(ordered)}
    return np.array([places[worker] for worker in workers.tolist()], dtype=np.int64)


def choose_judgements(
    judgements: RawJudgements, *, systems: Sequence[str], documents: Sequence[str]
) -> RawJudgements:
    """On these systems and documents only, in their order."""
    system = {name: place for place, name in enumerate(systems)}
    document = {name: place for place, name in enumerate(documents)}
    places = [
        np.array([known.get(name, -1) for name in names], dtype=np.int64)[codes]
        for known, names, codes in (
            (system, judgements.system_names, judgements.systems),
            (document, judgements.document_names, judgements.documents),
        )
    ]
    kept = (places[0] >= 0) & (places[1] >= 0)
    if not kept.any():
        raise InputError(_("No raw answers are about these systems and documents."))
    return RawJudgements(
        places[1][kept],
        places[0][kept],
        np.unique(judgements.annotators[kept], return_inverse=True)[1].astype(np.int64),
        judgements.scores[kept],
        judgements.answers[kept],
        tuple(documents),
        tuple(systems),
    )
