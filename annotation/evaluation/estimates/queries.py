"""Estimates as their pages and REST tell of them, and the scores that they are made of."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
from django.db.models import QuerySet, Sum
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, NotFound
from annotation.evaluation.estimates.models import CountBy, ScoreEstimate
from annotation.evaluation.labels.answers import get_collected, list_labelled_assignments
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.labels.scores import LEVEL, get_table
from annotation.evaluation.planning.models import BudgetPlan
from annotation.evaluation.runs.comparison import THRESHOLD
from annotation.evaluation.runs.models import JudgeRun
from annotation.evaluation.runs.queries import READ_CHUNK, get_run_table, list_presences
from annotation.evaluation.runs.texts import list_units
from annotation.evaluation.samples.models import Sample, SampledExample
from annotation.units.sets.models import Unit, UnitSet
from scoring.aggregation import Answers
from scoring.estimation import JudgedShares, PartialScores
from scoring.estimation.means import FEWEST
from scoring.estimation.settled import correct_score
from scoring.io.cells import defuse, row_line
from scoring.pyramid import ScoreTable

Floats = NDArray[np.float64]

SCORE_COLUMNS = (
    *("system", "value", "low", "high", "lam", "people", "people_low", "people_high", "judge"),
    *("judged", "documents", "people_alone", "saved"),
    *("corrected", "corrected_low", "corrected_high"),
)
PAIR_COLUMNS = (
    *("first", "second", "difference", "low", "high", "lam", "judged"),
    *("p", "p_holm", "p_bh", "p_people", "p_people_holm"),
)


def list_estimates(project: Project) -> QuerySet[ScoreEstimate]:
    """The newest first, those that are still being made among them."""
    return ScoreEstimate.objects.filter(project=project).select_related(
        "project", "label_set__unit_set", "run__unit_set", "job__project", "created_by"
    )


def get_estimate(project: Project, pk: int) -> ScoreEstimate:
    found = list_estimates(project).filter(pk=pk).first()
    if found is None:
        raise NotFound(_("The project has no estimate {pk}.").format(pk=pk))
    return found


def get_ready_estimate(project: Project, pk: int) -> ScoreEstimate:
    found = get_estimate(project, pk)
    if not found.is_ready:
        raise DomainError(
            _("{found} is not ready.").format(found=found),
            _("Wait for its job to finish."),
            fix=found,
        )
    return found


def list_ready_runs(project: Project) -> QuerySet[JudgeRun]:
    """Runs that are done, the newest first."""
    rows = JudgeRun.objects.filter(project=project, is_ready=True)
    return rows.select_related("unit_set")


@dataclass(frozen=True, eq=False)
class PartlyJudged:
    """People's and the judge's scores; systems that people hardly judged are `left_out`.

    `labels` is how many of people's labels a judged summary has, on average.
    """

    scores: PartialScores
    left_out: list[str]
    labels: float

    @property
    def judged(self) -> list[str]:
        """Examples that people judged, by key."""
        pairs = zip(self.scores.documents, self.scores.judged, strict=True)
        return [document for document, is_judged in pairs if is_judged]

    def within(self, population: Collection[str]) -> PartlyJudged:
        """The same on some examples only, such as those that a sample could draw."""
        kept = np.isin(self.scores.documents, list(population))
        if kept.all():
            return self
        scores = self.scores
        documents = [key for key, is_in in zip(scores.documents, kept, strict=True) if is_in]
        tables = scores.human[:, kept], scores.automatic[:, kept]
        weights = None if scores.weights is None else scores.weights[kept]
        return replace(self, scores=PartialScores(scores.systems, documents, *tables, weights))


def read_partly_judged(label_set: LabelSet, run: JudgeRun, by: str) -> PartlyJudged:
    """Everything that the run has scored, with people's scores where they labelled the same."""
    judge, people = get_run_table(run), get_table(label_set)
    human = _align(people, judge) + _correct(label_set, judge)
    enough = (~np.isnan(human)).sum(axis=1) >= FEWEST
    if not enough.any():
        raise DomainError(
            _("{label_set} has labels for fewer than {fewest} examples in {run}.").format(
                label_set=label_set, fewest=FEWEST, run=run
            ),
            _("Have more examples judged, or choose labels and a run of the same units."),
        )
    scores = PartialScores(
        tuple(name for name, is_in in zip(judge.systems, enough, strict=True) if is_in),
        judge.documents,
        human[enough],
        judge.scores[enough],
        _weights(run.unit_set, judge.documents) if by == CountBy.UNITS else None,
    )
    left = [name for name, is_in in zip(judge.systems, enough, strict=True) if not is_in]
    return PartlyJudged(scores, left, _count_labels(label_set))


