"""The rest of a plan left to STUs: sentences that nobody has written, and given back to people."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from django.db import transaction
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.errors import DomainError
from annotation.units.plans.queries import list_stu_sets
from annotation.units.plans.stand_ins import (
    EXAMPLES_A_CHUNK,
    copy_stand_ins,
    list_stand_ins,
    list_written_sentences,
    read_stus,
    remove_stand_ins,
)
from annotation.units.sets.locks import hold_writing
from annotation.units.sets.models import Contributor, Unit, UnitKind, UnitSet
from annotation.units.studio.models import Assignment, AssignmentState
from annotation.units.stus.easiness import by_example, locate_units, read_references
from annotation.units.stus.models import SentencePlan
from annotation.units.stus.ranking import order_queue
from annotation.wording import counted


def leave_rest(*, unit_set: UnitSet, user: User | None) -> int:
    """Let STUs stand in for sentences that a plan left to people and that nobody has written.

    Examples that somebody has marked as written are as they want them. A sentence stays a
    person's where its example would be left without any unit.
    """
    with transaction.atomic():
        held = hold_writing(unit_set)
        stus = _find_stus(held)
        left: set[int] = set()
        for rest in _chunk_rest(held):
            left |= _leave(held, stus, rest)
        rows = SentencePlan.objects.filter(set=held, sentence__in=left)
        rows.update(is_human=False, left_at=clock.now())
        _spare(held)
        order_queue(held)
        text = _("left {sentences} of {held} to STUs").format(
            sentences=counted(len(left), "sentence", "sentences"), held=held
        )
        record_activity(project=held.project, actor=user, verb=Verb.PLAN, target=held, text=text)
    unit_set.refresh_from_db()
    return len(left)


def take_rest_back(*, unit_set: UnitSet, user: User | None) -> int:
    """Sentences that were left to STUs are people's again; stand-ins that somebody changed stay."""
    with transaction.atomic():
        held = hold_writing(unit_set)
        rows = SentencePlan.objects.filter(set=held, left_at__isnull=False)
        left = set(rows.values_list("sentence_id", flat=True))
        _remove_stand_ins(held, left)
        rows.update(is_human=True, left_at=None)
        examples = list_examples_of(held, left)
        spared = Assignment.objects.filter(set=held, state=AssignmentState.SPARED)
        spared.filter(example__in=examples).update(state=AssignmentState.TODO)
        order_queue(held)
        text = _("returned {sentences} of {held} to people").format(
            sentences=counted(len(left), "sentence", "sentences"), held=held
        )
        record_activity(project=held.project, actor=user, verb=Verb.UNDO, target=held, text=text)
    unit_set.refresh_from_db()
    return len(left)


def _remove_stand_ins(unit_set: UnitSet, sentences: Collection[int]) -> None:
    """By their ids: the words that they are found by go before they do."""
    spans = Contributor.objects.filter(unit__set=unit_set, sentence__in=sentences)
    units = list_stand_ins(unit_set).filter(pk__in=spans.order_by().values("unit"))
    if ids := list(units.values_list("pk", flat=True)):
        remove_stand_ins(unit_set, list_stand_ins(unit_set).filter(pk__in=ids))


def count_rest(unit_set: UnitSet) -> dict[str, int]:
    """Sentences that can be left to STUs, and those that were."""
    plans = SentencePlan.objects.filter(set=unit_set)
    if not plans.exists() or not list_stu_sets(unit_set.project).exists():
        return {"rest": 0, "left": 0}
    rest = sum(len(pks) for chunk in _chunk_rest(unit_set) for pks in chunk.values())
    return {"rest": rest, "left": plans.filter(left_at__isnull=False).count()}


def list_examples_of(unit_set: UnitSet, sentences: Collection[int]) -> set[int]:
    rows = SentencePlan.objects.filter(set=unit_set, sentence__in=sentences).order_by()
    return set(rows.values_list("sentence__reference__example_id", flat=True))


def _find_stus(unit_set: UnitSet) -> UnitSet:
    """The set that those which stand in were copied from, else the newest."""
    if not SentencePlan.objects.filter(set=unit_set).exists():
        raise DomainError(
            _("{unit_set} has no plan.").format(unit_set=unit_set), _("Use a plan first.")
        )
    sets = list_stu_sets(unit_set.project)
    copied = list_stand_ins(unit_set).order_by().values("promoted_from__set")
    newest = sets.filter(pk__in=copied).first() or sets.first()
    if newest is None:
        raise DomainError(_("There are no STUs to replace SCUs."), _("Extract STUs first."))
    return newest


def _chunk_rest(unit_set: UnitSet) -> Iterator[dict[int, set[int]]]:
    """Unwritten sentences by example, a few examples at a time."""
    done = Assignment.objects.filter(
        set=unit_set, state__in=[AssignmentState.WRITTEN, AssignmentState.SIGNED]
    )
    rows = SentencePlan.objects.filter(set=unit_set, is_human=True).order_by()
    rows = rows.exclude(sentence__reference__example__in=done.values("example"))
    written = list_written_sentences(unit_set)
    found: dict[int, set[int]] = {}
    for pk, example in rows.values_list("sentence_id", "sentence__reference__example_id"):
        if pk not in written:
            found.setdefault(example, set()).add(pk)
    examples = sorted(found)
    for at in range(0, len(examples), EXAMPLES_A_CHUNK):
        yield {pk: found[pk] for pk in examples[at : at + EXAMPLES_A_CHUNK]}


def _leave(unit_set: UnitSet, stus: UnitSet, rest: dict[int, set[int]]) -> set[int]:
    """Copy the STUs of these sentences; those of examples that stay empty are not left."""
    examples = sorted(rest)
    sentences = by_example(read_references(examples))
    known = read_stus(stus, examples)
    chosen = [
        unit
        for pk in examples
        for unit, place in zip(
            known[pk], locate_units(known[pk], sentences.get(pk, [])), strict=True
        )
        if place in rest[pk]
    ]
    copy_stand_ins(unit_set, chosen)
    units = Unit.objects.filter(set=unit_set, example__in=examples, is_deleted=False).order_by()
    filled = set(units.values_list("example_id", flat=True))
    return {sentence for pk in examples if pk in filled for sentence in rest[pk]}


def _spare(unit_set: UnitSet) -> None:
    """Nobody has to write or sign an example that has no sentence of a person, and no SCU.

    Its author stays, so that it is theirs again if this is undone.
    """
    human = SentencePlan.objects.filter(set=unit_set, is_human=True).order_by()
    scus = Unit.objects.filter(set=unit_set, kind=UnitKind.SCU, is_deleted=False).order_by()
    rows = Assignment.objects.filter(set=unit_set, state=AssignmentState.TODO)
    rows = rows.exclude(example__in=human.values("sentence__reference__example"))
    rows.exclude(example__in=scus.values("example")).update(state=AssignmentState.SPARED)
