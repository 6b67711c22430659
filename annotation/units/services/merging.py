"""Merging units of the same meaning into one, whose weight is the references that carry it."""

from __future__ import annotations

import uuid
from typing import Any

from annotation.corpora.models import Example, User
from annotation.errors import Invalid
from annotation.translation import gettext as _
from annotation.units.models import Unit, UnitSet
from annotation.units.services.ops import Op, apply_op
from annotation.units.states import unit_state, units_with_spans


def merge_units(
    *, unit_set: UnitSet, example: Example, user: User, units: list[int], text: str
) -> Unit:
    """The first unit keeps its place, takes the text and everybody's words; the others go."""
    known = {unit.pk: unit for unit in units_with_spans(unit_set, example) if not unit.is_deleted}
    chosen = [known[pk] for pk in dict.fromkeys(units) if pk in known]
    if len(chosen) < 2:
        raise Invalid(
            _("Merging needs at least two units."),
            _("Reload the page: some of them no longer exist."),
        )
    keep, *gone = chosen
    op = Op(uuid.uuid4(), "merge", [_update(keep, chosen, text), *map(_delete, gone)])
    apply_op(unit_set=unit_set, example=example, user=user, op=op)
    return Unit.objects.get(pk=keep.pk)


def _update(keep: Unit, chosen: list[Unit], text: str) -> dict[str, Any]:
    spans = [span for unit in chosen for span in unit_state(unit)["spans"]]
    return {
        "action": "update",
        "unit": keep.pk,
        "revision": keep.revision,
        "text": text.strip() or keep.text,
        "spans": spans,
    }


def _delete(unit: Unit) -> dict[str, Any]:
    return {"action": "delete", "unit": unit.pk, "revision": unit.revision}