def _correct(label_set: LabelSet, judge: ScoreTable) -> Floats:
    """What is added to people's scores for statements that were drawn to be settled.

    Each counts by one over its chance: corrections where judge and people differ stand for those
    that nobody settled, too, and so do corrections where both agreed.
    """
    rows = SummaryLabels.objects.filter(label_set=label_set).exclude(settled=[])
    fields = ("summary__example_id", "summary__example__key", "summary__system__name")
    cells = list(rows.values_list(*fields, "labels", "settled"))
    weights = list_units(label_set.unit_set, {cell[0] for cell in cells})
    systems = {name: place for place, name in enumerate(judge.systems)}
    documents = {name: place for place, name in enumerate(judge.documents)}
    found = np.zeros(judge.scores.shape)
    for example, document, system, labels, settled in cells:
        if system in systems and document in documents:
            own = [unit.weight for unit in weights[example]]
            corrected = correct_score(0.0, map(tuple, settled), labels, own)
            found[systems[system], documents[document]] = corrected
    return found


def count_drawn(label_set: LabelSet) -> int:
    """Statements that were drawn to be settled, and count by one over their chance."""
    rows = SummaryLabels.objects.filter(label_set=label_set).exclude(settled=[])
    return sum(len(settled) for settled in rows.values_list("settled", flat=True))


def _align(people: ScoreTable, judge: ScoreTable) -> Floats:
    """People's scores in the places of the judge's; what the judge has not scored is left out."""
    rows = {name: place for place, name in enumerate(people.systems)}
    columns = {name: place for place, name in enumerate(people.documents)}
    found = np.full(judge.scores.shape, np.nan)
    for row, system in enumerate(judge.systems):
        for column, document in enumerate(judge.documents):
            if system in rows and document in columns:
                found[row, column] = people.scores[rows[system], columns[document]]
    return np.where(np.isnan(judge.scores), np.nan, found)


def _weights(unit_set: UnitSet, documents: Collection[str]) -> Floats:
    units = Unit.objects.filter(set=unit_set, is_deleted=False).order_by()
    sums = dict(units.values_list("example__key").annotate(total=Sum("weight")))
    return np.array([float(sums[document]) for document in documents])


def _count_labels(label_set: LabelSet) -> float:
    rows = SummaryLabels.objects.filter(label_set=label_set).values_list("labels", flat=True)
    known = [sum(label is not None for label in row) for row in rows.iterator(READ_CHUNK)]
    return float(np.mean([number for number in known if number] or [0]))


def find_drawing_plan(project: Project, judged: Collection[str]) -> BudgetPlan | None:
    """The plan that drew exactly these examples by lot, for people to judge."""
    rows = project.examples.filter(key__in=judged).values_list("pk", flat=True)
    wanted = set(rows)
    for plan in BudgetPlan.objects.filter(project=project).exclude(chosen=""):
        if wanted and set(plan.work.get("people", [])) == wanted:
            return plan
    return None


@dataclass(frozen=True, slots=True)
class DrawnBy:
    """A sample that drew the judged examples, and the chance of each of its population."""

    sample: Sample
    judged: int
    chances: dict[str, float]

    def __str__(self) -> str:
        drawn = self.sample.counts["drawn"]
        part = (
            ""
            if self.judged == drawn
            else _(", of which people judged {judged:,}").format(judged=self.judged)
        )
        return f"{self.sample}{part}"


