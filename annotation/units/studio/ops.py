"""The words that units stand on: checked against the references, weights counted from them."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import transaction
from django.db.models import F, prefetch_related_objects
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example, Reference, Sentence
from annotation.errors import DomainError, Invalid, NotFound
from annotation.translation import gettext_lazy
from annotation.units.sets.locks import (
    hold_set,
    refuse_if_closed,
    refuse_if_frozen,
    refuse_if_not_filled,
)
from annotation.units.sets.models import Change, Contributor, Unit, UnitKind, UnitSet, Weighting
from annotation.units.studio.models import Assignment
from annotation.units.studio.progress import get_assignment, note_writing
from annotation.units.studio.states import unit_state, units_with_spans


@dataclass(frozen=True, slots=True)
class Span:
    reference: int
    sentence: int | None
    start: int
    end: int
    is_aligned: bool = False


class ExampleText:
    """The references of an example, to hold spans against."""

    def __init__(self, example: Example) -> None:
        self.example = example

    @cached_property
    def references(self) -> dict[int, Reference]:
        rows = self.example.references.prefetch_related("sentences")
        return {reference.pk: reference for reference in rows}

    def spans(self, items: Any) -> list[Span]:
        """Ranges as an editor sends them, made sure of; in order, doubles dropped."""
        if not isinstance(items, list):
            raise Invalid(_("'spans' is not a list."))
        found = {self._span(item) for item in items}
        return sorted(found, key=lambda span: (span.reference, span.start, span.end))

    def _span(self, item: Any) -> Span:
        if not isinstance(item, dict):
            raise Invalid(_("A span is not an object with reference, start and end."))
        pk, start, end = item.get("reference"), item.get("start"), item.get("end")
        reference = self.references.get(pk) if isinstance(pk, int) else None
        if reference is None:
            raise NotFound(
                _("Reference {pk} is not in example '{example}'.").format(
                    pk=pk, example=self.example.key
                )
            )
        if type(start) is not int or type(end) is not int:
            raise Invalid(
                _("The span {start}–{end} is not a pair of numbers.").format(start=start, end=end)
            )
        if not 0 <= start < end <= len(reference.text):
            raise DomainError(
                _("The span {start}–{end} is outside reference {pk}.").format(
                    start=start, end=end, pk=pk
                )
            )
        aligned = item.get("aligned") is True
        return Span(reference.pk, sentence_at(reference, start, end), start, end, aligned)


def sentence_at(reference: Reference, start: int, end: int) -> int | None:
    """The sentence that holds most of the range."""
    best: tuple[int, Sentence | None] = (0, None)
    for sentence in reference.sentences.all():
        shared = min(end, sentence.end) - max(start, sentence.start)
        if shared > best[0]:
            best = (shared, sentence)
    return best[1].pk if best[1] else None


def replace_contributors(unit: Unit, spans: list[Span], unit_set: UnitSet) -> None:
    """Other words, and the weight that follows from them; the caller saves the unit.

    The same words again change nothing, and other words of the same references leave the weight,
    which a file may have given.
    """
    rows = unit.contributors.all()
    if {_span_of(row) for row in rows} == set(spans):
        return
    before = {row.reference_id for row in rows}
    # Words that were read along with the unit are forgotten with this, and read anew when asked.
    rows.delete()
    add_contributors(unit, spans)
    if before != {span.reference for span in spans}:
        unit.weight = weight_of(spans, unit_set)


def _span_of(row: Contributor) -> Span:
    return Span(row.reference_id, row.sentence_id, row.start, row.end, row.is_aligned)


def add_contributors(unit: Unit, spans: Iterable[Span]) -> None:
    Contributor.objects.bulk_create(
        Contributor(
            unit=unit,
            reference_id=span.reference,
            sentence_id=span.sentence,
            start=span.start,
            end=span.end,
            is_aligned=span.is_aligned,
        )
        for span in spans
    )


def weight_of(spans: Iterable[Span], unit_set: UnitSet) -> int:
    """Pyramid: the number of references that carry the unit. LitePyramid: always 1."""
    if unit_set.weighting == Weighting.UNMERGED:
        return 1
    return max(1, len({span.reference for span in spans}))


MAX_SECONDS = 600
MAX_TEXT = 1000
ACTIONS = ("create", "update", "delete", "restore", "move")
# What the files of units can't hold; pasted texts bring such characters along unseen.
_UNFIT = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufeff\ufffe\uffff]")


class StaleUnit(DomainError):
    """Somebody else changed a unit meanwhile; carries what it is now."""

    code = "stale"
    title = gettext_lazy("Someone else changed this unit")

    def __init__(self, current: dict[str, Any]) -> None:
        super().__init__(
            _("Someone else changed this unit."), _("Keep yours, use theirs, or keep both.")
        )
        self.extra = {"current": current}


@dataclass(frozen=True, slots=True)
class Op:
    """One user action: a name of its own, what it is called, and the changes it consists of."""

    op: uuid.UUID
    action: str
    changes: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Applied:
    """A change that was made, and the example as it is then, for whoever shows it."""

    change: Change
    units: list[Unit]
    text: ExampleText
    assignment: Assignment | None


def apply_op(*, unit_set: UnitSet, example: Example, user: User, op: Op) -> Applied:
    """Make the changes of one user action together; a second arrival gets the first's answer."""
    with transaction.atomic():
        held = hold_set(unit_set)
        known = Change.objects.filter(set=held, op=op.op).select_related("actor").first()
        if known is not None:
            return _show(known, held, example)
        refuse_if_frozen(held)
        refuse_if_not_filled(held)
        refuse_if_closed(held, user)
        return _Application(held, example, user).run(op)


