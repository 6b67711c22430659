"""Statements to settle beside a run: those on which judge and people differ, and some others.

They are in random order, so that whoever settles the first of them has settled a random sample of
either stratum, and nobody can tell by its place which one a statement is of.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.corpora.models import Summary
from annotation.evaluation.models import (
    Adjudication,
    JudgeRun,
    LabelSet,
    SummaryLabels,
    SummaryPresence,
)
from annotation.evaluation.selectors.answers import list_adjudications
from annotation.evaluation.selectors.run_disagreements import is_settled, list_unit_ids
from annotation.evaluation.selectors.run_people import (
    THRESHOLD,
    Codes,
    Pairs,
    get_pairs,
    name_parts,
)
from annotation.evaluation.selectors.scores import KEPT_SECONDS
from annotation.evaluation.selectors.stored import Stored
from annotation.units.models import Unit
from scoring.estimation.settled import (
    AGREE,
    DIFFER,
    STRATA,
    SettledAccuracy,
    SettledStatement,
    measure_settled,
)

# Agreements that are mixed in; and the most statements of either stratum that are drawn.
AGREEMENTS, MOST_DRAWN = 20, 2000
MOST_SEED = 2**32 - 1


@dataclass(frozen=True, slots=True)
class _Columns:
    """The fields of a review as plain lists, for the cache."""

    names: list[str]
    summaries: list[int]
    places: list[int]
    systems: list[int]
    values: list[float]
    labels: list[int]
    population: dict[str, int]


REVIEWS = Stored("run-review", _Columns, KEPT_SECONDS)


@dataclass(frozen=True, slots=True)
class Review:
    """`pairs` are what was drawn, in random order; `population` how many either stratum has."""

    run: JudgeRun
    label_set: LabelSet
    agreements: int
    seed: int
    pairs: Pairs
    population: dict[str, int]

    @property
    def drawn(self) -> dict[str, int]:
        differ = int(self.pairs.disagree.sum())
        return {DIFFER: differ, AGREE: len(self.pairs.values) - differ}

    def list_codes(self, show: str = "open") -> Codes:
        """Of the statements in their order: those that wait, are settled, or all."""
        codes = np.arange(len(self.pairs.values), dtype=np.int64)
        if show == "all":
            return codes
        return codes[is_settled(self.run.unit_set, self.pairs) == (show == "settled")]

    def find_draw(self, summary: Summary, unit: Unit) -> dict[str, Any]:
        """What is stored of a statement that is settled here; empty if it was not drawn."""
        order = list_unit_ids(self.run.unit_set, {summary.example_id})[summary.example_id]
        place = order.index(unit.pk) if unit.pk in order else -1
        found = (self.pairs.summaries == summary.pk) & (self.pairs.places == place)
        if not found.any():
            return {}
        at = int(np.flatnonzero(found)[0])
        judge, people = int(self.pairs.values[at] > THRESHOLD), int(self.pairs.labels[at])
        stratum = DIFFER if judge != people else AGREE
        return _tell(stratum, self.population, judge, people) | {
            "chance": self.drawn[stratum] / self.population[stratum],
            "agreements": self.agreements,
            "seed": self.seed,
        }


def _tell(stratum: str, population: dict[str, int], judge: int, people: int) -> dict[str, Any]:
    return {
        "stratum": stratum,
        "population": population[stratum],
        "judge": judge,
        "people": people,
    }


def get_review(run: JudgeRun, label_set: LabelSet, agreements: int, seed: int) -> Review:
    """The same every time for the same run, labels, number of agreements and seed."""
    parts = (*name_parts(run, label_set), agreements, seed)
    found = REVIEWS.get(parts, lambda: _draw(run, label_set, agreements, seed))
    whole = (found.summaries, found.places, found.systems, found.labels)
    summaries, places, systems, labels = (np.array(part, dtype=np.int64) for part in whole)
    values = np.array(found.values, dtype=np.float64)
    pairs = Pairs(found.names, summaries, places, systems, values, labels)
    return Review(run, label_set, agreements, seed, pairs, found.population)


def keep_review(run: JudgeRun, label_set: LabelSet) -> None:
    """In a job: the draw that the page begins with."""
    parts = (*name_parts(run, label_set), AGREEMENTS, 0)
    REVIEWS.keep(parts, lambda: _draw(run, label_set, AGREEMENTS, 0))


def find_by_hand(
    run: JudgeRun, label_set: LabelSet, summary: Summary, unit: Unit
) -> dict[str, Any]:
    """Of a statement that somebody picked: the same without a chance; empty if it has no label."""
    order = list_unit_ids(run.unit_set, {summary.example_id})[summary.example_id]
    labelled = SummaryLabels.objects.filter(label_set=label_set, summary=summary).first()
    judged = SummaryPresence.objects.filter(run=run, summary=summary).first()
    if unit.pk not in order or labelled is None or judged is None:
        return {}
    place = order.index(unit.pk)
    people, judge = labelled.labels[place], int(judged.presence[place] > THRESHOLD)
    if people is None or place in labelled.expert:
        return {}
    population = get_review(run, label_set, AGREEMENTS, 0).population
    stratum = DIFFER if judge != people else AGREE
    return _tell(stratum, population, judge, people)


def _draw(run: JudgeRun, label_set: LabelSet, agreements: int, seed: int) -> _Columns:
    pairs = _without_experts(get_pairs(run, label_set), label_set)
    rng = np.random.default_rng(seed)
    differ, agree = (
        rng.permutation(np.flatnonzero(pairs.disagree == said)) for said in (True, False)
    )
    # A larger slice holds every smaller one of the same seed.
    drawn = np.concatenate([differ[:MOST_DRAWN], agree[:agreements]])
    keys = rng.random(len(pairs.values))
    kept = drawn[np.argsort(keys[drawn], kind="stable")]
    chosen = _pick(pairs, kept)
    return _Columns(
        list(pairs.names),
        chosen.summaries.tolist(),
        chosen.places.tolist(),
        chosen.systems.tolist(),
        chosen.values.tolist(),
        chosen.labels.tolist(),
        _count(pairs),
    )


def _pick(pairs: Pairs, which: NDArray[Any]) -> Pairs:
    """Some of them, by places or by a mask."""
    return Pairs(
        pairs.names,
        pairs.summaries[which],
        pairs.places[which],
        pairs.systems[which],
        pairs.values[which],
        pairs.labels[which],
    )


def _count(pairs: Pairs) -> dict[str, int]:
    differ = int(pairs.disagree.sum())
    return {DIFFER: differ, AGREE: len(pairs.values) - differ}


def _without_experts(pairs: Pairs, label_set: LabelSet) -> Pairs:
    """Where the labels are an expert's already, there is nothing to settle."""
    rows = SummaryLabels.objects.filter(label_set=label_set).exclude(expert=[])
    known = {
        (summary, place)
        for summary, places in rows.values_list("summary_id", "expert")
        for place in places
    }
    if not known:
        return pairs
    kept: NDArray[np.bool_] = np.array(
        [key not in known for key in zip(pairs.summaries, pairs.places, strict=True)], dtype=bool
    )
    return _pick(pairs, kept)


