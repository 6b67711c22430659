"""The database's clock decides: a worker whose own is wrong does all in time, and nothing early."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from pytest_django import DjangoDbBlocker

from annotation import clock
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign, CampaignState, Intent
from annotation.crowd.market.accepting import accept_hit
from annotation.crowd.market.models_work import MarketAssignment, MarketHit
from tests import factories, servers
from tests.annotation.crowd.market.requesting import make_hit, make_requester, work
from tests.annotation.crowd.working import make_worker
from tests.annotation.wrong_clock import set_clock
from tests.deploy.homes import Home, as_default, attached
from tests.servers import Blank, Part

HASTE = {"JOB_LEASE_SECONDS": 20, "JOB_SWEEP_SECONDS": 1, "CELERY_CONCURRENCY": 1}
AHEAD = ["-m", "tests.soak.ahead"]
JUST_OVER, FAR_OFF = timedelta(minutes=-2), timedelta(hours=1)


@pytest.fixture
def home(
    request: pytest.FixtureRequest,
    blank: Blank,
    tmp_path: Path,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[Home]:
    """This process works on a PostgreSQL of the test's own."""
    name = f"giza_clock_{abs(hash(request.node.name)) % 10**8}"
    address = blank.copy_to(tmp_path / "data", name)
    with (
        django_db_blocker.unblock(),
        attached("clocked", address, tmp_path / "data") as home,
        as_default(home),
    ):
        clock._asked = None
        yield home
        clock._asked = None


def ask_database() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime = cursor.fetchone()[0]
    return found


# A worker with a wrong clock ----------------------------------------------------------------


class Pair:
    """Two rows of a kind: the time of one is over, that of the other is an hour off."""

    def __init__(self, rows: QuerySet[Any], field: str, *pks: int) -> None:
        self.rows, self.due, self.later = rows, pks[0], pks[1]
        now = ask_database()
        for pk, moment in ((self.due, now + JUST_OVER), (self.later, now + FAR_OFF)):
            rows.filter(pk=pk).update(**{field: moment})

    def read(self, pk: int, *names: str) -> tuple[Any, ...]:
        found: tuple[Any, ...] = self.rows.values_list(*names).get(pk=pk)
        return found


def seed_work() -> Pair:
    """In progress with a worker."""
    hit = make_hit(make_requester(name="Work"), MaxAssignments=3)
    taken = [accept_hit(hit_id=hit.hit_id, worker=make_worker(f"Work {n}")) for n in range(2)]
    return Pair(MarketAssignment.objects.all(), "deadline", *(row.pk for row in taken))


def seed_pay() -> Pair:
    """Submitted, and to be approved by the clock."""
    hit = make_hit(make_requester(name="Pay"), MaxAssignments=3)
    done = [work(hit, make_worker(f"Pay {number}")) for number in range(2)]
    return Pair(MarketAssignment.objects.all(), "auto_approve_at", *(row.pk for row in done))


def seed_holds() -> Pair:
    """Open HITs, with money held for their places."""
    lab = make_requester(name="Holds")
    hits = [make_hit(lab, Title=f"HIT {number}") for number in range(2)]
    return Pair(MarketHit.objects.all(), "expires_at", *(hit.pk for hit in hits))


def seed_jobs(project: Project) -> Pair:
    """Run by another worker, which renews its lease or died."""
    jobs = [
        Job.objects.create(project=project, kind="of_nobody", title="A job", state=JobState.RUNNING)
        for _ in range(2)
    ]
    Job.objects.update(lease="another worker's")
    return Pair(Job.objects.all(), "lease_until", *(job.pk for job in jobs))


def seed_turns(project: Project) -> Pair:
    """Campaigns whose answers are fetched now and then."""
    units = factories.make_set(project, project.memberships.get().user)
    made = [
        Campaign.objects.create(
            project=project,
            unit_set=units,
            name=f"Campaign {number}",
            provider="marketplace",
            state=CampaignState.LIVE,
            budget=Decimal(10),
        )
        for number in range(2)
    ]
    return Pair(Campaign.objects.all(), "next_collect_at", *(row.pk for row in made))


@pytest.mark.parametrize("hours", [2, -2])
def test_a_worker_with_a_wrong_clock_does_all_in_time_and_nothing_early(
    hours: int, home: Home, tmp_path: Path
):
    project = factories.make_project(factories.make_user("Owner"))
    tasks, pay, holds = seed_work(), seed_pay(), seed_holds()
    jobs, turns = seed_jobs(project), seed_turns(project)
    before = turns.read(turns.due, "next_collect_at"), turns.read(turns.later, "next_collect_at")
    is_done: dict[str, Callable[[], bool]] = {
        "abandoned": lambda: tasks.read(tasks.due, "status") == ("Abandoned",),
        "approved": lambda: pay.read(pay.due, "status") == ("Approved",),
        "released": lambda: holds.read(holds.due, "held_places") == (0,),
        "taken over": lambda: jobs.read(jobs.due, "state") == ("failed",),
        "collected": lambda: turns.read(turns.due, "next_collect_at") != before[0],
    }
    environment = servers.clean_environment(
        SECRET_KEY=servers.SECRET_KEY,
        DATA_DIR=home.data_dir,
        DATABASE_URL=home.address,
        LOG_LEVEL="WARNING",
        **HASTE,
    )
    program = [*servers.SERVE[:1], *AHEAD]
    worker = Part([str(hours * 3600)], environment, tmp_path / "w.log", program=program).start()
    try:
        for what, holds_true in is_done.items():
            worker.wait_for(holds_true, f"what is due is {what}")
        # What comes next is seen by another sweep.
        threading.Event().wait(3)
    finally:
        worker.stop()
    assert tasks.read(tasks.later, "status") == ("Accepted",)
    assert pay.read(pay.later, "status", "approved_at") == ("Submitted", None)
    assert holds.read(holds.later, "held_places") == (3,)
    assert jobs.read(jobs.later, "state", "lease", "attempts") == ("running", "another worker's", 0)
    assert turns.read(turns.later, "next_collect_at") == before[1]
    # What it wrote itself is by the same clock.
    assert_is_of_now(turns.read(turns.due, "next_collect_at")[0], most=timedelta(minutes=10))
    assert_is_of_now(jobs.read(jobs.due, "finished_at")[0], most=timedelta(minutes=10))


def assert_is_of_now(moment: datetime, most: timedelta) -> None:
    assert abs(moment - ask_database()) < most


# Calls that nobody knows the end of ---------------------------------------------------------


@pytest.mark.usefixtures("home")
def test_an_intent_is_as_old_as_the_database_says(monkeypatch: pytest.MonkeyPatch):
    """Whether a payment may be sent again under its token depends on how old it is."""
    project = factories.make_project(factories.make_user("Owner"))
    campaign = Campaign.objects.get(pk=seed_turns(project).due)
    set_clock(monkeypatch, 2)
    books = {"amount": Decimal(1), "fee": Decimal(0)}
    made = Intent.objects.create(campaign=campaign, kind="publish", base="one", **books)
    assert_is_of_now(made.created_at, most=timedelta(minutes=1))
