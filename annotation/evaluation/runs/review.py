"""Statements on which a run and people differ, the surest first, with what an expert said since."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.corpora.corpus.models import Summary
from annotation.evaluation.labels.answers import list_adjudications
from annotation.evaluation.labels.models import Adjudication, LabelSet, SummaryLabels
from annotation.evaluation.labels.scores import KEPT_SECONDS
from annotation.evaluation.runs.comparison import THRESHOLD, Codes, Pairs, get_pairs, name_parts
from annotation.evaluation.runs.models import JudgeRun, SummaryPresence
from annotation.evaluation.runs.texts import Evidence, find_evidence
from annotation.evaluation.stored.queries import Stored
from annotation.units.sets.models import Unit, UnitSet
from scoring.estimation.settled import (
    AGREE,
    DIFFER,
    STRATA,
    SettledAccuracy,
    SettledStatement,
    measure_settled,
)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """`value` is the judge's, `label` people's; `votes` how many said absent and present."""

    summary: Summary
    unit: Unit
    value: float
    label: int
    votes: list[int]
    evidence: Evidence
    adjudication: Adjudication | None

    @property
    def key(self) -> str:
        return f"{self.summary.pk}-{self.unit.pk}"

    @property
    def sides_with_judge(self) -> bool | None:
        """Whom an expert has borne out; None while nobody was asked, and where they agree."""
        if self.adjudication is None or self.agree:
            return None
        return self.adjudication.present != (self.label == 1)

    @property
    def agree(self) -> bool:
        """Whether judge and people said the same."""
        return (self.value > THRESHOLD) == (self.label == 1)

    @property
    def sides_with_both(self) -> bool:
        """Whether an expert has borne out both."""
        settled = self.adjudication
        return settled is not None and self.agree and settled.present == (self.label == 1)


def rank_disagreements(
    unit_set: UnitSet, pairs: Pairs, show: str = "open", system: str = ""
) -> Codes:
    """Codes of pairs: where the judge is surest of the opposite first, then as in the corpus."""
    wanted = pairs.disagree.copy()
    if system:
        codes = [code for code, name in enumerate(pairs.names) if name == system]
        wanted &= np.isin(pairs.systems, codes)
    if show != "all":
        wanted &= is_settled(unit_set, pairs) == (show == "settled")
    order = np.argsort(-pairs.gaps, kind="stable")
    return order[wanted[order]]


def is_settled(unit_set: UnitSet, pairs: Pairs) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Of each pair, whether an expert has settled it."""
    rows = list_adjudications(unit_set).values_list("summary_id", "unit_id", "summary__example_id")
    settled = list(rows)
    units = list_unit_ids(unit_set, {example for _, _, example in settled})
    keys = {
        (summary, units[example].index(unit))
        for summary, unit, example in settled
        if unit in units[example]
    }
    found = [
        key in keys for key in zip(pairs.summaries.tolist(), pairs.places.tolist(), strict=True)
    ]
    return np.array(found, dtype=bool)


def list_unit_ids(unit_set: UnitSet, examples: set[int]) -> dict[int, list[int]]:
    """The units of these examples, in the order that presence values follow."""
    rows = Unit.objects.filter(set=unit_set, is_deleted=False, example__in=examples)
    found: dict[int, list[int]] = defaultdict(list)
    for example, pk in rows.order_by("position", "pk").values_list("example_id", "pk"):
        found[example].append(pk)
    return found


def list_disagreements(
    run: JudgeRun, label_set: LabelSet, pairs: Pairs, codes: Codes
) -> list[Disagreement]:
    """The statements of one page, with the sentence behind each."""
    ids = {int(pairs.summaries[code]) for code in codes}
    summaries = Summary.objects.select_related("system", "example").in_bulk(ids)
    order = list_unit_ids(run.unit_set, {row.example_id for row in summaries.values()})
    units = Unit.objects.in_bulk([pk for row in order.values() for pk in row])
    votes = dict(
        SummaryLabels.objects.filter(label_set=label_set, summary__in=ids).values_list(
            "summary_id", "votes"
        )
    )
    sentences = dict(
        SummaryPresence.objects.filter(run=run, summary__in=ids).values_list(
            "summary_id", "sentences"
        )
    )
    settled = {
        (row.summary_id, row.unit_id): row
        for row in list_adjudications(run.unit_set).filter(summary__in=ids)
    }
    found = []
    for code in codes:
        summary = summaries[int(pairs.summaries[code])]
        place = int(pairs.places[code])
        unit = units[order[summary.example_id][place]]
        counted = votes.get(summary.pk) or []
        found.append(
            Disagreement(
                summary,
                unit,
                float(pairs.values[code]),
                int(pairs.labels[code]),
                counted[place] if counted else [],
                find_evidence(summary.text, unit.text, sentences[summary.pk][place]),
                settled.get((summary.pk, unit.pk)),
            )
        )
    return found


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
