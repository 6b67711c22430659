"""Actions of the editor: made whole or not at all, once, and never past somebody else's change."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, Invalid, NotFound
from annotation.units.sets.models import Change, Unit, UnitKind, UnitSet
from annotation.units.studio import merging, ops, progress
from annotation.units.studio.models import Assignment, AssignmentState
from tests import factories
from tests.annotation.units.writing import (
    act,
    add,
    assert_sound,
    create,
    live,
    make_two_references,
    on,
    span,
)


def test_it_creates_in_place(draft: UnitSet, e1: Example, owner: User):
    first, second = add(draft, e1, owner, "One.", "Two.")
    act(draft, e1, owner, create("First.", after=None))
    act(draft, e1, owner, create("Between.", after=first.pk))
    act(draft, e1, owner, create("Last."))
    assert live(draft, e1) == ["First.", "One.", "Between.", "Two.", "Last."]
    assert {unit.author for unit in (first, second)} == {owner}
    assert_sound(draft)


def test_it_updates_words_and_spans(draft: UnitSet, e1: Example, owner: User):
    [unit] = add(draft, e1, owner, "One.")
    act(draft, e1, owner, on(unit, text="Two.", spans=[span(e1, 4, 7), span(e1, 0, 3)]))
    unit.refresh_from_db()
    assert (unit.text, unit.revision) == ("Two.", 2)
    assert list(unit.contributors.values_list("start", "end")) == [(0, 3), (4, 7)]
    act(draft, e1, owner, on(unit, text="Three."))
    assert unit.contributors.count() == 2
    act(draft, e1, owner, on(unit, spans=[]))
    unit.refresh_from_db()
    assert (unit.text, unit.contributors.count(), unit.revision) == ("Three.", 0, 4)


def test_it_notes_the_sentence_that_holds_most_of_a_span(draft: UnitSet, e1: Example, owner: User):
    sentences = list(e1.references.get().sentences.all())
    [unit] = add(draft, e1, owner, "One.")
    act(draft, e1, owner, on(unit, spans=[span(e1, 18, 30), span(e1, 0, 26), span(e1, 0, 26)]))
    parts = unit.contributors.values_list("start", "sentence")
    assert list(parts) == [(0, sentences[0].pk), (18, sentences[0].pk)]
    act(draft, e1, owner, on(unit, spans=[span(e1, 20, 41)]))
    assert unit.contributors.get().sentence == sentences[1]


def test_it_deletes_and_restores_in_place(draft: UnitSet, e1: Example, owner: User):
    units = add(draft, e1, owner, "One.", "Two.", "Three.")
    act(draft, e1, owner, on(units[1], "delete"))
    assert (live(draft, e1), draft.unit_count) == (["One.", "Three."], 2)
    assert_sound(draft)
    act(draft, e1, owner, on(units[1], "restore"))
    assert (live(draft, e1), draft.unit_count) == (["One.", "Two.", "Three."], 3)
    assert_sound(draft)


@pytest.mark.parametrize(
    "moved, after, order",
    [
        (0, 2, "bca"),
        (2, 0, "acb"),
        (2, None, "cab"),
        (0, None, "abc"),
        (1, 1, "abc"),
        (1, 0, "abc"),
    ],
)
def test_it_moves(
    moved: int, after: int | None, order: str, draft: UnitSet, e1: Example, owner: User
):
    units = add(draft, e1, owner, "a", "b", "c")
    target = None if after is None else units[after].pk
    act(draft, e1, owner, {"action": "move", "unit": units[moved].pk, "after": target})
    assert "".join(live(draft, e1)) == order
    assert set(Unit.objects.values_list("revision", flat=True)) == {1}
    assert_sound(draft)


def test_it_knows_what_it_made_by_name(draft: UnitSet, e1: Example, owner: User):
    change = act(
        draft,
        e1,
        owner,
        create("Two.", unit="x"),
        create("Three.", unit="y", after="x"),
        {"action": "update", "unit": "x", "revision": 1, "text": "2."},
        create("Nameless."),
        {"action": "move", "unit": "y", "after": None},
    )
    assert live(draft, e1) == ["Three.", "2.", "Nameless."]
    assert len(change.after) == 3
    assert change.before == {}


def test_it_splits_in_one_action(draft: UnitSet, e1: Example, owner: User):
    [unit] = add(draft, e1, owner, "The dam burst and all are safe.")
    act(
        draft,
        e1,
        owner,
        on(unit, text="The dam burst."),
        create("All are safe.", after=unit.pk),
    )
    assert live(draft, e1) == ["The dam burst.", "All are safe."]
    assert Change.objects.count() == 2


def other_example(draft: UnitSet, owner: User) -> int:
    example = draft.project.examples.get(key="e2")
    return factories.add_unit(draft, example, owner, "Elsewhere.").pk


def other_set(draft: UnitSet, owner: User) -> int:
    example = draft.project.examples.get(key="e1")
    return factories.add_unit(factories.make_set(draft.project, owner), example, owner, "x").pk


@pytest.mark.parametrize("elsewhere", [other_example, other_set, lambda *_: 10**9])
@pytest.mark.parametrize("action", ["update", "delete", "restore", "move"])
def test_it_finds_only_units_of_the_example(
    elsewhere: Any, action: str, draft: UnitSet, e1: Example, owner: User
):
    pk = elsewhere(draft, owner)
    with pytest.raises(NotFound, match=f"Unit {pk} is not in this example"):
        act(draft, e1, owner, {"action": action, "unit": pk, "revision": 1, "after": None})


@pytest.mark.parametrize("after", [10**9, "unknown", True, [], {}])
def test_it_finds_only_places_of_the_example(after: Any, draft: UnitSet, e1: Example, owner: User):
    add(draft, e1, owner, "One.")
    with pytest.raises(NotFound):
        act(draft, e1, owner, create("Two.", after=after))
    assert live(draft, e1) == ["One."]


@pytest.mark.parametrize("written", [float, str])
def test_it_takes_an_id_for_one_only_as_a_whole_number(
    written: Callable[[int], Any], draft: UnitSet, e1: Example, owner: User
):
    [unit] = add(draft, e1, owner, "One.")
    with pytest.raises(NotFound):
        act(draft, e1, owner, create("Two.", after=written(unit.pk)))
    with pytest.raises(NotFound):
        act(draft, e1, owner, {**on(unit, text="x"), "unit": written(unit.pk)})


def test_it_leaves_nothing_of_a_batch_with_a_bad_change(draft: UnitSet, e1: Example, owner: User):
    [unit] = add(draft, e1, owner, "One.")
    bad = {"action": "update", "unit": 10**9, "revision": 1, "text": "x"}
    gone = {**on(unit, "delete"), "revision": 2}
    with pytest.raises(NotFound):
        act(draft, e1, owner, on(unit, text="Two."), create("Three."), gone, bad)
    unit.refresh_from_db()
    assert (unit.text, unit.revision, unit.is_deleted) == ("One.", 1, False)
    assert (Unit.objects.count(), Change.objects.count()) == (1, 1)
    assert_sound(draft)


def test_it_is_made_once_however_often_it_comes(draft: UnitSet, e1: Example, owner: User):
    op = ops.Op(uuid.uuid4(), "create", [create("One.")])
    applied = [ops.apply_op(unit_set=draft, example=e1, user=owner, op=op) for _ in range(3)]
    made = [item.change.pk for item in applied]
    assert len(set(made)) == 1
    assert live(draft, e1) == ["One."]
    assert_sound(draft)


@pytest.mark.parametrize("merged, weight", [(False, 1), (True, 2)])
def test_it_weighs_by_references_where_sets_are_merged(
    merged: bool, weight: int, owner: User, tmp_path: Path
):
    project = make_two_references(owner, tmp_path)
    if not merged:
        project.studio.delete()
        project.refresh_from_db()
    unit_set = factories.make_set(project, owner)
    example = project.examples.get(key="e1")
    both = [span(example, 0, 3), span(example, 4, 7), span(example, 0, 3, reference=1)]
    act(unit_set, example, owner, create(spans=both))
    unit = Unit.objects.get()
    assert unit.weight == weight
    assert_sound(unit_set)
    act(unit_set, example, owner, on(unit, spans=both[:2]))
    unit.refresh_from_db()
    assert unit.weight == 1
    assert_sound(unit_set)


def test_it_belongs_to_its_first_writer(draft: UnitSet, e1: Example, owner: User, editor: User):
    add(draft, e1, editor, "One.")
    add(draft, e1, owner, "Two.")
    assert Assignment.objects.get(set=draft, example=e1).author == editor


def test_it_must_be_looked_at_again_once_changed(
    draft: UnitSet, e1: Example, owner: User, editor: User
):
    [unit] = add(draft, e1, owner, "One.")
    progress.mark_written(unit_set=draft, example=e1, user=owner)
    progress.sign_off(unit_set=draft, example=e1, user=editor)
    act(draft, e1, owner, on(unit, text="Two."))
    assignment = Assignment.objects.get(set=draft, example=e1)
    assert (assignment.state, assignment.signed_by) == (AssignmentState.WRITTEN, None)
    assert assignment.signed_at is None


def test_it_keeps_the_stu_that_a_unit_began_as(
    draft: UnitSet, e1: Example, e2: Example, owner: User
):
    stus = factories.make_set(draft.project, owner, "STUs")
    [stu] = add(stus, e1, owner, "dam burst")
    Unit.objects.filter(pk=stu.pk).update(kind=UnitKind.STU)
    change = act(draft, e1, owner, create("The dam burst.", promoted_from=stu.pk))
    unit = Unit.objects.get(set=draft)
    assert (unit.kind, unit.promoted_from) == (UnitKind.SCU, stu)
    assert change.after[str(unit.pk)]["promoted_from"] == stu.pk
    for example, pk in ((e2, stu.pk), (e1, unit.pk), (e1, 10**9)):
        with pytest.raises(NotFound, match="not in this example"):
            act(draft, example, owner, create(promoted_from=pk))


def test_it_promotes_nothing_of_other_projects(
    draft: UnitSet, e1: Example, owner: User, tmp_path: Path
):
    other = make_two_references(owner, tmp_path)
    elsewhere = other.examples.get(key="e1")
    [stu] = add(factories.make_set(other, owner), elsewhere, owner, "dam burst")
    Unit.objects.filter(pk=stu.pk).update(kind=UnitKind.STU)
    with pytest.raises(NotFound):
        act(draft, e1, owner, create(promoted_from=stu.pk))


def test_it_remembers_before_and_after(draft: UnitSet, e1: Example, owner: User):
    first, second = add(draft, e1, owner, "One.", "Two.")
    changed = act(draft, e1, owner, on(first, text="1.", spans=[span(e1, 0, 3)]))
    key = str(first.pk)
    assert set(changed.before) == set(changed.after) == {key}
    assert (changed.before[key]["text"], changed.after[key]["text"]) == ("One.", "1.")
    assert (changed.before[key]["spans"], len(changed.after[key]["spans"])) == ([], 1)
    moved = act(draft, e1, owner, {"action": "move", "unit": second.pk, "after": None})
    assert {pk: state["position"] for pk, state in moved.before.items()} == {
        str(first.pk): 0,
        str(second.pk): 1,
    }
    assert moved.after[str(second.pk)]["position"] == 0
    deleted = act(draft, e1, owner, on(first, "delete"))
    assert (deleted.before[key]["deleted"], deleted.after[key]["deleted"]) == (False, True)
    assert [change.actor for change in Change.objects.all()] == [owner] * 5


def test_it_merges_units_into_one(owner: User, tmp_path: Path):
    project = make_two_references(owner, tmp_path)
    unit_set, example = factories.make_set(project, owner), project.examples.get(key="e1")
    units = [
        factories.add_unit(unit_set, example, owner, text, reference=number)
        for text, number in (("The dam burst.", 0), ("A dam has burst.", 1))
    ]
    merged = merging.merge_units(
        unit_set=unit_set,
        example=example,
        user=owner,
        units=[units[0].pk, units[1].pk, units[1].pk, 10**9],
        text="",
    )
    assert (merged.pk, merged.weight, merged.text) == (units[0].pk, 2, "The dam burst.")
    assert live(unit_set, example) == ["The dam burst."]
    assert_sound(unit_set)
    with pytest.raises(Invalid, match="at least two units"):
        merging.merge_units(
            unit_set=unit_set, example=example, user=owner, units=[merged.pk], text="x"
        )


def test_it_is_refused_while_the_set_is_being_filled(
    draft: UnitSet, e1: Example, owner: User, corpus: Project
):
    from tests.annotation.corpora.places import make_job

    draft.job = make_job(corpus)
    draft.save()
    for state, words in (("queued", "still being added"), ("failed", "incomplete")):
        type(draft.job).objects.filter(pk=draft.job.pk).update(state=state)
        with pytest.raises(DomainError, match=words):
            act(draft, e1, owner, create())
    type(draft.job).objects.filter(pk=draft.job.pk).update(state="done")
    act(draft, e1, owner, create())
