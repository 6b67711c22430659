"""Two owners top up at the same moment, and work comes in between: nobody is paid twice."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import OperationalError, connection

from annotation.corpora.accounts.models import User
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns.models import Assignment, Campaign, Intent, Outcome, Worker
from annotation.crowd.review import bulk as review_bulk
from annotation.crowd.review import service as review_service
from annotation.errors import DomainError
from tests.annotation.crowd.campaigns.playing import collect, publish, work_off
from tests.annotation.crowd.wire import Wire

pytestmark = pytest.mark.django_db(transaction=True)


def retry(action: Callable[[], object]) -> None:
    """SQLite in memory says "locked" at once where a file would wait."""
    while True:
        try:
            action()
        except OperationalError:
            time.sleep(0.05)
        except DomainError:
            return  # nothing is left to top up
        else:
            return


def test_two_top_ups_at_once_pay_each_hour_once(
    campaign: Campaign, owner: User, wire: Wire, monkeypatch: pytest.MonkeyPatch
):
    campaigns_service.update_campaign(campaign=campaign, user=owner, budget="100", wage_floor="6")
    publish(Campaign.objects.get(pk=campaign.pk))
    work_off("ann", s1="present", s2="absent")
    campaign = collect(Campaign.objects.get(pk=campaign.pk))
    Assignment.objects.update(seconds=1800)
    meant, first = threading.Event(), threading.Lock()
    real = review_bulk.list_top_ups

    def list_slowly(*given: Any) -> list[review_service.Award]:
        """The first to have computed what is lacking is slow to write it down."""
        found = real(*given)
        if first.acquire(blocking=False):
            meant.set()
            time.sleep(1)
        return found

    monkeypatch.setattr(review_bulk, "list_top_ups", list_slowly)
    hit, ann = campaign.hits.earliest("pk"), Worker.objects.get()

    def pay() -> None:
        retry(lambda: review_bulk.top_up(campaign=campaign, user=owner))
        connection.close()

    def work_and_pay() -> None:
        assert meant.wait(30)
        late = Assignment(campaign=campaign, hit=hit, worker=ann, provider_id="late", raw="")
        late.seconds = 1800
        retry(late.save)
        pay()

    threads = [threading.Thread(target=target) for target in (pay, work_and_pay)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    # Seven half hours at 6 $, less seven rewards of 10 cents. The marketplace knows nothing of the
    # late one, so it refuses that bonus; who tries again, their books having been locked for a
    # moment, may mean it once more.
    bonuses = Intent.objects.filter(kind="bonus")
    meant_sums = bonuses.values_list("amount", flat=True)
    assert set(meant_sums) in ({Decimal("2.90"), Decimal("17.40")}, {Decimal("20.30")})
    standing = bonuses.exclude(settlement__outcome=Outcome.VOID).values_list("amount", flat=True)
    assert len(standing) == len(set(standing)), "none is paid twice"
