"""The scores of some examples: those that are stored, and the metric's for what is missing."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.corpus.models import Document, Example, Reference, Summary, System
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.corpora.targets import new_import
from annotation.errors import DomainError, Invalid
from annotation.evaluation.judges.queries import keep_learned_scores
from annotation.evaluation.metrics.models import ExampleScores, ScoreOrigin, ScoreSet, StoredScore
from annotation.evaluation.metrics.queries import (
    FLOAT,
    keep_system_scores,
    list_example_scores,
    pack,
    unpack,
)
from annotation.evaluation.metrics.sources import list_metric_choices
from annotation.evaluation.robustness.models import RobustnessStudy
from annotation.evaluation.runs.texts import check_systems
from annotation.removal import remove_rows
from scoring.errors import InputError
from scoring.io.marks import without_marks
from scoring.metrics import METRICS, Metric, check_options, list_outside, load_metric
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


@dataclass(frozen=True, slots=True)
class Begun:
    """Scores that are being made, and why those of other metrics are not, by name."""

    score_sets: list[ScoreSet]
    left_out: Mapping[str, str]


def score_metrics(
    *,
    project: Project,
    user: User | None,
    metrics: Sequence[str] = (),
    systems: Sequence[str] = (),
    note: str = "",
) -> Begun:
    """Begin to score by some metrics, or by all, each with its usual options.

    A metric that reads what no example has, or models that are not here, is left out.
    """
    for name in metrics:
        read_metric_options(name, {})
    wanted = [row for row in list_metric_choices(project) if not metrics or row.name in metrics]
    left_out = {row.name: row.lack for row in wanted if row.lack}
    if len(left_out) == len(wanted):
        told = "; ".join(f"{name} {lack}" for name, lack in left_out.items())
        raise DomainError(
            _("None of these metrics can be computed here: {told}.").format(told=told)
        )
    with transaction.atomic():
        made = [
            score_metric(project=project, user=user, metric=row.name, systems=systems, note=note)
            for row in wanted
            if not row.lack
        ]
    return Begun(made, left_out)
