"""The product that these tests share, and its database."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from tests.servers import Product


@pytest.fixture(scope="session")
def product(prepared: Product, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """What `make run` serves, with the demo loaded, started by that very command."""
    running = prepared.copy_to(tmp_path_factory.mktemp("product") / "var")
    running.part.program = ("make", "run")
    running.start()
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture
def migrated(
    prepared: Product, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """This process works on a database that the product's first start has migrated.

    Migrating one anew takes ten seconds.
    """
    from tests.deploy.homes import as_default, attached

    database = shutil.copy(prepared.data_dir / "giza.sqlite3", tmp_path)
    with (
        django_db_blocker.unblock(),
        attached("migrated", f"sqlite:///{database}", tmp_path) as home,
        as_default(home),
    ):
        yield
