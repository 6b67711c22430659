"""The next version: a copy of all units, and what a comparison finds between two sets."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.corpus.queries import PAGE_SIZE
from annotation.corpora.jobs.models import JobState
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, Forbidden
from annotation.units.sets import service as sets_service
from annotation.units.sets import versions as sets_versions
from annotation.units.sets.comparison import compare_sets
from annotation.units.sets.models import Contributor, Unit, UnitSet
from annotation.units.studio import progress
from annotation.units.studio import queries as studio_queries
from tests import factories
from tests.annotation.corpora.counting import let_lapse
from tests.annotation.units.writing import (
    act,
    add,
    assert_sound,
    create,
    freeze,
    live,
    on,
    run,
    span,
)


def write_seven(unit_set: UnitSet, e1: Example, e2: Example, owner: User) -> None:
    """Five units of one example and two of another, two with words."""
    for number in range(5):
        spans = [span(e1, number, number + 3)] if number < 2 else []
        act(unit_set, e1, owner, create(f"Unit {number}.", spans=spans, after=None, seconds=3))
    add(unit_set, e2, owner, "Five.", "Six.")


def test_it_copies_everything(draft: UnitSet, e1: Example, e2: Example, owner: User, editor: User):
    write_seven(draft, e1, e2, owner)
    act(draft, e1, owner, create("Gone.", unit="x", after=None))
    act(draft, e1, owner, on(Unit.objects.get(text="Gone."), "delete"))
    digest = freeze(draft, owner)
    copy = sets_versions.create_next_version(unit_set=draft, user=editor)
    assert (copy.version, copy.parent, copy.state, copy.unit_count) == (2, draft, "draft", 0)
    assert run(copy.job).result == {"units": 7}
    copy.refresh_from_db()
    assert (copy.unit_count, sets_service.content_hash(copy)) == (7, digest)
    assert copy.assignments.filter(state="todo").count() == 3
    assert_sound(copy)
    shown = ("example", "text", "author", "seconds", "created_at", "revision")
    rows = Unit.objects.filter(is_deleted=False).order_by("example", "position")
    copied, original = (rows.filter(set=unit_set).values_list(*shown) for unit_set in (copy, draft))
    assert list(copied) == list(original)
    act(copy, e1, editor, create("New."))
    assert sets_service.content_hash(draft) == digest != sets_service.content_hash(copy)


def next_version(unit_set: UnitSet, user: User) -> UnitSet:
    freeze(unit_set, user)
    copy = sets_versions.create_next_version(unit_set=unit_set, user=user)
    assert run(copy.job).state == JobState.DONE
    copy.refresh_from_db()
    return copy


def test_it_goes_on_where_the_last_version_ended(
    draft: UnitSet, e1: Example, e2: Example, owner: User, editor: User, annotator: User
):
    progress.assign_range(unit_set=draft, user=owner, first=1, last=3, reviewer=annotator)
    add(draft, e1, owner, "One.")
    add(draft, e2, owner, "Two.")
    for example in (e1, e2):
        progress.mark_written(unit_set=draft, example=example, user=owner)
    progress.sign_off(unit_set=draft, example=e1, user=editor)
    copy = next_version(draft, owner)
    shown = ("example", *sets_versions.CARRIED)
    rows = [list(s.assignments.order_by("example").values(*shown)) for s in (draft, copy)]
    assert rows[0] == rows[1]
    assert [row["state"] for row in rows[1]] == ["signed", "written", "todo"]
    same = Unit.objects.get(set=copy, text="One.")
    act(copy, e1, annotator, on(same, text="Just one."))
    row = copy.assignments.get(example=e1)
    assert (row.state, row.signed_by, row.author) == ("written", None, owner)


def test_it_carries_people_into_rows_that_are_there(draft: UnitSet, e1: Example, owner: User):
    """Somebody asked for work before the copy was made."""
    add(draft, e1, owner, "One.")
    freeze(draft, owner)
    copy = sets_versions.create_next_version(unit_set=draft, user=owner)
    progress.ensure_assignments(copy)
    assert copy.assignments.count() == 3
    run(copy.job)
    assert copy.assignments.get(example=e1).author == owner
    assert copy.assignments.count() == 3


def test_it_is_not_signed_off_by_who_wrote_in_an_earlier_version(
    draft: UnitSet, e1: Example, owner: User, editor: User, annotator: User
):
    [unit] = add(draft, e1, owner, "One.")
    act(draft, e1, editor, on(unit, text="Mended."))
    third = next_version(next_version(draft, owner), owner)
    for who in (owner, editor):
        with pytest.raises(Forbidden, match="their own units"):
            progress.sign_off(unit_set=third, example=e1, user=who)
    progress.mark_written(unit_set=third, example=e1, user=owner)
    queues = [studio_queries.list_queue(third, who) for who in (owner, editor, annotator)]
    assert [e1 in [row.example for row in rows] for rows in queues] == [False, False, True]
    assert progress.sign_off(unit_set=third, example=e1, user=annotator)


def test_it_forgets_who_wrote_in_another_branch(
    draft: UnitSet, e1: Example, owner: User, editor: User
):
    add(draft, e1, owner, "One.")
    second = next_version(draft, owner)
    add(second, e1, editor, "Two.")
    third = sets_versions.create_next_version(unit_set=draft, user=owner)
    run(third.job)
    third.refresh_from_db()
    assert progress.sign_off(unit_set=third, example=e1, user=editor)


def test_it_counts_versions(draft: UnitSet, e1: Example, owner: User):
    add(draft, e1, owner, "One.")
    with pytest.raises(DomainError, match="is not frozen"):
        sets_versions.create_next_version(unit_set=draft, user=owner)
    freeze(draft, owner)
    made = [sets_versions.create_next_version(unit_set=draft, user=owner) for _ in range(2)]
    assert [row.version for row in made] == [2, 3]


class Killed(BaseException):
    """A worker that is gone, without a chance to say so."""


@pytest.mark.parametrize("killed_after", [0, 1, 2, 3])
def test_it_goes_on_where_a_killed_worker_stopped(
    killed_after: int,
    draft: UnitSet,
    e1: Example,
    e2: Example,
    owner: User,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(sets_versions, "COPY_CHUNK", 2)
    write_seven(draft, e1, e2, owner)
    digest = freeze(draft, owner)
    copy = sets_versions.create_next_version(unit_set=draft, user=owner)
    copied: list[Any] = []
    whole = sets_versions.copy_units

    def die(units: list[Unit], target: UnitSet) -> None:
        whole(units, target)
        if len(copied) == killed_after:
            raise Killed
        copied.append(units)

    assert copy.job is not None
    monkeypatch.setattr(sets_versions, "copy_units", die)
    with pytest.raises(Killed):
        run(copy.job)
    assert Unit.objects.filter(set=copy).count() == 2 * killed_after
    monkeypatch.setattr(sets_versions, "copy_units", whole)
    let_lapse(copy.job)
    assert run(copy.job).state == JobState.DONE
    copy.refresh_from_db()
    assert (copy.unit_count, sets_service.content_hash(copy)) == (7, digest)


def test_it_says_that_the_set_was_deleted(draft: UnitSet, e1: Example, owner: User):
    add(draft, e1, owner, "One.")
    freeze(draft, owner)
    copy = sets_versions.create_next_version(unit_set=draft, user=owner)
    job = copy.job
    UnitSet.objects.filter(pk=copy.pk).delete()
    assert run(job).error == "The unit set that this job fills was deleted."


# Comparison ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "before, after, rows, same, reordered",
    [
        (["a"], ["a", "b"], [("added", "", "b")], 1, False),
        (["a", "b"], ["b"], [("removed", "a", "")], 1, False),
        (["a", "a"], ["a"], [("removed", "a", "")], 1, False),
        (["a"], ["a", "a"], [("added", "", "a")], 1, False),
        (
            ["The dam burst."],
            ["A dam burst."],
            [("changed", "The dam burst.", "A dam burst.")],
            0,
            False,
        ),
        (
            ["The dam burst."],
            ["Nobody died."],
            [("removed", "The dam burst.", ""), ("added", "", "Nobody died.")],
            0,
            False,
        ),
        (["a", "b"], ["b", "a"], [], 2, True),
        ([], ["a"], [("added", "", "a")], 0, False),
    ],
)
def test_it_finds_what_differs(
    before: list[str],
    after: list[str],
    rows: list[tuple[str, str, str]],
    same: int,
    reordered: bool,
    corpus: Project,
    e1: Example,
    e2: Example,
    owner: User,
):
    first, second = (factories.make_set(corpus, owner, name) for name in ("x", "y"))
    for unit_set, texts in ((first, before), (second, after)):
        add(unit_set, e1, owner, *texts)
        add(unit_set, e2, owner, "Equal.")
    found = compare_sets(first, second, 1)
    assert (found["examples"], found["differing"]) == (2, 1)
    assert (found["first_units"], found["second_units"]) == (len(before) + 1, len(after) + 1)
    [difference] = found["page"].object_list
    assert [(r["kind"], r["before"], r["after"]) for r in difference["rows"]] == rows
    assert (difference["example"], difference["same"]) == (e1, same)
    assert difference["reordered"] is reordered


def content(text: str, weight: int = 1, *spans: tuple[int, int]) -> dict[str, Any]:
    return {"text": text, "weight": weight, "spans": spans}


def put(unit_set: UnitSet, example: Example, owner: User, given: dict[str, Any]) -> None:
    spans = [span(example, *range_) for range_ in given["spans"]]
    act(unit_set, example, owner, create(given["text"], spans=spans))
    newest = Unit.objects.filter(set=unit_set).latest("pk").pk
    Unit.objects.filter(pk=newest).update(weight=given["weight"])


@pytest.mark.parametrize(
    "before, after, text, changes",
    [
        (content("a"), content("a", 2), ("a", "a"), [("weight", "1", "2")]),
        (content("a"), content("a", 1, (4, 7)), ("a", "a"), [("words", "", "dam")]),
        (
            content("a", 1, (4, 7)),
            content("a", 1, (0, 3), (4, 7)),
            ("a", "a"),
            [("words", "dam", "The … dam")],
        ),
        (
            content("The dam burst.", 1, (4, 7)),
            content("A dam burst.", 2, (0, 7)),
            ("The dam burst.", "A dam burst."),
            [("weight", "1", "2"), ("words", "dam", "The dam")],
        ),
    ],
)
def test_it_finds_what_changed_in_a_unit(
    before: dict[str, Any],
    after: dict[str, Any],
    text: tuple[str, str],
    changes: list[tuple[str, str, str]],
    corpus: Project,
    e1: Example,
    owner: User,
):
    first, second = (factories.make_set(corpus, owner, name) for name in ("x", "y"))
    put(first, e1, owner, before)
    put(second, e1, owner, after)
    [difference] = compare_sets(first, second, 1)["page"].object_list
    [row] = difference["rows"]
    assert (row["kind"], (row["before"], row["after"])) == ("changed", text)
    assert [(c["what"], c["before"], c["after"]) for c in row["changes"]] == changes
    assert (difference["same"], difference["reordered"]) == (0, False)


def test_it_pairs_the_same_text_before_a_similar_one(corpus: Project, e1: Example, owner: User):
    first, second = (factories.make_set(corpus, owner, name) for name in ("x", "y"))
    for given in (content("The dam burst."), content("The dam bursts.")):
        put(first, e1, owner, given)
    put(second, e1, owner, content("The dam bursts.", 2))
    [difference] = compare_sets(first, second, 1)["page"].object_list
    rows = [(row["kind"], row["before"], row["after"]) for row in difference["rows"]]
    assert rows == [
        ("removed", "The dam burst.", ""),
        ("changed", "The dam bursts.", "The dam bursts."),
    ]


def test_it_compares_no_words_that_were_guessed(corpus: Project, e1: Example, owner: User):
    first, second = (factories.make_set(corpus, owner, name) for name in ("x", "y"))
    put(first, e1, owner, content("a"))
    put(second, e1, owner, content("a", 1, (4, 7)))
    Contributor.objects.update(is_aligned=True)
    assert compare_sets(first, second, 1)["differing"] == 0


def test_it_leaves_deleted_units_out_and_turns_pages(project: Project, owner: User, tmp_path: Any):
    factories.import_examples(project, tmp_path, PAGE_SIZE + 2)
    first, second = (factories.make_set(project, owner, name) for name in ("x", "y"))
    for example in project.examples.all():
        add(second, example, owner, "New.")
    [gone] = add(first, project.examples.all()[0], owner, "Gone.")
    act(first, gone.example, owner, on(gone, "delete"))
    found = compare_sets(first, second, 2)
    assert (found["differing"], found["first_units"]) == (PAGE_SIZE + 2, 0)
    keys = [row["example"].key for row in found["page"].object_list]
    assert keys == [f"e{PAGE_SIZE + 1}", f"e{PAGE_SIZE + 2}"]
    assert live(first, gone.example) == []
