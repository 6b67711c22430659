"""What must be done before serving: tables, static files, the demo. Quick when nothing changed."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import django
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection as database
from django.db.migrations.executor import MigrationExecutor

from annotation import append_only
from deploy.celery import app
from deploy.static import UNUSED


def prepare(demo_password: str | None = None, *, demo_is_staff: bool = False) -> None:
    """Bring database and static files up to date, and load the demo if it has a password."""
    django.setup()
    migrate_if_needed()
    collect_static_if_changed()
    declare_queues()
    if demo_password:
        # In one word: a password may begin with a dash.
        password = f"--password={demo_password}"
        call_command("load_demo", password, staff=demo_is_staff, stdout=io.StringIO())


def migrate_if_needed() -> bool:
    executor = MigrationExecutor(database)
    is_current = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    if is_current and not append_only.find_missing(database):
        return False
    print("Preparing the database …", flush=True)
    call_command("migrate", interactive=False, verbosity=0)
    return True


def collect_static_if_changed() -> bool:
    """Copy, name by content and compress static files, unless that was done for these very ones."""
    stamp = Path(settings.DATA_DIR) / "run" / "static.stamp"
    fingerprint = static_fingerprint()
    if stamp.exists() and stamp.read_text() == fingerprint:
        return False
    print("Preparing static files …", flush=True)
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=UNUSED)
    stamp.write_text(fingerprint)
    return True


def declare_queues() -> None:
    """Declare the queues while nobody else does: kombu's table of them is not written at once."""
    with app.connection_for_write() as connection:
        for queue in app.amqp.queues.values():
            queue(connection.default_channel).declare()


def static_fingerprint() -> str:
    """A digest of every static file's name, size and time, and of how they are stored."""
    digest = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for finder in get_finders():
        for name, storage in finder.list(UNUSED):
            status = Path(storage.path(name)).stat()
            digest.update(f"\n{name} {status.st_size} {status.st_mtime_ns}".encode())
    return digest.hexdigest()
