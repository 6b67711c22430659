"""Scores of a label set: per system and per summary, with their doubt."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import System
from annotation.errors import DomainError, Invalid
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.stored.queries import Stored
from annotation.translation import gettext_lazy
from annotation.units.sets.models import Unit
from scoring.errors import InputError
from scoring.pyramid import LabelledUnits, ScoreTable, label_units, score_summaries
from scoring.significance import FEWEST, Comparison, compare_systems, mean_intervals

METHODS = {
    "exhaustive": gettext_lazy("Weighted share of all units that are present"),
    "original": gettext_lazy(
        "Weight of present units, as a share of the maximum for that number of units"
    ),
    "lite": gettext_lazy("Share of a sample of units that are present"),
}
SAMPLES = 1000
PAIR_SAMPLES = 10_000
READ_CHUNK = 2000
KEPT_SECONDS = 7 * 86_400
# Pairs of systems are resampled within a second or two for so many summaries and systems.
MOST_AT_ONCE, MOST_SYSTEMS_AT_ONCE = 10_000, 40
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A system's mean over documents, with a 95 % interval from resampling documents.

    Below `FEWEST` documents there is none.
    """

    system: str
    kind: str
    score: float | None
    low: float | None
    high: float | None
    documents: int
    rank: int


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two systems on the same documents; p-values are two-sided, `holm` over all pairs.

    Below `FEWEST` documents the difference has no interval. `effect` is Cohen's d of paired scores.
    `p_low` and `p_high` bound the permutation p that all possible swaps would give; more than the
    `swaps` that were made might change the verdict where it is not settled.
    """

    first: str
    second: str
    difference: float
    low: float | None
    high: float | None
    effect: float | None
    p_bootstrap: float
    p_permutation: float
    p_low: float
    p_high: float
    swaps: int
    holm: float
    is_settled: bool

    @property
    def is_separable(self) -> bool:
        return self.is_settled and self.holm <= LEVEL


@dataclass(frozen=True, slots=True)
class Scores:
    """Systems from best to worst, every pair of them, and the line that reproduces it."""

    method: str
    sample: int | None
    seed: int
    rows: list[ScoreRow]
    pairs: list[PairRow]
    signature: str

    @property
    def too_few(self) -> list[str]:
        """Systems that have a score and, over too few documents, no interval."""
        return [row.system for row in self.rows if 0 < row.documents < FEWEST]


SCORES = Stored("scores", Scores, KEPT_SECONDS)


def get_scores(
    label_set: LabelSet, *, method: str = "exhaustive", sample: int | None = None, seed: int = 0
) -> Scores:
    """Computed once for a label set, which never changes; by a job where it takes long."""
    found = find_scores(label_set, method=method, sample=sample, seed=seed)
    if found is None:
        raise DomainError(
            _("Computing '{method}' scores of this many summaries takes a while.").format(
                method=method
            ),
            _("Start the computation on the scores page, or by POST."),
        )
    return found


def find_scores(
    label_set: LabelSet, *, method: str = "exhaustive", sample: int | None = None, seed: int = 0
) -> Scores | None:
    """None where a job has to compute them first."""
    if not label_set.is_ready:
        raise DomainError(
            _("{label_set} is still being created.").format(label_set=label_set),
            _("Wait for its job to finish."),
            fix=label_set,
        )
    parts = _parts(label_set, method, sample, seed)
    if is_large(label_set):
        return SCORES.find(parts)
    return SCORES.get(parts, lambda: _compute(label_set, method, sample, seed))


def keep_scores(
    label_set: LabelSet, *, method: str = "exhaustive", sample: int | None = None, seed: int = 0
) -> Scores:
    """In a job: compute and store them."""
    parts = _parts(label_set, method, sample, seed)
    return SCORES.keep(parts, lambda: _compute(label_set, method, sample, seed))


def is_large(label_set: LabelSet) -> bool:
    """Whether nobody should wait for resamples of so many summaries."""
    summaries = label_set.figures.get("counts", {}).get("summaries", 0)
    many = label_set.project.system_count > MOST_SYSTEMS_AT_ONCE
    return bool(many or summaries > MOST_AT_ONCE)


def _parts(label_set: LabelSet, method: str, sample: int | None, seed: int) -> tuple[object, ...]:
    return (FEWEST, label_set.content_hash, label_set.pk, method, sample, seed)


def _compute(label_set: LabelSet, method: str, sample: int | None, seed: int) -> Scores:
    table = get_table(label_set, method=method, sample=sample, seed=seed)
    rows = rank_systems(table, dict(_kinds(label_set)), seed)
    better = {row.system: place for place, row in enumerate(rows)}
    pairs = [
        _pair(found, better) for found in compare_systems(table, samples=PAIR_SAMPLES, seed=seed)
    ]
    pairs.sort(key=lambda pair: (better[pair.first], better[pair.second]))
    signature = f"{label_set.signature}|{table.signature}"
    return Scores(method, sample, seed, rows, pairs, signature)


def list_score_rows(label_set: LabelSet) -> list[ScoreRow]:
    """Systems from best to worst by the exhaustive score, without comparing them."""
    return rank_systems(get_table(label_set), dict(_kinds(label_set)), seed=0)


def get_table(
    label_set: LabelSet, *, method: str = "exhaustive", sample: int | None = None, seed: int = 0
) -> ScoreTable:
    """Scores of all labelled summaries, by system and document."""
    try:
        return score_summaries(get_labels(label_set), method=method, sample=sample, seed=seed)
    except InputError as error:
        raise Invalid(str(error)) from None


def get_labels(label_set: LabelSet) -> LabelledUnits:
    """The labels of a set as arrays, documents and units in their order."""
    units = Unit.objects.filter(set=label_set.unit_set, is_deleted=False)
    ordered = units.order_by("example__position", "example_id", "position", "pk")
    weights: dict[str, list[int]] = defaultdict(list)
    for key, weight in ordered.values_list("example__key", "weight").iterator(READ_CHUNK):
        weights[key].append(weight)
    labels: dict[str, dict[str, list[int | None]]] = defaultdict(dict)
    rows = SummaryLabels.objects.filter(label_set=label_set).order_by("summary__system__name")
    fields = ("summary__system__name", "summary__example__key", "labels")
    for system, key, row in rows.values_list(*fields).iterator(READ_CHUNK):
        labels[system][key] = row
    return label_units(weights, labels)


def _kinds(label_set: LabelSet) -> list[tuple[str, str]]:
    return list(System.objects.filter(project=label_set.project).values_list("name", "kind"))


def rank_systems(table: ScoreTable, kinds: dict[str, str], seed: int) -> list[ScoreRow]:
    """From best to worst; a system without a score comes last."""
    means, ranks = table.means(), table.ranks()
    bounds = mean_intervals(table, samples=SAMPLES, seed=seed)
    documents = (~np.isnan(table.scores)).sum(axis=1)
    bounds[documents < FEWEST] = np.nan
    rows = [
        ScoreRow(
            name,
            kinds.get(name, "other"),
            _known(means[code]),
            _known(bounds[code, 0]),
            _known(bounds[code, 1]),
            int(documents[code]),
            int(ranks[code]),
        )
        for code, name in enumerate(table.systems)
    ]
    return sorted(rows, key=lambda row: (row.score is None, row.rank, row.system))


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _pair(found: Comparison, places: dict[str, int]) -> PairRow:
    """The better system first."""
    swap = places[found.first] > places[found.second]
    names = (found.second, found.first) if swap else (found.first, found.second)
    low, high = (-found.high, -found.low) if swap else (found.low, found.high)
    is_told = found.documents >= FEWEST
    return PairRow(
        *names,
        -found.difference if swap else found.difference,
        low if is_told else None,
        high if is_told else None,
        _known(-found.effect if swap else found.effect),
        found.p_bootstrap,
        found.p_permutation,
        found.p_low,
        found.p_high,
        found.swaps,
        found.p_permutation_holm,
        found.is_settled,
    )


def describe_labels(label_set: LabelSet) -> dict[str, Any]:
    """What is told of labels that came from elsewhere: no answers, so no agreement."""
    units = get_labels(label_set)
    table = score_summaries(units)
    rows = rank_systems(table, {}, seed=0)
    summaries = int((~np.isnan(table.scores)).sum())
    return {
        "counts": {
            "summaries": summaries,
            "labelled": int((units.labels >= 0).sum()),
            "present": int((units.labels == 1).sum()),
        },
        "systems": [
            {"system": row.system, "score": row.score, "summaries": row.documents} for row in rows
        ],
    }
