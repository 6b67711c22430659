"""A campaign over a bad line, its processes killed again and again: all is done, and paid, once.

The campaign is at an MTurk endpoint: boto3 sends each call through a proxy that drops, loses,
delays and fails it. Behind the proxy is our own marketplace, which has to be exact as well.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import psutil
import psycopg
import pytest

from tests import servers
from tests.fault_proxy import FaultProxy
from tests.servers import Blank, Part

EXAMPLES, SYSTEMS, ASSIGNMENTS = 8, 6, 3
HITS = EXAMPLES * SYSTEMS
PAID = HITS * ASSIGNMENTS
KILLS = 8
# So many until everything is approved; the others while bonuses are paid.
KILLS_BEFORE_BONUSES = 5
# From one kill to the next.
CALLS_BETWEEN = (5, 40)
# For each of the two halves; a busy machine needs ten minutes for both.
PATIENCE = 2400
# Whole parts, and the processes within them that do the work: those come back sooner.
VICTIMS = {"web": 1, "worker": 1, "web children": 9, "worker children": 9}
HASTE = {
    "JOB_LEASE_SECONDS": 2,
    "JOB_SWEEP_SECONDS": 1,
    "COLLECT_SECONDS": 2,
    "CELERY_CONCURRENCY": 1,
    "WEB_CONCURRENCY": 1,
    "MARKET_SIGN_UP": "open",
    "MARKET_FEE": "0.2",
}
SET_UP = """
import json
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from annotation.corpora.models import Example, User
from annotation.crowd.campaigns.service import create_campaign
from annotation.crowd.campaigns.steps import publish_campaign
from annotation.crowd.models import WorkerAccount
from tests import factories
owner = factories.make_user("Owner")
project = factories.make_project(owner, "faults")
factories.import_corpus(project, __import__("pathlib").Path({path!r}))
unit_set = factories.make_set(project, owner)
for row in Example.objects.filter(project=project):
    factories.add_unit(unit_set, row, owner, f"Fact of {{row.key}}.")
factories.freeze(unit_set, owner)
campaign = create_campaign(
    project=project, user=owner, unit_set=unit_set, name="Faults", reward="0.10",
    budget="500", assignments_per_hit={assignments}, approve_rule="all", delivery="external",
    provider="mturk",
)
factories.fund(project)
sessions = []
for number in range({assignments}):
    user = User.objects.create_user(f"worker{{number}}@example.org", name=f"Worker {{number}}")
    account = WorkerAccount.objects.create(user=user)
    store = SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.create()
    sessions.append([account.worker_id, store.session_key])
