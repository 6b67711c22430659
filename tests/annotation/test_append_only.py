"""The books against SQL: the database refuses to change or remove their rows, whoever asks it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.core.management.sql import emit_post_migrate_signal
from django.db import IntegrityError, connection, transaction
from django.db.models import Model, ProtectedError

from annotation import append_only, triggers
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity, Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.ledger import Draft, intend, settle
from annotation.crowd.campaigns.models import Campaign, Intent, IntentKind, Settlement
from annotation.crowd.market.models_work import MarketEntry
from annotation.crowd.market.money import deposit
from annotation.crowd.market.requesters import create_requester
from annotation.units.sets.models import UnitSet
from tests.factories import make_project, make_set, make_user

pytestmark = pytest.mark.django_db(transaction=True)

BOOKS: list[type[Model]] = [Activity, Intent, Settlement, MarketEntry]
STATEMENTS = {
    "sqlite": [
        "REPLACE INTO {table} SELECT * FROM {table}",
        "UPDATE OR REPLACE {table} SET id = id + 1",
    ],
    "postgresql": [
        "TRUNCATE {table} CASCADE",
        "SET session_replication_role = replica; DELETE FROM {table}",
    ],
}
ON_BOTH = [
    "UPDATE {table} SET id = id + 1000",
    "UPDATE {table} SET id = id",
    "UPDATE {table} SET {reference} = NULL",
    "DELETE FROM {table}",
    "DELETE FROM {table} WHERE id > 0",
    """
    INSERT INTO {table} SELECT * FROM {table} WHERE true
    ON CONFLICT (id) DO UPDATE SET id = excluded.id
    """,
]
REFERENCES: dict[type[Model], str] = {
    Activity: "actor_id",
    Intent: "created_by_id",
    Settlement: "intent_id",
    MarketEntry: "requester_id",
}


def make_campaign(project: Project, owner: User) -> Campaign:
    units: UnitSet = make_set(project, owner)
    return Campaign.objects.create(
        project=project, unit_set=units, name="A", budget=Decimal(100), provider="sandbox"
    )


@pytest.fixture
def books(db: None) -> Project:
    """A row in each of the books; the ledger's is settled."""
    owner = make_user("Owner")
    project = make_project(owner)
    draft = Draft(IntentKind.PUBLISH, "publish:1", Decimal(1))
    [intent] = intend(campaign=make_campaign(project, owner), drafts=[draft], user=owner)
    settle(intent=intent)
    deposit(requester=create_requester(name="Lab"), amount=Decimal(5), note="Grant")
    record_activity(project=project, actor=owner, verb=Verb.CHANGE, text="did it")
    return project


def rows_of(model: type[Model]) -> list[Any]:
    return list(model._base_manager.order_by("pk").values())


def execute(statement: str, model: type[Model]) -> None:
    words = {"table": model._meta.db_table, "reference": REFERENCES[model]}
    with transaction.atomic(), connection.cursor() as cursor:
        for part in statement.format(**words).split(";"):
            cursor.execute(part)


def test_it_covers_all_that_is_append_only() -> None:
    assert set(append_only.list_models()) == set(BOOKS)
    assert append_only.find_missing(connection) == []


@pytest.mark.parametrize("model", BOOKS)
def test_it_refuses_to_change_or_remove_rows(books: Project, model: type[Model]) -> None:
    before = rows_of(model)
    assert before
    for statement in [*ON_BOTH, *STATEMENTS[connection.vendor]]:
        with pytest.raises(IntegrityError, match=r"append-only: its rows are never changed"):
            execute(statement, model)
        assert rows_of(model) == before, statement


def test_it_still_takes_new_rows_and_says_what_is_there(books: Project) -> None:
    entries = MarketEntry.objects.count()
    key = MarketEntry.objects.values_list("key", flat=True)[0]
    MarketEntry.objects.create(kind="deposit", key="new", amount=Decimal(1))
    assert MarketEntry.objects.count() == entries + 1
    found, is_new = MarketEntry.objects.get_or_create(key=key, defaults={"amount": Decimal(9)})
    assert (found.amount, is_new) == (Decimal(5), False)
    settle(intent=Intent.objects.get(), note="Somebody else was later.")
    assert Settlement.objects.get().note == ""


def test_it_keeps_whoever_is_named_in_the_books(books: Project) -> None:
    with pytest.raises(ProtectedError):
        User.objects.get().delete()


def test_it_lets_go_where_it_is_suspended_and_only_there(books: Project) -> None:
    with append_only.suspended():
        execute("DELETE FROM {table}", Settlement)
    assert not Settlement.objects.exists()
    assert append_only.find_missing(connection) == []
    with pytest.raises(IntegrityError):
        execute("DELETE FROM {table}", Intent)


def test_it_is_kept_again_after_the_block_in_the_same_transaction(books: Project) -> None:
    with transaction.atomic():
        with append_only.suspended():
            execute("DELETE FROM {table}", Settlement)
        with pytest.raises(IntegrityError):
            execute("DELETE FROM {table}", Intent)


def test_it_is_kept_again_after_an_error(books: Project) -> None:
    def fail() -> None:
        with append_only.suspended():
            execute("DELETE FROM {table}", Settlement)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert Settlement.objects.exists()
    with pytest.raises(IntegrityError):
        execute("DELETE FROM {table}", Settlement)


def test_it_lets_go_for_nobody_else_meanwhile(books: Project) -> None:
    """On SQLite others wait or are refused; on PostgreSQL they are refused."""
    errors: list[str] = []

    def remove() -> None:
        try:
            execute("DELETE FROM {table}", MarketEntry)
        except Exception as error:  # noqa: BLE001
            errors.append(str(error))
        finally:
            connection.close()

    with append_only.suspended():
        execute("DELETE FROM {table}", Settlement)
        other = threading.Thread(target=remove)
        other.start()
        other.join(30)
    assert len(errors) == 1
    assert MarketEntry.objects.exists()


def _remake(model: type[Model]) -> None:
    """What a migration that changes a table does on SQLite."""
    with connection.constraint_checks_disabled(), connection.schema_editor() as editor:
        if connection.vendor == "sqlite":
            editor._remake_table(model)  # type: ignore[attr-defined]


def _drop(model: type[Model]) -> None:
    with connection.cursor() as cursor:
        for trigger in append_only._declare(connection, model):
            triggers.drop(connection, cursor, trigger.table, trigger.name)


@pytest.mark.parametrize("lose", [_remake, _drop])
def test_it_is_installed_again_after_a_migration(
    books: Project, lose: Callable[[type[Model]], None]
) -> None:
    lose(MarketEntry)
    emit_post_migrate_signal(0, False, "default")
    assert append_only.find_missing(connection) == []
    with pytest.raises(IntegrityError):
        execute("DELETE FROM {table}", MarketEntry)


def test_it_notices_what_is_missing_or_switched_off(books: Project) -> None:
    table = MarketEntry._meta.db_table
    if connection.vendor == "postgresql":
        statement = f"ALTER TABLE {table} DISABLE TRIGGER append_only_rows"
    else:
        statement = f"DROP TRIGGER append_only_update_{table}"
    with connection.cursor() as cursor:
        cursor.execute(statement)
    [missing] = append_only.find_missing(connection)
    assert missing.table == table
    append_only.install(connection)
    assert append_only.find_missing(connection) == []
