"""Review: comments and wordings, who signs off what, the queue, and who did how much."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity
from annotation.corpora.corpus.models import Example
from annotation.corpora.projects.models import Project, Role
from annotation.errors import DomainError, Forbidden, Invalid, NotFound
from annotation.units.sets import service as sets_service
from annotation.units.sets.models import Change, Unit, UnitSet
from annotation.units.sets.queries import list_progress
from annotation.units.studio import comments as studio_comments
from annotation.units.studio import ops, progress
from annotation.units.studio import queries as studio_queries
from annotation.units.studio.models import Assignment, Comment, CommentState
from annotation.units.studio.progress import has_written
from tests import factories
from tests.annotation.units.writing import act, add, create, live, on


@pytest.fixture
def unit(draft: UnitSet, e1: Example, owner: User) -> Unit:
    """The owner's unit in the first example."""
    return add(draft, e1, owner, "The dam burst.")[0]


def suggest(unit: Unit, user: User, wording: str = "A dam burst.") -> Comment:
    return studio_comments.create_comment(
        unit_set=unit.set, example=unit.example, user=user, unit=unit, suggestion=wording
    )


def remark(unit: Unit, user: User) -> Comment:
    return studio_comments.create_comment(
        unit_set=unit.set, example=unit.example, user=user, text=" Which dam? "
    )


def test_it_takes_a_suggested_wording_in_one_step(unit: Unit, owner: User, editor: User):
    comment = suggest(unit, editor, "  A  dam burst. ")
    studio_comments.accept_comment(comment=comment, user=owner)
    unit.refresh_from_db()
    assert (unit.text, unit.revision) == ("A dam burst.", 2)
    assert (comment.state, comment.answered_by) == (CommentState.ACCEPTED, owner)
    assert comment.answered_at is not None
    change = Change.objects.latest("pk")
    assert (change.action, change.actor) == ("accept", owner)


def test_it_takes_no_wording_for_words_that_are_gone(unit: Unit, owner: User, editor: User):
    comment = suggest(unit, editor)
    act(unit.set, unit.example, owner, on(unit, text="Changed meanwhile."))
    with pytest.raises(ops.StaleUnit):
        studio_comments.accept_comment(comment=comment, user=owner)
    assert live(unit.set, unit.example) == ["Changed meanwhile."]
    assert Comment.objects.get().state == CommentState.OPEN


def test_it_takes_a_wording_for_words_that_were_seen(unit: Unit, owner: User, editor: User):
    comment = suggest(unit, editor)
    act(unit.set, unit.example, owner, on(unit, text="Changed meanwhile."))
    with pytest.raises(ops.StaleUnit) as stale:
        studio_comments.accept_comment(comment=comment, user=owner, revision=1)
    assert stale.value.extra["current"]["text"] == "Changed meanwhile."
    studio_comments.accept_comment(comment=comment, user=owner, revision=2)
    assert live(unit.set, unit.example) == ["A dam burst."]
    assert comment.state == CommentState.ACCEPTED


def test_it_takes_no_wording_for_a_unit_that_is_gone(unit: Unit, owner: User, editor: User):
    comment = suggest(unit, editor)
    act(unit.set, unit.example, owner, on(unit, "delete"))
    with pytest.raises(DomainError, match="unit was deleted"):
        studio_comments.accept_comment(comment=comment, user=owner, revision=2)
    assert Comment.objects.get().state == CommentState.OPEN


def test_it_is_said_once_however_often_it_comes(unit: Unit, owner: User, editor: User):
    given: dict[str, Any] = {"unit_set": unit.set, "example": unit.example, "user": editor}
    op = uuid.uuid4()
    first, again = (studio_comments.create_comment(**given, text="Why?", op=op) for _ in range(2))
    studio_comments.answer_comment(comment=first, user=owner, answer="So.")
    factories.freeze(unit.set, owner)
    late = studio_comments.create_comment(**given, text="Why?", op=op)
    assert first == again == late
    assert (late.state, Comment.objects.count()) == (CommentState.ANSWERED, 1)
    other = factories.make_set(unit.set.project, owner, "other")
    assert (
        studio_comments.create_comment(**{**given, "unit_set": other}, text="Why?", op=op) != first
    )