def _show(known: Change, unit_set: UnitSet, example: Example) -> Applied:
    """The answer to a second arrival."""
    units = list(units_with_spans(unit_set, example))
    return Applied(known, units, ExampleText(example), get_assignment(unit_set, example))


class _Application:
    """The units of one example, changed in memory's order and written back."""

    def __init__(self, unit_set: UnitSet, example: Example, user: User) -> None:
        self.set = unit_set
        self.example = example
        self.user = user
        self.text = ExampleText(example)
        self.units = {unit.pk: unit for unit in units_with_spans(unit_set, example)}
        self.before = {str(pk): unit_state(unit) for pk, unit in self.units.items()}
        self.created: dict[str, int] = {}

    def run(self, op: Op) -> Applied:
        for change in op.changes:
            self._apply(change)
        self._renumber()
        self._forget_checks()
        units = list(self.units.values())
        prefetch_related_objects(units, "contributors")
        made = self._record(op, {str(unit.pk): unit_state(unit) for unit in units})
        assignment = note_writing(self.set, self.example, self.user)
        return Applied(made, units, self.text, assignment)

    def _record(self, op: Op, after: dict[str, Any]) -> Change:
        before = self.before
        touched = [pk for pk in after if before.get(pk) != after[pk]]
        self._count(before, after)
        return Change.objects.create(
            set=self.set,
            example=self.example,
            actor=self.user,
            op=op.op,
            action=op.action[:20],
            before={pk: before[pk] for pk in touched if pk in before},
            after={pk: after[pk] for pk in touched},
        )

    def _apply(self, change: dict[str, Any]) -> None:
        action = change.get("action")
        if action not in ACTIONS:
            raise Invalid(
                _("Unknown action '{action}'.").format(action=action),
                _("Use {actions}.").format(actions=", ".join(ACTIONS)),
            )
        if action == "create":
            self._create(change)
        else:
            getattr(self, f"_{action}")(self._unit(change), change)

    def _unit(self, change: dict[str, Any]) -> Unit:
        unit = self._named(change.get("unit"))
        if change["action"] != "move" and change.get("revision") != unit.revision:
            # What others see of it, not what this action has made of it so far.
            raise StaleUnit(self.before.get(str(unit.pk)) or unit_state(unit))
        return unit

    def _named(self, asked: Any) -> Unit:
        """By id, or by the name that an earlier change of this action gave it."""
        pk = self.created.get(asked) if isinstance(asked, str) else asked
        unit = self.units.get(pk) if type(pk) is int else None
        if unit is None:
            raise NotFound(_("Unit {asked} is not in this example.").format(asked=asked))
        return unit

    def _create(self, change: dict[str, Any]) -> None:
        promoted = self._promoted(change.get("promoted_from"))
        spans = self.text.spans(change.get("spans", []))
        unit = Unit.objects.create(
            set=self.set,
            example=self.example,
            kind=UnitKind.SCU,
            text=_text(change.get("text", "")),
            weight=weight_of(spans, self.set),
            position=len(self.units),
            author=self.user,
            promoted_from=promoted,
            seconds=_seconds(change),
        )
        self.units[unit.pk] = unit
        if isinstance(name := change.get("unit"), str):
            self.created[name] = unit.pk
        add_contributors(unit, spans)
        if "after" in change:
            self._move(unit, change)

    def _promoted(self, pk: Any) -> Unit | None:
        if pk is None:
            return None
        found = Unit.objects.filter(
            pk=pk, example=self.example, kind=UnitKind.STU, set__project=self.set.project
        ).first()
        if found is None:
            raise NotFound(_("STU {pk} is not in this example.").format(pk=pk))
        return found

    def _update(self, unit: Unit, change: dict[str, Any]) -> None:
        if "text" in change:
            unit.text = _text(change["text"])
        if "spans" in change:
            replace_contributors(unit, self.text.spans(change["spans"]), self.set)
        unit.seconds += _seconds(change)
        self._save(unit)

    def _delete(self, unit: Unit, change: dict[str, Any]) -> None:
        unit.is_deleted = True
        self._save(unit)

    def _restore(self, unit: Unit, change: dict[str, Any]) -> None:
        unit.is_deleted = False
        self._save(unit)

    def _move(self, unit: Unit, change: dict[str, Any]) -> None:
        """Put the unit after another one, or first of all where `after` is null."""
        after = change.get("after")
        target = None if after is None else self._named(after)
        if target == unit:
            return
        order = [pk for pk in self.units if pk != unit.pk]
        order.insert(order.index(target.pk) + 1 if target else 0, unit.pk)
        self.units = {pk: self.units[pk] for pk in order}

    def _save(self, unit: Unit) -> None:
        unit.revision += 1
        unit.updated_at = clock.now()
        unit.save(
            update_fields=["text", "seconds", "is_deleted", "revision", "updated_at", "weight"]
        )

    def _renumber(self) -> None:
        for position, unit in enumerate(self.units.values()):
            if unit.position != position:
                unit.position = position
                unit.save(update_fields=["position"])

    def _forget_checks(self) -> None:
        """What the linter said may hold no longer, of the others in the example neither."""
        if any(unit.lint for unit in self.units.values()):
            Unit.objects.filter(set=self.set, example=self.example).update(lint="")

    def _count(self, before: dict[str, Any], after: dict[str, Any]) -> None:
        more = _count_live(after) - _count_live(before)
        if more:
            UnitSet.objects.filter(pk=self.set.pk).update(unit_count=F("unit_count") + more)


def _count_live(states: dict[str, Any]) -> int:
    return sum(not state["deleted"] for state in states.values())


def clean_text(value: str) -> str:
    """In one line, without what files of units can't hold."""
    return " ".join(_UNFIT.sub(" ", value).split())


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Invalid(_("A unit's text is not a string."))
    text = clean_text(value)
    if len(text) > MAX_TEXT:
        raise Invalid(
            _("The text is too long: a unit can have at most {max_text:,} characters.").format(
                max_text=MAX_TEXT
            ),
            _("Write one sentence with one fact."),
        )
    return text


def _seconds(change: dict[str, Any]) -> float:
    value = change.get("seconds", 0)
    return min(max(float(value), 0.0), MAX_SECONDS) if isinstance(value, int | float) else 0.0
