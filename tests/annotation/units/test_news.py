"""What authors and reviewers are told of each other's work, and what is written down of it."""

from __future__ import annotations

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.corpus.models import Example
from annotation.corpora.notifications.models import NotificationKind
from annotation.corpora.notifications.queries import find_place
from annotation.corpora.projects.models import Role
from annotation.units.sets import service as sets_service
from annotation.units.sets import versions
from annotation.units.sets.models import UnitSet
from annotation.units.studio import comments, progress
from tests.annotation.units.writing import add


@pytest.fixture
def given(draft: UnitSet, e1: Example, owner: User, editor: User, annotator: User) -> UnitSet:
    """The annotator writes the first example, the editor reviews it; what that told is gone."""
    progress.assign_examples(
        unit_set=draft, examples=[e1.pk], user=owner, author=annotator, reviewer=editor
    )
    add(draft, e1, annotator, "The dam burst.")
    return draft


def news(user: User) -> list[tuple[str, str]]:
    return [(row.kind, row.text) for row in user.notifications.order_by("pk")]


def test_it_tells_of_examples_that_were_given(given: UnitSet, editor: User, annotator: User):
    told = (NotificationKind.ASSIGNED, "Owner assigned you examples of draft v1.")
    assert news(editor) == news(annotator) == [told]


def test_it_tells_who_reviews_and_who_wrote(
    given: UnitSet, e1: Example, editor: User, annotator: User
):
    progress.mark_written(unit_set=given, example=e1, user=annotator)
    told = (NotificationKind.REVIEW, "Examples of draft v1 are ready for your review.")
    assert news(editor)[1:] == [told]
    progress.reopen(unit_set=given, example=e1, user=editor)
    back = (NotificationKind.SENT_BACK, f"Editor reopened {e1} of draft v1 for writing.")
    assert news(annotator)[1:] == [back]
    progress.mark_written(unit_set=given, example=e1, user=annotator)
    progress.sign_off(unit_set=given, example=e1, user=editor)
    assert len(news(editor)) == 2  # of the same set on the same day, one row
    verbs = given.project.activities.filter(target_kind="unit_set", target_id=given.pk)
    assert list(verbs.order_by("pk").values_list("verb", flat=True))[-4:] == [
        *(Verb.WRITE, Verb.REOPEN, Verb.WRITE, Verb.SIGN_OFF)
    ]


def test_it_tells_of_a_whole_set(given: UnitSet, owner: User, editor: User, annotator: User):
    sets_service.send_to_review(unit_set=given, user=owner)
    assert news(editor)[1:] == [(NotificationKind.REVIEW, "Owner sent draft v1 to review.")]
    sets_service.back_to_draft(unit_set=given, user=owner)
    assert news(annotator)[1:] == [
        (NotificationKind.SENT_BACK, "Owner returned draft v1 to draft.")
    ]


def test_it_tells_of_comments_and_answers(
    given: UnitSet, e1: Example, editor: User, annotator: User
):
    comment = comments.create_comment(unit_set=given, example=e1, user=editor, text="Which dam?")
    told = (NotificationKind.COMMENT, f"Editor commented on {e1} of draft v1.")
    assert news(annotator)[1:] == [told]
    place = find_place(annotator.notifications.get(kind=NotificationKind.COMMENT))
    assert place == f"/p/study/units/{given.pk}/examples/{e1.pk}/"
    comments.answer_comment(comment=comment, user=annotator, answer="The one of Monday.")
    told = (NotificationKind.COMMENT, f"Annotator answered your comment on {e1} of draft v1.")
    assert news(editor)[1:] == [told]
    assert not any("dam" in text or "Monday" in text for _, text in news(annotator) + news(editor))


def test_it_writes_down_who_began_the_next_version(given: UnitSet, owner: User):
    sets_service.send_to_review(unit_set=given, user=owner)
    sets_service.freeze_set(unit_set=given, user=owner, role=Role.OWNER, reason="A try.")
    versions.create_next_version(unit_set=given, user=owner)
    rows = given.project.activities.order_by("-pk")[:2]
    assert [row.text for row in rows] == [
        "created draft v2 as a copy of draft v1",
        "froze draft v1 with 1 unit",
    ]
