"""`/healthz` and the probes that ask it."""

from __future__ import annotations

import os
import signal
import socket
import time
from datetime import timedelta

import pytest
from celery import Celery
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.functions import Now

from annotation.corpora.jobs import queries as jobs_queries
from annotation.corpora.jobs.models import WorkerBeat
from annotation.corpora.jobs.queries import note_worker_beat
from deploy import env, health, probe
from deploy.cache import SteadyRedisCache
from scoring import __version__
from tests import servers
from tests.disks import Disk

PARTS = {"database", "broker", "cache", "disk", "worker"}


@pytest.fixture(autouse=True)
def _asked_anew():
    """What was found for another test is not true of this one's server."""
    health.check_cache.forget()
    health.check_broker.forget()
    health._migrated.clear()


@pytest.fixture
def broken(monkeypatch):
    """The database refuses every statement."""

    def refuse(*_, **__):
        raise DatabaseError

    monkeypatch.setattr(connection, "cursor", refuse)


@pytest.mark.usefixtures("migrated")
def test_it_tells_how_each_part_is(client):
    note_worker_beat()
    response = client.get("/healthz")
    found = response.json()
    assert response.status_code == 200
    assert set(found["parts"]) == PARTS
    assert found["status"] == "ok", found
    assert {part["status"] for part in found["parts"].values()} == {"ok"}
    assert found["parts"]["worker"]["seen_seconds_ago"] <= 5
    assert 0 <= found["parts"]["disk"]["free_percent"] <= 100
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.usefixtures("broken")
def test_it_says_when_the_database_is_unreachable(client):
    response = client.get("/healthz")
    assert response.status_code == 503
    found = response.json()
    assert found["status"] == found["parts"]["database"]["status"] == "failed"
    assert found["parts"]["worker"] == {"status": "unknown"}, "nobody can know"
    assert found["parts"]["disk"]["status"] == "ok"
    assert client.get("/healthz/ready").status_code == 503
    assert client.get("/healthz/live").status_code == 200, "a restart would not help"


@pytest.mark.usefixtures("migrated")
def test_it_says_since_when_no_worker_was_seen(client):
    WorkerBeat.objects.all().delete()
    found = client.get("/healthz").json()
    assert (found["status"], found["parts"]["worker"]) == (
        "degraded",
        {"status": "failed", "seen_seconds_ago": None},
    )
    note_worker_beat()
    WorkerBeat.objects.update(seen_at=Now() - timedelta(minutes=10))
    worker = client.get("/healthz").json()["parts"]["worker"]
    assert worker["status"] == "failed"
    assert 600 <= worker["seen_seconds_ago"] <= 660
    assert client.get("/healthz/ready").status_code == 200, "pages work without a worker"


@pytest.mark.usefixtures("migrated")
def test_a_worker_is_one_row_and_old_ones_go(monkeypatch):
    WorkerBeat.objects.all().delete()
    WorkerBeat.objects.create(worker="gone", seen_at=Now() - timedelta(days=2))
    note_worker_beat()
    note_worker_beat()
    assert [row.worker for row in WorkerBeat.objects.all()] == [jobs_queries.NAME]
    monkeypatch.setattr(jobs_queries, "NAME", "another")
    note_worker_beat()
    assert WorkerBeat.objects.count() == 2


@pytest.mark.usefixtures("migrated")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_it_says_when_redis_is_away(client, tmp_path, monkeypatch, number):
    port = servers.find_free_port()
    redis = servers.start_redis(tmp_path, port).process
    app = Celery("elsewhere", broker=f"redis://127.0.0.1:{port}/0", set_as_current=False)
    app.conf.broker_transport_options = env.REDIS_OPTIONS | {"socket_timeout": 0.5}
    monkeypatch.setattr(health, "current_app", app)
    cache = SteadyRedisCache(f"redis://127.0.0.1:{port}/1", {})
    monkeypatch.setattr(health, "caches", {"default": cache})

    def states():
        health.check_cache.forget()
        health.check_broker.forget()
        parts = client.get("/healthz").json()["parts"]
        return [parts[name]["status"] for name in ("broker", "cache", "database")]

    try:
        servers.wait_until(lambda: states() == ["ok", "ok", "ok"], "Redis is up")
        redis.send_signal(number)
        began = time.monotonic()
        assert states() == ["failed", "failed", "ok"]
        assert time.monotonic() - began < 5
        assert client.get("/healthz").status_code == 200, "degraded, not away"
        assert client.get("/healthz/ready").status_code == 200
    finally:
        redis.kill()
        redis.wait()


