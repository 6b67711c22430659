"""What reviewer and author say to each other; an accepted wording becomes the unit's text.

- Who has an example open right now, as far as their editors have let us know.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.notifications.models import NotificationKind
from annotation.corpora.notifications.service import name_day, notify
from annotation.errors import DomainError, Invalid
from annotation.faults import if_free
from annotation.translation import gettext_lazy
from annotation.units.sets.locks import hold_draft, hold_set, refuse_if_frozen, refuse_if_not_filled
from annotation.units.sets.models import Unit, UnitSet
from annotation.units.studio.models import Comment, CommentState, Presence
from annotation.units.studio.ops import Op, apply_op
from annotation.units.studio.progress import get_assignment


def create_comment(
    *,
    unit_set: UnitSet,
    example: Example,
    user: User,
    unit: Unit | None = None,
    text: str = "",
    suggestion: str = "",
    op: uuid.UUID | None = None,
) -> Comment:
    """Said once, however often it arrives: a second arrival of an `op` gets the first's comment."""
    text, suggestion = text.strip(), " ".join(suggestion.split())
    if not text and not suggestion:
        raise DomainError(
            _("The comment is empty."), _("Write a remark or suggest another wording.")
        )
    if suggestion and unit is None:
        raise DomainError(_("A suggested wording needs a unit."))
    with transaction.atomic():
        held = hold_set(unit_set)
        if op is not None and (known := _find_made(held, op)):
            return known
        refuse_if_frozen(held)
        refuse_if_not_filled(held)
        made = Comment.objects.create(
            set=held,
            op=op,
            example=example,
            unit=unit,
            author=user,
            text=text[:2000],
            suggestion=suggestion[:1000],
            unit_revision=unit.revision if unit else None,
        )
        words = _("{user} commented on {example} of {unit_set}.")
        _tell(made, user, words, _list_authors(made))
    return made


def _list_authors(comment: Comment) -> list[User | None]:
    """Whose units they are: of the whole example, as units have no author of their own."""
    assignment = get_assignment(comment.set, comment.example)
    return [assignment.author, assignment.written_by] if assignment else []


def _tell(comment: Comment, user: User, said: str, people: Iterable[User | None]) -> None:
    notify(
        users=people,
        project=comment.set.project,
        kind=NotificationKind.COMMENT,
        key=name_day(f"comment:{comment.set_id}:{comment.example_id}"),
        text=said.format(user=user, example=comment.example, unit_set=comment.set),
        target=comment,
        actor=user,
        renew=True,
    )


def _find_made(unit_set: UnitSet, op: uuid.UUID) -> Comment | None:
    rows = Comment.objects.filter(set=unit_set, op=op)
    return rows.select_related("author", "answered_by").first()


def accept_comment(*, comment: Comment, user: User, revision: int | None = None) -> Comment:
    """Take the suggested wording over, and close the comment, in one step.

    If the unit was changed after the comment was made, it is stale, and nothing happens, unless
    `revision` says that the new wording was seen and is to be replaced.
    """
    with transaction.atomic():
        _close(comment, user, CommentState.ACCEPTED, "")
        if comment.suggestion and comment.unit is not None:
            _refuse_if_deleted(comment.unit)
            seen = comment.unit_revision if revision is None else revision
            _take_over(comment, user, seen)
    return comment


def _refuse_if_deleted(unit: Unit) -> None:
    if Unit.objects.filter(pk=unit.pk, is_deleted=True).exists():
        raise DomainError(_("The unit was deleted."), _("Restore the unit, or reject the comment."))


def _take_over(comment: Comment, user: User, revision: int | None) -> None:
    change = {
        "action": "update",
        "unit": comment.unit_id,
        "revision": revision,
        "text": comment.suggestion,
    }
    op = Op(uuid.uuid4(), "accept", [change])
    apply_op(unit_set=comment.set, example=comment.example, user=user, op=op)


def reject_comment(*, comment: Comment, user: User, answer: str = "") -> Comment:
    return _close(comment, user, CommentState.REJECTED, answer)


def answer_comment(*, comment: Comment, user: User, answer: str) -> Comment:
    if not answer.strip():
        raise Invalid(_("The answer is empty."))
    return _close(comment, user, CommentState.ANSWERED, answer)


CLOSED = {
    CommentState.ACCEPTED: gettext_lazy("{user} accepted your comment on {example} of {unit_set}."),
    CommentState.REJECTED: gettext_lazy("{user} rejected your comment on {example} of {unit_set}."),
    CommentState.ANSWERED: gettext_lazy("{user} answered your comment on {example} of {unit_set}."),
}


def _close(comment: Comment, user: User, state: CommentState, answer: str) -> Comment:
    with transaction.atomic():
        hold_draft(comment.set)
        closed = Comment.objects.filter(pk=comment.pk, state=CommentState.OPEN).update(
            state=state, answer=answer.strip()[:2000], answered_by=user, answered_at=clock.now()
        )
        if not closed:
            raise DomainError(_("This comment is already closed."), _("Reload the page."))
        _tell(comment, user, CLOSED[state], [comment.author])
    comment.refresh_from_db()
    return comment


# An editor asks every two seconds. Writing that down each time would make asking dear.
NOTED_EVERY = timedelta(seconds=10)
GONE_AFTER = timedelta(seconds=30)


def note_presence(*, unit_set: UnitSet, example: Example, user: User) -> list[User]:
    """Note that the person has the example open, and give who else has, in order of names."""
    now = clock.now()
    recent = Presence.objects.filter(set=unit_set, example=example, seen_at__gt=now - GONE_AFTER)
    rows = list(recent.select_related("user").order_by("user__name", "user_id"))
    if not any(row.user_id == user.pk and row.seen_at > now - NOTED_EVERY for row in rows):
        with if_free():
            Presence.objects.bulk_create(
                [Presence(set=unit_set, example=example, user=user, seen_at=now)],
                update_conflicts=True,
                unique_fields=["set", "example", "user"],
                update_fields=["seen_at"],
            )
    return [row.user for row in rows if row.user_id != user.pk]
