"""What may change about a set at any time, frozen or not: its name, and whether lists show it."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from annotation import clock
from annotation.corpora.models import User, Verb
from annotation.corpora.services.activity import record_activity
from annotation.errors import DomainError, Invalid
from annotation.translation import gettext as _
from annotation.units.models import UnitSet
from annotation.units.services.locks import hold_set


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
