"""What whoever runs a campaign is told of it, and what is written down of decisions."""

from __future__ import annotations

from decimal import Decimal

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.jobs.service import run_job
from annotation.corpora.notifications.models import NotificationKind
from annotation.crowd.campaigns import steps
from annotation.crowd.campaigns.ledger import get_books, list_people, tell_answers
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.providers.base import OutOfFunds
from annotation.crowd.providers.mturk_wire import name_refusal
from annotation.crowd.review import bulk
from annotation.crowd.review import service as review_service


def told(user: User) -> dict[str, str]:
    return {row.kind: row.text for row in user.notifications.all()}


def said(campaign: Campaign, verb: Verb) -> list[str]:
    rows = campaign.project.activities.filter(verb=verb, target_id=campaign.pk)
    return [row.text for row in rows.order_by("pk")]


def test_it_tells_of_answers_once_a_day(collected: Campaign, owner: User):
    assert told(owner)[NotificationKind.ANSWERS] == "12 assignments of First to review."
    before = owner.notifications.count()
    tell_answers(collected)
    assert owner.notifications.count() == before


def test_it_tells_of_the_cap_once(collected: Campaign, owner: User):
    owner.notifications.filter(kind=NotificationKind.MONEY).delete()
    collected.budget = get_books(collected).committed
    for _ in range(2):
        tell_answers(collected)
    assert told(owner)[NotificationKind.MONEY] == (
        f"First has reached its cap of ${collected.budget:,.2f}."
    )
    assert owner.notifications.filter(kind=NotificationKind.MONEY).count() == 1


def test_it_tells_the_owners_where_nobody_made_it(collected: Campaign, owner: User):
    assert list_people(collected) == [owner]
    collected.created_by = None
    assert list_people(collected) == [owner]


def test_it_knows_that_an_account_is_empty():
    said = name_refusal("AWS.MechanicalTurk.InsufficientFunds", "No", 400)
    assert isinstance(said, OutOfFunds)
    assert "InsufficientFunds" in said.message
    assert said.is_about_money
    assert "prepaid budget" in said.hint


def test_it_writes_decisions_down(collected: Campaign, owner: User):
    rows = list(collected.assignments.select_related("hit", "worker", "campaign"))
    review_service.approve_assignments(campaign=collected, assignments=rows[:3], user=owner)
    review_service.approve_assignments(campaign=collected, assignments=rows[:3], user=owner)
    review_service.reject_assignments(
        campaign=collected, assignments=rows[3:4], user=owner, feedback="Empty."
    )
    award = review_service.Award(rows[0], Decimal("0.05"), "Thank you.")
    review_service.send_bonuses(campaign=collected, awards=[award], user=owner)
    worker = rows[0].worker
    assert worker is not None
    bulk.exclude_worker(campaign=collected, worker=worker, user=owner, reason="Random.")
    bulk.include_worker(campaign=collected, worker=worker, user=owner)
    assert said(collected, Verb.APPROVE) == ["approved 3 assignments of First"]
    assert said(collected, Verb.REJECT) == ["rejected 1 assignment of First"]
    assert said(collected, Verb.BONUS) == ["paid a bonus for 1 assignment of First, $0.05 in total"]
    assert said(collected, Verb.BLOCK) == [f"excluded worker {worker.provider_id}: Random."]
    assert said(collected, Verb.UNBLOCK) == [f"re-admitted worker {worker.provider_id}"]


def test_it_writes_its_steps_down(published: Campaign, owner: User):
    run_job(job_id=steps.pause_campaign(campaign=published, user=owner).pk)
    published.refresh_from_db()
    run_job(job_id=steps.end_campaign(campaign=published, user=owner).pk)
    assert said(published, Verb.PUBLISH) == ["published the campaign First"]
    assert said(published, Verb.PAUSE) == ["paused the campaign First"]
    assert said(published, Verb.END) == ["ended the campaign First"]
