"""Two authors write the same references independently; both are frozen, compared and merged."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation import clock
from annotation.access import holds_role
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.corpus.models import Example
from annotation.corpora.notifications.models import NotificationKind
from annotation.corpora.notifications.service import name_day, notify
from annotation.corpora.projects.models import Project, Role
from annotation.errors import DomainError, Forbidden, Invalid, NotFound
from annotation.removal import remove_rows
from annotation.units.double.models import DoubleAnnotation, DoubleAuthor
from annotation.units.double.queries import list_tallies
from annotation.units.sets.locks import hold_set
from annotation.units.sets.models import Unit, UnitSet
from annotation.units.sets.service import create_set, refuse_if_empty, refuse_if_unwritten, seal_set
from annotation.units.studio.ops import Op, apply_op
from annotation.units.studio.progress import assign_examples, mark_written
from annotation.wording import counted
from scoring.double import measure_double

# Both are compared while somebody waits.
MOST_EXAMPLES = 500
SIDES = "AB"


def create_double(
    *,
    project: Project,
    user: User,
    name: str,
    authors: Sequence[User],
    first: int,
    last: int,
) -> DoubleAnnotation:
    """Give examples `first` to `last`, counted from 1, to two authors with a set each."""
    examples = _read_range(project, first, last)
    if len(authors) != 2 or authors[0] == authors[1]:
        raise DomainError(_("The two authors must be different people."), _("Choose two people."))
    with transaction.atomic():
        double = _make(project, user, " ".join(name.split()), first, first + len(examples) - 1)
        for position, author in enumerate(authors):
            own = create_set(project=project, user=user, name=f"{double.name} {SIDES[position]}")
            DoubleAuthor.objects.create(double=double, set=own, user=author, position=position)
            assign_examples(unit_set=own, examples=examples, user=user, author=author)
        text = _("started the double annotation {double} of {examples}").format(
            double=double, examples=counted(len(examples), "example", "examples")
        )
        record_activity(project=project, actor=user, verb=Verb.CREATE, target=double, text=text)
    return double


def _read_range(project: Project, first: int, last: int) -> list[int]:
    if not 1 <= first <= last:
        raise DomainError(
            _("{first} to {last} is not a range of examples.").format(first=first, last=last),
            _("Start from 1."),
        )
    if last - first >= MOST_EXAMPLES:
        raise DomainError(
            _("{last:,} examples are too many. The limit is {most_examples}.").format(
                last=last - first + 1, most_examples=MOST_EXAMPLES
            )
        )
    rows = Example.objects.live().filter(project=project).order_by("position", "pk")
    found = list(rows.values_list("pk", flat=True)[first - 1 : last])
    if not found:
        raise DomainError(
            _("The project has no example {first:,}.").format(first=first),
            _("Choose lower numbers."),
        )
    return found


def _make(project: Project, user: User, name: str, first: int, last: int) -> DoubleAnnotation:
    if not name:
        raise Invalid(_("The double annotation needs a name."))
    taken = UnitSet.objects.filter(project=project, name=name).exists()
    try:
        if taken:
            raise IntegrityError
        with transaction.atomic():
            return DoubleAnnotation.objects.create(
                project=project,
                name=name,
                created_by=user,
                first_example=first,
                last_example=last,
            )
    except IntegrityError:
        raise DomainError(
            _("A unit set or double annotation is already called '{name}'.").format(name=name),
            _("Choose another name."),
        ) from None


# Done --------------------------------------------------------------------------------------------


def mark_done(
    *, double: DoubleAnnotation, user: User, author: DoubleAuthor, done: bool = True
) -> DoubleAnnotation:
    """An author has written all they want to; the second one's word freezes and shows both sets.

    Editors may say so for somebody who is gone, but neither author for the other.
    """
    with transaction.atomic():
        held = _hold_open(double)
        _require_word_of(held, author, user)
        if done:
            refuse_if_empty(author.set)
            refuse_if_unwritten(author.set)
        rows = DoubleAuthor.objects.filter(pk=author.pk, done_at__isnull=done)
        if rows.update(done_at=clock.now() if done else None):
            verb, said = (Verb.FINISH, "finished") if done else (Verb.REOPEN, "resumed")
            text = _("{said} {set} of the double annotation {held}").format(
                said=said, set=author.set, held=held
            )
            record_activity(project=held.project, actor=user, verb=verb, target=held, text=text)
        if not held.authors.filter(done_at=None).exists():
            _reveal(held, user)
    double.refresh_from_db()
    return double


def _hold_open(double: DoubleAnnotation) -> DoubleAnnotation:
    rows = DoubleAnnotation.objects.select_related("project").select_for_update(of=("self",))
    held = rows.filter(pk=double.pk).first()
    if held is None:
        raise NotFound(_("{double} was deleted.").format(double=double))
    if held.revealed_at:
        raise DomainError(
            _("{held} is finished: both sets are frozen.").format(held=held), _("Merge them.")
        )
    return held


def _require_word_of(double: DoubleAnnotation, author: DoubleAuthor, user: User) -> None:
    if author.user_id == user.pk:
        return
    is_author = double.authors.filter(user=user).exists()
    if is_author or not holds_role(user.pk, double.project_id, Role.EDITOR):
        raise Forbidden(
            _("Only {user} can mark {set} as done.").format(
                user=author.user or _("an editor"), set=author.set
            ),
            _("If the author has left, an editor who is not the other author can do this."),
        )


def _reveal(double: DoubleAnnotation, user: User) -> None:
    """Freeze both, so that what is compared is what was written independently."""
    for author in double.authors.all():
        seal_set(hold_set(author.set), user, _("Both authors of the double annotation are done."))
    double.agreement = describe_agreement(double)
    double.revealed_at = clock.now()
    double.save(update_fields=["agreement", "revealed_at"])
    notify(
        users=[double.created_by, *(author.user for author in double.authors.all())],
        project=double.project,
        kind=NotificationKind.REVIEW,
        key=name_day(f"double:{double.pk}"),
        text=_("Both authors of {double} are done. Their units can be compared and merged.").format(
            double=double
        ),
        target=double,
        actor=user,
        renew=True,
    )


def describe_agreement(double: DoubleAnnotation) -> dict[str, Any]:
    """All figures, and those of each example by its id."""
    tallies = list_tallies(double)
    measured = asdict(measure_double(tallies.values()))
    rows = {
        str(pk): {**asdict(tally), "f1": tally.f1, "alpha": tally.alpha}
        for pk, tally in tallies.items()
    }
    return {**measured, "by_example": rows}


def delete_double(*, double: DoubleAnnotation, user: User) -> None:
    """One that is still written goes with both sets, so that nobody sees the other's that way."""
    with transaction.atomic():
        held = _hold_open(double)
        text = _("deleted the double annotation {held} with both sets").format(held=held)
        record_activity(project=held.project, actor=user, verb=Verb.DELETE, target=held, text=text)
        sets = list(held.authors.values_list("set", flat=True))
        remove_rows(DoubleAnnotation.objects.filter(pk=held.pk))
        remove_rows(UnitSet.objects.filter(pk__in=sets))


