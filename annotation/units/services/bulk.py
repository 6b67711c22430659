"""Many units of a set changed at once: each example as one action, all of them or none."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from django.db import transaction

from annotation.corpora.models import User
from annotation.errors import DomainError, Invalid
from annotation.translation import gettext as _
from annotation.units.models import Unit, UnitSet
from annotation.units.services.locks import hold_draft
from annotation.units.services.ops import Op, apply_op
from annotation.wording import counted

# A request waits for it.
MOST = 500
ACTIONS = ("replace", "delete", "restore")


def edit_units(
    *,
    unit_set: UnitSet,
    user: User,
    action: str,
    units: Mapping[int, int],
    find: str = "",
    replacement: str = "",
) -> int:
    """Change units that somebody saw at these revisions; return how many changed.

    `replace` puts `replacement` where a text has `find`, exactly as written.
    """
    _check(action, units, find)
    with transaction.atomic():
        held = hold_draft(unit_set)
        rows = list(
            Unit.objects.filter(set=held, pk__in=units)
            .select_related("example")
            .order_by("example__position", "example_id", "position")
        )
        if len(rows) < len(units):
            raise DomainError(_("Some of these units no longer exist."), _("Reload the page."))
        _refuse_if_stale(rows, units)
        count = 0
        for example, group in groupby(rows, key=lambda unit: unit.example):
            changes = _changes(group, action, units, find, replacement)
            if changes:
                op = Op(uuid.uuid4(), action, changes)
                apply_op(unit_set=held, example=example, user=user, op=op)
                count += len(changes)
    return count


def _check(action: str, units: Mapping[int, int], find: str) -> None:
    if action not in ACTIONS:
        raise Invalid(
            _("Unknown action '{action}'.").format(action=action),
            _("Use {actions}.").format(actions=", ".join(ACTIONS)),
        )
    if not units:
        raise DomainError(_("No unit is selected."), _("Select the units to change."))
    if len(units) > MOST:
        raise DomainError(
            _("{units:,} units selected. Change at most {most} at a time.").format(
                units=len(units), most=MOST
            )
        )
    if action == "replace" and not find:
        raise DomainError(_("There is no text to replace."), _("Enter the text to replace."))


def _refuse_if_stale(rows: list[Unit], units: Mapping[int, int]) -> None:
    for unit in rows:
        if unit.revision != units[unit.pk]:
            raise DomainError(
                _("Someone else changed “{unit}” in {example}. Nothing was changed.").format(
                    unit=unit, example=unit.example
                ),
                _("Check the selected units and try again."),
            )


def _changes(
    group: Any, action: str, units: Mapping[int, int], find: str, replacement: str
) -> list[dict[str, Any]]:
    changes = []
    for unit in group:
        change = {"unit": unit.pk, "revision": units[unit.pk]}
        if action == "replace":
            text = unit.text.replace(find, replacement)
            if text == unit.text or unit.is_deleted:
                continue
            if not text.strip():
                raise DomainError(
                    _("The unit “{unit}” in {example} would be empty.").format(
                        unit=unit.text, example=unit.example
                    ),
                    _("Delete the unit instead."),
                )
            changes.append({"action": "update", "text": text, **change})
        elif unit.is_deleted == (action == "restore"):
            changes.append({"action": action, **change})
    return changes


def describe_edit(action: str, count: int) -> str:
    units = counted(count, "unit", "units")
    done = {
        "replace": _("{units} changed.").format(units=units),
        "delete": _("{units} deleted.").format(units=units),
        "restore": _("{units} restored.").format(units=units),
    }
    return done[action]
