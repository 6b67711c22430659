"""`make run`: it starts, says so once, survives what happens to it, and leaves nothing behind."""

from __future__ import annotations

import contextlib
import signal
import socket
import sqlite3
import stat
import subprocess
import sys

import psutil
import pytest

from deploy.processes import birth_of
from tests import servers
from tests.servers import Product, answers, wait_until

SIGN_IN = "Sign in as demo@example.org with password pyramid-demo"


@pytest.fixture
def folder(prepared, tmp_path):
    """A data folder as a first start leaves it, for one test."""
    return prepared.copy_to(tmp_path / "var").data_dir


@pytest.fixture(scope="module")
def revived(prepared, tmp_path_factory):
    """A product at its second start. Tests kill its children, and the last one kills it."""
    running = prepared.copy_to(tmp_path_factory.mktemp("revived") / "var").start()
    yield running
    running.stop()


def family(product):
    """The processes that a product started, at any remove."""
    return psutil.Process(product.part.process.pid).children(recursive=True)


def child(product, word):
    """The child of the supervisor whose command line has that word."""
    for process in psutil.Process(product.part.process.pid).children():
        # A process may end while it is looked at.
        with contextlib.suppress(psutil.NoSuchProcess):
            if word in process.cmdline():
                return process
    return None


def all_gone(processes):
    return not any(
        process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in processes
    )


def count_rows(folder):
    """The number of rows of each table."""
    with contextlib.closing(sqlite3.connect(folder / "giza.sqlite3")) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for (table,) in tables
        }


def test_it_says_where_it_is_and_how_to_sign_in_once(product):
    printed = product.part.printed()
    assert printed.count(f"Giza is at {product.base_url}\n") == 1
    assert printed.count(SIGN_IN) == 1
    assert answers(product.base_url)


def test_it_shows_the_lines_of_each_child_under_its_name(product):
    lines = product.part.printed().splitlines()
    assert any(line.startswith("web    | ") for line in lines)
    assert any(line.startswith("worker | ") for line in lines)


def stop_cleanly(product, number):
    """Stop it with that signal: it leaves no process, no server and no note behind."""
    started = family(product)
    assert len(started) >= 4, "web and its worker, Celery and its pool"
    assert product.stop(number) == 0
    assert all_gone(started)
    assert not answers(product.base_url)
    assert not (product.data_dir / "run" / "children.json").exists()


def test_it_prepares_everything_at_its_first_start(prepared):
    assert "Preparing the database" in prepared.part.printed()
    assert count_rows(prepared.data_dir)["corpora_summary"] > 0, "the demo's"


def test_it_keeps_everything_over_a_second_start(prepared, revived):
    first, second = prepared.data_dir, revived.data_dir
    assert answers(revived.base_url)
    assert count_rows(second) == count_rows(first)
    assert (second / "secret-key").read_text() == (first / "secret-key").read_text()
    assert "Preparing the database" not in revived.part.printed()


def test_it_keeps_its_secret_to_itself(product):
    mode = (product.data_dir / "secret-key").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


@pytest.mark.parametrize(("name", "word"), [("web", "gunicorn"), ("worker", "celery")])
def test_it_starts_a_killed_child_again(revived, name, word):
    killed = child(revived, word)
    rest = killed.children(recursive=True)
    killed.send_signal(signal.SIGKILL)

    wait_until(lambda: child(revived, word) not in (None, killed), f"{word} starts again")
    wait_until(lambda: answers(revived.base_url), "the web server answers")
    wait_until(lambda: all_gone(rest), f"what {word} had started is gone")
    printed = revived.part.printed()
    assert f"{name} was ended by SIGKILL. It restarts in 0.5 s." in printed
    assert printed.count("Giza is at") == 1


def test_it_replaces_a_killed_process_of_the_web_server_without_a_word(revived):
    """One forked from what is loaded already, so that the supervisor need not do anything."""
    server = child(revived, "gunicorn")
    before = revived.part.printed().count("It starts again")
    (killed,) = server.children()
    killed.send_signal(signal.SIGKILL)
    wait_until(lambda: server.children() not in ([], [killed]), "another is forked")
    wait_until(lambda: answers(revived.base_url), "it answers")
    assert child(revived, "gunicorn") == server
    assert revived.part.printed().count("It starts again") == before


def test_its_worker_spares_itself_the_pages(revived):
    """Django's checks load every one of them; `manage.py check` is there for these."""
    assert child(revived, "celery").environ()["CELERY_SKIP_CHECKS"] == "1"


def test_its_jobs_give_way_to_its_pages(revived):
    worker, web = child(revived, "celery"), child(revived, "gunicorn")
    given = {web.nice() + 1}
    wait_until(lambda: {job.nice() for job in worker.children()} == given, "jobs give way")
    assert worker.nice() == web.nice()


