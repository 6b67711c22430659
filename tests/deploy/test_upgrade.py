"""A database that the first migrations made comes to the newest state with all its rows.

On SQLite it is migrated where it is; on PostgreSQL it comes as a backup of that old database, which
is loaded as it was and migrated then.
"""

from __future__ import annotations

import contextlib
import json

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connections
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.urls import URLResolver, get_resolver

from annotation import append_only
from deploy.backup import schema, tables
from deploy.backup.archive import reading
from tests.deploy.homes import as_default, attached, manifest
from tests.servers import new_database

APPS = ("corpora", "units", "crowd", "evaluation")
# Of every app, what its first migration already had.
FILLED = (
    "corpora_project",
    "corpora_summary",
    "units_unit",
    "crowd_judgement",
    "evaluation_summarylabels",
)
FROZE = "froze the units of long ago"
ONE_OF = {
    "examples/{}/": "corpora_example",
    "systems/{}/": "corpora_system",
    "units/{}/": "units_unitset",
    "crowd/{}/": "crowd_campaign",
    "crowd/{}/hits/": "crowd_campaign",
    "crowd/{}/review/": "crowd_campaign",
    "gold/labels/{}/": "evaluation_labelset",
    "gold/labels/{}/scores/": "evaluation_labelset",
}


def quiet(line):
    pass


@pytest.fixture(scope="module", autouse=True)
def _outside_of_transactions(django_db_blocker):
    with django_db_blocker.unblock():
        yield


@pytest.fixture(scope="module")
def demo(prepared, tmp_path_factory):
    """The rows of the demo, as an archive."""
    database = f"sqlite:///{prepared.data_dir}/giza.sqlite3"
    path = tmp_path_factory.mktemp("demo") / "demo.zip"
    with attached("prepared", database, prepared.data_dir) as home:
        home.backup(path)
    return path


def first_migrations(connection):
    """The first one of each of our apps, and all that these need."""
    graph = MigrationExecutor(connection).loader.graph
    firsts = [node for node in graph.nodes if node[0] in APPS and node[1].startswith("0001_")]
    assert len(firsts) == len(APPS)
    others = [node for node in graph.leaf_nodes() if node[0] not in APPS]
    return {needed for node in [*firsts, *others] for needed in graph.forwards_plan(node)}


def rows_for(archive, part, model):
    """Rows of today with the columns that the old table has."""
    fields = [str(field.column) for field in tables.fields_of(model)]
    assert set(fields) <= set(part["columns"]), "a column went: give it a value here"
    places = [part["columns"].index(column) for column in fields]
    return ([row[place] for place in places] for row in archive.rows(part["name"]))


@pytest.fixture(scope="module")
def first(demo, tmp_path_factory):
    """SQLite as the first migrations leave it, with the demo's rows in it."""
    folder = tmp_path_factory.mktemp("first")
    with attached("first", f"sqlite:///{folder}/giza.sqlite3", folder) as home:
        with reading(demo) as archive, schema.all_or_nothing("first") as connection:
            models = schema.make_empty(connection, first_migrations(connection))
            parts = {part["table"]: part for part in archive.tables}
            for model in models:
                part = parts.get(model._meta.db_table)
                # A column may go where nobody had a row.
                if part and part["rows"]:
                    tables.load_rows(connection, model, rows_for(archive, part, model), quiet)
            write_event({model._meta.db_table: model for model in models})
        yield home


def write_event(models):
    """A table that a later migration turned into another."""
    project = models["corpora_project"].objects.using("first").earliest("pk")
    models["corpora_event"].objects.using("first").create(
        project=project, action="freeze", text=FROZE, at=project.created_at
    )


@pytest.fixture(scope="module")
def old(first, tmp_path_factory):
    path = tmp_path_factory.mktemp("old") / "old.zip"
    first.backup(path)
    return path


@pytest.fixture(scope="module")
def sqlite(first, old):
    call_command("migrate", database=first.alias, verbosity=0)
    return first


@pytest.fixture(scope="module")
def postgresql(old, postgres_url, tmp_path_factory):
    """A database without any table, until the old backup is restored in it."""
    folder = tmp_path_factory.mktemp("upgraded")
    with attached("upgraded", new_database(postgres_url, "giza_upgraded"), folder) as home:
        found = home.restore(old)
        assert "evaluation 0002_judge_runs" in found["migrated"]
        yield home


@contextlib.contextmanager
def served(home):
    """The product over that database, to whoever owns the demo."""
    from annotation.corpora.accounts.models import User

    client = Client(raise_request_exception=True)
    with as_default(home):
        client.force_login(User.objects.get())
        yield client


def list_routes(patterns, before=""):
    """Every address that the product has, as it is written."""
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from list_routes(pattern.url_patterns, route)
        else:
            yield route


def list_pages(home):
    """Every page of a project, and some of one thing in it."""
    routes = sorted(set(list_routes(get_resolver().url_patterns)))
    slug = "p/<slug:slug>/"
    yield from (
        f"/p/demo/{route.removeprefix(slug)}"
        for route in routes
        if route.startswith(slug) and route.count("<") == 1
    )
    for form, table in ONE_OF.items():
        ((pk,),) = home.execute(f"SELECT min(id) FROM {table}")
        yield f"/p/demo/{form.format(pk)}"


def values(path, columns):
    """By table, the rows of these columns."""
    with reading(path) as archive:
        for part in archive.tables:
            kept = [part["columns"].index(name) for name in columns.get(part["table"], [])]
            rows = [[row[place] for place in kept] for row in archive.rows(part["name"])]
            yield part["table"], json.dumps(rows)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_it_keeps_every_row_of_the_first_migration(kind, old, request, tmp_path):
    home = request.getfixturevalue(kind)
    before = {part["table"]: part for part in manifest(old)["tables"]}
    assert all(before[table]["rows"] for table in FILLED)
    assert "evaluation_judgerun" not in before
    home.backup(tmp_path / "new.zip")
    columns = {
        table: part["columns"]
        for table, part in before.items()
        if table != "auth_permission" and part["rows"]
    }
    del columns["django_content_type"], columns["corpora_event"]
    kept = dict(values(tmp_path / "new.zip", columns))
    assert {table: kept[table] for table in columns} == {
        table: rows for table, rows in values(old, columns) if table in columns
    }
    told = dict(values(tmp_path / "new.zip", {"corpora_activity": ["verb", "text"]}))
    assert told["corpora_activity"] == json.dumps([["freeze", FROZE]])


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_it_protects_the_books(kind, request):
    home = request.getfixturevalue(kind)
    assert append_only.find_missing(connections[home.alias]) == []
    with pytest.raises(IntegrityError, match="append-only"):
        home.execute("DELETE FROM corpora_activity")


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_its_pages_answer(kind, request):
    home = request.getfixturevalue(kind)
    with served(home) as client:
        pages = list(list_pages(home))
        answers = {page: client.get(page).status_code for page in pages}
    shown = [page for page, status in answers.items() if status == 200]
    assert len(shown) > 40
    # Others only take what is sent to them; one is a file of scores, of which there are none yet.
    others = {page: status for page, status in answers.items() if status not in (200, 302, 405)}
    assert others == {"/p/demo/metrics/disagreements/disagreements.csv": 404}