# Merging -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MergedUnit:
    """A unit of the merged set: its text, and the ids of the units that it stands for."""

    text: str
    sources: tuple[int, ...]


def merge_double(
    *, double: DoubleAnnotation, example: Example, user: User, units: Sequence[MergedUnit]
) -> UnitSet:
    """Write an example of the merged set, by somebody who is neither author; again replaces it.

    A unit stands on the words of all its sources.
    """
    if double.revealed_at is None:
        raise DomainError(
            _("{double} is still being written.").format(double=double),
            _("Wait until both authors are done."),
            fix=double,
        )
    if double.authors.filter(user=user).exists():
        raise Forbidden(_("Authors can't merge their own units."), _("Ask a third member."))
    with transaction.atomic():
        merged = _get_merged(double, user)
        sources = _read_sources(double, example, units)
        live = Unit.objects.filter(set=merged, example=example, is_deleted=False)
        gone = [
            {"action": "delete", "unit": pk, "revision": revision}
            for pk, revision in live.values_list("pk", "revision")
        ]
        made = [_create(unit, sources) for unit in units]
        if changes := [*gone, *made]:
            op = Op(uuid.uuid4(), "merge", changes)
            apply_op(unit_set=merged, example=example, user=user, op=op)
        mark_written(unit_set=merged, example=example, user=user)
    return merged


def _get_merged(double: DoubleAnnotation, user: User) -> UnitSet:
    held = DoubleAnnotation.objects.select_for_update(of=("self",)).get(pk=double.pk)
    if held.merged is None:
        held.merged = create_set(project=double.project, user=user, name=double.name)
        held.save(update_fields=["merged"])
    double.merged = held.merged
    return held.merged


def _read_sources(
    double: DoubleAnnotation, example: Example, units: Sequence[MergedUnit]
) -> dict[int, Unit]:
    sets = double.authors.values("set")
    rows = Unit.objects.filter(set__in=sets, example=example, is_deleted=False)
    found = {row.pk: row for row in rows.prefetch_related("contributors")}
    for pk in (pk for unit in units for pk in unit.sources):
        if pk not in found:
            raise NotFound(
                _("Unit {pk} is in neither set of {double}.").format(pk=pk, double=double)
            )
    return found


def _create(unit: MergedUnit, sources: dict[int, Unit]) -> dict[str, Any]:
    if not unit.text.strip():
        raise Invalid(_("A merged unit has no text."), _("Write its text, or leave the unit out."))
    spans = [
        {"reference": span.reference_id, "start": span.start, "end": span.end}
        for pk in unit.sources
        for span in sources[pk].contributors.all()
    ]
    return {"action": "create", "text": unit.text, "spans": spans}
