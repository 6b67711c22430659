"""STUs copied into a draft for sentences that nobody writes, and taken out again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from django.db.models import Count, F, QuerySet

from annotation import clock
from annotation.corpora.services.bulk import insert_rows, reserve_ids
from annotation.removal import remove_rows
from annotation.units.models import Comment, Contributor, PeerMark, Unit, UnitKind, UnitSet
from annotation.units.services.versions import COPIED

EXAMPLES_A_CHUNK = 400
UNITS_A_CHUNK = 2000
CONTRIBUTOR = ["unit", "reference", "sentence", "start", "end", "is_aligned"]


def list_stand_ins(unit_set: UnitSet) -> QuerySet[Unit]:
    """STUs that were copied into the set; each names the one that it was copied from."""
    return Unit.objects.filter(set=unit_set, kind=UnitKind.STU, promoted_from__isnull=False)


def read_stus(stus: UnitSet, examples: Sequence[int]) -> dict[int, list[Unit]]:
    """The STUs of examples with the words that they stand on, in their order."""
    rows = Unit.objects.filter(
        set=stus, example__in=examples, kind=UnitKind.STU, is_deleted=False
    ).exclude(text="")
    found: dict[int, list[Unit]] = {example: [] for example in examples}
    for unit in rows.prefetch_related("contributors").order_by("position", "pk"):
        found[unit.example_id].append(unit)
    return found


def copy_stand_ins(unit_set: UnitSet, chosen: Iterable[Unit]) -> int:
    """Copy STUs behind the units of their examples; one that is there already stays as it is."""
    wanted = list(chosen)
    known = _list_sources(unit_set, wanted)
    new = [unit for unit in wanted if unit.pk not in known]
    places = _count_units(unit_set, {unit.example_id for unit in new})
    ids = reserve_ids(Unit, len(new))
    rows = []
    for pk, unit in zip(ids, new, strict=True):
        place = places.get(unit.example_id, 0)
        places[unit.example_id] = place + 1
        rows.append(_copied(pk, unit, unit_set, place))
    insert_rows(Unit, COPIED, rows)
    insert_rows(
        Contributor,
        CONTRIBUTOR,
        [
            (pk, span.reference_id, span.sentence_id, span.start, span.end, span.is_aligned)
            for pk, unit in zip(ids, new, strict=True)
            for span in unit.contributors.all()
        ],
    )
    UnitSet.objects.filter(pk=unit_set.pk).update(unit_count=F("unit_count") + len(new))
    return len(new)


def _copied(pk: int, unit: Unit, unit_set: UnitSet, place: int) -> tuple[object, ...]:
    """In the order of `COPIED`."""
    now = clock.now()
    head = (pk, unit_set.pk, unit.example_id, unit.kind, unit.text, 1, place, 1, False)
    return (*head, None, unit.extractor, unit.extractor_version, unit.pk, 0.0, now, now)


def _list_sources(unit_set: UnitSet, units: Sequence[Unit]) -> AbstractSet[int]:
    examples = {unit.example_id for unit in units}
    rows = list_stand_ins(unit_set).filter(example__in=examples)
    return set(rows.values_list("promoted_from_id", flat=True))


def _count_units(unit_set: UnitSet, examples: AbstractSet[int]) -> dict[int, int]:
    rows = Unit.objects.filter(set=unit_set, example__in=examples)
    return dict(rows.order_by().values_list("example_id").annotate(n=Count("pk")))


def remove_stand_ins(unit_set: UnitSet, chosen: QuerySet[Unit] | None = None) -> int:
    """Take copies out that nobody has changed, commented on or marked; the others stay."""
    touched = [
        Comment.objects.filter(set=unit_set, unit__isnull=False).order_by().values("unit"),
        PeerMark.objects.filter(peer__set=unit_set, unit__isnull=False).order_by().values("unit"),
    ]
    rows = list_stand_ins(unit_set) if chosen is None else chosen
    untouched = rows.filter(revision=1, is_deleted=False)
    for units in touched:
        untouched = untouched.exclude(pk__in=units)
    places = list(untouched.order_by().values_list("pk", "example_id"))
    examples = sorted({example for _, example in places})
    ids = [pk for pk, _ in places]
    gone = sum(
        remove_rows(Unit.objects.filter(pk__in=ids[at : at + UNITS_A_CHUNK]))
        for at in range(0, len(ids), UNITS_A_CHUNK)
    )
    for at in range(0, len(examples), EXAMPLES_A_CHUNK):
        _close_gaps(unit_set, examples[at : at + EXAMPLES_A_CHUNK])
    UnitSet.objects.filter(pk=unit_set.pk).update(unit_count=F("unit_count") - gone)
    return gone


def _close_gaps(unit_set: UnitSet, examples: Sequence[int]) -> None:
    """Number the units that are left anew, from 0 in each example."""
    places: dict[int, int] = {}
    moved = []
    rows = Unit.objects.filter(set=unit_set, example__in=examples)
    for unit in rows.order_by("position", "pk").only("pk", "example_id", "position"):
        place = places.get(unit.example_id, 0)
        places[unit.example_id] = place + 1
        if unit.position != place:
            unit.position = place
            moved.append(unit)
    Unit.objects.bulk_update(moved, ["position"], batch_size=400)
