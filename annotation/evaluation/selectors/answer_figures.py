"""What pages show of more answers than a page can read: stored with the labels made of them.

The job that makes labels has all answers at hand. Answers that come in later show once labels are
made again; the pages say so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.urls import reverse

from annotation.corpora.models import Project, Summary, System
from annotation.crowd.models import Judgement
from annotation.errors import DomainError
from annotation.evaluation.models import Drop, LabelOrigin, LabelSet, SummaryLabels
from annotation.evaluation.selectors.answers import (
    has_many,
    list_adjudications,
    list_judged_campaigns,
    list_labelled_assignments,
)
from annotation.evaluation.selectors.contested import Contested, rank_contested
from annotation.evaluation.selectors.pages_crowd_size import CrowdSizes, get_crowd_sizes
from annotation.evaluation.selectors.pages_workers import WorkerFigures, describe_all_workers
from annotation.evaluation.selectors.run_disagreements import list_unit_ids
from annotation.evaluation.selectors.scores import KEPT_SECONDS
from annotation.evaluation.selectors.stored import Stored
from annotation.evaluation.selectors.whatif import Outcome
from annotation.memory import Memory
from annotation.translation import gettext as _
from annotation.units.models import Unit, UnitSet

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
