"""A set from draft to frozen: who may freeze it, what its hash says, and that it then stays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity
from annotation.corpora.corpus.models import Example
from annotation.corpora.imports import service as imports_service
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Project, Role
from annotation.errors import DomainError, NotFound
from annotation.units.sets import queries as sets_queries
from annotation.units.sets import service as sets_service
from annotation.units.sets import versions
from annotation.units.sets.models import (
    Change,
    Contributor,
    SetState,
    Unit,
    UnitKind,
    UnitSet,
    Weighting,
)
from annotation.units.studio import comments, progress
from annotation.units.studio.models import Assignment, Comment
from tests import factories
from tests.annotation.corpora.places import make_job
from tests.annotation.units.writing import (
    act,
    add,
    create,
    freeze,
    live,
    make_two_references,
    on,
    span,
)


def test_it_starts_with_every_example_to_be_written(corpus: Project, owner: User):
    made = sets_service.create_set(project=corpus, user=owner, name="SCUs")
    assert (made.state, made.version, made.unit_count) == (SetState.DRAFT, 1, 0)
    assert made.assignments.count() == 3
    assert Activity.objects.filter(text="created the unit set SCUs").exists()
    with pytest.raises(DomainError, match="already called 'SCUs'"):
        sets_service.create_set(project=corpus, user=owner, name="SCUs")
    assert UnitSet.objects.count() == 1


def test_it_takes_the_weighting_of_its_day(corpus: Project, owner: User):
    before = factories.make_set(corpus, owner, "before")
    sets_service.update_settings(
        project=corpus, weighting=Weighting.MERGED, disabled_rules=["too-long", "empty", "empty"]
    )
    after = factories.make_set(corpus, owner, "after")
    before.refresh_from_db()
    assert (before.weighting, after.weighting) == (Weighting.UNMERGED, Weighting.MERGED)
    assert sets_queries.get_settings(corpus).disabled_rules == ["empty", "too-long"]


def test_it_goes_to_review_and_back(draft: UnitSet, e1: Example, owner: User, editor: User):
    add(draft, e1, owner, "One.")
    factories.sign_examples(draft, owner, editor)
    sets_service.send_to_review(unit_set=draft, user=owner)
    with pytest.raises(DomainError, match="draft v1 is in review"):
        sets_service.send_to_review(unit_set=draft, user=owner)
    sets_service.back_to_draft(unit_set=draft, user=owner)
    with pytest.raises(DomainError, match="draft v1 is a draft"):
        sets_service.back_to_draft(unit_set=draft, user=owner)
    draft.refresh_from_db()
    assert (draft.state, sets_service.count_unsigned(draft)) == (SetState.DRAFT, 0)
    told = Activity.objects.filter(verb__in=("review", "reopen")).order_by("pk")
    assert [row.text for row in told] == ["sent draft v1 to review", "returned draft v1 to draft"]


def test_it_reviews_nothing_that_is_empty(draft: UnitSet, e1: Example, owner: User):
    with pytest.raises(DomainError, match="has no units"):
        sets_service.send_to_review(unit_set=draft, user=owner)
    [unit] = add(draft, e1, owner, "One.")
    act(draft, e1, owner, on(unit, "delete"))
    with pytest.raises(DomainError, match="has no units"):
        sets_service.send_to_review(unit_set=draft, user=owner)


def test_it_is_mended_and_discussed_in_review(
    draft: UnitSet, e1: Example, owner: User, editor: User
):
    [unit] = add(draft, e1, owner, "One.")
    factories.sign_examples(draft, owner, editor)
    sets_service.send_to_review(unit_set=draft, user=owner)
    comment = comments.create_comment(
        unit_set=draft, example=e1, user=editor, unit=unit, suggestion="1."
    )
    comments.accept_comment(comment=comment, user=owner)
    assert (live(draft, e1), sets_service.count_unsigned(draft)) == (["1."], 1)
    with pytest.raises(DomainError, match="1 example not signed off"):
        sets_service.freeze_set(unit_set=draft, user=editor, role=Role.EDITOR)
    progress.sign_off(unit_set=draft, example=e1, user=editor)
    assert sets_service.freeze_set(unit_set=draft, user=editor, role=Role.EDITOR)


@pytest.mark.parametrize("reason", ["", "It is for a pilot."])
def test_it_is_frozen_from_review_alone(
    reason: str, draft: UnitSet, e1: Example, owner: User, editor: User
):
    add(draft, e1, owner, "One.")
    factories.sign_examples(draft, owner, editor)
    with pytest.raises(DomainError, match="draft v1 is a draft"):
        sets_service.freeze_set(unit_set=draft, user=owner, role=Role.OWNER, reason=reason)
    draft.refresh_from_db()
    assert (draft.state, draft.content_hash) == (SetState.DRAFT, "")


def test_it_freezes_what_is_signed(draft: UnitSet, e1: Example, owner: User, editor: User):
    add(draft, e1, owner, "One.")
    factories.sign_examples(draft, owner, editor)
    sets_service.send_to_review(unit_set=draft, user=owner)
    digest = sets_service.freeze_set(unit_set=draft, user=editor, role=Role.EDITOR)
    assert (draft.state, draft.frozen_by, draft.freeze_reason) == (SetState.FROZEN, editor, "")
    assert draft.frozen_at is not None
    assert len(digest) == 64
    assert digest == draft.content_hash == sets_service.content_hash(draft)
    assert Activity.objects.filter(text="froze draft v1 with 1 unit").exists()


@pytest.mark.parametrize(
    "role, reason, goes",
    [
        (Role.OWNER, "It is for a pilot.", True),
        (Role.OWNER, "", False),
        (Role.OWNER, "  ", False),
        (Role.EDITOR, "It is for a pilot.", False),
    ],
)
def test_it_freezes_what_is_not_signed_for_an_owner_with_a_reason(
    role: Role, reason: str, goes: bool, draft: UnitSet, e1: Example, owner: User, editor: User
):
    add(draft, e1, owner, "One.")
    progress.mark_written(unit_set=draft, example=e1, user=owner)
    progress.sign_off(unit_set=draft, example=e1, user=editor)
    assert sets_service.count_unsigned(draft) == 2
    sets_service.send_to_review(unit_set=draft, user=owner)
    if goes:
        sets_service.freeze_set(unit_set=draft, user=owner, role=role, reason=reason)
        assert draft.freeze_reason == reason
        return
    with pytest.raises(DomainError, match="2 examples not signed off"):
        sets_service.freeze_set(unit_set=draft, user=owner, role=role, reason=reason)
    draft.refresh_from_db()
    assert (draft.state, draft.content_hash) == (SetState.REVIEW, "")


def test_it_takes_no_sign_off_of_who_was_made_the_author_later(
    draft: UnitSet, e1: Example, owner: User, editor: User
):
    add(draft, e1, owner, "One.")
    factories.sign_examples(draft, owner, editor)
    assert sets_service.count_unsigned(draft) == 0
    progress.assign_examples(unit_set=draft, examples=[e1.pk], user=owner, author=editor)
    assert sets_service.count_unsigned(draft) == 1
    sets_service.send_to_review(unit_set=draft, user=owner)
    with pytest.raises(DomainError, match="1 example not signed off by a second person"):
        sets_service.freeze_set(unit_set=draft, user=editor, role=Role.EDITOR)


def test_it_freezes_no_gaps(draft: UnitSet, e1: Example, owner: User):
    with pytest.raises(DomainError, match="has no units"):
        freeze(draft, owner)
    [unit] = add(draft, e1, owner, "")
    with pytest.raises(DomainError, match="1 unit without text, the first in example 'e1'") as no:
        freeze(draft, owner)
    assert no.value.fix == f"/p/study/units/{draft.pk}/examples/{e1.pk}/"
    act(draft, e1, owner, on(unit, "delete"), create("One."))
    assert freeze(draft, owner)
    assert (draft.unit_count, live(draft, e1)) == (1, ["One."])


@pytest.mark.parametrize("state", ["queued", "running", "failed", "cancelled"])
def test_it_freezes_nothing_that_is_not_filled(
    state: str, draft: UnitSet, e1: Example, owner: User
):
    add(draft, e1, owner, "One.")
    draft.job = make_job(draft.project, state=state)
    draft.save()
    with pytest.raises(DomainError, match="still being added|incomplete"):
        freeze(draft, owner)


# The hash ------------------------------------------------------------------------------------


def write_two(unit_set: UnitSet, owner: User) -> list[Unit]:
    example = unit_set.project.examples.get(key="e1")
    spans = [span(example, 0, 7), span(example, 2, 5, reference=1)]
    act(unit_set, example, owner, create("The dam burst.", spans=spans), create("All are safe."))
    return list(Unit.objects.filter(set=unit_set))


def test_it_has_the_same_hash_on_every_server(owner: User, tmp_path: Path):
    """Other ids, other people, another history: the same content."""
    hashes = []
    for slug in ("here", "there"):
        project = make_two_references(owner, tmp_path, slug)
        unit_set = factories.make_set(project, owner, slug)
        units = write_two(unit_set, owner)
        if slug == "there":
            example = project.examples.get(key="e1")
            act(unit_set, example, owner, on(units[0], text="x"), create("Gone.", unit="gone"))
            act(unit_set, example, owner, on(units[0], text="The dam burst."))
            gone = Unit.objects.get(text="Gone.")
            act(unit_set, example, owner, on(gone, "delete"))
        hashes.append(freeze(unit_set, owner))
    assert hashes[0] == hashes[1]


def change_text(units: list[Unit]) -> None:
    Unit.objects.filter(pk=units[0].pk).update(text="The dam burst!")


def change_order(units: list[Unit]) -> None:
    Unit.objects.filter(pk=units[0].pk).update(position=5)


def change_weight(units: list[Unit]) -> None:
    Unit.objects.filter(pk=units[0].pk).update(weight=7)


def change_kind(units: list[Unit]) -> None:
    Unit.objects.filter(pk=units[0].pk).update(kind=UnitKind.STU)


def change_extractor(units: list[Unit]) -> None:
    Unit.objects.filter(pk=units[0].pk).update(extractor="srl")


def change_example(units: list[Unit]) -> None:
    other = units[0].set.project.examples.get(key="e2")
    Unit.objects.filter(pk=units[0].pk).update(example=other)


def change_span(units: list[Unit]) -> None:
    units[0].contributors.filter(start=0).update(end=8)


def remove_span(units: list[Unit]) -> None:
    units[0].contributors.filter(start=0).delete()


def change_reference(units: list[Unit]) -> None:
    other = units[0].example.references.get(position=1)
    units[0].contributors.filter(start=0).update(reference=other)


def remove_unit(units: list[Unit]) -> None:
    Unit.objects.filter(pk=units[1].pk).update(is_deleted=True)


CHANGES = [
    change_text,
    change_order,
    change_weight,
    change_kind,
    change_extractor,
    change_example,
    change_span,
    remove_span,
    change_reference,
    remove_unit,
]


@pytest.mark.parametrize("change", CHANGES)
def test_it_has_another_hash_after_any_change(
    change: Callable[[list[Unit]], None], owner: User, tmp_path: Path
):
    unit_set = factories.make_set(make_two_references(owner, tmp_path), owner)
    units = write_two(unit_set, owner)
    before = sets_service.content_hash(unit_set)
    change(units)
    assert sets_service.content_hash(unit_set) != before


def test_it_leaves_guessed_words_out_of_its_hash(owner: User, tmp_path: Path):
    """Another version may find other words by overlap; the units are the same."""
    unit_set = factories.make_set(make_two_references(owner, tmp_path), owner)
    units = write_two(unit_set, owner)
    before = sets_service.content_hash(unit_set)
    Contributor.objects.create(
        unit=units[1],
        reference=units[1].example.references.all()[0],
        start=0,
        end=4,
        is_aligned=True,
    )
    assert sets_service.content_hash(unit_set) == before


# Deleting ------------------------------------------------------------------------------------


def test_it_is_deleted_with_all_that_hangs_on_it(
    draft: UnitSet, e1: Example, owner: User, corpus: Project
):
    [stu] = add(draft, e1, owner, "dam burst")
    Unit.objects.filter(pk=stu.pk).update(kind=UnitKind.STU)
    act(draft, e1, owner, on(stu, spans=[span(e1, 0, 3)]))
    comments.create_comment(unit_set=draft, example=e1, user=owner, unit=stu, text="Hm.")
    other = factories.make_set(corpus, owner, "other")
    act(other, e1, owner, create("The dam burst.", promoted_from=stu.pk))
    sets_service.delete_set(unit_set=draft, user=owner)
    assert UnitSet.objects.get() == other
    assert (Unit.objects.get().promoted_from, Comment.objects.count()) == (None, 0)
    assert Contributor.objects.count() == 0
    assert live(other, e1) == ["The dam burst."]
    with pytest.raises(NotFound, match="was deleted"):
        sets_service.delete_set(unit_set=draft, user=owner)


def test_it_is_not_deleted_while_it_is_being_filled(draft: UnitSet, owner: User):
    draft.job = make_job(draft.project)
    draft.save()
    with pytest.raises(DomainError, match="still being added"):
        sets_service.delete_set(unit_set=draft, user=owner)
    type(draft.job).objects.update(state="failed")
    sets_service.delete_set(unit_set=draft, user=owner)
    assert not UnitSet.objects.exists()


@pytest.mark.parametrize("is_frozen", [False, True])
def test_it_goes_with_its_project(
    is_frozen: bool, draft: UnitSet, e1: Example, owner: User, corpus: Project
):
    [unit] = add(draft, e1, owner, "One.")
    act(draft, e1, owner, on(unit, spans=[span(e1, 0, 3)]))
    comments.create_comment(unit_set=draft, example=e1, user=owner, unit=unit, text="Hm.")
    if is_frozen:
        freeze(draft, owner)
        versions.create_next_version(unit_set=draft, user=owner)
    projects_service.delete_project(project=corpus)
    assert not Project.objects.exists()
    assert [table.objects.count() for table in (UnitSet, Unit, Contributor, Change)] == [0] * 4


def test_it_keeps_the_import_that_it_stands_on(
    draft: UnitSet, e1: Example, owner: User, corpus: Project
):
    add(draft, e1, owner, "One.")
    import_ = corpus.imports.get()
    with pytest.raises(DomainError, match="draft v1 contains units"):
        imports_service.undo_import(import_=import_, user=owner)
    import_.refresh_from_db()
    assert import_.state == "done"
    sets_service.delete_set(unit_set=draft, user=owner)
    factories.make_set(corpus, owner, "empty")
    job = imports_service.undo_import(import_=import_, user=owner)
    assert jobs_service.run_job(job_id=job.pk)
    assert (Example.objects.count(), Assignment.objects.count()) == (0, 0)
