"""What the merge assistant proposes, and the pyramid of an example by weight."""

from __future__ import annotations

from typing import Any

from annotation.corpora.models import Example
from annotation.errors import TooLarge
from annotation.translation import gettext as _
from annotation.units.models import Unit, UnitSet
from annotation.units.states import units_with_spans
from scoring.merging import UnitText, propose_clusters

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
