"""How far several sets are, and what moves them on.

- What a project has chosen for its writers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import Count
from django.utils.translation import gettext as _

from annotation.corpora.jobs.models import JobState
from annotation.corpora.projects.models import Project
from annotation.units.sets.models import SetState, StudioSettings, UnitSet
from annotation.units.studio.models import Assignment
from annotation.wording import counted


def list_progress(sets: Sequence[UnitSet]) -> dict[int, dict[str, int]]:
    """Examples to write, to check, signed off and left to STUs, by the id of the set."""
    progress = {row.pk: {"todo": 0, "written": 0, "signed": 0, "spared": 0} for row in sets}
    counts = Assignment.objects.filter(set__in=progress).values_list("set_id", "state")
    for set_id, state, count in counts.annotate(n=Count("pk")).order_by():
        progress[set_id][state] = count
    return progress


def tell_next_step(unit_set: UnitSet, progress: Mapping[str, int]) -> str:
    """What moves a set on, in few words; empty for one that is frozen or not filled."""
    if unit_set.is_frozen or (unit_set.job and unit_set.job.state != JobState.DONE):
        return ""
    unsigned = unit_set.project.example_count - progress["signed"] - progress["spared"]
    if unit_set.state == SetState.REVIEW:
        return (
            _("{examples} to sign off").format(examples=_examples(unsigned))
            if unsigned > 0
            else _("Freeze")
        )
    if not unit_set.unit_count:
        return _("Write the first unit")
    unwritten = unsigned - progress["written"]
    return (
        _("{examples} to write").format(examples=_examples(unwritten))
        if unwritten > 0
        else _("Send to review")
    )


def _examples(count: int) -> str:
    return counted(count, "example", "examples")


def get_settings(project: Project) -> StudioSettings:
    """What was chosen, or what holds until somebody chooses."""
    return getattr(project, "studio", None) or StudioSettings(project=project)
