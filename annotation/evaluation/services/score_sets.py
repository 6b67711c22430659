"""Scores of a metric: checked first, then computed by a job, block by block; deleted."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from django.db import transaction

from annotation.corpora.models import Example, Job, Project, Summary, System, User, Verb
from annotation.corpora.services.activity import record_activity
from annotation.corpora.services.jobs import KINDS, JobKind, Work, create_job
from annotation.corpora.targets import new_import
from annotation.errors import DomainError, Invalid
from annotation.evaluation.models import (
    ExampleScores,
    RobustnessStudy,
    ScoreOrigin,
    ScoreSet,
    StoredScore,
)
from annotation.evaluation.selectors.learned import keep_learned_scores
from annotation.evaluation.selectors.run_texts import check_systems
from annotation.evaluation.selectors.score_tables import (
    keep_system_scores,
    list_example_scores,
    unpack,
)
from annotation.evaluation.services.score_blocks import score_block
from annotation.removal import remove_rows
from annotation.translation import gettext as _
from scoring.errors import InputError
from scoring.metrics import METRICS, Metric, check_options, list_outside, load_metric

KIND = "score_metric"
SUMMARIES_A_STEP = 200
ROWS_A_STEP = 5000
READ_CHUNK = 500


def score_metric(
    *,
    project: Project,
    user: User | None,
    metric: str,
    options: Mapping[str, Any] | None = None,
    systems: Sequence[str] = (),
    note: str = "",
) -> ScoreSet:
    """Begin to score the summaries of some systems, or of all, by a metric."""
    chosen = read_metric_options(metric, options or {})
    names = check_systems(project, systems) or list_systems(project)
    if not names:
        raise DomainError(
            _("The project has no summaries."),
            _("Import summaries first."),
            fix=new_import(project),
        )
    with transaction.atomic():
        made = ScoreSet.objects.create(
            project=project,
            name=metric,
            origin=ScoreOrigin.COMPUTED,
            metric=metric,
            options=chosen,
            systems=names,
            note=note.strip()[:300],
            created_by=user,
        )
        start_job(made, KIND, {"score_set": made.pk})
    return made


def start_job(made: ScoreSet, kind: str, params: dict[str, Any]) -> None:
    made.job = create_job(
        project=made.project, user=made.created_by, kind=kind, title=str(made), params=params
    )
    made.save(update_fields=["job"])
    record_activity(
        project=made.project,
        actor=made.created_by,
        verb=Verb.START,
        target=made,
        text=_("started {made}").format(made=made)[:300],
    )


def read_metric_options(metric: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Every option with its value; an unknown metric, option or value is an error."""
    if metric not in METRICS:
        raise Invalid(
            _("metric: there is no metric '{metric}'.").format(metric=metric[:40]),
            _("Known: {metrics}.").format(metrics=", ".join(METRICS)),
        )
    try:
        chosen = dict(check_options(metric, options))
    except InputError as error:
        raise DomainError(_("options: {error}").format(error=error)) from None
    if outside := list_outside(metric, chosen):
        raise Invalid(
            _("options: {outside} names a file or a model that this server doesn’t offer.").format(
                outside=outside[0]
            ),
            _("Keep the default, or run `python -m scoring metric` and import the scores."),
        )
    return chosen


def list_systems(project: Project) -> list[str]:
    """Those that have summaries."""
    rows = System.objects.live().filter(project=project, summary_count__gt=0)
    return list(rows.order_by("name").values_list("name", flat=True))


def run_scoring(work: Work) -> dict[str, Any]:
    """A block a step; what is computed is stored with its rows, and a killed job goes on there."""
    score_set = get_set_of(work)
    if not score_set.is_ready:
        work.report(work.done, phase=_("Loading the metric"))
        metric = load_metric(score_set.metric, score_set.options)
        if not work.cursor.get("cut"):
            _cut(score_set, metric, work)
        _score_all(score_set, metric, work)
        finish_set(score_set, work, lambda mark: metric.signature)
    return {"score_set": score_set.pk, **score_set.counts}


def get_set_of(work: Work) -> ScoreSet:
    rows = ScoreSet.objects.select_related("project", "created_by")
    return rows.get(pk=work.job.params["score_set"])