def test_it_closes_nothing_if_the_wording_can_not_be_taken(
    unit: Unit, owner: User, editor: User, monkeypatch: pytest.MonkeyPatch
):
    comment = suggest(unit, editor)

    def fail(**_: object) -> None:
        raise Invalid("The disk is full.")

    monkeypatch.setattr("annotation.units.studio.comments.apply_op", fail)
    with pytest.raises(Invalid):
        studio_comments.accept_comment(comment=comment, user=owner)
    assert Comment.objects.get().state == CommentState.OPEN


def test_it_agrees_with_a_remark_without_changing_a_word(unit: Unit, owner: User, editor: User):
    comment = remark(unit, editor)
    assert comment.text == "Which dam?"
    studio_comments.accept_comment(comment=comment, user=owner)
    unit.refresh_from_db()
    assert (comment.state, unit.revision) == (CommentState.ACCEPTED, 1)


def test_it_rejects_and_answers(unit: Unit, owner: User, editor: User):
    rejected = studio_comments.reject_comment(
        comment=suggest(unit, editor), user=owner, answer=" No. "
    )
    answered = studio_comments.answer_comment(
        comment=remark(unit, editor), user=owner, answer="This."
    )
    assert (rejected.state, rejected.answer) == (CommentState.REJECTED, "No.")
    assert (answered.state, answered.answer) == (CommentState.ANSWERED, "This.")
    assert live(unit.set, unit.example) == ["The dam burst."]
    with pytest.raises(Invalid, match="answer is empty"):
        studio_comments.answer_comment(comment=remark(unit, editor), user=owner, answer=" ")


def test_it_is_closed_once(unit: Unit, owner: User, editor: User):
    comment = suggest(unit, editor)
    studio_comments.reject_comment(comment=comment, user=owner)
    for close in (studio_comments.accept_comment, studio_comments.reject_comment):
        with pytest.raises(DomainError, match="already closed"):
            close(comment=comment, user=owner)
    with pytest.raises(DomainError, match="already closed"):
        studio_comments.answer_comment(comment=comment, user=owner, answer="x")
    assert live(unit.set, unit.example) == ["The dam burst."]


def test_it_says_something(unit: Unit, editor: User):
    with pytest.raises(DomainError, match="is empty"):
        studio_comments.create_comment(
            unit_set=unit.set, example=unit.example, user=editor, text=" "
        )
    with pytest.raises(DomainError, match="needs a unit"):
        studio_comments.create_comment(
            unit_set=unit.set, example=unit.example, user=editor, suggestion="x"
        )
    assert not Comment.objects.exists()


# Signing off ---------------------------------------------------------------------------------


def test_it_is_not_signed_off_by_its_author(unit: Unit, owner: User, editor: User):
    with pytest.raises(Forbidden, match="their own units"):
        progress.sign_off(unit_set=unit.set, example=unit.example, user=owner)
    progress.mark_written(unit_set=unit.set, example=unit.example, user=editor)
    with pytest.raises(Forbidden, match="their own units"):
        progress.sign_off(unit_set=unit.set, example=unit.example, user=editor)


def test_it_is_not_signed_off_by_anybody_who_wrote_in_it(
    unit: Unit, owner: User, editor: User, annotator: User
):
    [theirs] = add(unit.set, unit.example, annotator, "All are safe.")
    with pytest.raises(Forbidden, match="their own units"):
        progress.sign_off(unit_set=unit.set, example=unit.example, user=annotator)
    move = {"action": "move", "unit": theirs.pk, "after": None}
    factories.change_units(unit.set, unit.example, editor, "move", move)
    studio_comments.accept_comment(comment=suggest(unit, owner), user=editor)
    assert progress.sign_off(unit_set=unit.set, example=unit.example, user=editor)


@pytest.mark.parametrize("count, words", [(1, "1 comment .* is open"), (2, "2 comments .* are")])
def test_it_is_not_signed_off_while_something_is_open(
    count: int, words: str, unit: Unit, owner: User, editor: User
):
    comments = [remark(unit, editor) for _ in range(count)]
    with pytest.raises(DomainError, match=words):
        progress.sign_off(unit_set=unit.set, example=unit.example, user=editor)
    for comment in comments:
        studio_comments.answer_comment(comment=comment, user=owner, answer="This one.")
    signed = progress.sign_off(unit_set=unit.set, example=unit.example, user=editor)
    assert (signed.state, signed.signed_by) == ("signed", editor)
    assert signed.signed_at is not None


