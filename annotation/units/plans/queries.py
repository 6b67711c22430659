"""How hard sentences are foretold to be, who writes them, and how long writing takes."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from annotation.computed import Computed
from annotation.corpora.corpus.models import Example, Sentence
from annotation.corpora.corpus.queries import KEPT_SECONDS
from annotation.corpora.jobs.models import JobState
from annotation.corpora.projects.models import Project
from annotation.errors import NotFound
from annotation.units.sets.locks import list_hidden_sets
from annotation.units.sets.models import Unit, UnitKind, UnitSet
from annotation.units.stus.models import EasinessModel, SentencePlan

WRITING_TIMES = Computed("writing-times", list[float], KEPT_SECONDS)


def list_sentence_plans(unit_set: UnitSet) -> QuerySet[SentencePlan]:
    """The sentences of a set with their texts at hand, the hardest first."""
    rows = SentencePlan.objects.filter(set=unit_set)
    return rows.select_related("sentence__reference__example").order_by("-difficulty", "pk")


def get_difficulties(unit_set: UnitSet) -> dict[int, float]:
    """By the id of the sentence."""
    rows = SentencePlan.objects.filter(set=unit_set).order_by()
    return dict(rows.values_list("sentence_id", "difficulty"))


def get_plan_counts(unit_set: UnitSet) -> dict[str, Any]:
    """How many sentences a set has by who writes them, and the model that ranked them."""
    rows = SentencePlan.objects.filter(set=unit_set)
    sentences, stus = rows.count(), rows.filter(is_human=False).count()
    hardest = rows.order_by("-difficulty").values_list("difficulty", "model").first()
    difficulty, model = hardest or (None, "")
    return {
        "sentences": sentences,
        "human": sentences - stus,
        "stus": stus,
        "hardest": difficulty,
        "model": model,
    }


def list_example_plan(unit_set: UnitSet, example: Example) -> list[dict[str, Any]]:
    """What the studio marks: each sentence of an example, foretold and assigned.

    `planned` is false where a set is ranked alone, and so all of it is people's.
    """
    plans = SentencePlan.objects.filter(set=unit_set)
    # Looked up by the example's few sentences: a join may begin with all rows of the set.
    here = list(Sentence.objects.filter(reference__example=example).values_list("pk", flat=True))
    found = plans.filter(sentence__in=here)
    rows = list(found.order_by("sentence__reference__position", "sentence__position"))
    is_mixed = bool(rows) and plans.filter(is_human=False).exists()
    return [
        {
            "sentence": row.sentence_id,
            "difficulty": round(row.difficulty, 3),
            "human": row.is_human,
            "planned": is_mixed,
        }
        for row in rows
    ]


def list_stu_sets(project: Project) -> QuerySet[UnitSet]:
    """Sets of STUs alone, filled to their end, the newest first.

    A draft in which nothing but copies of STUs stands so far is not one.
    """
    stus = Unit.objects.filter(set=OuterRef("pk"), kind=UnitKind.STU, is_deleted=False)
    own = Exists(stus.filter(promoted_from=None))
    return _filled(project).filter(own, ~_holds(UnitKind.SCU))


def list_scu_sets(project: Project) -> QuerySet[UnitSet]:
    """Sets in which people have written SCUs, the newest first; none that others don’t see."""
    return _filled(project).filter(_holds(UnitKind.SCU)).exclude(pk__in=list_hidden_sets(None))


def count_scus(unit_set: UnitSet) -> int:
    return Unit.objects.filter(set=unit_set, kind=UnitKind.SCU, is_deleted=False).count()


def _filled(project: Project) -> QuerySet[UnitSet]:
    rows = UnitSet.objects.filter(project=project).select_related("project", "job")
    is_filled = Q(job=None) | Q(job__state=JobState.DONE)
    return rows.filter(is_filled, archived_at=None).order_by("-created_at", "-pk")


def _holds(kind: UnitKind) -> Exists:
    return Exists(Unit.objects.filter(set=OuterRef("pk"), kind=kind, is_deleted=False))


def list_easiness_models(project: Project) -> QuerySet[EasinessModel]:
    rows = EasinessModel.objects.filter(project=project).defer("file")
    return rows.select_related("project", "scus", "stus", "job", "created_by")


def get_easiness_model(project: Project, pk: int) -> EasinessModel:
    return get_object_or_404(list_easiness_models(project), pk=pk)


def get_ready_model(project: Project, pk: int) -> EasinessModel:
    """With its file, which is there once it is trained."""
    found = get_object_or_404(EasinessModel, project=project, pk=pk)
    if not found.is_ready:
        raise NotFound(
            _("{found} is not trained yet.").format(found=found), _("Wait for its job."), fix=found
        )
    return found


def list_rankings(project: Project) -> QuerySet[UnitSet]:
    """Sets whose sentences are ranked, the newest first."""
    ranked = Exists(SentencePlan.objects.filter(set=OuterRef("pk")))
    return UnitSet.objects.filter(ranked, project=project).order_by("-created_at", "-pk")


def get_writing_time(project: Project) -> float | None:
    """Minutes that an SCU took, over those that were written here; None before the first."""
    sets = list(UnitSet.objects.filter(project=project))
    counts = [
        WRITING_TIMES.get((row.pk, row.content_hash), partial(_sum_times, [row]))
        for row in sets
        if row.is_frozen
    ]
    counts.append(_sum_times([row for row in sets if not row.is_frozen]))
    number, seconds = (sum(part) for part in zip(*counts, strict=True))
    return seconds / number / 60 if number else None


def _sum_times(sets: list[UnitSet]) -> list[float]:
    """How many SCUs were timed, and their seconds; of a frozen set neither changes."""
    rows = Unit.objects.filter(set__in=sets, kind=UnitKind.SCU, is_deleted=False, seconds__gt=0)
    found = rows.aggregate(n=Count("pk"), seconds=Sum("seconds", default=0.0))
    return [found["n"], found["seconds"]]
