"""Some examples of a robustness study: their texts in other words, scored and summed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from django.db import transaction
from django.utils.translation import gettext as _
from numpy.typing import NDArray

import scoring
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.corpora.targets import new_import
from annotation.errors import DomainError, Invalid
from annotation.evaluation.labels.wording import defined
from annotation.evaluation.metrics.models import StoredScore
from annotation.evaluation.metrics.service import (
    MetricTexts,
    Place,
    fit_texts,
    list_scored_examples,
    list_systems,
    read_metric_options,
    read_texts,
    score_once,
)
from annotation.evaluation.metrics.sources import list_metric_choices
from annotation.evaluation.robustness.models import ExampleDrops, RobustnessStudy
from annotation.evaluation.robustness.queries import list_example_drops, pack_sums, unpack_sums
from annotation.evaluation.runs.texts import check_systems
from annotation.removal import remove_rows
from scoring.backends.wordnet import load_wordnet
from scoring.io.texts import SummaryTexts
from scoring.metrics import Metric, load_metric
from scoring.metrics.perturbations import PERTURBATIONS, SYNONYMS, list_circular, perturb
from scoring.metrics.protocol import DOCUMENTS, REFERENCES
from scoring.metrics.robustness import DRAWS, Drop, estimate_drops, sum_pairs

Floats = NDArray[np.float64]
Cells = dict[Place, MetricTexts]


@dataclass(slots=True)
class Summed:
    """What is to be stored, and how many scores of summaries were known before."""

    fresh: list[StoredScore]
    known: int


def sum_block(
    study: RobustnessStudy, metrics: Sequence[Metric], rows: Sequence[ExampleDrops]
) -> Summed:
    """Give every row its sums: texts as they are, and at each share, by every metric."""
    examples = [row.example_id for row in rows]
    cells = read_texts(study.systems, examples, (REFERENCES, DOCUMENTS))
    versions = [cells, *(perturb_cells(study, cells, share) for share in study.shares)]
    summed = Summed([], 0)
    tables = [_score(metrics, version, summed) for version in versions]
    for row in rows:
        own = [place for place in cells if place[0] == row.example_id]
        before, *after = (_stack(table, own, len(study.columns)) for table in tables)
        row.sums = pack_sums(np.stack([sum_pairs(before, one) for one in after]))
    return summed


def perturb_cells(study: RobustnessStudy, cells: Cells, share: float) -> Cells:
    """The same summaries and documents, with that share of them changed."""
    texts = SummaryTexts(
        documents=tuple(str(example) for example, __ in cells),
        systems=tuple(system for __, system in cells),
        summaries=tuple(row.summary for row in cells.values()),
        references=tuple(row.references for row in cells.values()),
        sources=tuple(row.documents for row in cells.values()),
    )
    synonyms = load_wordnet().list_synonyms if study.perturbation == SYNONYMS else None
    found = perturb(texts, study.perturbation, share=share, seed=study.seed, synonyms=synonyms)
    rows = zip(cells.items(), found.summaries, found.sources, strict=True)
    return {
        place: replace(row, summary=summary, documents=sources)
        for (place, row), summary, sources in rows
    }


def _score(metrics: Sequence[Metric], cells: Cells, summed: Summed) -> dict[Place, Floats]:
    """Every metric's numbers of a summary, one after the other; nan where one has none."""
    parts: list[tuple[int, dict[Place, Floats]]] = []
    for metric in metrics:
        answered = score_once(metric, fit_texts(metric, cells))
        summed.fresh += answered.fresh
        summed.known += answered.known
        parts.append((len(metric.columns), answered.values))
    return {
        place: np.concatenate([own.get(place, np.full(width, np.nan)) for width, own in parts])
        for place in cells
    }


def _stack(table: dict[Place, Floats], places: Sequence[Place], width: int) -> Floats:
    return np.array([table[place] for place in places]).reshape(len(places), width)


def list_changed(study: RobustnessStudy, most: int) -> list[dict[str, Any]]:
    """A few summaries before and after, of as many examples: what replacing words does to them."""
    rows = list_example_drops(study)[:most]
    keys = dict(rows.values_list("example_id", "example__key"))
    cells = read_texts(study.systems, list(keys), (DOCUMENTS,))
    found: dict[int, dict[str, Any]] = {}
    for share in reversed(study.shares):
        for (example, system), row in perturb_cells(study, cells, share).items():
            before = cells[example, system].summary
            if example not in found and row.summary != before:
                found[example] = {
                    "example": keys[example],
                    "system": system,
                    "share": share,
                    "before": before,
                    "after": row.summary,
                }
    return [found[example] for example in keys if example in found]


KIND = "study_robustness"
USUAL = ("rouge", "rouge_we", "sem_ncg")
USUAL_SHARES = (0.1, 0.2, 0.3)
MOST_SHARES, MOST_METRICS = 6, 12
MOST_SEED = 2**32 - 1
MOST_EXAMPLES = 1_000_000
SUMMARIES_A_STEP = 100
SHOWN = 6