def test_a_unit_without_a_text_is_neither_written_nor_signed_off(
    unit: Unit, owner: User, editor: User
):
    """It would be found only when the set is frozen, after everybody has signed."""
    Unit.objects.filter(pk=unit.pk).update(text="")
    for step, person in ((progress.mark_written, owner), (progress.sign_off, editor)):
        with pytest.raises(DomainError, match="1 unit of this example has no text"):
            step(unit_set=unit.set, example=unit.example, user=person)
    Unit.objects.filter(pk=unit.pk).update(is_deleted=True)
    assert progress.mark_written(unit_set=unit.set, example=unit.example, user=owner)


def test_it_is_opened_again(unit: Unit, owner: User, editor: User):
    progress.mark_written(unit_set=unit.set, example=unit.example, user=owner)
    progress.sign_off(unit_set=unit.set, example=unit.example, user=editor)
    progress.reopen(unit_set=unit.set, example=unit.example, user=editor)
    row = Assignment.objects.get(set=unit.set, example=unit.example)
    assert (row.state, row.signed_by, row.signed_at, row.author) == ("todo", None, None, owner)


def test_it_knows_who_wrote(unit: Unit, owner: User, editor: User, annotator: User):
    progress.mark_written(unit_set=unit.set, example=unit.example, user=annotator)
    wrote = [has_written(unit.set, unit.example, who) for who in (owner, annotator, editor)]
    assert wrote == [True, True, False]


# The queue -----------------------------------------------------------------------------------


def queue(unit_set: UnitSet, user: User, limit: int = 20) -> list[str]:
    return [row.example.key for row in studio_queries.list_queue(unit_set, user, limit)]


def test_it_queues_mine_then_what_i_check_then_what_is_free(
    project: Project, owner: User, editor: User, annotator: User, tmp_path
):
    factories.import_examples(project, tmp_path, 6)
    unit_set = factories.make_set(project, owner)
    examples = {row.key: row for row in project.examples.all()}
    rows = Assignment.objects.filter(set=unit_set)
    rows.filter(example__key="e5").update(author=editor)
    rows.filter(example__key="e4").update(state="written", author=owner)
    rows.filter(example__key="e3").update(state="written", author=owner, reviewer=annotator)
    rows.filter(example__key="e2").update(state="written", author=owner, reviewer=editor)
    progress.mark_written(unit_set=unit_set, example=examples["e6"], user=editor)
    assert queue(unit_set, editor) == ["e5", "e2", "e4", "e1"]
    assert queue(unit_set, annotator) == ["e3", "e4", "e6", "e1"]
    assert queue(unit_set, owner) == ["e6", "e1"]
    assert queue(unit_set, editor, limit=2) == ["e5", "e2"]
    rows.filter(example__key="e4").update(priority=2)
    assert queue(unit_set, editor) == ["e5", "e4", "e2", "e1"]
    rows.filter(example__key="e4").update(written_by=editor)
    assert queue(unit_set, editor) == ["e5", "e2", "e1"]
    add(unit_set, examples["e2"], editor, "Mine.")
    assert queue(unit_set, editor) == ["e5", "e1"]


def test_it_queues_what_i_check_first_in_review(
    draft: UnitSet, e1: Example, e2: Example, owner: User, editor: User
):
    progress.assign_range(unit_set=draft, user=owner, first=1, last=1, author=editor)
    add(draft, e2, owner, "One.")
    progress.mark_written(unit_set=draft, example=e2, user=owner)
    assert queue(draft, editor) == ["e1", "e2", "e3"]
    sets_service.send_to_review(unit_set=draft, user=owner)
    assert queue(draft, editor) == ["e2", "e1"]


