"""What the gold page lists: versions, label sets, and the one thing to do next."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.corpora.models import Project
from annotation.errors import NotFound
from annotation.evaluation.models import Drop, GoldVersion, LabelSet


def list_versions(project: Project) -> QuerySet[GoldVersion]:
    return GoldVersion.objects.filter(project=project).select_related(
        "label_set__unit_set", "job", "created_by"
    )


def list_label_sets(project: Project) -> QuerySet[LabelSet]:
    return (
        LabelSet.objects.filter(project=project)
        .select_related("unit_set", "job__project", "created_by")
        .prefetch_related("campaigns", "gold_versions")
    )


def get_label_set(project: Project, pk: int) -> LabelSet:
    found = list_label_sets(project).filter(pk=pk).first()
    if found is None:
        raise NotFound(f"The project has no label set {pk}.")
    return found


def get_version(project: Project, pk: int) -> GoldVersion:
    rows = list_versions(project).select_related("project", "job__project")
    found = rows.filter(pk=pk).first()
    if found is None:
        raise NotFound(f"The project has no gold version {pk}.")
    return found


def list_label_drops(label_set: LabelSet, rule: str = "") -> QuerySet[Drop]:
    rows = Drop.objects.filter(label_set=label_set).select_related(
        "assignment__worker",
        "assignment__hit__summary__example",
        "assignment__hit__summary__system",
    )
    return rows.filter(rule=rule) if rule else rows
