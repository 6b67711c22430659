"""How hard sentences are foretold to be, who writes them, and how long writing takes."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Sum
from django.shortcuts import get_object_or_404

from annotation.corpora.models import Example, JobState, Project
from annotation.errors import NotFound
from annotation.units.models import EasinessModel, SentencePlan, Unit, UnitKind, UnitSet
from annotation.units.selectors.blind import list_hidden_sets


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
    rows = SentencePlan.objects.filter(set=unit_set).order_by()
    counts = rows.aggregate(
        sentences=Count("pk"),
        human=Count("pk", filter=Q(is_human=True)),
        hardest=Max("difficulty"),
    )
    first = rows.values_list("model", flat=True).first() or ""
    return {**counts, "stus": counts["sentences"] - counts["human"], "model": first}


def list_example_plan(unit_set: UnitSet, example: Example) -> list[dict[str, Any]]:
    """What the studio marks: each sentence of an example, foretold and assigned.

    `planned` is false where a set is ranked alone, and so all of it is people's.
    """
    plans = SentencePlan.objects.filter(set=unit_set)
    found = plans.filter(sentence__reference__example=example)
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
        raise NotFound(f"{found} is not trained yet.", "Wait for its job.", fix=found)
    return found


def list_rankings(project: Project) -> QuerySet[UnitSet]:
    """Sets whose sentences are ranked, the newest first."""
    ranked = Exists(SentencePlan.objects.filter(set=OuterRef("pk")))
    return UnitSet.objects.filter(ranked, project=project).order_by("-created_at", "-pk")


def get_writing_time(project: Project) -> float | None:
    """Minutes that an SCU took, over those that were written here; None before the first."""
    rows = Unit.objects.filter(
        set__project=project, kind=UnitKind.SCU, is_deleted=False, seconds__gt=0
    )
    found = rows.aggregate(n=Count("pk"), seconds=Sum("seconds"))
    return found["seconds"] / found["n"] / 60 if found["n"] else None
