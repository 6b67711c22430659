"""What it takes to say whether a judge may replace people: single answers, and the judge's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.evaluation.models import JudgeRun, LabelSet, SummaryLabels
from annotation.evaluation.selectors.answers import get_collected, list_labelled_assignments
from annotation.evaluation.selectors.run_people import THRESHOLD
from annotation.evaluation.selectors.run_scores import READ_CHUNK, list_presences
from annotation.units.models import Unit, UnitSet
from scoring.aggregation import Answers
from scoring.estimation import JudgedShares, PartialScores

Floats = NDArray[np.float64]


def read_answers(label_set: LabelSet, run: JudgeRun) -> tuple[Answers, Floats] | None:
    """Answers that the labels were made of, and the judge's to each statement; nan without one.

    None where labels came from files: then nobody's single answers are known.
    """
    campaigns = list(label_set.campaigns.all())
    if not campaigns:
        return None
    collected = get_collected(campaigns)
    counted = list_labelled_assignments(label_set).exclude(drops__label_set=label_set)
    kept = np.isin(collected.assignments, list(counted.values_list("pk", flat=True)))
    rows = dict(list_presences(run).values_list("summary_id", "presence").iterator(READ_CHUNK))
    places = np.array([int(key) - 1 for key in collected.answers.statement_keys], dtype=np.int64)
    said = _judge(rows, collected.summaries, collected.answers.statement_summaries, places)
    return collected.answers.keep(kept), said


def _judge(
    rows: Mapping[int, Sequence[float]],
    summaries: NDArray[np.int64],
    codes: NDArray[np.int64],
    places: NDArray[np.int64],
) -> Floats:
    """1 or 0 by statement: the place of a unit in a summary."""
    values = [np.array(rows.get(int(pk), ()), dtype=np.float64) for pk in summaries]
    sizes = np.array([len(row) for row in values], dtype=np.int64)
    starts = np.cumsum(sizes) - sizes
    known = places < sizes[codes]
    flat = np.concatenate([*values, np.zeros(1)])
    said = flat[np.where(known, starts[codes] + places, 0)] > THRESHOLD
    return np.where(known, said.astype(np.float64), np.nan)


def read_shares(label_set: LabelSet, run: JudgeRun, scores: PartialScores) -> JudgedShares:
    """By system and example of *scores*: what the judge calls present, and how it stands to people.

    Labels count where people's scores do, by the weights of their units.
    """
    columns = {name: place for place, name in enumerate(scores.documents)}
    places = {name: place for place, name in enumerate(scores.systems)}
    weights = _weights(run.unit_set)
    labels = _labels(label_set)
    tables = np.full((4, *scores.human.shape), np.nan)
    fields = ("summary_id", "summary__example__key", "summary__system__name", "presence")
    for summary, example, system, presence in list_presences(run).values_list(*fields):
        if example not in columns or system not in places:
            continue
        at = (slice(None), places[system], columns[example])
        people = None if np.isnan(scores.human[at[1:]]) else labels.get(summary)
        tables[at] = _shares(np.array(presence) > THRESHOLD, people, weights[example])
    judge, present, hits, alarms = tables
    names = scores.systems, scores.documents
    return JudgedShares(*names, judge, present, hits, alarms, scores.weights)


def _shares(said: NDArray[np.bool_], people: Sequence[Any] | None, weights: Floats) -> list[float]:
    """Shares of weight: what the judge calls present; what people do, both, the judge only."""
    judge = float(np.average(said, weights=weights))
    if people is None:
        return [judge, *[float("nan")] * 3]
    known = np.array([label is not None for label in people])
    own = np.array([label == 1 for label in people])[known]
    parts = (own, own & said[known], ~own & said[known])
    return [judge, *(float(np.average(part, weights=weights[known])) for part in parts)]


def _labels(label_set: LabelSet) -> dict[int, Sequence[Any]]:
    rows = SummaryLabels.objects.filter(label_set=label_set).values_list("summary_id", "labels")
    return dict(rows.iterator(READ_CHUNK))


def _weights(unit_set: UnitSet) -> dict[str, Floats]:
    """Of each example's units, in their order."""
    rows = Unit.objects.filter(set=unit_set, is_deleted=False)
    rows = rows.order_by("example__key", "position", "pk")
    pairs = rows.values_list("example__key", "weight").iterator(READ_CHUNK)
    return {
        key: np.array([float(weight) for _, weight in group])
        for key, group in groupby(pairs, key=lambda pair: pair[0])
    }