def test_its_threads_share_heaps(revived):
    assert child(revived, "gunicorn").environ()["MALLOC_ARENA_MAX"] == "2"


def test_it_takes_its_children_along_when_it_is_killed(revived):
    started = family(revived)
    revived.part.process.kill()
    revived.part.process.wait()
    wait_until(lambda: all_gone(started), "its children end")


def test_it_clears_away_what_a_killed_one_left_and_gives_the_demo_a_random_password(folder):
    """A password that everybody knows is none where others reach the server."""
    left = subprocess.Popen(["sleep", "600"], start_new_session=True)
    bystander = subprocess.Popen(["sleep", "600"], start_new_session=True)
    roll = f'[[{left.pid}, "{birth_of(left.pid)}"], [{bystander.pid}, "1"]]'
    (folder / "run" / "children.json").write_text(roll)
    product = Product.at(folder, HOST="0.0.0.0").start()
    try:
        assert left.wait(timeout=servers.PATIENCE) == -signal.SIGTERM
        assert bystander.poll() is None, "a process that only bears an old number is left alone"
        password = (product.data_dir / "demo-password").read_text().strip()
        assert len(password) >= 12
        assert f"with password {password}\n" in product.part.printed()
        assert "pyramid-demo" not in product.part.printed()
        stop_cleanly(product, signal.SIGTERM)
    finally:
        product.stop()
        bystander.kill()
        bystander.wait()


def run_to_end(folder, *arguments, **settings):
    return subprocess.run(
        [sys.executable, "-m", "deploy.serve", *arguments],
        cwd=servers.ROOT,
        env=servers.clean_environment(DATA_DIR=folder) | settings,
        capture_output=True,
        text=True,
        timeout=servers.PATIENCE,
        check=False,
    )


def test_it_names_the_port_that_is_taken(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        ended = run_to_end(tmp_path, PORT=port)
    assert ended.returncode == 2
    assert ended.stderr == (
        f"PORT: {port} on HOST 127.0.0.1 can't be used (Address already in use). "
        "Set PORT to a free port.\n"
    )


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"PORT": "0"}, "PORT: '0' is out of range."),
        ({"PORT": "http"}, "PORT: 'http' is not valid."),
        ({"WEB_THREADS": "none"}, "WEB_THREADS: 'none' is not valid."),
        ({"CELERY_CONCURRENCY": "0"}, "CELERY_CONCURRENCY: '0' is out of range."),
        ({"HOST": "nowhere.invalid"}, "PORT: "),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL: 'loud' is not valid."),
    ],
)
def test_it_refuses_a_wrong_value_before_it_starts_anything(tmp_path, settings, sentence):
    ended = run_to_end(tmp_path, **({"PORT": str(servers.find_free_port())} | settings))
    assert ended.returncode == 2
    assert ended.stderr.startswith(sentence)
    assert ended.stderr.count("\n") == 1


def test_it_refuses_a_data_folder_that_is_in_use(product):
    ended = run_to_end(product.data_dir, PORT=str(servers.find_free_port()))
    assert ended.returncode == 2
    assert "is used by a Giza that is running" in ended.stderr


# The supervisor with children that only talk, in place of web and worker.
TALKERS = """
import sys
from deploy import embedded, prepared, supervisor
talk = "while True: print('I live.', flush=True); __import__('time').sleep(0.05)"
embedded.fill_environment()
prepared.is_prepared = lambda: True
supervisor.serve_line = lambda *_: [sys.executable, "-c", talk]
supervisor.probe.web_is_up = supervisor.probe.worker_is_up = lambda *_: True
raise SystemExit(supervisor.supervise())
"""


@pytest.fixture
def talking(tmp_path):
    """A supervisor that has greeted, and its children."""
    process = subprocess.Popen(
        [sys.executable, "-c", TALKERS],
        cwd=servers.ROOT,
        env=servers.clean_environment(DATA_DIR=tmp_path, PORT=servers.find_free_port()),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process:
        assert process.stdout
        assert any(line.startswith("Giza is at") for line in process.stdout)
        yield process, psutil.Process(process.pid).children(recursive=True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_it_stops_when_interrupted_or_hung_up(talking, number, tmp_path):
    process, started = talking
    assert len(started) == 2
    process.send_signal(number)
    process.stdout.read()
    assert process.wait(timeout=servers.PATIENCE) == 0
    assert all_gone(started)
    assert not (tmp_path / "run" / "children.json").exists()


def test_it_stops_when_nobody_reads_it_any_more(talking):
    process, started = talking
    process.stdout.close()
    assert process.wait(timeout=servers.PATIENCE) == 0
    assert all_gone(started)
