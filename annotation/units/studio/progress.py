"""Who writes what and how far it is: claimed by writing, handed over, signed off."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.corpus.models import Example
from annotation.corpora.notifications.models import NotificationKind
from annotation.corpora.notifications.service import name_day, notify
from annotation.errors import DomainError, Forbidden
from annotation.units.sets.locks import hold_draft
from annotation.units.sets.models import Change, Unit, UnitSet
from annotation.units.studio.models import Assignment, AssignmentState, Comment, CommentState
from annotation.wording import counted

MOST = 2**31


def ensure_assignments(unit_set: UnitSet) -> None:
    """One row for each example of the project, those imported later included."""
    if unit_set.is_frozen:
        return
    missing = (
        Example.objects.live()
        .filter(project=unit_set.project)
        .exclude(pk__in=Assignment.objects.filter(set=unit_set).values("example"))
    )
    Assignment.objects.bulk_create(
        (Assignment(set=unit_set, example_id=pk) for pk in missing.values_list("pk", flat=True)),
        batch_size=500,
        ignore_conflicts=True,
    )


def get_assignment(unit_set: UnitSet, example: Example) -> Assignment | None:
    """With the people in it; an example that nobody has touched may have none."""
    return _with_people().filter(set=unit_set, example=example).first()


def _with_people() -> QuerySet[Assignment]:
    return Assignment.objects.select_related("author", "reviewer", "signed_by")


def note_writing(unit_set: UnitSet, example: Example, user: User) -> Assignment:
    """Whoever writes first becomes the author; a signed example must be looked at again.

    One that STUs stood in for is theirs to finish from then on.
    """
    assignment, __ = _with_people().get_or_create(set=unit_set, example=example)
    changed = []
    if assignment.author_id is None:
        assignment.author = user
        changed.append("author")
    if assignment.state == AssignmentState.SIGNED:
        assignment.state = AssignmentState.WRITTEN
        assignment.signed_by = assignment.signed_at = None
        changed += ["state", "signed_by", "signed_at"]
    elif assignment.state == AssignmentState.SPARED:
        assignment.state = AssignmentState.TODO
        changed.append("state")
    if changed:
        assignment.save(update_fields=changed)
    return assignment


def assign_examples(
    *,
    unit_set: UnitSet,
    examples: list[int],
    user: User,
    author: User | None = None,
    reviewer: User | None = None,
) -> int:
    """Give examples to an author, a reviewer, or both; None leaves that side as it is."""
    if author is not None and author == reviewer:
        raise DomainError(_("Authors can't review their own units."), _("Choose two people."))
    with transaction.atomic():
        hold_draft(unit_set)
        count = _give(unit_set, examples, author, reviewer)
        people = " and ".join(
            _("{person} as {part}").format(person=person, part=part)
            for person, part in ((author, "author"), (reviewer, "reviewer"))
            if person is not None
        )
        record_activity(
            project=unit_set.project,
            actor=user,
            verb=Verb.ASSIGN,
            target=unit_set,
            text=_("assigned {examples} of {unit_set} to {people}").format(
                examples=counted(count, "example", "examples"), unit_set=unit_set, people=people
            ),
            details={"examples": count},
        )
        _tell_assigned(unit_set, user, [author, reviewer])
    return count


def _give(
    unit_set: UnitSet, examples: list[int], author: User | None, reviewer: User | None
) -> int:
    """Nobody is both of one example: a new author's reviews go, an author gets none to review."""
    rows = Assignment.objects.filter(set=unit_set, example__in=examples)
    if author is not None:
        rows.filter(reviewer=author).update(reviewer=None)
        rows.update(author=author)
    if reviewer is not None:
        rows = rows.exclude(author=reviewer)
        rows.update(reviewer=reviewer)
    return rows.count()


def _tell_assigned(unit_set: UnitSet, user: User, people: list[User | None]) -> None:
    notify(
        users=people,
        project=unit_set.project,
        kind=NotificationKind.ASSIGNED,
        key=name_day(f"assigned:{unit_set.pk}"),
        text=_("{user} assigned you examples of {unit_set}.").format(user=user, unit_set=unit_set),
        target=unit_set,
        actor=user,
        renew=True,
    )


def assign_range(
    *,
    unit_set: UnitSet,
    user: User,
    first: int,
    last: int,
    author: User | None = None,
    reviewer: User | None = None,
) -> int:
    """Give examples out by their numbers in the corpus, from 1; numbers beyond it are nobody's."""
    if author is None and reviewer is None:
        raise DomainError(
            _("No author or reviewer was given."), _("Choose an author, a reviewer or both.")
        )
    if first > last:
        raise DomainError(
            _("{first} comes after {last}.").format(first=first, last=last),
            _("Name the lower number first."),
        )
    rows = Example.objects.live().filter(project=unit_set.project).order_by("position", "pk")
    # A slice beyond what the database can count is a slice to the end.
    chosen = rows.values_list("pk", flat=True)[min(first, MOST) - 1 : min(last, MOST)]
    ensure_assignments(unit_set)
    return assign_examples(
        unit_set=unit_set, examples=list(chosen), user=user, author=author, reviewer=reviewer
    )