@pytest.mark.usefixtures("migrated")
def test_it_asks_a_slow_part_once_for_many_callers(client, monkeypatch):
    asked = []

    def check():
        asked.append(1)
        return {"status": "ok"}

    kept = health.Kept(check)
    monkeypatch.setitem(health.CHECKS, "broker", kept)
    for _ in range(5):
        assert client.get("/healthz").json()["parts"]["broker"]["status"] == "ok"
    assert len(asked) == 1


@pytest.mark.usefixtures("migrated")
def test_it_says_when_the_disk_is_full(client, settings, disk: Disk, monkeypatch):
    settings.DATA_DIR = disk.folder
    (disk.folder / "tmp").mkdir()
    disk.fill()
    found = client.get("/healthz").json()
    assert found["parts"]["disk"] == {"status": "failed", "writable": False}
    assert found["status"] == "degraded"
    assert client.get("/healthz/ready").status_code == 200
    disk.free()
    assert health.check_disk()["writable"]
    monkeypatch.setattr(health, "LEAST_FREE_BYTES", 10**18)
    assert health.check_disk()["status"] == "degraded", "nearly full"


@pytest.mark.usefixtures("migrated")
def test_it_says_nothing_about_the_machine(client, settings):
    """No version, path, address, name or size, whatever is wrong."""
    note_worker_beat()
    for path in ("/healthz", "/healthz/ready", "/healthz/live"):
        said = client.get(path).content.decode()
        hidden = [
            str(settings.DATA_DIR),
            __version__,
            socket.gethostname(),
            jobs_queries.NAME,
            "sqlite",
        ]
        assert [text for text in hidden if text in said] == []
        assert "/" not in said


@pytest.mark.usefixtures("migrated")
def test_it_is_not_ready_before_it_is_migrated(client):
    assert client.get("/healthz/ready").status_code == 200
    health._migrated.clear()
    ((app, newest),) = MigrationLoader(connection).graph.leaf_nodes("corpora")
    MigrationRecorder(connection).record_unapplied(app, newest)
    assert client.get("/healthz/ready").status_code == 503
    MigrationRecorder(connection).record_applied(app, newest)
    assert client.get("/healthz/ready").status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/healthz/ready", "/healthz/live"])
def test_it_takes_no_posts(client, path):
    assert client.post(path).status_code == 405


@pytest.mark.usefixtures("migrated")
def test_it_is_not_redirected_to_https(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    for path in ("/healthz", "/healthz/ready", "/healthz/live"):
        assert client.get(path).status_code == 200
    assert client.get("/sign-in/").status_code == 301


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    return tmp_path


def test_it_finds_the_worker_that_is_ready(data):
    assert not probe.worker_is_up()
    probe.leave_ready_note()
    assert probe.worker_is_up()
    assert probe.worker_is_up(os.getpid())
    assert not probe.worker_is_up(1)


def test_it_is_not_fooled_by_the_note_of_a_dead_worker(data):
    probe.ready_note(2**22 + 1).write_text("12345")
    assert not probe.worker_is_up()


def test_it_is_not_fooled_by_another_process_with_the_number_of_a_dead_worker(data):
    probe.ready_note(os.getpid()).write_text("1")
    assert not probe.worker_is_up()
    assert not probe.worker_is_up(os.getpid())


def test_it_finds_no_web_server_where_there_is_none(data, monkeypatch):
    monkeypatch.setenv("PORT", str(servers.find_free_port()))
    assert not probe.web_is_up()


@pytest.mark.parametrize(
    ("allowed", "is_up"), [("localhost", True), ("*", True), ("other.example.org", False)]
)
def test_it_asks_under_a_name_that_is_allowed(product, monkeypatch, allowed, is_up):
    monkeypatch.setenv("PORT", str(product.port))
    monkeypatch.setenv("ALLOWED_HOSTS", allowed)
    assert probe.web_is_up() is is_up


@pytest.mark.parametrize("arguments", [[], ["neither"], ["web", "worker"]])
def test_it_explains_its_use(arguments, capsys):
    assert probe.main(arguments) == 2
    assert capsys.readouterr().err == "Usage: python -m deploy.probe web|worker\n"
