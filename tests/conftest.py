"""Fixtures for every test, and the environment that Giza's settings are read from."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import servers
from tests.servers import Lab, Product

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
GIZA_DATA = Path(os.environ.get("GIZA_DATA") or servers.ROOT.parent / "shared" / "data")
CORPORA = {"realsumm_dir": "realsumm", "pyrxsum_dir": "pyrxsum"}

_left_out = pytest.StashKey[list[str]]()
_at_the_end = pytest.StashKey[contextlib.ExitStack]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--database",
        choices=["sqlite", "postgresql"],
        default="sqlite",
        help="the database that tests run on",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Set the environment before pytest-django, which is configured last, loads the settings."""
    stack = config.stash[_at_the_end] = contextlib.ExitStack()
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="giza-tests-")))
    for name in servers.NOT_INHERITED:
        os.environ.pop(name, None)
    os.environ.update(
        DJANGO_SETTINGS_MODULE="deploy.settings",
        SECRET_KEY="for-tests-only",
        DATA_DIR=str(folder / "data"),
        ALLOWED_HOSTS="testserver,localhost,127.0.0.1",
        API_RATE_USER="1000000/minute",
        API_RATE_ANON="1000000/minute",
        LOG_LEVEL="WARNING",
    )
    if config.getoption("--database") == "postgresql":
        os.environ["DATABASE_URL"] = stack.enter_context(
            servers.running_postgres(folder / "postgres")
        )
    _quicken()


def _quicken() -> None:
    """Hash passwords cheaply, and name static files without collecting them first."""
    from django.conf import settings

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[_at_the_end].close()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests that need a published corpus which is not here, and remember them."""
    absent = {name for name, folder in CORPORA.items() if not (GIZA_DATA / folder).is_dir()}
    left_out = [item for item in items if absent.intersection(getattr(item, "fixturenames", ()))]
    config.stash[_left_out] = [item.nodeid for item in left_out]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say loudly which tests did not run, and why."""
    left_out = config.stash.get(_left_out, [])
    if not left_out:
        return
    terminalreporter.section("NOT RUN: published corpora are absent", yellow=True, bold=True)
    terminalreporter.line(f"GIZA_DATA ({GIZA_DATA}) lacks what these {len(left_out)} tests need:")
    for nodeid in left_out:
        terminalreporter.line(f"  {nodeid}")


@pytest.fixture(scope="session")
def realsumm_dir() -> Path:
    """REALSumm as published."""
    return GIZA_DATA / CORPORA["realsumm_dir"]


@pytest.fixture(scope="session")
def pyrxsum_dir() -> Path:
    """PyrXSum as published."""
    return GIZA_DATA / CORPORA["pyrxsum_dir"]


@pytest.fixture
def free_port() -> int:
    return servers.find_free_port()


@pytest.fixture(scope="session")
def short_folder() -> Iterator[Path]:
    """A folder with a short name: the path of a Unix socket has at most 107 characters."""
    with tempfile.TemporaryDirectory(prefix="giza-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def postgres_url(short_folder: Path) -> Iterator[str]:
    with servers.running_postgres(short_folder / "pg") as address:
        yield address


@pytest.fixture(scope="session")
def redis_socket(short_folder: Path) -> Iterator[Path]:
    with servers.running_redis(short_folder) as path:
        yield path


@pytest.fixture(scope="session")
def redis_url(redis_socket: Path) -> str:
    """The test Redis as Celery addresses it."""
    return f"redis+socket://{redis_socket}"


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """The product as `make run` serves it, with the demo loaded."""
    running = Product.at(tmp_path_factory.mktemp("product") / "var").start()
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="session")
def lab(
    tmp_path_factory: pytest.TempPathFactory, postgres_url: str, redis_socket: Path
) -> Iterator[Lab]:
    """A lab's server on PostgreSQL and Redis, with two workers."""
    database = servers.new_database(postgres_url, "giza_lab")
    with servers.running_lab(tmp_path_factory.mktemp("lab"), database, redis_socket) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    assert path, "no Chromium or Chrome found: deploy/find_chromium.sh installs one"
    # Playwright keeps an event loop in this thread, which Django would take for async code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=CHROMIUM_OPTIONS)
        yield running
        running.close()