def mark_written(*, unit_set: UnitSet, example: Example, user: User) -> Assignment:
    """The author says: done, somebody may check it."""
    with transaction.atomic():
        hold_draft(unit_set)
        _refuse_if_blank(unit_set, example)
        assignment = _advance(unit_set, example, AssignmentState.WRITTEN, user)
        _record(unit_set, example, user, Verb.WRITE, _("finished writing {example} of {unit_set}"))
        notify(
            users=[assignment.reviewer],
            project=unit_set.project,
            kind=NotificationKind.REVIEW,
            key=name_day(f"review:{unit_set.pk}"),
            text=_("Examples of {unit_set} are ready for your review.").format(unit_set=unit_set),
            target=unit_set,
            actor=user,
            renew=True,
        )
    return assignment


def _record(unit_set: UnitSet, example: Example, user: User, verb: Verb, said: str) -> None:
    record_activity(
        project=unit_set.project,
        actor=user,
        verb=verb,
        target=unit_set,
        text=said.format(example=example, unit_set=unit_set),
        details={"example": example.pk},
    )


def sign_off(*, unit_set: UnitSet, example: Example, user: User) -> Assignment:
    """Somebody other than the author says: checked."""
    with transaction.atomic():
        hold_draft(unit_set)
        _refuse_own(unit_set, example, user)
        _refuse_if_discussed(unit_set, example)
        _refuse_if_blank(unit_set, example)
        _record(unit_set, example, user, Verb.SIGN_OFF, _("signed off {example} of {unit_set}"))
        return _advance(unit_set, example, AssignmentState.SIGNED, user)


def has_written(unit_set: UnitSet, example: Example, user: User) -> bool:
    """Whether somebody is the example's author, by name or by what they did to its units."""
    mine = Q(author=user) | Q(written_by=user)
    named = Assignment.objects.filter(mine, set=unit_set, example=example)
    return named.exists() or list_written(unit_set, user).filter(example=example).exists()


def list_written(unit_set: UnitSet, user: User) -> QuerySet[Change]:
    """What somebody did to units themselves, here or in a version that this one began as.

    To accept or to move is a reviewer's part too.
    """
    done = Change.objects.filter(set__in=_list_lineage(unit_set), actor=user)
    return done.exclude(action__in=("accept", "move")).order_by()


def _list_lineage(unit_set: UnitSet) -> list[int]:
    """The set and those before it, each the copy of the next."""
    if unit_set.parent_id is None:
        return [unit_set.pk]
    versions = UnitSet.objects.filter(project=unit_set.project_id, name=unit_set.name)
    parents = dict(versions.values_list("pk", "parent_id"))
    lineage = [unit_set.pk]
    while parent := parents.get(lineage[-1]):
        lineage.append(parent)
    return lineage


def _refuse_own(unit_set: UnitSet, example: Example, user: User) -> None:
    if has_written(unit_set, example, user):
        raise Forbidden(
            _("Authors can't sign off their own units."),
            _("Ask another member to check the example."),
        )


def _refuse_if_discussed(unit_set: UnitSet, example: Example) -> None:
    open_comments = Comment.objects.filter(
        set=unit_set, example=example, state=CommentState.OPEN
    ).count()
    if open_comments:
        raise DomainError(
            ngettext(
                "{comments:,} comment of this example is open.",
                "{comments:,} comments of this example are open.",
                open_comments,
            ).format(comments=open_comments),
            ngettext(
                "Accept, reject or answer it first.",
                "Accept, reject or answer them first.",
                open_comments,
            ),
        )


def _refuse_if_blank(unit_set: UnitSet, example: Example) -> None:
    """A unit without a text would only be found when the set is frozen."""
    units = Unit.objects.filter(set=unit_set, example=example, is_deleted=False, text="")
    if blank := units.count():
        raise DomainError(
            ngettext(
                "{blank:,} unit of this example has no text.",
                "{blank:,} units of this example have no text.",
                blank,
            ).format(blank=blank),
            _("Write or delete them, then try again."),
        )


def reopen(*, unit_set: UnitSet, example: Example, user: User) -> Assignment:
    """Back to writing."""
    with transaction.atomic():
        assignment = _advance(unit_set, example, AssignmentState.TODO, user)
        _record(unit_set, example, user, Verb.REOPEN, _("reopened {example} of {unit_set}"))
        notify(
            users=[assignment.author],
            project=unit_set.project,
            kind=NotificationKind.SENT_BACK,
            key=name_day(f"back:{unit_set.pk}:{example.pk}"),
            text=_("{user} reopened {example} of {unit_set} for writing.").format(
                user=user, example=example, unit_set=unit_set
            ),
            target=unit_set,
            actor=user,
            renew=True,
        )
    return assignment


def _advance(unit_set: UnitSet, example: Example, state: AssignmentState, user: User) -> Assignment:
    with transaction.atomic():
        hold_draft(unit_set)
        assignment, __ = _with_people().get_or_create(set=unit_set, example=example)
        now = clock.now()
        assignment.state = state
        if state == AssignmentState.WRITTEN:
            assignment.written_by, assignment.written_at = user, now
            assignment.author = assignment.author or user
        signed = state == AssignmentState.SIGNED
        assignment.signed_by = user if signed else None
        assignment.signed_at = now if signed else None
        assignment.save()
    return assignment