def study_robustness(
    *,
    project: Project,
    user: User | None,
    metrics: Sequence[str] = USUAL,
    systems: Sequence[str] = (),
    perturbation: str = SYNONYMS,
    shares: Sequence[float] = USUAL_SHARES,
    examples: int = 0,
    seed: int = 0,
    note: str = "",
) -> RobustnessStudy:
    """Begin a study of some metrics, on all examples or so many that the seed draws."""
    names = check_systems(project, systems) or list_systems(project)
    if not names:
        raise DomainError(
            _("The project has no summaries."),
            _("Import summaries first."),
            fix=new_import(project),
        )
    _check_whole(examples=(examples, MOST_EXAMPLES), seed=(seed, MOST_SEED))
    _check_perturbation(perturbation)
    with transaction.atomic():
        made = RobustnessStudy.objects.create(
            project=project,
            metrics=_check_metrics(project, metrics),
            systems=names,
            perturbation=perturbation,
            shares=check_shares(shares),
            examples_wanted=examples,
            seed=seed,
            note=note.strip()[:300],
            created_by=user,
        )
        made.job = create_job(
            project=project, user=user, kind=KIND, title=str(made), params={"study": made.pk}
        )
        made.save(update_fields=["job"])
        record_activity(
            project=project,
            actor=user,
            verb=Verb.START,
            target=made,
            text=_("started {made}").format(made=made)[:300],
        )
    return made


def _check_perturbation(name: str) -> None:
    if name not in PERTURBATIONS:
        raise Invalid(
            _("perturbation: '{name}' is not one of {known}.").format(
                name=name[:40], known=", ".join(PERTURBATIONS)
            )
        )


def _check_metrics(project: Project, metrics: Sequence[str]) -> list[str]:
    """Each once, in the order of the catalogue; what the project lacks for one is an error."""
    for name in metrics:
        read_metric_options(name, {})
    found = [row for row in list_metric_choices(project) if row.name in metrics]
    if not 1 <= len(found) <= MOST_METRICS:
        raise Invalid(
            _("metrics: expected 1 to {most_metrics}, not {found}.").format(
                most_metrics=MOST_METRICS, found=len(found)
            )
        )
    for row in found:
        if row.lack:
            raise DomainError(f"{row.name} {row.lack}.", _("Choose other metrics."))
    return [row.name for row in found]


def check_shares(shares: Sequence[float]) -> list[float]:
    """In rising order, each once."""
    found = sorted({round(float(share), 4) for share in shares})
    if not 1 <= len(found) <= MOST_SHARES:
        raise Invalid(
            _("shares: expected 1 to {most_shares} of them, not {found}.").format(
                most_shares=MOST_SHARES, found=len(found)
            )
        )
    for share in found:
        if not 0 < share <= 1:
            raise Invalid(
                _("shares: expected more than 0 and at most 1, not {share:g}.").format(share=share)
            )
    return found


def _check_whole(**said: tuple[int, int]) -> None:
    for name, (value, most) in said.items():
        if not 0 <= value <= most:
            raise Invalid(
                _("{name}: expected 0 to {most:,}, not {value}.").format(
                    name=name, most=most, value=value
                )
            )


def run_robustness(work: Work) -> dict[str, Any]:
    """A block a step; a killed job goes on with the examples that have no sums yet."""
    rows = RobustnessStudy.objects.select_related("project", "created_by")
    study = rows.get(pk=work.job.params["study"])
    if not study.is_ready:
        work.report(work.done, phase=_("Loading metrics"))
        metrics = [load_metric(name) for name in study.metrics]
        if not work.cursor.get("cut"):
            _cut(study, metrics, work)
        _sum_all(study, metrics, work)
        _finish(study, metrics, work)
    return {"study": study.pk, "examples": study.found["examples"]}


def _cut(study: RobustnessStudy, metrics: Sequence[Metric], work: Work) -> None:
    """An empty row for each example: what is still to be done."""
    examples = _draw(list_scored_examples(study), study.examples_wanted, study.seed)
    with work.step():
        study.columns = [
            {"metric": metric.name, "column": column, "is_lower": column in metric.lower}
            for metric in metrics
            for column in metric.columns
        ]
        study.save(update_fields=["columns"])
        ExampleDrops.objects.bulk_create(
            (ExampleDrops(study=study, example_id=pk) for pk in examples), batch_size=500
        )
        work.cursor = {"cut": True, "stored": 0}


def _draw(examples: list[int], wanted: int, seed: int) -> list[int]:
    """So many of them in the corpus's order; all if none is said."""
    if not 0 < wanted < len(examples):
        return examples
    chosen = np.random.default_rng(seed).choice(len(examples), wanted, replace=False)
    return [examples[place] for place in sorted(chosen)]


