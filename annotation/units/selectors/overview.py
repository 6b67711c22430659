"""What the project's overview says of its units, and what is next in them."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Max
from django.urls import reverse

from annotation.access import ProjectAccess
from annotation.corpora.models import JobState, Project, Role, User
from annotation.corpora.selectors.jobs import ABOUT, About
from annotation.corpora.selectors.projects import STAGES, NextStep, Stage
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy
from annotation.units.models import (
    Assignment,
    AssignmentState,
    DoubleAnnotation,
    DoubleAuthor,
    SetState,
    UnitSet,
)
from annotation.units.selectors.blind import list_hidden_sets
from annotation.units.selectors.double import find_own, list_doubles, list_unmerged
from annotation.units.selectors.listing import tell_next_step
from annotation.units.selectors.studio import get_progress, list_queue, list_sets
from annotation.wording import counted

STOPPED = (JobState.FAILED, JobState.CANCELLED, JobState.PAUSED)
CAPTION = gettext_lazy("Facts written from the references")


def get_units_stage(project: Project) -> Stage:
    url = reverse("units:sets", args=[project.slug])
    newest = get_current_set(project)
    if newest is None:
        state = "current" if project.example_count else "later"
        return Stage(
            _("Units"), _("None yet"), CAPTION, state, url if project.example_count else None
        )
    units = counted(newest.unit_count, "unit", "units")
    if newest.is_frozen:
        return Stage(_("Units"), units, _("{newest} frozen").format(newest=newest), "done", url)
    caption = _("{units} in {newest}, {state}").format(
        units=units, newest=newest, state=newest.get_state_display().lower()
    )
    return Stage(_("Units"), _share(newest), caption, "current", url)


def _share(unit_set: UnitSet) -> str:
    """How much is written; in review, how much is signed off."""
    progress = get_progress(unit_set)
    in_review = unit_set.state == SetState.REVIEW
    done = progress["signed"] + (0 if in_review else progress["written"])
    total = progress["total"] - progress["spared"]
    share = 100 * done // total if total else 100 if progress["spared"] else 0
    return f"{share} % {_('signed off') if in_review else _('written')}"


def get_current_set(project: Project, user: User | None = None) -> UnitSet | None:
    """The set that people work on: the latest that is not frozen, else the latest.

    One that an extractor made is shown only where there is no other, and so are those of two
    authors once they are compared. Until then each is its author's only.
    """
    sets = list_sets(project).filter(archived_at=None).order_by("-created_at", "-pk")
    sets = sets.exclude(pk__in=list_hidden_sets(user))
    written = sets.filter(extractor="")
    compared = DoubleAuthor.objects.filter(double__revealed_at__isnull=False)
    common = written.exclude(pk__in=compared.order_by().values("set"))
    open_ones = common.exclude(state=SetState.FROZEN)
    return open_ones.first() or common.first() or written.first() or sets.first()


def find_double_work(access: ProjectAccess) -> NextStep | None:
    """An author who has written everything says so; a third person merges what both wrote."""
    if not access.user or not access.allows(Role.ANNOTATOR):
        return None
    for double in list_doubles(access.project):
        own = find_own(double, access)
        step = _finish_own(own, access.user) if own else _merge(double)
        if step:
            return step
    return None


def _finish_own(own: DoubleAuthor, user: User) -> NextStep | None:
    if own.done_at or not own.set.unit_count or list_queue(own.set, user, limit=1):
        return None
    return NextStep(
        _("{set}: mark it as done").format(set=own.set),
        _(
            "You have written every example assigned to you. Agreement is computed when both "
            "authors are done."
        ),
        _("Open double annotation"),
        reverse("units:double", args=[own.set.project.slug, own.double_id]),
    )


def _merge(double: DoubleAnnotation) -> NextStep | None:
    left = list_unmerged(double)
    if not left:
        return None
    return NextStep(
        _("{double}: {examples} to merge").format(
            double=double, examples=counted(len(left), "example", "examples")
        ),
        _("Both authors are done. Choose the wording of each unit in the merged set."),
        _("Merge next example"),
        reverse("units:compare_double", args=[double.project.slug, double.pk, left[0]]),
    )


def find_writing(access: ProjectAccess) -> NextStep | None:
    """A first set to start, something to write or to check, or a set to move on."""
    newest = get_current_set(access.project, access.user)
    if newest is None:
        return _start(access) if access.can_edit else None
    if newest.job and newest.job.state != JobState.DONE:
        return _look(newest) if access.can_edit and newest.job.state in STOPPED else None
    if newest.is_frozen or newest.extractor or not access.allows(Role.ANNOTATOR):
        return None
    step = tell_next_step(newest, get_progress(newest))
    if _explain_move(step) and access.can_edit:
        return _move_on(newest, step)
    waiting = access.user and _find_waiting(newest, access.user)
    return _work(newest, waiting, step) if waiting else None


def _explain_move(step: str) -> str:
    """Of the steps that move a set on to its next state; nothing of the others."""
    moves = {
        _("Send to review"): _(
            "Every example is written. In review, the set is checked and then frozen."
        ),
        _("Freeze"): _(
            "Every example is signed off. Freeze the set to use it for judgements and scores."
        ),
    }
    return moves.get(step, "")


def _find_waiting(unit_set: UnitSet, user: User) -> AssignmentState | None:
    """What this person would be handed: to write, to check, or nothing.

    Examples get their rows when somebody first opens the set; until then all are to write.
    """
    if queue := list_queue(unit_set, user, limit=1):
        return AssignmentState(queue[0].state)
    is_new = not Assignment.objects.filter(set=unit_set).exists()
    return AssignmentState.TODO if is_new and unit_set.state == SetState.DRAFT else None


def _start(access: ProjectAccess) -> NextStep:
    return NextStep(
        _("Create content units"),
        _(
            "A content unit is one short sentence with one fact. Write or import a set, or extract "
            "STUs and plan with a budget."
        ),
        _("Open units"),
        reverse("units:sets", args=[access.project.slug]),
    )


def _look(unit_set: UnitSet) -> NextStep:
    """The job that fills the set has stopped: there is nothing to write in it yet."""
    assert unit_set.job is not None
    url = reverse("units:set", args=[unit_set.project.slug, unit_set.pk])
    state = unit_set.job.get_state_display().lower()
    detail = _("The set is incomplete. Retry the job, or delete the set.")
    return NextStep(
        _("{unit_set}: its job is {state}").format(unit_set=unit_set, state=state),
        detail,
        _("Open {unit_set}").format(unit_set=unit_set),
        url,
    )


def find_last_work(unit_set: UnitSet) -> datetime:
    """When somebody last wrote or checked in a set; else when it was made."""
    changed = unit_set.changes.aggregate(at=Max("at"))
    worked = unit_set.assignments.aggregate(written=Max("written_at"), signed=Max("signed_at"))
    times = [*changed.values(), *worked.values()]
    return max([unit_set.created_at, *(at for at in times if at)])


def _move_on(unit_set: UnitSet, step: str) -> NextStep:
    url = reverse("units:set", args=[unit_set.project.slug, unit_set.pk])
    return NextStep(
        f"{unit_set}: {step.lower()}",
        _explain_move(step),
        _("Open {unit_set}").format(unit_set=unit_set),
        url,
    )


def _work(unit_set: UnitSet, waiting: AssignmentState, step: str) -> NextStep:
    url = reverse("units:next", args=[unit_set.project.slug, unit_set.pk])
    title = f"{unit_set}: {step.lower()}"
    if waiting == AssignmentState.WRITTEN:
        detail = _("Read examples that someone else wrote, and sign them off.")
        title = (
            title
            if unit_set.state == SetState.REVIEW
            else _("{unit_set}: to check").format(unit_set=unit_set)
        )
        return NextStep(title, detail, _("Check next example"), url)
    detail = _("Open the next example in your queue.")
    return NextStep(title, detail, _("Open studio"), url)


STAGES["units"] = get_units_stage
ABOUT["set"] = About("units.UnitSet", "units:set", gettext_lazy("The unit set"))
ABOUT["model"] = About("units.EasinessModel", "units:easiness_model", gettext_lazy("The regressor"))