def test_it_counts_how_far_it_is(draft: UnitSet, e1: Example, e2: Example, owner: User, editor):
    progress.mark_written(unit_set=draft, example=e1, user=owner)
    progress.mark_written(unit_set=draft, example=e2, user=owner)
    progress.sign_off(unit_set=draft, example=e2, user=editor)
    told = {"todo": 1, "written": 1, "signed": 1, "spared": 0}
    assert studio_queries.get_progress(draft) == {"total": 3, **told}
    assert list_progress([draft])[draft.pk] == told


def test_it_tells_how_long_a_unit_takes(
    draft: UnitSet, e1: Example, owner: User, editor: User, annotator: User
):
    act(draft, e1, owner, create("One.", seconds=30), create("Two.", seconds=15))
    act(draft, e1, editor, create("Three.", seconds=10))
    gone = add(draft, e1, editor, "Gone.")[0]
    act(draft, e1, editor, on(gone, "delete"))
    progress.mark_written(unit_set=draft, example=e1, user=owner)
    progress.sign_off(unit_set=draft, example=e1, user=annotator)
    shown = [
        (p["name"], p["units"], p["seconds"], p["seconds_per_unit"], p["written"], p["signed"])
        for p in studio_queries.list_people(draft)
    ]
    assert shown == [
        ("Owner", 2, 45, 22, 1, 0),
        ("Editor", 1, 10, 10, 0, 0),
        ("Annotator", 0, 0, 0, 0, 1),
    ]


# Giving examples out -------------------------------------------------------------------------


def people(unit_set: UnitSet) -> list[tuple[str | None, str | None]]:
    rows = Assignment.objects.filter(set=unit_set).order_by("example__position")
    return list(rows.values_list("author__name", "reviewer__name"))


def test_it_gives_examples_out_by_number(draft: UnitSet, owner: User, editor: User, annotator):
    given: dict[str, Any] = {"unit_set": draft, "user": owner}
    assert progress.assign_range(**given, first=1, last=2, author=editor) == 2
    assert progress.assign_range(**given, first=2, last=99, reviewer=annotator) == 2
    assert people(draft) == [("Editor", None), ("Editor", "Annotator"), (None, "Annotator")]
    assert progress.assign_range(**given, first=10, last=2**40, author=owner) == 0
    assert Activity.objects.filter(text__contains="assigned 2 examples of draft v1").count() == 2


def test_it_lets_nobody_review_their_own(draft: UnitSet, owner: User, editor: User, annotator):
    given: dict[str, Any] = {"unit_set": draft, "user": owner, "first": 1, "last": 3}
    with pytest.raises(DomainError, match="their own"):
        progress.assign_range(**given, author=editor, reviewer=editor)
    progress.assign_range(unit_set=draft, user=owner, first=1, last=1, author=editor)
    assert progress.assign_range(**given, reviewer=editor) == 2
    assert people(draft) == [("Editor", None), (None, "Editor"), (None, "Editor")]
    progress.assign_range(**given, author=editor)
    assert people(draft) == [("Editor", None)] * 3


@pytest.mark.parametrize("first, last, words", [(3, 2, "comes after"), (1, 2, "No author")])
def test_it_needs_a_range_and_a_person(first: int, last: int, words: str, draft: UnitSet, owner):
    who = owner if first > last else None
    with pytest.raises(DomainError, match=words):
        progress.assign_range(unit_set=draft, user=owner, first=first, last=last, author=who)


def test_it_gives_out_to_those_who_may_write(
    corpus: Project, owner: User, editor: User, annotator: User, viewer: User, outsider: User
):
    other = factories.make_project(outsider, "other")
    factories.add_member(other, editor, Role.VIEWER)
    assert list(studio_queries.list_writers(corpus)) == [annotator, editor, owner]
    assert studio_queries.get_writer(corpus, editor.pk) == editor
    assert studio_queries.get_writer(corpus, None) is None
    for stranger in (viewer, outsider):
        with pytest.raises(NotFound):
            studio_queries.get_writer(corpus, stranger.pk)


def test_it_reaches_examples_that_came_later(draft: UnitSet, owner: User, editor: User, tmp_path):
    more = [factories.example("late", summaries={})]
    path = factories.write_jsonl(tmp_path / "late.jsonl", more)
    factories.import_corpus(draft.project, path)
    assert progress.assign_range(unit_set=draft, user=owner, first=4, last=4, author=editor) == 1
    assert queue(draft, editor)[0] == "late"