def _sum_all(study: RobustnessStudy, metrics: Sequence[Metric], work: Work) -> None:
    rows = ExampleDrops.objects.filter(study=study)
    waiting = rows.filter(sums=b"").order_by("pk")
    work.report(work.done, rows.count(), phase=_("Scoring changed texts"))
    size = max(1, SUMMARIES_A_STEP // len(study.systems))
    while block := list(waiting[:size]):
        found = sum_block(study, metrics, block)
        with work.step():
            ExampleDrops.objects.bulk_update(block, ["sums"])
            StoredScore.objects.bulk_create(found.fresh, ignore_conflicts=True)
            work.done += len(block)
            work.cursor = {"cut": True, "stored": work.cursor["stored"] + found.known}


def _finish(study: RobustnessStudy, metrics: Sequence[Metric], work: Work) -> None:
    content_hash, sums = _look_through(study)
    drops = [_estimate(study, sums[:, place]) for place in range(len(study.shares))]
    told = [_tell_column(row, place, drops, study) for place, row in enumerate(study.columns)]
    if not any(row["drops"][0]["summaries"] for row in told):
        raise DomainError(
            _(
                "No metric could score any summary. Check that the examples have the references or "
                "documents that the metrics need."
            )
        )
    signatures = {metric.name: metric.signature for metric in metrics}
    with work.step():
        study.found = {
            "columns": told,
            "examples": len(sums),
            "stored": work.cursor["stored"],
            "synonyms": load_wordnet().name if study.perturbation == SYNONYMS else "",
            "circular": list_circular(study.perturbation, signatures),
            "draws": DRAWS,
            "signatures": signatures,
            "texts": list_changed(study, SHOWN),
        }
        study.content_hash, study.is_ready = content_hash, True
        study.signature = _sign(study)
        study.save(update_fields=["found", "content_hash", "signature", "is_ready"])
        text = _("finished {study}").format(study=study)[:300]
        record_activity(
            project=study.project, actor=study.created_by, verb=Verb.FINISH, target=study, text=text
        )


def _look_through(study: RobustnessStudy) -> tuple[str, Floats]:
    """SHA-256 over all sums by name, and the sums: examples × shares × 3 × columns."""
    # Sorted, as PostgreSQL gives the keys of an object back in an order of its own.
    head = json.dumps([study.systems, study.shares, study.columns], sort_keys=True)
    digest = hashlib.sha256(head.encode())
    parts = []
    for key, sums in list_example_drops(study).values_list("example__key", "sums"):
        digest.update(key.encode() + b"\0" + bytes(sums))
        parts.append(unpack_sums(study, sums))
    return digest.hexdigest(), np.array(parts)


def _estimate(study: RobustnessStudy, sums: Floats) -> list[Drop]:
    names = [row["column"] for row in study.columns]
    return estimate_drops("", names, sums, draws=DRAWS, seed=study.seed)


def _tell_column(
    row: dict[str, Any], place: int, drops: list[list[Drop]], study: RobustnessStudy
) -> dict[str, Any]:
    told = [_tell(share, found[place]) for share, found in zip(study.shares, drops, strict=True)]
    return row | {"drops": told}


def _tell(share: float, one: Drop) -> dict[str, Any]:
    told: dict[str, Any] = defined(
        {
            "actual": one.actual,
            "perturbed": one.perturbed,
            "drop": one.drop,
            "low": one.low,
            "high": one.high,
            "of_actual": one.share,
            "of_actual_low": one.share_low,
            "of_actual_high": one.share_high,
        }
    )
    return {"share": share, **told, "summaries": one.summaries}


def _sign(study: RobustnessStudy) -> str:
    """What the figures follow from; each metric's own signature is in what was found."""
    parts = [
        "robustness",
        f"metrics:{'+'.join(study.metrics)}",
        f"shares:{'+'.join(f'{share:g}' for share in study.shares)}",
        f"perturbation:{study.perturbation}",
        f"synonyms:{study.found['synonyms'] or 'none'}",
        f"examples:{study.found['examples']}",
        f"draws:{DRAWS}",
        f"seed:{study.seed}",
        f"hash:{study.content_hash[:12]}",
        f"giza:{scoring.__version__}",
    ]
    return "|".join(parts)[:1000]


def delete_study(*, study: RobustnessStudy, user: User | None) -> None:
    """What metrics gave stays stored, so that it need not be computed again."""
    if study.job is not None and not study.job.is_over:
        raise DomainError(
            _("{study} is still being computed.").format(study=study),
            _("Cancel its job first."),
            fix=study,
        )
    with transaction.atomic():
        text = _("deleted {study}").format(study=study)[:300]
        record_activity(
            project=study.project, actor=user, verb=Verb.DELETE, target=study, text=text
        )
        remove_rows(RobustnessStudy.objects.filter(pk=study.pk))


def remove_unfinished(job: Job) -> None:
    remove_rows(RobustnessStudy.objects.filter(pk=job.params["study"], is_ready=False))


KINDS[KIND] = JobKind(run_robustness, undo=remove_unfinished, is_long=True)
