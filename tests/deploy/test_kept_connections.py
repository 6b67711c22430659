"""A connection to PostgreSQL that was kept is used again without asking, but never a dead one."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
from django.db import connections
from pytest_django import DjangoDbBlocker

from annotation import statements
from tests.deploy.homes import attached
from tests.servers import new_database


@pytest.fixture
def kept(postgres_url: str, tmp_path: Path, django_db_blocker: DjangoDbBlocker):
    """Of a thread that has answered a request, and is about to answer the next."""
    address = new_database(postgres_url, f"giza_{tmp_path.name}")
    with django_db_blocker.unblock(), attached("kept", address, tmp_path):
        connection = connections["kept"]
        with connection.cursor() as cursor:
            cursor.execute("SELECT 42")
        assert connection.settings_dict["CONN_HEALTH_CHECKS"]
        yield connection
        connection.close()


def last_statement(connection, address: str) -> str:
    pid = connection.connection.info.backend_pid
    with psycopg.connect(address, autocommit=True) as other:
        found = other.execute("SELECT query FROM pg_stat_activity WHERE pid = %s", [pid])
        return str(found.fetchall()[0][0])


def begin_request(connection) -> None:
    connection.close_if_unusable_or_obsolete()
    with connection.cursor():
        pass


def test_it_is_used_again_without_a_statement(kept, postgres_url: str) -> None:
    before = kept.connection
    assert last_statement(kept, postgres_url) == "SELECT 42"
    begin_request(kept)
    assert kept.connection is before
    assert last_statement(kept, postgres_url) == "SELECT 42"


def test_it_is_replaced_once_the_server_has_ended_it(kept, postgres_url: str) -> None:
    before = kept.connection
    with psycopg.connect(postgres_url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [before.info.backend_pid])
    begin_request(kept)
    assert kept.connection is not before
    with kept.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


def test_statements_written_once_take_a_new_one_as_well(
    kept, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "connection", kept)
    assert statements.fetch("SELECT 7") == [7]
    with psycopg.connect(postgres_url, autocommit=True) as other:
        pid = kept.connection.info.backend_pid
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    kept.close_if_unusable_or_obsolete()
    assert statements.fetch("SELECT 7") == [7]
