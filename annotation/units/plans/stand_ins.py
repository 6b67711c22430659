"""STUs copied into a draft for sentences that nobody writes, and taken out again.

- SCUs that people wrote in one set, copied into a draft that starts from them.
- Which sentences of a set somebody has written units of, and which examples have none at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from django.db.models import Count, F, QuerySet

from annotation import clock
from annotation.corpora.bulk import insert_rows, reserve_ids
from annotation.corpora.corpus.models import Example
from annotation.removal import remove_rows
from annotation.units.sets.models import Change, Contributor, PeerMark, Unit, UnitKind, UnitSet
from annotation.units.sets.versions import CARRIED, COPIED, copy_units
from annotation.units.studio.models import Assignment, AssignmentState, Comment
from annotation.units.stus.easiness import by_example, locate_units, read_references
from annotation.units.stus.models import SentencePlan

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


def list_written_sentences(unit_set: UnitSet) -> set[int]:
    """The ids of sentences with an SCU: those whose words it names, or the one most like it."""
    found: set[int] = set()
    for _, _, sentences in iter_written(unit_set):
        found |= set().union(*sentences)
    return found


def iter_written(unit_set: UnitSet) -> Iterator[tuple[int, list[Unit], list[set[int]]]]:
    """Each example with its SCUs, and the sentences that each of them stands on."""
    for units in _chunk_scus(unit_set):
        sentences = by_example(read_references(sorted(units)))
        for example, rows in units.items():
            nearest = locate_units(rows, sentences.get(example, []))
            yield example, rows, [_places(*pair) for pair in zip(rows, nearest, strict=True)]


def _places(unit: Unit, nearest: int | None) -> set[int]:
    named = {
        span.sentence_id
        for span in unit.contributors.all()
        if span.sentence_id is not None and not span.is_aligned
    }
    return named if nearest is None else named | {nearest}


def _chunk_scus(unit_set: UnitSet) -> Iterator[dict[int, list[Unit]]]:
    """SCUs by example, a few examples at a time."""
    units = Unit.objects.filter(set=unit_set, kind=UnitKind.SCU, is_deleted=False).exclude(text="")
    examples = sorted(set(units.order_by().values_list("example_id", flat=True)))
    for at in range(0, len(examples), EXAMPLES_A_CHUNK):
        chunk = examples[at : at + EXAMPLES_A_CHUNK]
        found: dict[int, list[Unit]] = {example: [] for example in chunk}
        rows = units.filter(example__in=chunk).order_by("position", "pk")
        for unit in rows.prefetch_related("contributors"):
            found[unit.example_id].append(unit)
        yield found


def count_written(unit_set: UnitSet) -> int:
    """Sentences that a plan leaves to people, and that somebody has written units of."""
    rows = SentencePlan.objects.filter(set=unit_set, is_human=True).order_by()
    return len(set(rows.values_list("sentence_id", flat=True)) & list_written_sentences(unit_set))


def count_gaps(unit_set: UnitSet) -> int:
    """Sentences that people were to write, in examples marked as written, without any unit."""
    done = Assignment.objects.filter(
        set=unit_set, state__in=[AssignmentState.WRITTEN, AssignmentState.SIGNED]
    )
    spans = Contributor.objects.filter(unit__set=unit_set, unit__is_deleted=False).order_by()
    rows = SentencePlan.objects.filter(set=unit_set, is_human=True).exclude(
        sentence__in=spans.values("sentence")
    )
    return rows.filter(sentence__reference__example__in=done.values("example")).count()


def list_bare_examples(unit_set: UnitSet) -> QuerySet[Example]:
    """Examples that a plan has somebody write in, and that have no unit so far."""
    planned = SentencePlan.objects.filter(set=unit_set, is_human=True).order_by()
    units = Unit.objects.filter(set=unit_set, is_deleted=False).order_by()
    rows: QuerySet[Example] = Example.objects.live().filter(
        pk__in=planned.values(example=F("sentence__reference__example"))
    )
    return rows.exclude(pk__in=units.values("example")).order_by("position", "pk")


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
