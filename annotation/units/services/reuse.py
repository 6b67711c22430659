"""SCUs that people wrote in one set, copied into a draft that starts from them."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import F

from annotation.units.models import (
    Assignment,
    AssignmentState,
    Change,
    SentencePlan,
    Unit,
    UnitKind,
    UnitSet,
)
from annotation.units.services.versions import CARRIED, copy_units
from annotation.units.services.written import iter_written, list_written_sentences


def copy_scus(*, unit_set: UnitSet, scus: UnitSet, sentences: Collection[int]) -> int:
    """Copy the SCUs of these sentences into an empty draft; how many there are."""
    wanted, copied = set(sentences), 0
    for _, units, places in iter_written(scus):
        chosen = [unit for unit, own in zip(units, places, strict=True) if own & wanted]
        for place, unit in enumerate(chosen):
            unit.place = place  # type: ignore[attr-defined]
        copy_units(chosen, unit_set)
        copied += len(chosen)
    UnitSet.objects.filter(pk=unit_set.pk).update(unit_count=F("unit_count") + copied)
    return copied


def carry_work(*, unit_set: UnitSet, scus: UnitSet) -> None:
    """Examples whose planned sentences were all written in *scus* count as written here, too.

    A sign-off holds where no STU was added to what was read.
    """
    complete = _list_complete(unit_set)
    mixed = set(
        Unit.objects.filter(set=unit_set, kind=UnitKind.STU, is_deleted=False)
        .order_by()
        .values_list("example", flat=True)
    )
    before = {row.example_id: row for row in Assignment.objects.filter(set=scus)}
    rows = list(Assignment.objects.filter(set=unit_set, example__in=complete))
    for row in rows:
        known = before.get(row.example_id)
        for name in CARRIED if known else ():
            setattr(row, name, getattr(known, name))
        if row.example_id in mixed or row.state != AssignmentState.SIGNED:
            row.state, row.signed_by, row.signed_at = AssignmentState.WRITTEN, None, None
    Assignment.objects.bulk_update(rows, CARRIED, batch_size=400)


def _list_complete(unit_set: UnitSet) -> list[int]:
    """Examples in which every sentence that people write has an SCU."""
    written = list_written_sentences(unit_set)
    planned = SentencePlan.objects.filter(set=unit_set, is_human=True).order_by()
    complete: dict[int, bool] = {}
    for example, sentence in planned.values_list("sentence__reference__example", "sentence"):
        complete[example] = complete.get(example, True) and sentence in written
    return [example for example, is_complete in complete.items() if is_complete]


def has_own_scus(unit_set: UnitSet, copied: int) -> bool:
    """Whether somebody has written or changed SCUs here, beyond those that were copied."""
    scus = Unit.objects.filter(set=unit_set, kind=UnitKind.SCU, is_deleted=False)
    return scus.count() != copied or Change.objects.filter(set=unit_set).exists()
