"""Fixtures for every test, and the environment that Giza's settings are read from."""

from __future__ import annotations

import contextlib
import gc
import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from tests import on_postgresql, servers
from tests.disks import Disk, small_disk
from tests.servers import Blank, Lab, Product

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUMS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Other servers can't be found, so that a call to one fails.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    # A page that could not be loaded must not load itself in the middle of a test.
    "--disable-auto-reload",
    # Processes cost more than pages do: all pages of a seat, and frames in them, are shown by one.
    "--process-per-site",
    "--disable-site-isolation-trials",
    "--in-process-gpu",
    # Nothing runs long enough to be worth a compiler.
    "--js-flags=--no-opt --no-maglev --single-threaded",
]
GIZA_DATA = Path(os.environ.get("GIZA_DATA") or servers.ROOT.parent / "shared" / "data")
CORPORA = {"realsumm_dir": "realsumm", "pyrxsum_dir": "pyrxsum"}
TOUCHING = {"db", "transactional_db", "kept_database"}

# The same cases in every run, so that more of them find what is there once and never again; and no
# case too slow: how long one takes is the machine's affair.
hypothesis.settings.register_profile(
    "steady",
    max_examples=40,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("steady")

_left_out = pytest.StashKey[list[str]]()
_at_the_end = pytest.StashKey[contextlib.ExitStack]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--database",
        choices=["sqlite", "postgresql"],
        default="sqlite",
        help="the database that tests run on",
    )
    parser.addoption(
        "--axe-colours",
        action="store_true",
        help="let axe compare colours on every page, in both themes, which takes minutes",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Set the environment before pytest-django, which is configured last, loads the settings."""
    stack = config.stash[_at_the_end] = contextlib.ExitStack()
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="giza-tests-")))
    for name in servers.NOT_INHERITED:
        os.environ.pop(name, None)
    os.environ.update(
        DJANGO_SETTINGS_MODULE="deploy.settings",
        SECRET_KEY=servers.SECRET_KEY,
        DATA_DIR=str(folder / "data"),
        ALLOWED_HOSTS="testserver,localhost,127.0.0.1",
        API_RATE_USER="1000000/minute",
        API_RATE_ANON="1000000/minute",
        KEY_RATE="1000000/minute",
        LOG_LEVEL="WARNING",
    )
    if config.getoption("--database") == "postgresql":
        os.environ["DATABASE_URL"] = stack.enter_context(
            servers.running_postgres(folder / "postgres")
        )
    _quicken()
    _let_tests_clear_the_books()


def _quicken() -> None:
    """Hash passwords cheaply, and name static files without collecting them first.

    What is loaded by now stays, so that looking through it for garbage is a waste.
    """
    from django.conf import settings

    gc.freeze()
    gc.set_threshold(100_000, 50, 1000)
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


def _let_tests_clear_the_books() -> None:
    """After tests that commit, all tables are flushed: for the books the database refuses that."""
    from django.db import connection

    from annotation import append_only

    operations = type(connection.ops)
    flush = operations.execute_sql_flush

    def flush_books(self: Any, sql_list: Any) -> None:
        with append_only.suspended(self.connection.alias):
            flush(self, sql_list)

    operations.execute_sql_flush = flush_books  # type: ignore[method-assign]


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[_at_the_end].close()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """On PostgreSQL, don't even load what is not run there."""
    is_test = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    if config.getoption("--database") != "postgresql" or not is_test:
        return None
    return None if on_postgresql.is_chosen(collection_path) else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what PostgreSQL can't change, and what needs a published corpus that is absent."""
    if config.getoption("--database") == "postgresql":
        _deselect(config, items, [item for item in items if not _depends_on_database(item)])
    absent = {name for name, folder in CORPORA.items() if not (GIZA_DATA / folder).is_dir()}
    left_out = [item for item in items if absent.intersection(getattr(item, "fixturenames", ()))]
    config.stash[_left_out] = [item.nodeid for item in left_out]
    _deselect(config, items, left_out)
    items[:] = _order(items)


def _deselect(config: pytest.Config, items: list[pytest.Item], given: list[pytest.Item]) -> None:
    if given:
        config.hook.pytest_deselected(items=given)
        gone = set(given)
        items[:] = [item for item in items if item not in gone]


def _depends_on_database(item: pytest.Item) -> bool:
    """It touches a database, and is one of those chosen or in a file that was named."""
    touches = item.get_closest_marker("django_db") is not None or bool(
        TOUCHING.intersection(getattr(item, "fixturenames", ()))
    )
    name = getattr(item, "originalname", item.name)
    is_named = item.session.isinitpath(item.path)
    return touches and (is_named or on_postgresql.is_chosen(item.path, name))


def _order(items: list[pytest.Item]) -> list[pytest.Item]:
    """Within a module, tests that share less come first.

    What a module keeps for some of its tests is there until its end, and others must not see it.
    """
    modules = itertools.groupby(items, key=lambda item: item.path)
    return [item for _, found in modules for item in sorted(found, key=_count_kept)]


def _count_kept(item: pytest.Item) -> int:
    return sum(name.startswith("kept_") for name in set(getattr(item, "fixturenames", ())))


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
def django_db_use_migrations(request: pytest.FixtureRequest) -> bool:
    """Migrate where that is what is tested; elsewhere, make tables from models.

    The product under test migrates SQLite, a lab's server PostgreSQL, and a check sees to it that
    models and migrations agree.
    """
    return any("deploy" in item.path.parts for item in request.session.items)


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


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """A small one that the test may fill."""
    with small_disk(tmp_path / "disk") as made:
        yield made


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
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Product:
    """The product after its first start and stop, which leave tables and the demo behind.

    Whoever needs a product of their own starts from a copy of its data folder.
    """
    shared = os.environ.get(servers.SHARED)
    return servers.prepare_once(Path(shared) if shared else tmp_path_factory.mktemp("prepared"))


@pytest.fixture(scope="session")
def product(prepared: Product, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """The product as `make run` serves it, with the demo loaded."""
    running = prepared.copy_to(tmp_path_factory.mktemp("product") / "var").start()
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="session")
def blank(tmp_path_factory: pytest.TempPathFactory, postgres_url: str) -> Blank:
    """A migrated PostgreSQL database with nothing in it."""
    shared = os.environ.get(servers.SHARED)
    folder = Path(shared).parent / "blank" if shared else tmp_path_factory.mktemp("blank")
    return Blank(postgres_url, folder / "data").prepare()


@pytest.fixture(scope="session")
def lab(
    tmp_path_factory: pytest.TempPathFactory, blank: Blank, redis_socket: Path
) -> Iterator[Lab]:
    """A lab's server on PostgreSQL and Redis, with two workers."""
    folder = tmp_path_factory.mktemp("lab")
    database = blank.copy_to(folder / "data", "giza_lab")
    with servers.running_lab(folder, database, redis_socket) as running:
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
