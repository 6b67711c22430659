"""What the gold page lists: versions, label sets, and the one thing to do next."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from annotation.corpora.models import Project
from annotation.errors import NotFound
from annotation.evaluation.models import Drop, GoldVersion, LabelOrigin, LabelSet
from annotation.translation import gettext as _

MAX_GOLD_NAME = 80


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
        raise NotFound(_("The project has no label set {pk}.").format(pk=pk))
    return found


def get_version(project: Project, pk: int) -> GoldVersion:
    rows = list_versions(project).select_related("project", "job__project")
    found = rows.filter(pk=pk).first()
    if found is None:
        raise NotFound(_("The project has no gold version {pk}.").format(pk=pk))
    return found


def name_gold(label_set: LabelSet, versions: Sequence[GoldVersion]) -> str:
    """The name of the newest version of labels from the same place, or one that says the place.

    Two things from different places are no versions of one another.
    """
    place = _place_of(label_set)
    for gold in versions:
        if _place_of(gold.label_set) == place:
            return gold.name
    source = place[-1] or _("imported labels")
    return f"{label_set.project.name[: MAX_GOLD_NAME // 2]}: {source}"[:MAX_GOLD_NAME].strip()


def _place_of(label_set: LabelSet) -> tuple[str, str, str]:
    """Where labels came from: the units' name, the kind of place, and its name."""
    if label_set.origin == LabelOrigin.FILES:
        source = label_set.recipe.get("source", "")
        told = _("labels from {source}").format(source=source) if source else ""
    else:
        names = label_set.campaigns.order_by("pk").values_list("name", flat=True)
        told = ", ".join(names)
    return label_set.unit_set.name, label_set.origin, told


def list_label_drops(label_set: LabelSet, rule: str = "") -> QuerySet[Drop]:
    rows = Drop.objects.filter(label_set=label_set).select_related(
        "assignment__worker",
        "assignment__hit__summary__example",
        "assignment__hit__summary__system",
    )
    return rows.filter(rule=rule) if rule else rows