publish_campaign(campaign=campaign, user=owner)
print(json.dumps(sessions))
"""
HOLDER = """
from tests import factories
factories.make_user("Holder")
"""
BONUSES = """
from decimal import Decimal
from annotation.corpora.models import User
from annotation.crowd.review.bulk import review_assignments
from annotation.crowd.models import Assignment, Campaign
campaign = Campaign.objects.get(name="Faults")
ids = list(Assignment.objects.filter(campaign=campaign).values_list("pk", flat=True))
owner = User.objects.get(email="owner@example.org")
review_assignments(
    campaign=campaign, user=owner, action="bonus", ids=ids, text="Thank you", amount=Decimal("0.05")
)
"""
BOOKS = """
SELECT kind, count(*), sum(amount), sum(fee), sum(CASE WHEN s.outcome = 'done' THEN 1 ELSE 0 END)
FROM crowd_intent i LEFT JOIN crowd_settlement s ON s.intent_id = i.id
WHERE s.outcome IS DISTINCT FROM 'void' GROUP BY kind
"""


@dataclass
class Site:
    """Web and worker, each killed and started again; the database, to look at."""

    environment: dict[str, str]
    parts: dict[str, Part]
    base_url: str
    kills: int = 0
    most_kills: int = KILLS_BEFORE_BONUSES
    over: threading.Event = field(default_factory=threading.Event)
    local: threading.local = field(default_factory=threading.local)

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        """On one connection a thread: making one costs more than asking does."""
        if not hasattr(self.local, "database"):
            address = self.environment["DATABASE_URL"]
            self.local.database = psycopg.connect(address, autocommit=True)
        return list(self.local.database.execute(statement.encode()).fetchall())

    def wait_for(self, what: str, table: str, where: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while self.count(table, where) < PAID:
            assert time.monotonic() < deadline, f"waited in vain: {what}"
            time.sleep(1)

    def count(self, table: str, where: str = "true") -> int:
        statement = f"SELECT count(*) FROM {table} WHERE {where}"
        return int(self.query(statement)[0][0])

    def run(self, code: str) -> str:
        return servers.run_to_end(self.environment, "manage.py", "shell", "-v0", "-c", code)

    def kill(self, name: str) -> None:
        """All of its processes, or only those that do the work. Who was dead already is no kill."""
        part = self.parts[name.split(maxsplit=1)[0]]
        whole = psutil.Process(part.process.pid)
        children = whole.children(recursive=True)
        killed = 0
        for process in children if name.endswith("children") else [whole, *children]:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
                killed += 1
        self.kills += killed > 0
        if not name.endswith("children"):
            part.process.wait(timeout=120)
            part.start()


@pytest.fixture
def site(tmp_path: Path, blank: Blank, redis_url: str) -> Iterator[tuple[Site, FaultProxy]]:
    port = servers.find_free_port()
    proxy = FaultProxy(f"http://127.0.0.1:{port}")
    environment = servers.clean_environment(
        SECRET_KEY=servers.SECRET_KEY,
        DATA_DIR=tmp_path / "data",
        DATABASE_URL=blank.copy_to(tmp_path / "data", "faults"),
        CELERY_BROKER_URL=f"{redis_url}?virtual_host=5",
        PORT=port,
        PUBLIC_URL=f"http://127.0.0.1:{port}",
        MTURK_ENDPOINT_URL=f"{proxy.url}/mturk/",
        MTURK_SUBMIT_ORIGINS=f"http://127.0.0.1:{port}",
        **HASTE,
    )
    environment |= make_keys(environment)
    names = ("web", "worker")
    parts = {name: Part([name], environment, tmp_path / f"{name}.log") for name in names}
    made = Site(environment, parts, f"http://127.0.0.1:{port}")
    parts["web"].start()
    parts["web"].wait_for(lambda: servers.answers(made.base_url), "the web server comes up")
    yield made, proxy
    made.over.set()
    for part in parts.values():
        if hasattr(part, "process"):
            part.stop()
    proxy.close()


def make_keys(environment: dict[str, str]) -> dict[str, str]:
    """Of an account at the endpoint, as boto3 finds them."""
    servers.run_to_end(environment, "manage.py", "shell", "-v0", "-c", HOLDER)
    line = ("create_requester", "Elsewhere", "--owner", "holder@example.org", "--scope", "pay")
    money = ("--deposit", "500", "--note", "For tests", "--json")
    printed = servers.run_to_end(environment, "manage.py", *line, *money)
    made = json.loads(printed)
    return {
        "AWS_ACCESS_KEY_ID": made["access_key"],
        "AWS_SECRET_ACCESS_KEY": made["secret_key"],
    }


def write_corpus(path: Path) -> Path:
    lines = []
    for number in range(EXAMPLES):
        line = {
            "id": f"e{number}",
            "documents": ["A dam burst."],
            "references": ["A dam burst."],
            "summaries": {f"s{system}": f"Dam {number} {system}" for system in range(SYSTEMS)},
        }
        lines.append(json.dumps(line))
    path.write_text("\n".join(lines) + "\n")
    return path


class Worker(threading.Thread):
    """Takes what is there and submits it, however often the server dies under their hands."""

    def __init__(self, site: Site, worker_id: str, session: str) -> None:
        super().__init__(daemon=True)
        self.site, self.worker_id = site, worker_id
        self.headers = {
            "Cookie": f"sessionid={session}; csrftoken={'c' * 32}",
            "X-CSRFToken": "c" * 32,
            "Content-Type": "application/x-www-form-urlencoded",
        }

    def run(self) -> None:
        while not self.site.over.is_set() and self.count_done() < HITS:
            done = [self.submit(row[0]) for row in self.in_hand()]
            if not done and not self.accept():
                time.sleep(0.5)

    def count_done(self) -> int:
        mine = f"SELECT id FROM crowd_workeraccount WHERE worker_id = '{self.worker_id}'"
        where = f"status <> 'Accepted' AND worker_id = ({mine})"
        return self.site.count("crowd_marketassignment", where)

    def in_hand(self) -> list[tuple[Any, ...]]:
        return self.site.query(
            "SELECT a.assignment_id FROM crowd_marketassignment a "
            "JOIN crowd_workeraccount w ON w.id = a.worker_id "
            f"WHERE a.status = 'Accepted' AND w.worker_id = '{self.worker_id}'"
        )

    def accept(self) -> bool:
        types = self.site.query("SELECT hit_type_id FROM crowd_markethittype LIMIT 1")
        return bool(types) and self.post(f"/work/types/{types[0][0]}/next/", {})

    def submit(self, assignment: str) -> bool:
        answers = {"assignmentId": assignment, "s1": "present", "giza_seconds": "20"}
        return self.post("/mturk/externalSubmit", answers)

    def post(self, path: str, fields: dict[str, str]) -> bool:
        address = urlsplit(self.site.base_url)
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=10)
        try:
            connection.request("POST", path, urlencode(fields), self.headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status < 400 and answer.headers.get("Location", "x") != "/work/"
        except (OSError, http.client.HTTPException):
            time.sleep(0.1)
            return False
        finally:
            connection.close()


def keep_killing(site: Site, proxy: FaultProxy) -> None:
    """Kill one of the two, let some calls come through again, kill at the next."""
    # With this one, each of the four is a victim.
    rng = random.Random(23)
    while not site.over.is_set() and site.kills < KILLS:
        enough = proxy.calls.total() + rng.randrange(*CALLS_BETWEEN)
        while proxy.calls.total() < enough or site.kills >= site.most_kills:
            if site.over.wait(0.02):
                return
        site.kill(rng.choices(list(VICTIMS), list(VICTIMS.values()))[0])


def test_it_does_and_pays_everything_once(site: tuple[Site, FaultProxy], tmp_path: Path) -> None:
    place, proxy = site
    corpus = write_corpus(tmp_path / "corpus.jsonl")
    sessions = json.loads(
        place.run(SET_UP.format(path=str(corpus), assignments=ASSIGNMENTS)).splitlines()[-1]
    )
    place.parts["worker"].start()
    killer = threading.Thread(target=keep_killing, args=(place, proxy), daemon=True)
    killer.start()
    for worker_id, session in sessions:
        Worker(place, worker_id, session).start()
    place.wait_for("every assignment is approved", "crowd_assignment", "state = 'approved'")
    killed_before, place.most_kills = place.kills, KILLS
    place.run(BONUSES)
    settled = "crowd_settlement s JOIN crowd_intent i ON i.id = s.intent_id"
    place.wait_for("every bonus is settled", settled, "i.kind = 'bonus'")
    killer.join(timeout=PATIENCE)
    place.over.set()
    assert 0 < killed_before < place.kills == KILLS
    check_books(place)
    assert min(proxy.fates[fate] for fate in ("drop", "lose", "fail", "throttle", "delay")) > 0


def check_books(place: Site) -> None:
    """Ours, the marketplace's, and what both say of each other."""
    assert place.count("crowd_hit", "state = 'open'") == HITS
    assert place.count("crowd_markethit") == HITS
    assert place.count("crowd_marketassignment", "status = 'Approved'") == PAID
    assert place.count("crowd_marketassignment") == PAID
    ours = {kind: sums for kind, *sums in place.query(BOOKS)}
    assert ours["publish"] == [HITS, PAID * 1000, PAID * 200, HITS]
    assert ours["approve"] == [PAID, PAID * 1000, PAID * 200, PAID]
    assert ours["bonus"] == [PAID, PAID * 500, PAID * 100, PAID]
    entries = dict(place.query("SELECT kind, -sum(amount) FROM crowd_marketentry GROUP BY kind"))
    assert entries["reward"] == ours["approve"][1]
    assert entries["bonus"] == ours["bonus"][1]
    assert entries["fee"] == ours["approve"][2] + ours["bonus"][2]
    per_assignment = place.query(
        "SELECT kind, max(c) FROM (SELECT kind, assignment_id, count(*) c FROM crowd_marketentry "
        "WHERE assignment_id IS NOT NULL GROUP BY kind, assignment_id) x GROUP BY kind"
    )
    assert dict(per_assignment) == {"reward": 1, "bonus": 1, "fee": 2}