def _cut(score_set: ScoreSet, metric: Metric, work: Work) -> None:
    """An empty row for each example that has a summary: what is still to be done."""
    with work.step():
        score_set.columns, score_set.lower = list(metric.columns), sorted(metric.lower)
        score_set.signature = metric.signature[:1000]
        score_set.save(update_fields=["columns", "lower", "signature"])
        create_rows(score_set, list_scored_examples(score_set))
        work.cursor = {"cut": True, "stored": 0}


def list_scored_examples(score_set: ScoreSet | RobustnessStudy) -> list[int]:
    """Ids of the examples that any of the systems has a summary of, in the corpus's order."""
    summaries = Summary.objects.live().filter(
        example__project=score_set.project, system__name__in=score_set.systems
    )
    rows = Example.objects.live().filter(pk__in=summaries.values("example_id"))
    return list(rows.order_by("position", "pk").values_list("pk", flat=True))


def create_rows(score_set: ScoreSet, examples: Sequence[int]) -> None:
    ExampleScores.objects.bulk_create(
        (ExampleScores(score_set=score_set, example_id=pk) for pk in examples), batch_size=500
    )


def _score_all(score_set: ScoreSet, metric: Metric, work: Work) -> None:
    rows = ExampleScores.objects.filter(score_set=score_set)
    waiting = rows.filter(values=b"").order_by("pk")
    work.report(work.done, rows.count(), phase=_("Scoring summaries"))
    size = max(1, SUMMARIES_A_STEP // len(score_set.systems))
    while block := list(waiting[:size]):
        found = score_block(score_set, metric, block)
        with work.step():
            ExampleScores.objects.bulk_update(found.rows, ["values"])
            StoredScore.objects.bulk_create(found.fresh, ignore_conflicts=True)
            work.done += len(block)
            work.cursor = {"cut": True, "stored": work.cursor["stored"] + found.known}


def finish_set(score_set: ScoreSet, work: Work, sign: Callable[[str], str]) -> None:
    """All rows are there: take their hash, count, and let everybody see them."""
    content_hash, counts = _look_through(score_set)
    if not counts["scores"]:
        raise DomainError(
            _(
                "{score_set} could not score any summary. Check that the examples have the "
                "references or documents that it needs."
            ).format(score_set=score_set.name)
        )
    score_set.content_hash = content_hash
    score_set.counts = counts | {"stored": work.cursor.get("stored", 0)}
    score_set.signature = sign(content_hash)[:1000]
    keep_system_scores(score_set)
    keep_learned_scores(score_set)
    with work.step():
        score_set.is_ready = True
        score_set.save(update_fields=["content_hash", "counts", "signature", "is_ready"])
        record_activity(
            project=score_set.project,
            actor=score_set.created_by,
            verb=Verb.FINISH,
            target=score_set,
            text=_("finished {score_set}").format(score_set=score_set)[:300],
        )


def _look_through(score_set: ScoreSet) -> tuple[str, dict[str, int]]:
    """SHA-256 over all numbers by names, and how many there are."""
    digest = hashlib.sha256(repr((score_set.systems, score_set.columns)).encode())
    summaries = scores = examples = 0
    rows = list_example_scores(score_set).values_list("example__key", "values")
    for key, values in rows.iterator(READ_CHUNK):
        digest.update(key.encode() + b"\0" + bytes(values))
        known = ~np.isnan(unpack(score_set, values))
        examples += 1
        summaries += int(known.any(axis=1).sum())
        scores += int(known.sum())
    return digest.hexdigest(), {
        "examples": examples,
        "systems": len(score_set.systems),
        "summaries": summaries,
        "scores": scores,
    }


def delete_score_set(*, score_set: ScoreSet, user: User | None) -> None:
    """What a metric gave stays stored, so that it need not be computed again."""
    if score_set.job is not None and not score_set.job.is_over:
        raise DomainError(
            _("{score_set} are still being computed.").format(score_set=score_set),
            _("Cancel their job first."),
            fix=score_set,
        )
    with transaction.atomic():
        text = _("deleted {score_set}").format(score_set=score_set)[:300]
        record_activity(
            project=score_set.project, actor=user, verb=Verb.DELETE, target=score_set, text=text
        )
        remove_rows(ScoreSet.objects.filter(pk=score_set.pk))


def remove_unfinished(job: Job) -> None:
    remove_rows(ScoreSet.objects.filter(pk=job.params["score_set"], is_ready=False))


KINDS[KIND] = JobKind(run_scoring, undo=remove_unfinished, is_long=True)