def find_drawing_sample(project: Project, judged: Collection[str]) -> DrawnBy | None:
    """The smallest sample that drew all of these; the newest of equals.

    Where people have judged a part of a sample, all of it is taken to be as likely to be judged.
    """
    wanted = set(judged)
    rows = Sample.objects.filter(project=project, counts__drawn__gte=len(wanted))
    for sample in sorted(rows, key=lambda row: int(row.counts["drawn"])):
        drawn = SampledExample.objects.filter(sample=sample)
        keys = drawn.filter(drawn__isnull=False).values_list("example__key", flat=True)
        if wanted and wanted <= set(keys):
            share = len(wanted) / sample.counts["drawn"]
            chances = drawn.values_list("example__key", "chance")
            return DrawnBy(sample, len(wanted), {key: share * chance for key, chance in chances})
    return None


def list_rows(estimate: ScoreEstimate) -> list[dict[str, Any]]:
    """Systems from best to worst, with the judge's corrected score where there is one."""
    corrected = {
        row["system"]: row for row in estimate.found.get("corrected", {}).get("systems", [])
    }
    rows = [row | _corrected(corrected.get(row["system"])) for row in estimate.found["systems"]]
    return sorted(rows, key=lambda row: (-row["value"], row["system"]))


def _corrected(row: dict[str, Any] | None) -> dict[str, float | None]:
    names = {"corrected": "value", "corrected_low": "low", "corrected_high": "high"}
    return {name: None if row is None else row[field] for name, field in names.items()}


def get_newest_widths(project: Project) -> dict[str, Any] | None:
    """The newest estimate that is ready, with its mean interval's width and people's alone."""
    estimate = list_estimates(project).filter(is_ready=True).first()
    if estimate is None:
        return None
    rows = estimate.found["systems"]
    width, alone = (
        sum(row[high] - row[low] for row in rows) / len(rows)
        for low, high in (("low", "high"), ("people_low", "people_high"))
    )
    return {
        "estimate": estimate,
        "width": width,
        "people_width": alone,
        "judged": max(row["judged"] for row in rows),
        "documents": max(row["documents"] for row in rows),
    }


def list_pairs(estimate: ScoreEstimate) -> list[dict[str, Any]]:
    """The better system of each pair first, the best systems' pairs before others."""
    places = {row["system"]: place for place, row in enumerate(list_rows(estimate))}
    turned = [_better_first(pair, places) for pair in estimate.found["pairs"]]
    return sorted(turned, key=lambda pair: (places[pair["first"]], places[pair["second"]]))


def _better_first(pair: dict[str, Any], places: dict[str, int]) -> dict[str, Any]:
    found = pair | {"is_apart": pair["p_holm"] <= LEVEL}
    if places[pair["first"]] < places[pair["second"]]:
        return found
    return found | {
        "first": pair["second"],
        "second": pair["first"],
        "difference": -pair["difference"],
        "low": -pair["high"],
        "high": -pair["low"],
    }


def count_apart(estimate: ScoreEstimate) -> dict[str, int]:
    """Pairs that can be told apart, by the way that p values were corrected."""
    pairs = estimate.found["pairs"]
    names = {"holm": "p_holm", "bh": "p_bh", "people": "p_people_holm"}
    return {word: sum(pair[name] <= LEVEL for pair in pairs) for word, name in names.items()} | {
        "pairs": len(pairs)
    }


def stream_scores(estimate: ScoreEstimate) -> Iterator[str]:
    yield from _stream(SCORE_COLUMNS, list_rows(estimate))


def stream_pairs(estimate: ScoreEstimate) -> Iterator[str]:
    yield from _stream(PAIR_COLUMNS, list_pairs(estimate))


def _stream(columns: tuple[str, ...], rows: list[dict[str, Any]]) -> Iterator[str]:
    yield row_line(*columns)
    for row in rows:
        cells = (row[name] for name in columns)
        yield row_line(
            *(defuse(cell) if isinstance(cell, str) else _number(cell) for cell in cells)
        )


def _number(value: float | None) -> str:
    return "" if value is None else str(value)


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
    weights = _weigh_answers(run.unit_set)
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


def _weigh_answers(unit_set: UnitSet) -> dict[str, Floats]:
    """Of each example's units, in their order."""
    rows = Unit.objects.filter(set=unit_set, is_deleted=False)
    rows = rows.order_by("example__key", "position", "pk")
    pairs = rows.values_list("example__key", "weight").iterator(READ_CHUNK)
    return {
        key: np.array([float(weight) for __, weight in group])
        for key, group in groupby(pairs, key=lambda pair: pair[0])
    }
