"""Marks by which a page knows whether rows of a campaign are what they were when it last summed up.

The database itself sets another mark with every statement that writes rows of a campaign, in the
same transaction and whoever sends it, by triggers: so what is kept under a mark can't be out of
date. A campaign's mark is the set of values that its rows in `crowd_campaignchange` have. On
PostgreSQL each writer removes those that nobody else is removing, and adds one of its own: nobody
waits for anybody, and a value that was added goes only when another one comes.

Triggers are installed after each `migrate`, with new marks for every campaign, as rows may have
been written without them. On SQLite they are dropped before it: no table that a trigger names can
be remade.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from annotation.triggers import Trigger, drop, read_installed

PREFIX = "campaign_change"
MARKS, CAMPAIGNS = "crowd_campaignchange", "crowd_campaign"
# Which kind of mark the writing of a table changes. Judgements come with their assignment.
KINDS = {
    "crowd_hit": "hits",
    "crowd_assignment": "answers",
    "crowd_intent": "books",
    "crowd_settlement": "books",
}
EVENTS = ("INSERT", "UPDATE", "DELETE")

# {touched} selects the ids of the campaigns whose rows a statement has written.
BODY = """
BEGIN
    WITH touched AS ({touched}),
    gone AS (
        DELETE FROM crowd_campaignchange WHERE id IN (
            SELECT id FROM crowd_campaignchange
            WHERE kind = TG_ARGV[0] AND campaign IN (SELECT campaign_id FROM touched)
            FOR UPDATE SKIP LOCKED
        )
    )
    INSERT INTO crowd_campaignchange (campaign, kind, mark)
    SELECT campaign_id, TG_ARGV[0], gen_random_uuid() FROM touched;
    RETURN NULL;
END
"""
OWN = "SELECT DISTINCT campaign_id FROM written"
BY_INTENT = """
    SELECT DISTINCT campaign_id FROM crowd_intent
    WHERE id IN (SELECT intent_id FROM written)
"""
FORGET = "BEGIN DELETE FROM crowd_campaignchange WHERE campaign = OLD.id; RETURN NULL; END"
FUNCTIONS = {
    PREFIX: BODY.format(touched=OWN),
    f"{PREFIX}_by_intent": BODY.format(touched=BY_INTENT),
    f"{PREFIX}_forget": FORGET,
}


def list_functions() -> list[str]:
    return [
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$"
        for name, body in FUNCTIONS.items()
    ]


def declare(connection: BaseDatabaseWrapper, tables: Collection[str]) -> list[Trigger]:
    """None before all tables are there."""
    if not {MARKS, CAMPAIGNS, *KINDS} <= set(tables):
        return []
    is_postgresql = connection.vendor == "postgresql"
    return list(_declare_on_postgresql() if is_postgresql else _declare_on_sqlite())


def _declare_on_postgresql() -> Iterator[Trigger]:
    for table, kind in KINDS.items():
        function = f"{PREFIX}_by_intent" if table == "crowd_settlement" else PREFIX
        for event in EVENTS:
            name = f"{PREFIX}_{event.lower()}"
            rows = "OLD" if event == "DELETE" else "NEW"
            create = (
                f"CREATE TRIGGER {name} AFTER {event} ON {table} "
                f"REFERENCING {rows} TABLE AS written "
                f"FOR EACH STATEMENT EXECUTE FUNCTION {function}('{kind}')"
            )
            yield Trigger(table, name, (create,), f"O{FUNCTIONS[function]}")
    name = f"{PREFIX}_forget"
    create = f"CREATE TRIGGER {name} AFTER DELETE ON {CAMPAIGNS} FOR EACH ROW "
    yield Trigger(CAMPAIGNS, name, (f"{create}EXECUTE FUNCTION {name}()",), f"O{FORGET}")


def _declare_on_sqlite() -> Iterator[Trigger]:
    """By row: SQLite has no others. One writer at a time, so that a mark is a single row."""
    for table, kind in KINDS.items():
        for event in EVENTS:
            row = "OLD" if event == "DELETE" else "NEW"
            campaign = f"{row}.campaign_id"
            if table == "crowd_settlement":
                campaign = f"(SELECT campaign_id FROM crowd_intent WHERE id = {row}.intent_id)"
            mine = f"campaign = {campaign} AND kind = '{kind}'"
            does = f"UPDATE {MARKS} SET mark = lower(hex(randomblob(16))) WHERE {mine};"
            if event == "INSERT":
                does += (
                    f" INSERT INTO {MARKS} (campaign, kind, mark)"
                    f" SELECT {campaign}, '{kind}', lower(hex(randomblob(16)))"
                    f" WHERE NOT EXISTS (SELECT 1 FROM {MARKS} WHERE {mine});"
                )
            name = f"{PREFIX}_{event.lower()}_{table}"
            create = f"CREATE TRIGGER {name} AFTER {event} ON {table} BEGIN {does} END"
            yield Trigger(table, name, (create,), create)
    name = f"{PREFIX}_forget"
    does = f"DELETE FROM {MARKS} WHERE campaign = OLD.id;"
    create = f"CREATE TRIGGER {name} AFTER DELETE ON {CAMPAIGNS} BEGIN {does} END"
    yield Trigger(CAMPAIGNS, name, (create,), create)


def renew(connection: BaseDatabaseWrapper, cursor: Any) -> None:
    """New marks for all campaigns, after a time without triggers."""
    is_postgresql = connection.vendor == "postgresql"
    mark = "gen_random_uuid()" if is_postgresql else "lower(hex(randomblob(16)))"
    cursor.execute(f"DELETE FROM {MARKS}")
    for kind in dict.fromkeys(KINDS.values()):
        cursor.execute(
            f"INSERT INTO {MARKS} (campaign, kind, mark)"
            f" SELECT id, '{kind}', {mark} FROM {CAMPAIGNS}"
        )


def drop_before_migrate(*, using: str, plan: Collection[object], **_: object) -> None:
    connection = connections[using]
    if not plan or connection.vendor == "postgresql":
        return
    with connection.cursor() as cursor:
        for table, name in read_installed(connection):
            if name.startswith(PREFIX):
                drop(connection, cursor, table, name)
