"""A lab whose Redis is killed, or stands still: people notice nothing, and work goes on."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import urllib3

from tests import servers
from tests.servers import Blank, Lab, Part, wait_until

CALLS = 30
LINE = {
    "id": "e1",
    "documents": ["The dam held."],
    "references": ["The dam held."],
    "summaries": {"lead": "The dam held."},
}
MAKE_KEY = """
from annotation.corpora.accounts.service import create_token
from annotation.corpora.models import User
demo = User.objects.get(email="demo@example.org")
print(create_token(user=demo, name="x", scope="publish")[1])
"""


@dataclass
class Client:
    """Somebody who calls by REST."""

    base_url: str
    key: str

    def __post_init__(self) -> None:
        self.pool = urllib3.PoolManager(retries=False, timeout=60)

    def get(self, path: str) -> tuple[int, Any]:
        answer = self.pool.request("GET", self.base_url + path, headers=self._headers)
        return answer.status, json.loads(answer.data)

    def import_line(self, number: int) -> int:
        """Begin an import; the number of its job."""
        line = json.dumps(LINE | {"id": f"e{number}"})
        fields: dict[str, str | tuple[str, str]] = {
            "files": ("one.jsonl", line),
            "name": f"Import {number}",
        }
        path = f"{self.base_url}/api/v1/projects/demo/imports/"
        answer = self.pool.request("POST", path, fields=list(fields.items()), headers=self._headers)
        assert answer.status == 202, answer.data
        return int(json.loads(answer.data)["job"]["id"])

    def job_state(self, job: int) -> str:
        return str(self.get(f"/api/v1/projects/demo/jobs/{job}/")[1]["state"])

    def all_jobs_over(self) -> bool:
        jobs = self.get("/api/v1/projects/demo/jobs/")[1]["results"]
        return {job["state"] for job in jobs} <= {"done"}

    def parts(self) -> dict[str, str]:
        parts = self.get("/healthz")[1]["parts"]
        return {name: part["status"] for name, part in parts.items()}

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}


@dataclass
class Site:
    lab: Lab
    client: Client
    folder: Path
    redis: Part

    def restore(self) -> None:
        """Have Redis take calls again, or another one in its place."""
        if self.redis.process.poll() is None:
            self.redis.process.send_signal(signal.SIGCONT)
        else:
            self.redis = servers.start_redis(self.folder)


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory, blank: Blank, short_folder: Path
) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("redis-away")
    place = short_folder / "own"
    place.mkdir()
    redis = servers.start_redis(place)
    database = blank.copy_to(folder / "data", "giza_redis_away")
    with servers.running_lab(folder, database, place / servers.REDIS_SOCKET) as lab:
        key = lab.manage("shell", "-v0", "-c", MAKE_KEY).split()[-1]
        made = Site(lab, Client(lab.base_url, key), place, redis)
        # As long as the demo's run is worked on, short jobs are taken from the database.
        wait_until(made.client.all_jobs_over, "the demo is whole")
        yield made
    made.redis.stop(signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_people_notice_nothing_and_jobs_begin_when_it_is_back(
    number: signal.Signals, site: Site
) -> None:
    client = site.client
    wait_until(lambda: set(client.parts().values()) == {"ok"}, "everything is well")
    site.redis.process.send_signal(number)
    if number == signal.SIGKILL:
        site.redis.process.wait()
    began = time.monotonic()
    assert [client.get("/api/v1/projects/")[0] for _ in range(CALLS)] == [200] * CALLS
    assert time.monotonic() - began < CALLS / 4, "nobody waits for Redis at every call"
    assert servers.answers(site.lab.base_url, "/sign-in/")
    began = time.monotonic()
    job = client.import_line(number)
    assert time.monotonic() - began < 10
    wait_until(lambda: client.parts()["broker"] == client.parts()["cache"] == "failed", "it shows")
    newcomer = Part(["worker"], site.lab.environment, site.folder / f"late-{number}.log").start()
    time.sleep(20)
    assert client.job_state(job) == "queued"
    assert client.parts()["worker"] == client.parts()["database"] == "ok", "sweeps go on"
    site.restore()
    wait_until(lambda: client.job_state(job) == "done", "the job is done", patience=120)
    wait_until(lambda: set(client.parts().values()) == {"ok"}, "all is well", patience=60)
    newcomer.wait_for(lambda: servers.is_ready(site.lab, newcomer), "it started without Redis")
    newcomer.stop()
    assert all(part.process.poll() is None for part in site.lab.parts.values()), "none has ended"
    assert " 500 " not in site.lab.parts["web"].printed()