def measure_review(run: JudgeRun, label_set: LabelSet) -> SettledAccuracy | None:
    """How often judge and people are right by what was settled beside the run; None if nothing was.

    Of other labels than these, if nothing was settled beside these: they may be older.
    """
    rows = [row for row in list_adjudications(run.unit_set).filter(run=run) if row.draw]
    own = [row for row in rows if row.label_set_id == label_set.pk]
    chosen = own or [row for row in rows if row.label_set_id == rows[0].label_set_id]
    if not chosen:
        return None
    population = dict.fromkeys(STRATA, 0)
    for row in chosen:
        population[row.draw["stratum"]] = row.draw["population"]
    if not all(population.values()):
        population |= _sizes_of_rest(run, chosen[0].label_set, population)
    return measure_settled(_read(chosen), population)


def _sizes_of_rest(
    run: JudgeRun, label_set: LabelSet | None, known: dict[str, int]
) -> dict[str, int]:
    """Of a stratum of which nothing was settled yet."""
    if label_set is None:
        return {}
    found = get_review(run, label_set, AGREEMENTS, 0).population
    return {name: found[name] for name, size in known.items() if not size}


def _read(rows: list[Adjudication]) -> Iterator[SettledStatement]:
    for row in rows:
        yield SettledStatement(
            row.draw["stratum"],
            row.draw["judge"] == int(row.present),
            row.draw["people"] == int(row.present),
            is_by_hand="chance" not in row.draw,
        )
