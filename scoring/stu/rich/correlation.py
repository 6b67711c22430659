"""Where units count: how well a judge's scores by them agree with people's pyramid scores.

The judge is the embedded one. On a study that it learns from it is trained anew for each fold of
documents, on the other folds; other studies are judged by what it learned from the whole of that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.finetune import FineTuneOptions, TrainingRecord
from scoring.finetune.trees import judge_others
from scoring.judge.scores import weigh
from scoring.metaeval.correlation import pearson

Floats = NDArray[np.float64]
Units = Mapping[str, Sequence[str]]
Folds = Sequence[frozenset[str]]
SAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Scores:
    """Documents × systems: people's scores and a judge's; nan where there is none."""

    human: Floats
    judge: Floats


@dataclass(frozen=True, slots=True)
class Difference:
    """Of two correlations, with the middle 95 % over resampled documents."""

    value: float
    low: float
    high: float


def judge_units(
    records: Sequence[TrainingRecord],
    unit_sets: Mapping[str, Units],
    *,
    learned: Sequence[TrainingRecord],
    folds: Folds = (),
    base: str = "embedded",
    seed: int = 0,
) -> dict[str, Scores]:
    """Scores of all summaries by each set of units.

    With *folds* the judge learns, for each, from what is *learned* but for the fold's documents.
    """
    options = FineTuneOptions(base, seed=seed)
    found: dict[str, dict[tuple[str, str], float]] = {name: {} for name in unit_sets}
    for held in folds or [frozenset(record.document for record in records)]:
        seen = [record for record in learned if not folds or record.document not in held]
        asked = [record for record in records if record.document in held]
        for name, place, score in _judged(seen, asked, unit_sets, options):
            found[name][place] = score
    human = {(r.document, r.system): _human(r) for r in records}
    return {name: _tables(human, scores) for name, scores in found.items()}


def _judged(
    seen: Sequence[TrainingRecord],
    asked: Sequence[TrainingRecord],
    unit_sets: Mapping[str, Units],
    options: FineTuneOptions,
) -> Iterator[tuple[str, tuple[str, str], float]]:
    """The judge is trained once for all sets."""
    # By document, so that a summary is read once for all sets.
    places = [(name, record) for record in asked for name in unit_sets]
    questions = [_with_units(record, unit_sets[name][record.document]) for name, record in places]
    answers = judge_others(seen, questions, options)
    for (name, record), answer in zip(places, answers, strict=True):
        yield name, (record.document, record.system), float(np.mean(answer.presence))


def _with_units(record: TrainingRecord, units: Sequence[str]) -> TrainingRecord:
    if not units:
        raise InputError(
            f"{record.document} has no units. Remove the document, or write units for it."
        )
    labels = (None,) * len(units)
    return TrainingRecord(record.document, record.system, record.summary, tuple(units), labels)


def _human(record: TrainingRecord) -> float:
    known = [
        (label, weight)
        for label, weight in zip(
            record.labels, record.weights or (1,) * len(record.labels), strict=True
        )
        if label is not None
    ]
    return weigh([label for label, _ in known], [weight for _, weight in known])


def _tables(
    human: Mapping[tuple[str, str], float], judge: Mapping[tuple[str, str], float]
) -> Scores:
    documents, systems = (sorted({place[at] for place in human}) for at in (0, 1))
    places = [[(document, system) for system in systems] for document in documents]
    one, two = (
        np.array([[scores.get(place, np.nan) for place in row] for row in places])
        for scores in (human, judge)
    )
    return Scores(one, two)


def summary_level(scores: Scores) -> Floats:
    """Pearson's r across systems on each document; nan where all scores are the same."""
    pairs = zip(scores.human, scores.judge, strict=True)
    return np.array([_known_pearson(human, judge) for human, judge in pairs])


def system_level(scores: Scores) -> float:
    """Pearson's r of the systems' means."""
    return pearson(*(np.nanmean(table, axis=0) for table in (scores.human, scores.judge)))


def _known_pearson(human: Floats, judge: Floats) -> float:
    known = ~(np.isnan(human) | np.isnan(judge))
    return pearson(human[known], judge[known])


def compare_summary_level(
    first: Scores, second: Scores, *, samples: int = SAMPLES, seed: int = 0
) -> Difference:
    """First − second, over the documents where both have a correlation."""
    gaps = summary_level(first) - summary_level(second)
    gaps = gaps[~np.isnan(gaps)]
    drawn = _draw(len(gaps), samples, seed)
    return _difference(float(gaps.mean()), (float(gaps[places].mean()) for places in drawn))


def compare_system_level(
    first: Scores, second: Scores, *, samples: int = SAMPLES, seed: int = 0
) -> Difference:
    """First − second, of the systems' means on the documents drawn."""

    def gap(places: NDArray[np.int64]) -> float:
        one, two = (Scores(s.human[places], s.judge[places]) for s in (first, second))
        return system_level(one) - system_level(two)

    documents = len(first.human)
    drawn = _draw(documents, samples, seed)
    return _difference(gap(np.arange(documents)), map(gap, drawn))


def _draw(size: int, samples: int, seed: int) -> NDArray[np.int64]:
    return np.random.default_rng(seed).integers(size, size=(samples, size))


def _difference(value: float, drawn: Iterable[float]) -> Difference:
    low, high = np.nanpercentile(list(drawn), [2.5, 97.5])
    return Difference(value, float(low), float(high))
