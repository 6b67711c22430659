"""One set: how far it is, what is next, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs.models import Job, JobState
from annotation.units.sets import service as sets_service
from annotation.units.sets.models import SetState, UnitSet, Weighting
from annotation.units.studio import progress
from annotation.units.studio.models import Assignment
from tests import factories
from tests.annotation.corpora.pages import HOSTILE, page_of

As = Callable[[str], Client]

EDITS = {"rename/", "assign/", "review/", "check/"}


def address(unit_set: UnitSet, rest: str = "") -> str:
    return f"/p/study/units/{unit_set.pk}/{rest}"


def offered(page_actions: list[str], unit_set: UnitSet) -> set[str]:
    here = address(unit_set)
    return {action.removeprefix(here) for action in page_actions if action.startswith(here)}


@pytest.mark.parametrize(
    "who, status",
    [("owner", 200), ("editor", 200), ("annotator", 200), ("viewer", 200), ("outsider", 404)],
)
def test_it_is_open_to_members(who: str, status: int, unit_set: UnitSet, as_who: As):
    assert as_who(who).get(address(unit_set)).status_code == status


def test_it_asks_strangers_to_sign_in(unit_set: UnitSet, client: Client):
    assert client.get(address(unit_set))["Location"].startswith("/sign-in/")


@pytest.mark.parametrize(
    "who, actions",
    [
        ("owner", {*EDITS, "delete/"}),
        ("editor", EDITS),
        ("annotator", {"check/"}),
        ("viewer", set()),
    ],
)
def test_it_offers_what_the_role_may_do(who: str, actions: set[str], written: UnitSet, as_who: As):
    page = page_of(as_who(who).get(address(written)))
    assert offered(page.actions, written) == actions


@pytest.mark.parametrize(
    "who, actions",
    [
        ("owner", {"assign/", "draft/", "freeze/", "delete/", "rename/", "check/"}),
        ("editor", {"assign/", "draft/", "rename/", "check/"}),
        ("annotator", {"check/"}),
        ("viewer", set()),
    ],
)
def test_it_offers_what_the_role_may_do_in_review(
    who: str, actions: set[str], written: UnitSet, owner: User, as_who: As
):
    sets_service.send_to_review(unit_set=written, user=owner)
    page = page_of(as_who(who).get(address(written)))
    assert offered(page.actions, written) == actions


@pytest.mark.parametrize("who, works", [("editor", True), ("annotator", True), ("viewer", False)])
def test_it_offers_the_next_example_to_writers(who: str, works: bool, written: UnitSet, as_who: As):
    page = page_of(as_who(who).get(address(written)))
    assert (address(written, "next/") in page.links) is works
    assert ("Next for you" in page.text) is works


def test_it_says_how_far_it_is(written: UnitSet, owner: User, editor: User, as_viewer: Client):
    first, second, _ = written.project.examples.all()
    progress.mark_written(unit_set=written, example=first, user=owner)
    progress.sign_off(unit_set=written, example=first, user=editor)
    progress.mark_written(unit_set=written, example=second, user=owner)
    page = page_of(as_viewer.get(address(written)))
    assert "Signed off 1 To check 1 To write 1 Examples 3" in page.text
    assert 'class="bar__written" x="1" width="1"' in page.html


def test_it_lists_what_is_next(written: UnitSet, owner: User, editor: User, as_who: As):
    first = written.project.examples.get(key="e1")
    progress.mark_written(unit_set=written, example=first, user=owner)
    page = page_of(as_who("editor").get(address(written)))
    assert address(written, f"examples/{first.pk}/") in page.links
    assert "e1 To check Owner anyone else" in page.text
    assert "e2 To write unassigned anyone else" in page.text


def test_it_names_the_work_at_hand(written: UnitSet, owner: User, as_who: As):
    assert "Continue writing" in page_of(as_who("annotator").get(address(written))).text
    for example in written.project.examples.all():
        progress.mark_written(unit_set=written, example=example, user=owner)
    assert "Continue checking" in page_of(as_who("annotator").get(address(written))).text


def test_it_says_when_nothing_waits(written: UnitSet, owner: User, as_owner: Client):
    for example in written.project.examples.all():
        progress.mark_written(unit_set=written, example=example, user=owner)
    page = page_of(as_owner.get(address(written)))
    assert "You have nothing to do" in page.text
    assert "someone other than their authors" in page.text
    assert address(written, "next/") not in page.links


def test_it_leads_to_pyramids_where_weights_are_counted(
    unit_set: UnitSet, example: Example, as_owner: Client
):
    link = address(unit_set, f"examples/{example.pk}/pyramid/")
    assert link not in page_of(as_owner.get(address(unit_set))).links
    UnitSet.objects.update(weighting=Weighting.MERGED)
    page = page_of(as_owner.get(address(unit_set)))
    assert link in page.links
    assert "weighted by references (Pyramid)" in page.text


@pytest.mark.parametrize("who", ["owner", "viewer"])
def test_it_can_be_read_from_the_first_example(
    who: str, frozen: UnitSet, example: Example, as_who: As
):
    page = page_of(as_who(who).get(address(frozen)))
    assert address(frozen, f"examples/{example.pk}/") in page.links


@pytest.mark.parametrize(
    "seconds, words", [(0, "–"), (90, "45 s"), (600, "5 min"), (20_000, "3 h")]
)
def test_it_says_how_long_a_unit_takes(
    seconds: int, words: str, written: UnitSet, as_viewer: Client
):
    written.units.filter(text="The dam burst.").update(seconds=seconds)
    page = page_of(as_viewer.get(address(written)))
    assert f"Owner 2 {words} 0 0" in page.text


def test_it_gives_out_examples(unit_set: UnitSet, editor: User, annotator: User, as_owner: Client):
    sent = {"first": 2, "last": 3, "author": editor.pk, "reviewer": annotator.pk}
    page = page_of(as_owner.post(address(unit_set, "assign/"), sent, follow=True))
    assert "2 examples assigned." in page.text
    rows = Assignment.objects.filter(author=editor, reviewer=annotator)
    assert sorted(row.example.key for row in rows) == ["e2", "e3"]


@pytest.mark.parametrize(
    "sent, message",
    [
        ({"first": 1, "last": 2}, "Choose an author, a reviewer or both."),
        ({"first": 3, "last": 1}, "must not come before the first"),
        ({"first": 0, "last": 1}, "greater than or equal to 1"),
    ],
)
def test_it_says_why_examples_are_not_given_out(
    sent: dict[str, int], message: str, unit_set: UnitSet, as_owner: Client
):
    page = page_of(as_owner.post(address(unit_set, "assign/"), sent), 422)
    assert message in page.text
    assert page.values["first"] == str(sent["first"])


def test_it_goes_to_review_and_back(written: UnitSet, as_owner: Client):
    page = page_of(as_owner.post(address(written, "review/"), follow=True))
    assert "◐ In review" in page.text
    assert offered(page.actions, written) >= {"draft/"}
    page = page_of(as_owner.post(address(written, "draft/"), follow=True))
    assert "○ Draft" in page.text


def test_it_has_nothing_to_review_at_first(unit_set: UnitSet, as_owner: Client):
    page = page_of(as_owner.get(address(unit_set)))
    assert "Nothing to review yet" in page.text
    assert not {"review/", "freeze/"} & offered(page.actions, unit_set)


def test_it_says_what_is_left_to_write_before_a_review(
    written: UnitSet, owner: User, as_owner: Client
):
    page = page_of(as_owner.get(address(written)))
    assert "3 of 3 examples are still to be written." in page.text
    for example in written.project.examples.all():
        progress.mark_written(unit_set=written, example=example, user=owner)
    assert "still to be written" not in page_of(as_owner.get(address(written))).text


def test_it_asks_an_owner_for_a_reason(written: UnitSet, as_owner: Client, as_who: As):
    page = page_of(as_owner.post(address(written, "review/"), follow=True))
    assert "3 of 3 examples still to be signed off by a second person." in page.text
    assert "reason" in page.values
    page = page_of(as_who("editor").get(address(written)))
    assert "Owners can freeze the set anyway" in page.text
    assert "reason" not in page.values


def test_it_asks_for_none_when_all_is_checked(
    written: UnitSet, owner: User, editor: User, as_who: As
):
    factories.sign_examples(written, owner, editor)
    sets_service.send_to_review(unit_set=written, user=owner)
    page = page_of(as_who("editor").get(address(written)))
    assert "Freeze SCUs v1 with 2 units" in page.words
    assert "reason" not in page.values
    assert "to be signed off" not in page.text


def test_it_freezes(written: UnitSet, as_owner: Client):
    sent = {"reason": "The deadline is today."}
    assert as_owner.post(address(written, "freeze/"), sent).status_code == 409
    as_owner.post(address(written, "review/"))
    page = page_of(as_owner.post(address(written, "freeze/"), sent, follow=True))
    written.refresh_from_db()
    assert written.state == SetState.FROZEN
    assert written.content_hash[:12] in page.words
    assert "Reason The deadline is today." in page.text
    assert offered(page.actions, written) == {"next-version/", "rename/", "archive/", "check/"}
    assert "Next for you" not in page.text


@pytest.mark.parametrize("who, may", [("editor", True), ("annotator", False), ("viewer", False)])
def test_it_lets_editors_make_the_next_version(who: str, may: bool, frozen: UnitSet, as_who: As):
    page = page_of(as_who(who).get(address(frozen)))
    assert ("next-version/" in offered(page.actions, frozen)) is may


def next_version(frozen: UnitSet, client: Client) -> UnitSet:
    client.post(address(frozen, "next-version/"))
    return UnitSet.objects.get(parent=frozen)


def run(job: Job | None) -> None:
    assert job is not None
    jobs_service.run_job(job_id=job.pk)


def test_it_shows_that_it_is_being_filled(frozen: UnitSet, as_owner: Client):
    copy = next_version(frozen, as_owner)
    page = page_of(as_owner.get(address(copy)))
    assert "Copy SCUs v1 to version 2" in page.text
    assert "The units appear when the job is done." in page.text
    assert f'hx-get="{address(copy)}"' in page.html
    assert offered(page.actions, copy) == set()
    run(copy.job)
    page = page_of(as_owner.get(address(copy)))
    assert "hx-get" not in page.html
    assert "copied from v1" in page.text


@pytest.mark.parametrize(
    "state, words", [(JobState.FAILED, "failed"), (JobState.CANCELLED, "was cancelled")]
)
def test_it_says_that_filling_it_failed(
    state: JobState, words: str, frozen: UnitSet, as_owner: Client
):
    copy = next_version(frozen, as_owner)
    Job.objects.filter(title__startswith="Copy").update(state=state)
    page = page_of(as_owner.get(address(copy)))
    assert f"Its job {words}." in page.text
    assert f"/p/study/jobs/{copy.job_id}/" in page.links


def test_it_leads_to_what_changed(frozen: UnitSet, as_owner: Client):
    copy = next_version(frozen, as_owner)
    run(copy.job)
    link = address(frozen, f"compare/{copy.pk}/")
    assert link in page_of(as_owner.get(address(copy))).links
    assert link in page_of(as_owner.get(address(frozen))).links


def test_it_offers_downloads(unit_set: UnitSet, example: Example, owner: User, as_viewer: Client):
    download = address(unit_set, "export/jsonl/")
    page = page_of(as_viewer.get(address(unit_set)))
    assert "Nothing to download yet." in page.text
    assert download not in page.links
    factories.add_unit(unit_set, example, owner, "The dam burst.")
    assert download in page_of(as_viewer.get(address(unit_set))).links


def test_it_is_deleted_by_an_owner(written: UnitSet, as_owner: Client):
    page = page_of(as_owner.get(address(written)))
    assert "2 units will be deleted, with history and comments." in page.text
    page = page_of(as_owner.post(address(written, "delete/"), follow=True))
    assert "SCUs v1 was deleted." in page.text
    assert not UnitSet.objects.exists()


@pytest.mark.parametrize("rest", ["assign/", "review/", "draft/", "freeze/", "next-version/"])
@pytest.mark.parametrize("who, status", [("annotator", 403), ("viewer", 403), ("outsider", 404)])
def test_it_refuses_changes_of_others(
    rest: str, who: str, status: int, unit_set: UnitSet, as_who: As
):
    assert as_who(who).post(address(unit_set, rest)).status_code == status


def test_it_escapes_what_people_wrote(frozen: UnitSet, as_owner: Client):
    User.objects.update(name=HOSTILE)
    Example.objects.filter(key="e1").update(key=HOSTILE)
    UnitSet.objects.update(name=HOSTILE, freeze_reason=HOSTILE)
    assert page_of(as_owner.get(address(frozen))).text.count(HOSTILE) >= 4
    copy = next_version(frozen, as_owner)
    assert HOSTILE in page_of(as_owner.get(address(copy))).text
    run(copy.job)
    assert page_of(as_owner.get(address(copy))).text.count(HOSTILE) >= 6
