"""`/healthz` and the probes that ask it."""

from __future__ import annotations

import os

import pytest
from django.db import DatabaseError, connection

from deploy import probe
from tests import servers


@pytest.mark.usefixtures("migrated")
def test_it_says_ok(client):
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok")
    assert "no-store" in response.headers["Cache-Control"]


def test_it_says_when_the_database_is_unreachable(client, monkeypatch):
    def refuse():
        raise DatabaseError

    monkeypatch.setattr(connection, "cursor", refuse)
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (503, b"database unreachable")


def test_it_takes_no_posts(client):
    assert client.post("/healthz").status_code == 405


@pytest.mark.usefixtures("migrated")
def test_it_is_not_redirected_to_https(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/healthz").status_code == 200
    assert client.get("/sign-in/").status_code == 301


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    return tmp_path


def test_it_finds_the_worker_that_is_ready(data):
    assert not probe.worker_is_up()
    probe.ready_note(os.getpid()).touch()
    assert probe.worker_is_up()
    assert probe.worker_is_up(os.getpid())
    assert not probe.worker_is_up(1)


def test_it_is_not_fooled_by_the_note_of_a_dead_worker(data):
    probe.ready_note(2**22 + 1).touch()
    assert not probe.worker_is_up()


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
    assert capsys.readouterr().err == "Use: python -m deploy.probe web|worker\n"
