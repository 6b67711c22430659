"""How far several sets are, asked at once."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count

from annotation.units.models import Assignment, UnitSet


def list_progress(sets: Sequence[UnitSet]) -> dict[int, dict[str, int]]:
    """Examples to write, to check and signed off, by the id of the set."""
    progress = {row.pk: {"todo": 0, "written": 0, "signed": 0} for row in sets}
    counts = Assignment.objects.filter(set__in=progress).values_list("set_id", "state")
    for set_id, state, count in counts.annotate(n=Count("pk")).order_by():
        progress[set_id][state] = count
    return progress
