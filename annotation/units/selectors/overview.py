"""What the project's overview says of its units, and what is next in them."""

from __future__ import annotations

from django.urls import reverse

from annotation.access import ProjectAccess
from annotation.corpora.models import Project, Role
from annotation.corpora.selectors.projects import NEXT_STEPS, STAGES, NextStep, Stage
from annotation.units.models import SetState, UnitSet
from annotation.units.selectors.studio import get_progress

CAPTION = "Facts written from the references"


def get_units_stage(project: Project) -> Stage:
    url = reverse("units:sets", args=[project.slug])
    newest = _newest(project)
    if newest is None:
        state = "current" if project.example_count else "later"
        return Stage("Units", "None yet", CAPTION, state, url if project.example_count else None)
    if newest.is_frozen:
        return Stage("Units", f"{newest.unit_count:,} units", f"{newest} frozen", "done", url)
    progress = get_progress(newest)
    done = progress["written"] + progress["signed"]
    share = 100 * done // progress["total"] if progress["total"] else 0
    caption = f"{newest.unit_count:,} units in {newest}, {newest.get_state_display().lower()}"
    return Stage("Units", f"{share} % written", caption, "current", url)


def _newest(project: Project) -> UnitSet | None:
    """The set that people work on: the latest that is not frozen, else the latest."""
    sets = UnitSet.objects.filter(project=project).order_by("-created_at", "-pk")
    return sets.exclude(state=SetState.FROZEN).first() or sets.first()


def find_writing(access: ProjectAccess) -> NextStep | None:
    """Something to write or to check, or a first set to start."""
    project = access.project
    newest = _newest(project)
    if newest is None:
        if not access.can_edit:
            return None
        return NextStep(
            "Write content units",
            "One short sentence, one fact. Start a set, or take the units that came along.",
            "Open units",
            reverse("units:sets", args=[project.slug]),
        )
    if newest.is_frozen or not access.allows(Role.ANNOTATOR):
        return None
    return NextStep(
        f"Go on with {newest}",
        "The next example that waits for you, by keyboard if you like.",
        "Open studio",
        reverse("units:next", args=[project.slug, newest.pk]),
    )


STAGES["Units"] = get_units_stage
NEXT_STEPS.append(find_writing)
