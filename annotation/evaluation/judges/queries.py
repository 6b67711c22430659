"""Judges that a project has trained, and the records that one learns from.

- Runs and scores whose model was trained on the texts at hand: their figures are in-sample.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import Summary
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, NotFound
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.judges.models import TrainedJudge
from annotation.evaluation.judges.offered import FOLDS_SUFFIX, LIGHT, find_trained, resolve_judge
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.labels.scores import KEPT_SECONDS
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.runs.models import JudgeRun
from annotation.evaluation.runs.queries import list_presences
from annotation.evaluation.runs.texts import READ_CHUNK, list_units
from annotation.evaluation.stored.queries import Stored
from scoring.errors import InputError
from scoring.finetune import TrainingRecord, records_from_gold
from scoring.finetune.data import check_records
from scoring.judge.learned import Learned, LearnedTexts, Met, count_met, read_learned
from scoring.metrics import load_metric
from scoring.metrics.learned import TRAINED, count_scored

TEXTS = ("summary__example__key", "summary__system__name", "summary__text")


def list_trained(project: Project) -> QuerySet[TrainedJudge]:
    """The newest first, those that are still in training among them."""
    return TrainedJudge.objects.filter(project=project).select_related(
        "project", "label_set__unit_set", "gold", "job__project", "created_by"
    )


def get_trained(project: Project, pk: int) -> TrainedJudge:
    found = list_trained(project).filter(pk=pk).first()
    if found is None:
        raise NotFound(_("The project has no trained judge {pk}.").format(pk=pk))
    return found


def get_ready_trained(project: Project, pk: int) -> TrainedJudge:
    found = get_trained(project, pk)
    if not found.is_ready:
        raise DomainError(
            _("{found} is not trained yet.").format(found=found),
            _("Wait until its job has finished."),
            fix=found,
        )
    return found


def list_ready_labels(project: Project) -> QuerySet[LabelSet]:
    rows = LabelSet.objects.filter(project=project, is_ready=True)
    return rows.select_related("unit_set")


def list_ready_gold(project: Project) -> QuerySet[GoldVersion]:
    return GoldVersion.objects.filter(project=project, is_ready=True)


def read_records(label_set: LabelSet | None, gold: GoldVersion | None) -> list[TrainingRecord]:
    """What a judge learns from: the gold version's file, or the labels with their texts."""
    if gold is not None:
        return records_from_gold(gold.path)
    if label_set is None:
        raise DomainError(_("The labels were deleted."), _("Train a judge on other labels."))
    return check_records(_read_labels(label_set))


def _read_labels(label_set: LabelSet) -> Iterator[TrainingRecord]:
    units = list_units(label_set.unit_set)
    rows = SummaryLabels.objects.filter(label_set=label_set)
    fields = ("summary__example_id", *TEXTS, "labels")
    for example, key, system, text, labels in rows.values_list(*fields).iterator(READ_CHUNK):
        yield TrainingRecord(
            key,
            system,
            text,
            tuple(unit.text for unit in units[example]),
            tuple(labels),
            tuple(unit.weight for unit in units[example]),
        )


COUNTS = Stored("learned-texts", Met, KEPT_SECONDS)
SCORED = Stored("learned-summaries", Met, KEPT_SECONDS)


def count_learned(run: JudgeRun) -> Met:
    """How many of a run's texts its judge was trained on; counted once."""
    return COUNTS.get(_parts(run), lambda: _count(run))


def keep_learned(run: JudgeRun) -> Met:
    """In the run's job: the count is there when the run is ready."""
    return COUNTS.keep(_parts(run), lambda: _count(run))


def list_learned(runs: Iterable[JudgeRun | None]) -> list[dict[str, Any]]:
    """Those of these runs whose figures are in-sample, with what they share with the training.

    In plain values, as reports, curves and estimates store them. A run that `can_hold_out` has a
    judge that can be trained again without a fold at a time.
    """
    counted = [(run, count_learned(run)) for run in runs if run is not None]
    return [
        {
            "run": run.pk,
            "scores": None,
            "judge": run.title,
            "can_hold_out": can_hold_out(run),
            **describe(met),
        }
        for run, met in counted
        if met.is_in_sample
    ]


def list_learned_scores(score_sets: Iterable[ScoreSet]) -> list[dict[str, Any]]:
    """Those by a metric that was trained on some of the summaries, in the form of runs."""
    trained = [made for made in score_sets if made.is_ready and made.metric in TRAINED]
    counted = [
        (made, SCORED.get(_score_parts(made), partial(_count_scored, made))) for made in trained
    ]
    return [
        {
            "run": None,
            "scores": made.pk,
            "judge": made.name,
            "can_hold_out": False,
            **describe(met),
        }
        for made, met in counted
        if met.is_in_sample
    ]


def keep_learned_scores(score_set: ScoreSet) -> None:
    """In the job that computes the scores: the count is there when they are ready."""
    if score_set.metric in TRAINED:
        SCORED.keep(_score_parts(score_set), partial(_count_scored, score_set))


def _score_parts(score_set: ScoreSet) -> tuple[object, ...]:
    return score_set.pk, score_set.content_hash, score_set.signature


def _count_scored(score_set: ScoreSet) -> Met:
    rows = Summary.objects.live().filter(
        example__project=score_set.project, system__name__in=score_set.systems
    )
    texts = rows.values_list("text", flat=True).iterator(READ_CHUNK)
    met = count_scored(load_metric(score_set.metric, score_set.options), texts)
    assert met is not None
    return met


def read_learned_sources(
    sources: Mapping[str, Any], runs: Iterable[JudgeRun | None]
) -> list[dict[str, Any]]:
    """As it was stored with curves or an estimate; of older ones, counted now."""
    stored = sources.get("learned")
    return stored if isinstance(stored, list) else list_learned(runs)


def describe(met: Met) -> dict[str, Any]:
    return {**asdict(met), "is_in_sample": met.is_in_sample, "words": met.words}


def can_hold_out(run: JudgeRun) -> bool:
    """Whether its judge can be trained here without a fold at a time."""
    if run.judge.endswith(FOLDS_SUFFIX):
        return False
    return run.judge in LIGHT or find_trained(run.project, run.judge) is not None


def _parts(run: JudgeRun) -> tuple[object, ...]:
    return run.pk, run.data_hash, run.judge


def _count(run: JudgeRun) -> Met:
    return count_met(_find_learned(run.project, run.judge), _list_asked(run))


def _list_asked(run: JudgeRun) -> Iterator[tuple[str, list[str]]]:
    """Every summary that was judged, with its units."""
    units = {
        example: [unit.text for unit in rows] for example, rows in list_units(run.unit_set).items()
    }
    rows = list_presences(run).values_list("summary__text", "summary__example_id")
    for text, example in rows.iterator(READ_CHUNK):
        yield text, units[example]


def _find_learned(project: Project, judge: str) -> Learned | None:
    try:
        found = read_learned(resolve_judge(project, judge).where)
    except NotFound:  # a folder of the server that is gone
        return None
    trained = find_trained(project, judge)
    return found or (_read_lessons(trained) if trained else None)


def _read_lessons(trained: TrainedJudge) -> Learned | None:
    """Of a judge that was trained before hashes were stored: from its labels, if they are there."""
    try:
        records = read_records(trained.label_set, trained.gold)
    except (DomainError, InputError, OSError):  # labels or their file were deleted
        return None
    return Learned(
        (
            LearnedTexts.of(
                (record.summary for record in records),
                (unit for record in records for unit in record.units),
            ),
        )
    )
