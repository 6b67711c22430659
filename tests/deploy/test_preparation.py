"""Before serving: tables and static files are brought up to date, and only if they are not."""

from __future__ import annotations

import re
import sqlite3

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.db import connections

from annotation import append_only
from deploy import preparation
from deploy import prepared as stamp


@pytest.fixture
def static_site(settings, tmp_path):
    """A data folder and a source folder with one module that imports another."""
    source = tmp_path / "source"
    (source / "js").mkdir(parents=True)
    (source / "js" / "page.js").write_text('import { x } from "./part.js";\nconsole.log(x);\n')
    (source / "js" / "part.js").write_text("export const x = 1;\n")
    (tmp_path / "run").mkdir()
    settings.DATA_DIR = tmp_path
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATICFILES_DIRS = [source]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "deploy.static.StaticStorage"}
    }
    finders.get_finder.cache_clear()  # type: ignore[attr-defined]
    yield source
    finders.get_finder.cache_clear()  # type: ignore[attr-defined]


def test_a_password_of_the_demo_may_begin_with_a_dash(monkeypatch):
    given = {}
    for step in ("migrate_if_needed", "collect_static_if_changed", "declare_queues"):
        monkeypatch.setattr(preparation, step, lambda: None)
    monkeypatch.setattr(
        "annotation.corpora.management.commands.load_demo.load_demo",
        lambda **said: given.update(said),
    )
    preparation.prepare("-Xb3", demo_is_staff=False)
    assert given == {"password": "-Xb3", "is_staff": False}


def test_it_collects_static_files_once(static_site):
    assert preparation.collect_static_if_changed() is True
    assert preparation.collect_static_if_changed() is False


def test_it_collects_them_again_when_one_changed(static_site):
    preparation.collect_static_if_changed()
    (static_site / "js" / "part.js").write_text("export const x = 22;\n")
    assert preparation.collect_static_if_changed() is True


def test_it_names_modules_by_content_in_imports_too(static_site, settings):
    preparation.collect_static_if_changed()
    (page,) = (settings.STATIC_ROOT / "js").glob("page.*.js")
    imported = re.search(r'from "\./(part\.[0-9a-f]{12}\.js)"', page.read_text())
    assert imported
    assert (page.parent / imported[1]).read_text() == "export const x = 1;\n"


@pytest.mark.usefixtures("migrated")
def test_it_migrates_what_is_not_up_to_date(capsys):
    assert preparation.migrate_if_needed() is False
    call_command("migrate", "sessions", "zero", verbosity=0)
    assert preparation.migrate_if_needed() is True
    assert preparation.migrate_if_needed() is False
    assert capsys.readouterr().out == "Preparing the database …\n"


@pytest.mark.usefixtures("migrated")
def test_it_protects_books_that_an_older_version_left_open():
    with connections["default"].cursor() as cursor:
        cursor.execute("DROP TRIGGER append_only_update_crowd_marketentry")
    assert preparation.migrate_if_needed() is True
    assert append_only.find_missing(connections["default"]) == []
    assert preparation.migrate_if_needed() is False


def test_it_is_not_prepared_without_a_database(tmp_path, monkeypatch):
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert not stamp.is_prepared()
    stamp.note_prepared()
    assert not stamp.is_prepared()


def test_it_is_prepared_again_only_when_something_changed(prepared, tmp_path, monkeypatch):
    folder = prepared.copy_to(tmp_path / "var").data_dir
    monkeypatch.setenv("DATA_DIR", str(folder))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("DEMO_PASSWORD", "pyramid-demo")
    stamp.note_prepared()
    assert stamp.is_prepared()
    monkeypatch.setenv("DEMO_PASSWORD", "another-one")
    assert not stamp.is_prepared()
    monkeypatch.setenv("DEMO_PASSWORD", "pyramid-demo")
    with sqlite3.connect(folder / "giza.sqlite3") as database:
        database.execute("DELETE FROM django_migrations WHERE app = 'corpora'")
    assert not stamp.is_prepared()
