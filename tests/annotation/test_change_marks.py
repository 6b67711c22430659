"""Marks of campaigns: the database sets another one with whatever writes their rows."""

from __future__ import annotations

import threading
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.core.management.sql import emit_post_migrate_signal
from django.db import connection, transaction

from annotation import append_only
from annotation.change_marks import drop_before_migrate
from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.ledger import Draft, intend, settle
from annotation.crowd.campaigns.models import (
    Assignment,
    Campaign,
    CampaignChange,
    ChangeKind,
    Hit,
    Intent,
    IntentKind,
)
from annotation.crowd.campaigns.sums import get_answer_stamp, read_stamps
from annotation.removal import remove_rows
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)

Act = Callable[[Campaign], object]


@pytest.fixture
def pair(corpus: Project, owner: User) -> tuple[Campaign, Campaign]:
    """Two campaigns, of which the first has a HIT with an answer."""
    unit_set = factories.make_set(corpus, owner)
    one, other = (
        Campaign.objects.create(
            project=corpus, unit_set=unit_set, name=name, budget=Decimal(9), provider="offline"
        )
        for name in "AB"
    )
    hit = make_hit(one)
    Assignment.objects.create(campaign=one, hit=hit, provider_id="1", raw="")
    return one, other


def make_hit(campaign: Campaign, **fields: Any) -> Hit:
    example = campaign.project.examples.order_by("pk")[0]
    summary = example.summaries.order_by("pk")[0]
    given = {"summary": summary, "statements": [], "reward": Decimal("0.1"), "wanted": 1}
    return Hit.objects.create(campaign=campaign, **given | fields)


def marks(campaign: Campaign, *kinds: ChangeKind) -> Any:
    return read_stamps([campaign], kinds or tuple(ChangeKind))[campaign.pk]


def answer(campaign: Campaign) -> Assignment:
    return Assignment.objects.get(campaign=campaign)


ACTS: dict[str, tuple[ChangeKind, Act]] = {
    "a HIT comes": (ChangeKind.HITS, lambda one: make_hit(one, part=1)),
    "HITs are changed": (ChangeKind.HITS, lambda one: one.hits.update(collected=1)),
    "answers come": (
        ChangeKind.ANSWERS,
        lambda one: Assignment.objects.bulk_create(
            Assignment(campaign=one, hit=one.hits.get(), provider_id=name, raw="") for name in "xy"
        ),
    ),
    "an answer is decided": (
        ChangeKind.ANSWERS,
        lambda one: Assignment.objects.filter(campaign=one).update(state="approved"),
    ),
    "an answer goes": (ChangeKind.ANSWERS, lambda one: one.assignments.all().delete()),
    "somebody means to spend": (
        ChangeKind.BOOKS,
        lambda one: intend(campaign=one, drafts=[Draft(IntentKind.BONUS, "bonus:1", Decimal(1))]),
    ),
}


@pytest.mark.parametrize("what", ACTS)
def test_it_sets_another_mark_of_that_kind_alone(pair: tuple[Campaign, Campaign], what: str):
    one, other = pair
    kind, act = ACTS[what]
    before, others = {each: marks(one, each) for each in ChangeKind}, marks(other)
    act(one)
    assert {each for each in ChangeKind if marks(one, each) != before[each]} == {kind}
    assert marks(other) == others


def test_it_notices_a_settlement(pair: tuple[Campaign, Campaign]):
    one, other = pair
    [intent] = intend(campaign=one, drafts=[Draft(IntentKind.BONUS, "bonus:1", Decimal(1))])
    before = marks(one, ChangeKind.BOOKS)
    settle(intent=intent)
    assert marks(one, ChangeKind.BOOKS) != before
    assert marks(other) == ()


def test_it_notices_nothing_where_nothing_is_written(pair: tuple[Campaign, Campaign]):
    one, _ = pair
    before = marks(one)
    Hit.objects.filter(campaign=one, collected=9).update(collected=1)
    Campaign.objects.filter(pk=one.pk).update(name="C")
    assert marks(one) == before


def test_what_is_taken_back_leaves_the_mark_as_it_was(pair: tuple[Campaign, Campaign]):
    one, _ = pair
    before = marks(one)
    with transaction.atomic():
        one.hits.update(collected=1)
        within = marks(one)
        transaction.set_rollback(True)
    assert within != before
    assert marks(one) == before


def test_a_stamp_names_every_campaign(pair: tuple[Campaign, Campaign]):
    one, other = pair
    assert get_answer_stamp([one]) != get_answer_stamp([one, other])
    assert get_answer_stamp([other]) != get_answer_stamp([])


def test_marks_go_with_their_campaign(pair: tuple[Campaign, Campaign]):
    one, other = pair
    make_hit(other)
    with append_only.suspended():
        remove_rows(Campaign.objects.filter(pk=one.pk))
    assert set(CampaignChange.objects.values_list("campaign", flat=True)) == {other.pk}


def test_a_migration_may_remake_any_table_and_leaves_new_marks(pair: tuple[Campaign, Campaign]):
    one, other = pair
    before = marks(one)
    drop_before_migrate(using="default", plan=["something"])
    for model in (CampaignChange, Intent, Campaign, Hit):
        with connection.constraint_checks_disabled(), connection.schema_editor() as editor:
            if connection.vendor == "sqlite":
                editor._remake_table(model)  # type: ignore[attr-defined]
    emit_post_migrate_signal(0, False, "default")
    assert append_only.find_missing(connection) == []
    if connection.vendor == "sqlite":
        assert set(before).isdisjoint(marks(one))
        assert len(marks(one)) == len(marks(other)) == len(ChangeKind)
    before = marks(one)
    one.hits.update(collected=1)
    assert marks(one) != before


def test_two_writers_wait_for_neither(pair: tuple[Campaign, Campaign]):
    """On PostgreSQL the second one ends while the first has not committed; both leave a mark."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    one, _ = pair
    second = make_hit(one, part=1)
    before = marks(one, ChangeKind.HITS)

    def write() -> None:
        Hit.objects.filter(pk=second.pk).update(collected=1)
        connection.close()

    with transaction.atomic():
        one.hits.filter(part=0).update(collected=1)
        other = threading.Thread(target=write)
        other.start()
        other.join(20)
        assert not other.is_alive()
    both = marks(one, ChangeKind.HITS)
    assert len(both) == 2
    assert set(before).isdisjoint(both)
    one.hits.update(collected=2)
    assert len(marks(one, ChangeKind.HITS)) == 1
