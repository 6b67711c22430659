"""The units of an example, as its page in the corpus shows them."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.access import ProjectAccess
from annotation.corpora.models import Example
from annotation.corpora.selectors.example_parts import EXAMPLE_PARTS, ExamplePart
from annotation.units.models import SetState, Unit, UnitSet
from annotation.units.selectors.blind import list_hidden_sets
from annotation.units.selectors.studio import list_sets
from annotation.units.states import units_with_spans

MOST_SETS = 20


@dataclass(frozen=True, slots=True)
class ExampleUnits:
    """Of the set that people work on; `others` are further sets with units of this example."""

    unit_set: UnitSet
    units: list[Unit]
    others: list[UnitSet]


def describe_units(access: ProjectAccess, example: Example) -> ExamplePart | None:
    """Drafts come before frozen sets, SCUs before STUs, newer sets before older ones."""
    sets = list_sets(access.project).filter(archived_at=None)
    visible = sets.exclude(pk__in=list_hidden_sets(access.user))
    known = list(visible.order_by("-created_at", "-pk")[:MOST_SETS])
    if not known:
        return None
    live = Unit.objects.filter(set__in=known, example=example, is_deleted=False)
    filled = set(live.order_by().values_list("set_id", flat=True).distinct())
    known.sort(key=lambda row: (row.pk not in filled, bool(row.extractor), _is_done(row)))
    first, *rest = known
    units = list(units_with_spans(first, example).filter(is_deleted=False))
    others = [row for row in rest if row.pk in filled]
    return ExamplePart("units/_example_part.html", ExampleUnits(first, units, others))


def _is_done(unit_set: UnitSet) -> bool:
    return unit_set.state == SetState.FROZEN


EXAMPLE_PARTS.append(describe_units)
