"""The units of a set one after the other, and how far several sets are."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, QuerySet

from annotation.units.models import Assignment, Unit, UnitSet


def list_progress(sets: Sequence[UnitSet]) -> dict[int, dict[str, int]]:
    """Examples to write, to check and signed off, by the id of the set."""
    progress = {row.pk: {"todo": 0, "written": 0, "signed": 0} for row in sets}
    counts = Assignment.objects.filter(set__in=progress).values_list("set_id", "state")
    for set_id, state, count in counts.annotate(n=Count("pk")).order_by():
        progress[set_id][state] = count
    return progress


def list_units(unit_set: UnitSet) -> QuerySet[Unit]:
    """In the order of the corpus, with example, author and words at hand."""
    return (
        Unit.objects.filter(set=unit_set, is_deleted=False)
        .select_related("example", "author")
        .prefetch_related("contributors")
        .order_by("example__position", "example_id", "position", "pk")
    )
