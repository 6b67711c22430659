"""Who may see a set whose author writes it independently of another author."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from annotation.corpora.models import User
from annotation.errors import Forbidden
from annotation.translation import gettext as _
from annotation.units.models import DoubleAuthor, UnitSet


def list_unrevealed() -> QuerySet[DoubleAuthor]:
    """Authors whose units nobody else sees yet."""
    return DoubleAuthor.objects.filter(double__revealed_at=None).order_by()


def list_hidden_sets(user: User | None) -> QuerySet[Any]:
    """The ids of sets that this person doesn't see; without a person, of all that are hidden."""
    rows = list_unrevealed()
    hidden = rows if user is None else rows.exclude(user=user)
    return hidden.values("set")


def is_hidden(unit_set: UnitSet, user: User | None) -> bool:
    return list_hidden_sets(user).filter(set=unit_set).exists()


def refuse_if_hidden(unit_set: UnitSet, user: User | None) -> None:
    if is_hidden(unit_set, user):
        raise hidden_from_others(unit_set)


def hidden_from_others(unit_set: UnitSet) -> Forbidden:
    return Forbidden(
        _("{unit_set} is visible only to its author until both authors are done.").format(
            unit_set=unit_set
        ),
        _("See Units → Double annotation."),
    )
