"""What the project's overview says of its units, and what is next in them.

- What is found of unit sets, units and comments on them.
- The units of an example, as its page in the corpus shows them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.access import ProjectAccess
from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.corpus.queries import EXAMPLE_PARTS, ExamplePart
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.queries import ABOUT, About
from annotation.corpora.projects.models import Project, Role
from annotation.corpora.projects.queries import STAGES, NextStep, Stage
from annotation.corpora.search.queries import Kind, Match, add_kinds, holding
from annotation.translation import gettext_lazy
from annotation.units.double.models import DoubleAnnotation, DoubleAuthor
from annotation.units.double.queries import find_own, list_doubles, list_unmerged
from annotation.units.sets.locks import list_hidden_sets
from annotation.units.sets.models import SetState, Unit, UnitSet
from annotation.units.sets.queries import tell_next_step
from annotation.units.studio.models import Assignment, AssignmentState, Comment
from annotation.units.studio.queries import get_progress, list_queue, list_sets
from annotation.units.studio.states import units_with_spans
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


def _sets(project: Project, q: str) -> QuerySet[UnitSet]:
    return UnitSet.objects.filter(holding(q, "name"), project=project).order_by("name", "version")


def _units(project: Project, q: str) -> QuerySet[Unit]:
    rows = Unit.objects.filter(holding(q, "text"), set__project=project, is_deleted=False)
    rows = rows.exclude(set__in=list_hidden_sets(None))
    return rows.select_related("set", "example").order_by("-set", "pk")


def _comments(project: Project, q: str) -> QuerySet[Comment]:
    rows = Comment.objects.filter(holding(q, "text", "suggestion", "answer"), set__project=project)
    rows = rows.exclude(set__in=list_hidden_sets(None))
    return rows.select_related("set", "example", "author").order_by("-pk")


def _show_sets(project: Project, q: str, rows: list[Any]) -> list[Match]:
    return [
        Match(
            str(row),
            reverse("units:set", args=[project.slug, row.pk]),
            note=row.get_state_display().lower(),
        )
        for row in rows
    ]


def _show_units(project: Project, q: str, rows: list[Any]) -> list[Match]:
    return [
        Match(
            row.text,
            _studio(project, row),
            note=_("{kind} of {place}").format(kind=row.kind.upper(), place=_place(row)),
        )
        for row in rows
    ]


def _show_comments(project: Project, q: str, rows: list[Any]) -> list[Match]:
    return [
        Match(
            _first_holding(q, row.text, row.suggestion, row.answer),
            _studio(project, row),
            note=_("{author} on {place}").format(
                author=row.author or _("former member"), place=_place(row)
            ),
        )
        for row in rows
    ]


def _first_holding(q: str, *texts: str) -> str:
    return next((text for text in texts if q.lower() in text.lower()), texts[0])


def _place(row: Any) -> str:
    return f"{row.example.key}, {row.set}"


def _studio(project: Project, row: Any) -> str:
    return reverse("units:studio", args=[project.slug, row.set_id, row.example_id])


add_kinds(
    Kind("unit_sets", gettext_lazy("unit set"), gettext_lazy("unit sets"), _sets, _show_sets),
    Kind("units", "unit", "units", _units, _show_units),
    Kind("comments", "comment", "comments", _comments, _show_comments),
)


MOST_SETS = 20


@dataclass(frozen=True, slots=True)
class ExampleUnits:
    """Of the set that people work on; `others` are further sets with units of this example."""

    unit_set: UnitSet
    units: list[Unit]
    others: list[UnitSet]


def describe_units(access: ProjectAccess, example: Example) -> ExamplePart | None:
    """Drafts come before frozen sets, SCUs before STUs, newer sets before older ones."""
    sets = list_sets(access.project).filter(archived_at=None)
    visible = sets.exclude(pk__in=list_hidden_sets(access.user))
    known = list(visible.order_by("-created_at", "-pk")[:MOST_SETS])
    if not known:
        return None
    live = Unit.objects.filter(set__in=known, example=example, is_deleted=False)
    filled = set(live.order_by().values_list("set_id", flat=True).distinct())
    known.sort(key=lambda row: (row.pk not in filled, bool(row.extractor), _is_done(row)))
    first, *rest = known
    units = list(units_with_spans(first, example).filter(is_deleted=False))
    others = [row for row in rest if row.pk in filled]
    return ExamplePart("units/_example_part.html", ExampleUnits(first, units, others))


def _is_done(unit_set: UnitSet) -> bool:
    return unit_set.state == SetState.FROZEN


EXAMPLE_PARTS.append(describe_units)
