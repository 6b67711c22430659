"""What pages show of more answers than a page can read: stored with the labels made of them.

The job that makes labels has all answers at hand. Answers that come in later show once labels are
made again; the pages say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import Summary, System
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Judgement
from annotation.errors import DomainError
from annotation.evaluation.labels.answers import (
    has_many,
    list_adjudications,
    list_judged_campaigns,
    list_labelled_assignments,
)
from annotation.evaluation.labels.contested import Contested, rank_contested
from annotation.evaluation.labels.models import Drop, LabelOrigin, LabelSet, SummaryLabels
from annotation.evaluation.labels.outcome import Outcome, score_systems
from annotation.evaluation.labels.people import WorkerFigures, describe_all_workers
from annotation.evaluation.labels.scores import KEPT_SECONDS
from annotation.evaluation.labels.votes import CrowdSizes, get_crowd_sizes
from annotation.evaluation.runs.review import list_unit_ids
from annotation.evaluation.stored.queries import Stored
from annotation.memory import Memory
from annotation.units.sets.models import Unit, UnitSet
from scoring.aggregation import Agreement, AgreementReport, LevelAgreement
from scoring.metaeval.annotators import describe_annotators
from scoring.metaeval.raw_judgements import read_judgements

MOST_CONTESTED = 2000
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class AnswerFigures:
    """`contested` are (summary, unit, system) by their ids, the most evenly divided first."""

    contested: list[list[int]]
    workers: list[WorkerFigures]
    unknown: int
    sizes: CrowdSizes


FIGURES = Stored("answer-figures", AnswerFigures, KEPT_SECONDS)


# Reading them takes longer than showing a page of them.
_read: Memory[AnswerFigures] = Memory(4)


def _find_figures(label_set: LabelSet) -> AnswerFigures | None:
    key = FIGURES.key(_parts(label_set))
    found = _read.find(key) or FIGURES.find(_parts(label_set))
    return found and _read.get(key, lambda: found)


def keep_answer_figures(label_set: LabelSet, outcome: Outcome) -> None:
    """In the job that makes labels of so many answers."""
    campaigns = list(label_set.campaigns.all())
    if not has_many(campaigns):
        return
    workers = describe_all_workers(campaigns, outcome.collected)
    found = AnswerFigures(
        contested=_list_contested(label_set, outcome),
        workers=workers,
        unknown=len(outcome.collected.assignments) - sum(row.hits for row in workers),
        sizes=get_crowd_sizes(outcome),
    )
    FIGURES.keep(_parts(label_set), lambda: found)


def _parts(label_set: LabelSet) -> tuple[object, ...]:
    return label_set.pk, label_set.created_at, label_set.answers_hash


def _list_contested(label_set: LabelSet, outcome: Outcome) -> list[list[int]]:
    codes = rank_contested(outcome, "all")[:MOST_CONTESTED]
    collected = outcome.collected
    places = collected.answers.statement_summaries[codes]
    rows = System.objects.filter(project=label_set.project_id).values_list("name", "pk")
    known = dict(rows)
    systems = np.array([known[name] for name in collected.answers.system_keys], dtype=np.int64)
    return np.column_stack(
        [
            collected.summaries[places],
            collected.statement_units[codes],
            systems[collected.answers.summary_systems[places]],
        ]
    ).tolist()


@dataclass(frozen=True, slots=True)
class StoredAnswers:
    """What is stored of the answers that the newest labels were made of."""

    label_set: LabelSet
    figures: AnswerFigures


def find_stored_answers(project: Project) -> StoredAnswers | None:
    """None where pages read the answers themselves; without labels there is nothing to show."""
    judged = list_judged_campaigns(project)
    newest = judged[:1]
    if not has_many([row for row in judged if row.unit_set_id == newest[0].unit_set_id]):
        return None
    rows = LabelSet.objects.filter(project=project, is_ready=True, origin=LabelOrigin.CROWD)
    for label_set in rows.select_related("unit_set")[:20]:
        found = _find_figures(label_set)
        if found is not None:
            return StoredAnswers(label_set, found)
    raise DomainError(
        _("There are too many answers to load on a page."),
        _(
            "Create labels on the what-if page. The job that creates them also computes what this "
            "page shows."
        ),
        fix=reverse("evaluation:whatif", args=[project.slug]),
    )


def choose_contested(stored: StoredAnswers, show: str, system: str) -> list[Pair]:
    """Summaries and units by their ids: the most evenly divided first; settled ones by age."""
    settled = {
        (row.summary_id, row.unit_id): row.summary.system.name
        for row in list_adjudications(stored.label_set.unit_set)
    }
    if show == "settled":
        return [pair for pair, name in settled.items() if not system or name == system]
    named = System.objects.filter(project=stored.label_set.project_id, name=system)
    wanted = set(named.values_list("pk", flat=True))
    return [
        (summary, unit)
        for summary, unit, pk in stored.figures.contested
        if (not system or pk in wanted) and (show == "all" or (summary, unit) not in settled)
    ]


def list_stored_contested(stored: StoredAnswers, pairs: list[Pair]) -> list[Contested]:
    """The statements of one page, with who answered what."""
    label_set = stored.label_set
    summaries = Summary.objects.select_related("system", "example").in_bulk({s for s, __ in pairs})
    units = Unit.objects.in_bulk({unit for __, unit in pairs})
    settled = {
        (row.summary_id, row.unit_id): row
        for row in list_adjudications(label_set.unit_set).filter(summary__in=summaries)
    }
    answers = _list_answers(label_set, pairs)
    labels = _list_labels(label_set, summaries.values())
    found = []
    for summary, unit in pairs:
        votes, label = labels.get((summary, unit), ([0, 0], None))
        found.append(
            Contested(
                summaries[summary],
                units[unit],
                votes[0],
                votes[1],
                -1 if label is None else label,
                settled.get((summary, unit)),
                answers.get((summary, unit), []),
            )
        )
    return found


def _list_labels(
    label_set: LabelSet, summaries: Iterable[Summary]
) -> dict[Pair, tuple[list[int], int | None]]:
    """Votes and label by summary and unit."""
    examples = {row.pk: row.example_id for row in summaries}
    order = list_unit_ids(label_set.unit_set, set(examples.values()))
    rows = SummaryLabels.objects.filter(label_set=label_set, summary__in=examples)
    return {
        (row.summary_id, unit): (votes, label)
        for row in rows
        for unit, votes, label in zip(
            order[examples[row.summary_id]], row.votes, row.labels, strict=True
        )
    }


def _list_answers(label_set: LabelSet, pairs: list[Pair]) -> dict[Pair, list[dict[str, Any]]]:
    works = list_labelled_assignments(label_set, {summary for summary, __ in pairs})
    fields = ("pk", "hit__summary_id", "worker__provider_id", "provider_id")
    by_pk = {pk: rest for pk, *rest in works.values_list(*fields)}
    drops = Drop.objects.filter(label_set=label_set, assignment__in=by_pk)
    reasons = dict(drops.values_list("assignment_id", "reason"))
    rows = Judgement.objects.filter(assignment__in=by_pk, unit__in={unit for __, unit in pairs})
    found: dict[Pair, list[dict[str, Any]]] = {}
    for assignment, unit, present in rows.values_list("assignment_id", "unit_id", "present"):
        summary, worker, name = by_pk[assignment]
        found.setdefault((summary, unit), []).append(
            {
                "assignment": assignment,
                "worker": worker or _("unknown worker of {name}").format(name=name),
                "present": present,
                "kept": assignment not in reasons,
                "reason": reasons.get(assignment, ""),
            }
        )
    return found


def list_stored_systems(unit_set: UnitSet) -> list[str]:
    """Names for the filter of a page."""
    rows = System.objects.live().filter(project=unit_set.project_id)
    return list(rows.order_by("name").values_list("name", flat=True))


def describe_outcome(outcome: Outcome) -> dict[str, Any]:
    """Plain values, as a label set keeps them and REST tells them."""
    return {
        "counts": count_outcome(outcome),
        "agreement": describe_agreement(outcome.aggregate.agreement),
        "by_system": _by_system(outcome),
        "drops": _drops(outcome),
        "systems": _systems(outcome),
        "annotators": _annotators(outcome),
    }


def _annotators(outcome: Outcome) -> dict[str, Any] | None:
    """What annotators add to the uncertainty of scores, from the answers that count."""
    kept = outcome.collected.answers.keep(outcome.aggregate.kept)
    return describe_annotators(read_judgements(kept)) if len(kept) else None


def count_outcome(outcome: Outcome) -> dict[str, int]:
    answers, made = outcome.collected.answers, outcome.aggregate
    workers = answers.assignment_workers
    return {
        "answers": len(answers),
        "answers_kept": int(outcome.counts.sum()),
        "assignments": len(made.kept),
        "kept": int(made.kept.sum()),
        "dropped": int((~made.kept).sum()),
        "workers": len(np.unique(workers)),
        "workers_kept": len(np.unique(workers[made.kept])),
        "summaries": len(answers.summary_keys),
        "statements": len(outcome.present),
        "labelled": int((outcome.present >= 0).sum()),
        "present": int((outcome.present == 1).sum()),
        "ties": int(made.labels.ties.sum()),
        "expert": int(outcome.expert.sum()),
    }


def describe_agreement(report: AgreementReport) -> dict[str, Any]:
    return {
        "undefined": report.undefined,
        "pooled": _pooled(report.pooled),
        "by_summary": _level(report.by_summary),
        "by_document": _level(report.by_document),
        "by_system": _level(report.by_system),
        "percent": report.percent,
        "fleiss_kappa": report.fleiss_kappa,
    }


def _pooled(found: Agreement) -> dict[str, Any]:
    return {
        "alpha": found.alpha,
        "low": found.low,
        "high": found.high,
        "statements": found.statements,
        "answers": found.answers,
    }


def _level(found: LevelAgreement) -> dict[str, Any]:
    return {
        "alpha": found.mean,
        "low": found.low,
        "high": found.high,
        "groups": found.groups,
        "undefined": found.undefined,
        "untold": found.untold,
    }


def _by_system(outcome: Outcome) -> list[dict[str, Any]]:
    """Alpha within each system; null where no statement of it was answered twice."""
    found = outcome.aggregate.agreement.by_system
    return [
        {"system": name, "alpha": float(found.alphas[code]) if found.counted[code] else None}
        for code, name in enumerate(outcome.collected.answers.system_keys)
    ]


def _drops(outcome: Outcome) -> list[dict[str, Any]]:
    """How many assignments, answers and workers each rule left out."""
    rules = {drop.assignment: drop.rule for drop in outcome.aggregate.drops}
    rules |= {
        code: rule
        for code, (rule, __) in outcome.overrides.reasons.items()
        if outcome.overrides.drop[code]
    }
    answers = outcome.collected.answers
    sizes = answers.assignment_sizes
    assignments: Counter[str] = Counter(rules.values())
    given: Counter[str] = Counter()
    workers: dict[str, set[int]] = {}
    for code, rule in rules.items():
        given[rule] += int(sizes[code])
        workers.setdefault(rule, set()).add(int(answers.assignment_workers[code]))
    return [
        {
            "rule": rule,
            "assignments": assignments[rule],
            "answers": given[rule],
            "workers": len(workers[rule]),
        }
        for rule in sorted(assignments)
    ]


def _systems(outcome: Outcome) -> list[dict[str, Any]]:
    scores = score_systems(outcome)
    answers = outcome.collected.answers
    numbers = np.bincount(answers.summary_systems, minlength=len(answers.system_keys))
    rows = [
        {
            "system": name,
            "score": None if np.isnan(scores[code]) else float(scores[code]),
            "summaries": int(numbers[code]),
        }
        for code, name in enumerate(answers.system_keys)
    ]
    return sorted(rows, key=lambda row: (-(row["score"] or 0), row["system"]))
