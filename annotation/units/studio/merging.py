"""Merging units of the same meaning into one, whose weight is the references that carry it.

- What the merge assistant proposes, and the pyramid of an example by weight.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.errors import Invalid, TooLarge
from annotation.units.sets.models import Unit, UnitSet
from annotation.units.studio.ops import Op, apply_op
from annotation.units.studio.states import unit_state, units_with_spans
from scoring.merging import UnitText, propose_clusters


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


# Each is compared with every other one while somebody waits.
MOST_UNITS = 500


def list_clusters(unit_set: UnitSet, example: Example) -> list[dict[str, Any]]:
    units = {str(unit.pk): unit for unit in _live(unit_set, example)}
    if len(units) > MOST_UNITS:
        raise TooLarge(
            _("{units:,} units are too many to compare here. The limit is {most_units}.").format(
                units=len(units), most_units=MOST_UNITS
            ),
            _("Merge units in the studio, or split the example."),
        )
    numbers = dict(example.references.values_list("pk", "position"))
    texts = [
        UnitText(str(unit.pk), _first_reference(unit, numbers), unit.text)
        for unit in units.values()
        if unit.contributors.all()
    ]
    return [
        {
            "units": [
                {"unit": units[pk], "references": _references(units[pk], numbers)}
                for pk in cluster.members
            ],
            "text": cluster.label,
            "score": cluster.score,
        }
        for cluster in propose_clusters(texts)
    ]


def list_tiers(unit_set: UnitSet, example: Example) -> list[dict[str, Any]]:
    """Units by weight, the heaviest first, every weight up to the number of references."""
    units = _live(unit_set, example)
    top = max([unit.weight for unit in units], default=0)
    return [
        {"weight": weight, "units": [unit for unit in units if unit.weight == weight]}
        for weight in range(top, 0, -1)
    ]


def _live(unit_set: UnitSet, example: Example) -> list[Unit]:
    return [unit for unit in units_with_spans(unit_set, example) if not unit.is_deleted]


def _references(unit: Unit, numbers: dict[int, int]) -> list[int]:
    return sorted({numbers[span.reference_id] + 1 for span in unit.contributors.all()})


def _first_reference(unit: Unit, numbers: dict[int, int]) -> int:
    return min(numbers[span.reference_id] for span in unit.contributors.all())
