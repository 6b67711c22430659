"""Making, reviewing, freezing and deleting sets of units."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.notifications.models import NotificationKind
from annotation.corpora.notifications.service import name_day, notify
from annotation.corpora.projects.models import Project, Role
from annotation.errors import DomainError, Invalid
from annotation.removal import remove_rows
from annotation.translation import gettext_lazy
from annotation.units.files.filling import forget_files
from annotation.units.files.peers import iter_canonical_peers
from annotation.units.sets.locks import (
    hold_draft,
    hold_set,
    refuse_if_frozen,
    refuse_if_independent,
)
from annotation.units.sets.models import SetState, StudioSettings, Unit, UnitSet, Weighting
from annotation.units.sets.queries import get_settings
from annotation.units.studio.models import Assignment, AssignmentState
from annotation.units.studio.progress import ensure_assignments
from annotation.wording import counted

READ_CHUNK = 2000
WORDS = {
    SetState.DRAFT: gettext_lazy("a draft"),
    SetState.REVIEW: gettext_lazy("in review"),
    SetState.FROZEN: "frozen",
}


# What later apps must be asked before a set goes; who refuses raises an error.
SET_REFUSALS: list[Callable[[UnitSet], None]] = []


def update_settings(
    *, project: Project, weighting: Weighting, disabled_rules: list[str]
) -> StudioSettings:
    """For sets made from now on; those that are there keep their weighting."""
    with transaction.atomic():
        settings, __ = StudioSettings.objects.update_or_create(
            project=project,
            defaults={"weighting": weighting, "disabled_rules": sorted(set(disabled_rules))},
        )
        text = _("changed the settings of the studio")
        record_activity(project=project, verb=Verb.CHANGE, target=project, text=text)
    settings.project = project  # which remembers its settings from now on
    return settings


def create_set(*, project: Project, user: User | None, name: str) -> UnitSet:
    try:
        with transaction.atomic():
            unit_set = UnitSet.objects.create(
                project=project,
                name=name,
                created_by=user,
                weighting=get_settings(project).weighting,
            )
            ensure_assignments(unit_set)
            text = _("created the unit set {unit_set}").format(unit_set=unit_set.name)
            record_activity(
                project=project, actor=user, verb=Verb.CREATE, target=unit_set, text=text
            )
    except IntegrityError:
        raise DomainError(
            _("A unit set is already called '{name}'.").format(name=name), _("Choose another name.")
        ) from None
    return unit_set


def send_to_review(*, unit_set: UnitSet, user: User) -> None:
    """The writing is done; what is left is to check, fix and freeze it."""
    with transaction.atomic():
        held = hold_draft(unit_set)
        _refuse_unless(held, SetState.DRAFT, _("Reload the page."))
        refuse_if_independent(held)
        refuse_if_empty(held)
        _move(
            held, SetState.REVIEW, user, Verb.REVIEW, _("sent {held} to review").format(held=held)
        )
        _tell_reviewers(held, user)
    unit_set.state = held.state


def back_to_draft(*, unit_set: UnitSet, user: User) -> None:
    """There is more to write; what was signed off stays so until it is changed."""
    with transaction.atomic():
        held = hold_draft(unit_set)
        _refuse_unless(held, SetState.REVIEW, _("Reload the page."))
        _move(
            held, SetState.DRAFT, user, Verb.REOPEN, _("returned {held} to draft").format(held=held)
        )
        _tell_authors(held, user)
    unit_set.state = held.state


def _move(held: UnitSet, state: SetState, user: User, verb: Verb, text: str) -> None:
    held.state = state
    held.save(update_fields=["state"])
    record_activity(project=held.project, actor=user, verb=verb, target=held, text=text)


def _tell_reviewers(held: UnitSet, user: User) -> None:
    notify(
        users=User.objects.filter(pk__in=_people_of(held, "reviewer")),
        project=held.project,
        kind=NotificationKind.REVIEW,
        key=name_day(f"review:{held.pk}"),
        text=_("{user} sent {held} to review.").format(user=user, held=held),
        target=held,
        actor=user,
        renew=True,
    )


def _tell_authors(held: UnitSet, user: User) -> None:
    notify(
        users=User.objects.filter(pk__in=_people_of(held, "author")),
        project=held.project,
        kind=NotificationKind.SENT_BACK,
        key=name_day(f"back:{held.pk}"),
        text=_("{user} returned {held} to draft.").format(user=user, held=held),
        target=held,
        actor=user,
        renew=True,
    )


def _people_of(held: UnitSet, part: str) -> QuerySet[Any]:
    named = Assignment.objects.filter(set=held).exclude(**{part: None})
    return named.order_by().values(part).distinct()


def _refuse_unless(held: UnitSet, state: SetState, hint: str) -> None:
    if held.state != state:
        raise DomainError(
            _("{held} is {words}.").format(held=held, words=WORDS[SetState(held.state)]), hint
        )


def refuse_if_empty(held: UnitSet) -> None:
    if not Unit.objects.filter(set=held, is_deleted=False).exists():
        raise DomainError(
            _("{held} has no units.").format(held=held), _("Write some units first."), fix=held
        )


def delete_set(*, unit_set: UnitSet, user: User) -> None:
    """The set with its units and all that was said of them; one that is being filled stays."""
    with transaction.atomic():
        held = hold_set(unit_set)
        refuse_if_frozen(held)
        if held.job and not held.job.is_over:
            raise DomainError(
                _("Units are still being added to {held}.").format(held=held),
                _("Cancel its job first."),
                fix=held,
            )
        refuse_if_independent(held)
        for refuse in SET_REFUSALS:
            refuse(held)
        text = _("deleted the unit set {unit_set}").format(unit_set=unit_set)
        record_activity(
            project=unit_set.project, actor=user, verb=Verb.DELETE, target=unit_set, text=text
        )
        remove_rows(UnitSet.objects.filter(pk=held.pk))
    if held.job:
        forget_files(held.job.params)


# Freezing ------------------------------------------------------------------------------------


def freeze_set(*, unit_set: UnitSet, user: User | None, role: Role, reason: str = "") -> str:
    """Give a set in review its hash; from then on it never changes.

    Every example must be signed off by somebody other than its author, or an owner says why not.
    """
    with transaction.atomic():
        locked = hold_draft(unit_set)
        _refuse_unless(locked, SetState.REVIEW, _("Send it to review first."))
        refuse_if_empty(locked)
        refuse_if_unwritten(locked)
        _refuse_if_unsigned(locked, role, reason)
        seal_set(locked, user, reason)
    unit_set.refresh_from_db()
    return unit_set.content_hash


def seal_set(held: UnitSet, user: User | None, reason: str = "") -> None:
    """Count and hash what is there; who calls it has made sure that it may be frozen."""
    held.content_hash = content_hash(held)
    held.unit_count = Unit.objects.filter(set=held, is_deleted=False).count()
    held.state = SetState.FROZEN
    held.frozen_by, held.frozen_at = user, clock.now()
    held.freeze_reason = reason
    held.save()
    text = _("froze {held} with {units}").format(
        held=held, units=counted(held.unit_count, "unit", "units")
    )
    record_activity(project=held.project, actor=user, verb=Verb.FREEZE, target=held, text=text)


def refuse_if_unwritten(unit_set: UnitSet) -> None:
    units = Unit.objects.filter(set=unit_set, is_deleted=False)
    empty = units.filter(text="").select_related("example")
    if first := empty.order_by("example__position").first():
        raise DomainError(
            _("{units} without text, the first in example '{example}'.").format(
                units=counted(empty.count(), "unit", "units"), example=first.example.key
            ),
            _("Write or delete these units."),
            fix=reverse(
                "units:studio", args=[unit_set.project.slug, unit_set.pk, first.example_id]
            ),
        )


def count_unsigned(unit_set: UnitSet) -> int:
    """Examples that nobody but their author has looked at, unless STUs stand in for them.

    Whoever signed may have been made the author later.
    """
    rows = Assignment.objects.filter(set=unit_set)
    by_another = rows.filter(state=AssignmentState.SIGNED).exclude(signed_by=F("author"))
    spared = rows.filter(state=AssignmentState.SPARED)
    return unit_set.project.example_count - by_another.count() - spared.count()


def _refuse_if_unsigned(unit_set: UnitSet, role: Role, reason: str) -> None:
    unsigned = count_unsigned(unit_set)
    if not unsigned:
        return
    if role != Role.OWNER or not reason.strip():
        raise DomainError(
            _("{examples} not signed off by a second person.").format(
                examples=counted(unsigned, "example", "examples")
            ),
            _("Have them checked, or ask an owner to freeze the set with a reason."),
        )


def content_hash(unit_set: UnitSet) -> str:
    """SHA-256 over every unit in the order of the corpus, then over every peer and its marks.

    What a set has none of leaves no trace, so that hashes from before it was known still hold.
    Words found by overlap are a guess that can be made again, perhaps otherwise; what counts are
    those that a person or a file has named.
    """
    digest = hashlib.sha256()
    for line in chain(iter_canonical(unit_set), iter_canonical_peers(unit_set)):
        digest.update(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode())
        digest.update(b"\n")
    return digest.hexdigest()


def iter_canonical(unit_set: UnitSet) -> Iterator[list[Any]]:
    """What a set is made of, without anything that differs between two servers."""
    rows = (
        Unit.objects.filter(set=unit_set, is_deleted=False)
        .select_related("example")
        .prefetch_related("contributors__reference")
        .order_by("example__position", "example_id", "position", "pk")
    )
    for unit in rows.iterator(chunk_size=READ_CHUNK):
        spans = sorted(
            [span.reference.position, span.start, span.end]
            for span in unit.contributors.all()
            if not span.is_aligned
        )
        line = [unit.example.key, unit.kind, unit.text, unit.weight, unit.extractor, spans]
        yield [*line, unit.extractor_version] if unit.extractor_version else line


def rename_set(*, unit_set: UnitSet, user: User, name: str) -> UnitSet:
    """All versions together, since the name is what makes them versions. The hash stays."""
    name = " ".join(name.split())
    if not name:
        raise Invalid(_("The set needs a name."))
    try:
        with transaction.atomic():
            held = hold_set(unit_set)
            if held.name != name:
                _rename(held, user, name)
    except IntegrityError:
        raise _name_is_taken(name) from None
    unit_set.name = name
    return unit_set


def _rename(held: UnitSet, user: User, name: str) -> None:
    sets = UnitSet.objects.filter(project=held.project)
    if sets.filter(name=name).exists():
        raise _name_is_taken(name)
    before, versions = str(held), sets.filter(name=held.name)
    versions.update(name=name)
    held.name = name
    text = _("renamed the unit set {before} to {name}").format(before=before, name=name)
    record_activity(project=held.project, actor=user, verb=Verb.CHANGE, target=held, text=text)


def _name_is_taken(name: str) -> DomainError:
    return DomainError(
        _("Another unit set is already called '{name}'.").format(name=name),
        _("Choose another name."),
    )


def archive_set(*, unit_set: UnitSet, user: User, archived: bool = True) -> UnitSet:
    """Leave a frozen set out of lists and choices, or show it again. What uses it goes on."""
    with transaction.atomic():
        held = hold_set(unit_set)
        if archived and not held.is_frozen:
            raise DomainError(
                _("{held} is not frozen.").format(held=held),
                _("Delete it, or freeze it first."),
                fix=held,
            )
        if bool(held.archived_at) != archived:
            held.archived_at = clock.now() if archived else None
            held.save(update_fields=["archived_at"])
            text = (
                _("archived {held}").format(held=held)
                if archived
                else _("restored {held} from the archive").format(held=held)
            )
            record_activity(
                project=held.project, actor=user, verb=Verb.CHANGE, target=held, text=text
            )
    unit_set.archived_at = held.archived_at
    return unit_set
