"""What the studio shows: an example's text and units, the feed of changes, the queue."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q, QuerySet, Sum
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from annotation.access import ProjectAccess
from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example, Reference
from annotation.corpora.corpus.queries import list_examples, list_references
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.errors import NotFound
from annotation.units.plans.queries import list_example_plan
from annotation.units.sets.locks import is_hidden, list_unrevealed, refuse_if_hidden
from annotation.units.sets.models import Change, SetState, Unit, UnitKind, UnitSet
from annotation.units.studio.linting import lint
from annotation.units.studio.models import Assignment, AssignmentState, Comment, CommentState
from annotation.units.studio.progress import get_assignment, list_written
from annotation.units.studio.states import unit_state, units_with_spans

FEED_LIMIT = 200


def get_set(project: Project, pk: int) -> UnitSet:
    return get_object_or_404(
        UnitSet.objects.select_related("project__studio", "parent", "frozen_by", "job"),
        project=project,
        pk=pk,
    )


def get_visible_set(access: ProjectAccess, pk: int) -> UnitSet:
    """A set whose units this person may read."""
    found = get_set(access.project, pk)
    refuse_if_hidden(found, access.user)
    return found


def list_sets(project: Project) -> QuerySet[UnitSet]:
    sets = UnitSet.objects.filter(project=project)
    return sets.select_related("project", "created_by", "frozen_by", "job")


def get_example(unit_set: UnitSet, pk: int) -> Example:
    rows = list_examples(unit_set.project).select_related("project")
    found: Example = get_object_or_404(rows, pk=pk)
    return found


def get_studio_state(unit_set: UnitSet, example: Example) -> dict[str, Any]:
    """Everything that the editor needs to start, and the number of the last change in it."""
    # The change first: one that comes between the two is then told again, rather than never.
    last = Change.objects.filter(set=unit_set, example=example).last()
    references = list_references(example)
    units = list(units_with_spans(unit_set, example))
    return {
        "set": {"id": unit_set.pk, "name": str(unit_set), "frozen": unit_set.is_frozen},
        "example": {"id": example.pk, "key": example.key},
        "change": last.pk if last else 0,
        "references": [reference_state(reference) for reference in references],
        "units": [unit_state(unit) for unit in units],
        "suggestions": list_suggestions(unit_set, example),
        "comments": [comment_state(row) for row in list_comments(unit_set, example)],
        "assignment": assignment_state(get_assignment(unit_set, example)),
        "warnings": lint(unit_set, references, units),
        "plan": list_example_plan(unit_set, example),
    }


def reference_state(reference: Reference) -> dict[str, Any]:
    return {
        "id": reference.pk,
        "number": reference.position + 1,
        "name": reference.name,
        "text": reference.text,
        "sentences": [
            {"id": row.pk, "number": row.position + 1, "start": row.start, "end": row.end}
            for row in reference.sentences.all()
        ],
    }


def list_suggestions(unit_set: UnitSet, example: Example) -> list[dict[str, Any]]:
    """STUs of the same example in any set of the project, each text once."""
    rows = (
        Unit.objects.filter(
            example=example, kind=UnitKind.STU, is_deleted=False, set__project=unit_set.project
        )
        .filter(promoted_from=None)  # a planned STU is a copy of one of them
        .exclude(set=unit_set)
        .select_related("author")
        .prefetch_related("contributors")
        .order_by("-set_id", "position")
    )
    by_text = {unit.text: unit for unit in reversed(rows)}
    return [unit_state(unit) for unit in reversed(by_text.values())]


def list_changes(unit_set: UnitSet, example: Example, after: int) -> list[dict[str, Any]]:
    """What happened in an example since a change that the caller knows."""
    rows = Change.objects.filter(set=unit_set, example=example, pk__gt=after)
    return [change_state(row) for row in rows.select_related("actor")[:FEED_LIMIT]]


def change_state(change: Change) -> dict[str, Any]:
    return {
        "id": change.pk,
        "op": str(change.op) if change.op else None,
        "action": change.action,
        "actor": change.actor.name if change.actor else "",
        "actor_id": change.actor_id,
        "at": change.at.isoformat(),
        "units": change.after,
    }


def list_comments(unit_set: UnitSet, example: Example) -> list[Comment]:
    rows = Comment.objects.filter(set=unit_set, example=example)
    return list(rows.select_related("author", "answered_by"))


def comment_state(comment: Comment) -> dict[str, Any]:
    return {
        "id": comment.pk,
        "op": str(comment.op) if comment.op else None,
        "unit": comment.unit_id,
        "revision": comment.unit_revision,
        "author": comment.author.name if comment.author else "",
        "author_id": comment.author_id,
        "text": comment.text,
        "suggestion": comment.suggestion,
        "state": comment.state,
        "answer": comment.answer,
        "answered_by": comment.answered_by.name if comment.answered_by else "",
        "answered_by_id": comment.answered_by_id,
        "at": comment.created_at.isoformat(),
    }


def assignment_state(row: Assignment | None) -> dict[str, Any]:
    row = row or Assignment()
    return {
        "state": row.state,
        "author": row.author.name if row.author else "",
        "author_id": row.author_id,
        "reviewer": row.reviewer.name if row.reviewer else "",
        "reviewer_id": row.reviewer_id,
        "signed_by": row.signed_by.name if row.signed_by else "",
        "signed_by_id": row.signed_by_id,
    }


def _is_author(user: User) -> Q:
    return Q(author=user) | Q(written_by=user)


def list_history(unit_set: UnitSet, example: Example) -> list[dict[str, Any]]:
    """Every change of an example, the newest first, unit by unit."""
    rows = Change.objects.filter(set=unit_set, example=example).select_related("actor")
    return [
        {
            "actor": change.actor,
            "at": change.at,
            "action": change.action,
            "units": [
                {"before": change.before.get(pk, {}), "after": after}
                for pk, after in change.after.items()
            ],
        }
        for change in rows.order_by("-pk")[:FEED_LIMIT]
    ]


# The queue -----------------------------------------------------------------------------------


def list_queue(unit_set: UnitSet, user: User, limit: int = 20) -> list[Assignment]:
    """What's next for me: mine to write, what I may check, then what nobody has taken.

    In review, checking comes first, and nobody is handed an example to begin. Of a set that is
    written independently of another, its author gets what they were given, and others get nothing.
    """
    if is_hidden(unit_set, user):
        return []
    rows = (
        Assignment.objects.filter(set=unit_set, example__in=list_examples(unit_set.project))
        .select_related("example", "author", "reviewer")
        .order_by("-priority", "example__position")
    )
    own = list_written(unit_set, user).values("example")
    to_check = rows.filter(state=AssignmentState.WRITTEN).exclude(_is_author(user))
    to_check = to_check.exclude(example__in=own)
    mine_to_check = to_check.filter(Q(reviewer=user) | Q(reviewer=None))
    mine = rows.filter(state=AssignmentState.TODO, author=user)
    free = rows.filter(state=AssignmentState.TODO, author=None)
    parts = [mine, mine_to_check, free]
    if unit_set.state == SetState.REVIEW:
        parts = [mine_to_check, mine]
    elif list_unrevealed().filter(set=unit_set).exists():
        parts = [mine]
    found: list[Assignment] = []
    for part in parts:
        if len(found) < limit:
            found += part[: limit - len(found)]
    return found


def list_writers(project: Project) -> QuerySet[User]:
    """Members who may write and check units."""
    able = Membership.objects.filter(project=project).exclude(role=Role.VIEWER)
    return User.objects.filter(memberships__in=able).order_by("name", "pk")


def get_writer(project: Project, pk: int | None) -> User | None:
    """The member who is to write or to check; None is nobody."""
    if pk is None:
        return None
    found = list_writers(project).filter(pk=pk).first()
    if found is None:
        raise NotFound(
            _("User {pk} is not a project member who can write units.").format(pk=pk),
            _("Make them an annotator."),
        )
    return found


def get_progress(unit_set: UnitSet) -> dict[str, int]:
    counts = dict(
        Assignment.objects.filter(set=unit_set)
        .values_list("state")
        .annotate(n=Count("pk"))
        .order_by()
    )
    total = unit_set.project.example_count
    written, signed, spared = (counts.get(state, 0) for state in ("written", "signed", "spared"))
    return {
        "total": total,
        "written": written,
        "signed": signed,
        "spared": spared,
        "todo": max(0, total - written - signed - spared),
    }


def count_open_comments(unit_set: UnitSet) -> int:
    return Comment.objects.filter(set=unit_set, state=CommentState.OPEN).count()


def list_people(unit_set: UnitSet) -> list[dict[str, Any]]:
    """Per person: units written, time spent, time per SCU, examples written and checked."""
    units = (
        Unit.objects.filter(set=unit_set, is_deleted=False, author__isnull=False)
        .values_list("author_id")
        .annotate(units=Count("pk"), seconds=Sum("seconds"))
        .order_by()
    )
    work = {pk: (count, seconds or 0.0) for pk, count, seconds in units}
    written = _count_by(unit_set, "written_by")
    signed = _count_by(unit_set, "signed_by")
    names = User.objects.filter(pk__in=work.keys() | written.keys() | signed.keys())
    people = [
        {
            "name": name,
            **_pace(*work.get(pk, (0, 0.0))),
            "written": written.get(pk, 0),
            "signed": signed.get(pk, 0),
        }
        for pk, name in names.values_list("pk", "name").order_by("name", "pk")
    ]
    return sorted(people, key=lambda person: -person["units"])


def _pace(units: int, seconds: float) -> dict[str, Any]:
    """Time per SCU over all of a person's units; who wrote none has none."""
    per_unit = round(seconds / units) if units else 0
    return {"units": units, "seconds": round(seconds), "seconds_per_unit": per_unit}


def _count_by(unit_set: UnitSet, who: str) -> dict[int, int]:
    rows = Assignment.objects.filter(set=unit_set).exclude(**{who: None})
    return dict(rows.values_list(who).annotate(n=Count("pk")).order_by())
