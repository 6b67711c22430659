"""Submitting, returning and running out of time: nothing overwritten, nothing lost."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.crowd.market.answers import read_answer_xml
from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.market.models_work import MarketAssignment, MarketHit
from annotation.crowd.market.work import (
    PREVIEW_ID,
    Outcome,
    Unanswered,
    abandon_overdue,
    accept_hit,
    return_assignment,
    submit_assignment,
)
from annotation.errors import DomainError, Invalid, NotFound
from annotation.units.sets.models import UnitSet
from tests.annotation.crowd.studies import make_campaign
from tests.annotation.crowd.working import make_hit, make_type, make_worker, overdue, places_of

pytestmark = pytest.mark.django_db

ANSWERS = {"s1": ["present"], "giza_seconds": ["12"]}


@pytest.fixture
def hit(db: None) -> MarketHit:
    return make_hit(make_type(), places=1)


@pytest.fixture
def assignment(hit: MarketHit, worker: WorkerAccount) -> MarketAssignment:
    return accept_hit(hit_id=hit.hit_id, worker=worker)


def test_it_keeps_the_answers(assignment: MarketAssignment):
    fields = {"assignmentId": [assignment.assignment_id], "s1": ["present"], "why": ["a", "<b>"]}
    done = submit_assignment(assignment_id=assignment.assignment_id, fields=fields)
    assert done.outcome == Outcome.KEPT
    assignment.refresh_from_db()
    assert read_answer_xml(assignment.answer) == {
        "assignmentId": assignment.assignment_id,
        "s1": "present",
        "why": "a|<b>",
    }
    assert assignment.status == "Submitted"
    assert assignment.submitted_at is not None
    assert assignment.auto_approve_at == assignment.submitted_at + timedelta(days=1)
    assert places_of(assignment.hit) == (0, 0, 1, 0)
    assignment.worker.refresh_from_db()
    assert assignment.worker.submitted == 1


def test_it_never_overwrites_the_first_submission(assignment: MarketAssignment):
    key = assignment.assignment_id
    submit_assignment(assignment_id=key, fields=ANSWERS)
    again = submit_assignment(assignment_id=key, fields={"s1": ["absent"]})
    assert again.outcome == Outcome.ALREADY
    assignment.refresh_from_db()
    assert read_answer_xml(assignment.answer)["s1"] == "present"
    assert places_of(assignment.hit) == (0, 0, 1, 0)


WITHOUT_ANSWERS = pytest.mark.parametrize(
    "fields",
    [
        {},
        {"assignmentId": ["X"], "hitId": ["Y"], "workerId": ["Z"]},
        {"giza_seconds": ["12"], "s1": [""], "s2": ["  "]},
    ],
)


@WITHOUT_ANSWERS
def test_it_refuses_a_judging_page_without_answers(
    unit_set: UnitSet, hit: MarketHit, assignment: MarketAssignment, fields: dict[str, list[str]]
):
    make_campaign(unit_set, hits=1).hits.update(provider_id=hit.hit_id)
    with pytest.raises(Unanswered):
        submit_assignment(assignment_id=assignment.assignment_id, fields=fields)
    assert places_of(assignment.hit) == (0, 1, 0, 0)


@WITHOUT_ANSWERS
def test_it_takes_a_task_of_others_without_answers(
    assignment: MarketAssignment, fields: dict[str, list[str]]
):
    """A page that was written for MTurk may be done with its button alone."""
    submit_assignment(assignment_id=assignment.assignment_id, fields=fields)
    assignment.refresh_from_db()
    assert assignment.status == "Submitted"
    assert read_answer_xml(assignment.answer) == {
        name: values[0] for name, values in fields.items()
    }


def test_it_refuses_previews_and_ids_that_do_not_exist(db: None):
    with pytest.raises(Invalid, match="preview"):
        submit_assignment(assignment_id=PREVIEW_ID, fields=ANSWERS)
    with pytest.raises(NotFound):
        submit_assignment(assignment_id="NONE", fields=ANSWERS)


@pytest.mark.parametrize("seconds, outcome", [(1, Outcome.KEPT), (60, Outcome.LATE)])
def test_it_keeps_what_comes_after_the_deadline(
    assignment: MarketAssignment, seconds: int, outcome: Outcome
):
    overdue(assignment, seconds)
    done = submit_assignment(assignment_id=assignment.assignment_id, fields=ANSWERS)
    assert done.outcome == outcome
    assignment.refresh_from_db()
    assert (assignment.status, assignment.is_late) == ("Submitted", outcome == Outcome.LATE)
    assert places_of(assignment.hit) == (0, 0, 1, 0)


def test_it_takes_a_free_place_again(assignment: MarketAssignment):
    overdue(assignment, 60)
    assert abandon_overdue(timezone.now()) == 1
    assert places_of(assignment.hit) == (1, 0, 0, 0)
    done = submit_assignment(assignment_id=assignment.assignment_id, fields=ANSWERS)
    assert done.outcome == Outcome.LATE
    assignment.refresh_from_db()
    assert (assignment.status, assignment.is_late) == ("Submitted", True)
    assert places_of(assignment.hit) == (0, 0, 1, 0)
    assignment.worker.refresh_from_db()
    assert (assignment.worker.submitted, assignment.worker.abandoned) == (1, 0)


def _give_place_away(assignment: MarketAssignment) -> None:
    accept_hit(hit_id=assignment.hit.hit_id, worker=make_worker("Other"))


def _release_money(assignment: MarketAssignment) -> None:
    MarketHit.objects.filter(pk=assignment.hit_id).update(held_places=0)


@pytest.mark.parametrize("meanwhile", [_give_place_away, _release_money])
def test_it_keeps_work_aside_whose_place_has_gone(assignment: MarketAssignment, meanwhile):
    overdue(assignment, 60)
    abandon_overdue(timezone.now())
    meanwhile(assignment)
    before = places_of(assignment.hit)
    done = submit_assignment(assignment_id=assignment.assignment_id, fields=ANSWERS)
    assert done.outcome == Outcome.LATE
    assignment.refresh_from_db()
    assert (assignment.status, assignment.is_late) == ("Late", True)
    assert read_answer_xml(assignment.answer)["s1"] == "present"
    assert places_of(assignment.hit) == before
    again = submit_assignment(assignment_id=assignment.assignment_id, fields={"s1": ["absent"]})
    assert again.outcome == Outcome.ALREADY


def test_it_does_not_give_one_worker_two_places(worker: WorkerAccount):
    """They let it run out, took it anew, and then sent the old page."""
    hit = make_hit(make_type(), places=2)
    old = overdue(accept_hit(hit_id=hit.hit_id, worker=worker), 60)
    abandon_overdue(timezone.now())
    new = accept_hit(hit_id=hit.hit_id, worker=worker)
    submit_assignment(assignment_id=old.assignment_id, fields=ANSWERS)
    old.refresh_from_db()
    assert (old.status, new.status) == ("Late", "Accepted")
    assert places_of(hit) == (1, 1, 0, 0)


def test_it_frees_the_place_of_a_hit_that_is_returned(assignment: MarketAssignment):
    return_assignment(assignment=assignment)
    assert places_of(assignment.hit) == (1, 0, 0, 0)
    with pytest.raises(DomainError, match="no longer in progress"):
        return_assignment(assignment=assignment)
    with pytest.raises(DomainError, match="returned"):
        submit_assignment(assignment_id=assignment.assignment_id, fields=ANSWERS)
    assignment.worker.refresh_from_db()
    assert assignment.worker.returned == 1


@pytest.mark.parametrize("seconds, abandoned", [(-60, 0), (5, 0), (31, 1)])
def test_it_abandons_only_what_is_overdue(
    assignment: MarketAssignment, seconds: int, abandoned: int
):
    overdue(assignment, seconds)
    assert abandon_overdue(timezone.now()) == abandoned
    assert abandon_overdue(timezone.now()) == 0
    assignment.worker.refresh_from_db()
    assert assignment.worker.abandoned == abandoned
