"""Who writes which sentence: SCUs of people where it counts, STUs in the others' stead."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.bulk import insert_rows
from annotation.errors import DomainError
from annotation.removal import remove_rows
from annotation.units.plans.stand_ins import (
    EXAMPLES_A_CHUNK,
    copy_stand_ins,
    read_stus,
    remove_stand_ins,
)
from annotation.units.sets.locks import hold_writing, refuse_if_not_filled
from annotation.units.sets.models import Change, Unit, UnitKind, UnitSet
from annotation.units.studio.models import Assignment, AssignmentState
from annotation.units.studio.progress import ensure_assignments
from annotation.units.stus.easiness import (
    SentenceRow,
    by_example,
    chunk_examples,
    locate_units,
    read_references,
)
from annotation.units.stus.models import SentencePlan
from annotation.wording import counted

PLANNED = ["set", "sentence", "difficulty", "is_human", "model"]
# A sentence that nothing is foretold of is the hardest.
UNKNOWN = 1.0


def plan_sentences(
    *,
    unit_set: UnitSet,
    user: User | None,
    stus: UnitSet,
    human: Collection[int],
    difficulty: Mapping[int, float],
    author: User | None = None,
    model: str = "",
) -> None:
    """Let people write the units of the sentences *human*, and STUs stand in for all others.

    Examples with something to write go to *author*, the hardest first; nobody has to write or to
    sign the others. An example that would be left without any unit is a person's. A plan that is
    there is taken back first, so that the same plan again changes nothing.
    """
    with transaction.atomic():
        held = hold_writing(unit_set)
        refuse_unless_stus(held, stus)
        _clear(held)
        plan = _Plan(held, stus, set(human), difficulty)
        for examples in chunk_examples(held.project, size=EXAMPLES_A_CHUNK):
            plan.add(examples)
        plan.refuse_unknown()
        insert_rows(SentencePlan, PLANNED, plan.rows(model))
        _assign(held, plan, author)
        text = _(
            "planned {held}: people write {sentences} of {sentences_2:,}, the others are left to "
            "STUs"
        ).format(
            held=held,
            sentences=counted(len(plan.people), "sentence", "sentences"),
            sentences_2=plan.sentences,
        )
        record_activity(project=held.project, actor=user, verb=Verb.PLAN, target=held, text=text)
    unit_set.refresh_from_db()


def drop_plan(*, unit_set: UnitSet, user: User | None) -> None:
    """Every sentence is a person's again; stand-ins that somebody changed stay."""
    with transaction.atomic():
        held = hold_writing(unit_set)
        if not SentencePlan.objects.filter(set=held).exists():
            raise DomainError(
                _("{held} has no plan.").format(held=held), _("There is nothing to remove.")
            )
        _free_authors(held)
        _clear(held)
        text = _("removed the plan of {held}").format(held=held)
        record_activity(project=held.project, actor=user, verb=Verb.UNDO, target=held, text=text)
    unit_set.refresh_from_db()


def refuse_unless_stus(held: UnitSet, stus: UnitSet) -> None:
    """Only a filled set of this project that has STUs can stand in for another's."""
    if stus.project_id != held.project_id or stus.pk == held.pk:
        raise DomainError(
            _("{stus} is not another set of this project.").format(stus=stus),
            _("Choose a set of STUs."),
        )
    refuse_if_not_filled(stus)
    if not Unit.objects.filter(set=stus, kind=UnitKind.STU, is_deleted=False).exists():
        raise DomainError(
            _("{stus} contains no STUs.").format(stus=stus),
            _("Extract STUs, or choose another set."),
        )


@dataclass(slots=True)
class _Plan:
    """What each example gets, put together chunk by chunk."""

    unit_set: UnitSet
    stus: UnitSet
    asked: AbstractSet[int]
    difficulty: Mapping[int, float]
    people: set[int] = field(default_factory=set)
    by_example: dict[int, list[int]] = field(default_factory=dict)

    def add(self, examples: list[int]) -> None:
        sentences = by_example(read_references(examples))
        stus = read_stus(self.stus, examples)
        copy_stand_ins(
            self.unit_set,
            [unit for pk in examples for unit in self._choose(sentences.get(pk, []), stus[pk])],
        )
        self.by_example |= {pk: [row.pk for row in rows] for pk, rows in sentences.items()}

    def _choose(self, sentences: list[SentenceRow], stus: list[Unit]) -> list[Unit]:
        """The STUs that stand in; sentences of an example that would be empty are people's."""
        own = {row.pk for row in sentences}
        people = own & self.asked
        places = zip(stus, locate_units(stus, sentences), strict=True)
        chosen = [unit for unit, pk in places if pk not in people]
        self.people |= people if people or chosen else own
        return chosen

    def refuse_unknown(self) -> None:
        if unknown := self.asked - self.people:
            raise DomainError(
                _("Sentence {unknown} is not in this project.").format(unknown=min(unknown)),
                _("Use sentences of its corpus."),
            )

    @property
    def sentences(self) -> int:
        return sum(map(len, self.by_example.values()))

    def rows(self, model: str) -> Iterator[tuple[object, ...]]:
        """In the order of `PLANNED`."""
        for own in self.by_example.values():
            for pk in own:
                difficulty = self.difficulty.get(pk, UNKNOWN)
                yield (self.unit_set.pk, pk, difficulty, pk in self.people, model)

    def hardest(self, example: int) -> float | None:
        """Of what people write in an example; None if they write nothing there."""
        own = [pk for pk in self.by_example.get(example, ()) if pk in self.people]
        return max((self.difficulty.get(pk, UNKNOWN) for pk in own), default=None)


def _assign(unit_set: UnitSet, plan: _Plan, author: User | None) -> None:
    """What somebody has written or signed already stays theirs."""
    ensure_assignments(unit_set)
    started = set(
        Unit.objects.filter(set=unit_set, is_deleted=False, kind=UnitKind.SCU).values_list(
            "example_id", flat=True
        )
    )
    rows = list(Assignment.objects.filter(set=unit_set))
    for row in rows:
        hardest = plan.hardest(row.example_id)
        row.priority = hardest or 0.0
        if row.state != AssignmentState.TODO:
            continue
        if hardest is None and row.example_id not in started:
            row.state, row.author = AssignmentState.SPARED, None
        elif hardest is not None and author is not None:
            row.author = author
            row.reviewer_id = None if row.reviewer_id == author.pk else row.reviewer_id
    fields = ["priority", "state", "author", "reviewer"]
    Assignment.objects.bulk_update(rows, fields, batch_size=400)


def _clear(unit_set: UnitSet) -> None:
    plans = SentencePlan.objects.filter(set=unit_set)
    if not plans.exists():
        return
    remove_rows(plans)
    remove_stand_ins(unit_set)
    rows = Assignment.objects.filter(set=unit_set)
    rows.update(priority=0)
    rows.filter(state=AssignmentState.SPARED).update(state=AssignmentState.TODO)


def _free_authors(unit_set: UnitSet) -> None:
    """Examples that a plan gave to somebody who has not begun; a mere ranking gave none."""
    if SentencePlan.objects.filter(set=unit_set, is_human=False).exists():
        begun = Change.objects.filter(set=unit_set).order_by().values("example")
        rows = Assignment.objects.filter(set=unit_set, state=AssignmentState.TODO)
        rows.exclude(example__in=begun).update(author=None)
