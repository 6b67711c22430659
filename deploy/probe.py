"""Ask whether a server or a worker is up: `python -m deploy.probe web` (or worker)."""

from __future__ import annotations

import http.client
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from deploy import embedded, env
from deploy.processes import birth_of


def web_is_up(timeout: float = 2.0) -> bool:
    """Whether the web server on HOST and PORT is ready for people."""
    names = env.items("ALLOWED_HOSTS", embedded.LOOPBACK)
    address = embedded.reachable(embedded.host())
    connection = http.client.HTTPConnection(address, embedded.port(), timeout=timeout)
    try:
        connection.request("GET", "/healthz/ready", headers={"Host": _host_header(names[0])})
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def worker_is_up(pid: int | None = None) -> bool:
    """Whether this machine's worker, or the one with that number, has said it is ready."""
    notes = [ready_note(pid)] if pid else ready_note(0).parent.glob(f"{_machine()}-*.ready")
    return any(_is_alive(note) for note in notes)


def leave_ready_note() -> None:
    """Say that this process takes work, and when it was started: numbers come again."""
    ready_note(os.getpid()).write_text(birth_of(os.getpid()))


def _is_alive(note: Path) -> bool:
    try:
        born = note.read_text()
    except FileNotFoundError:
        return False
    return bool(born) and born == birth_of(_pid_in(note))


def ready_note(pid: int) -> Path:
    """The file that a worker keeps while it takes work. Machines may share the folder."""
    return env.data_dir() / "run" / f"{_machine()}-{pid}.ready"


def clear_ready_notes() -> None:
    for note in ready_note(0).parent.glob(f"{_machine()}-*.ready"):
        note.unlink(missing_ok=True)


def _host_header(name: str) -> str:
    """A name that the server accepts: ".example.org" stands for any below it, "*" for all."""
    return "localhost" if name == "*" else name.removeprefix(".")


def _machine() -> str:
    return socket.gethostname()


def _pid_in(note: Path) -> int:
    return int(note.stem.rpartition("-")[2])


PROBES: dict[str, Callable[[], bool]] = {"web": web_is_up, "worker": worker_is_up}


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or arguments[0] not in PROBES:
        print("Usage: python -m deploy.probe web|worker", file=sys.stderr)
        return 2
    return 0 if PROBES[arguments[0]]() else 1


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    with env.exit_with_sentence():
        raise SystemExit(main(sys.argv[1:]))
