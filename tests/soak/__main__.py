"""`python -m tests.soak [MINUTES]`: the load of a busy lab on PostgreSQL and Redis, and its table.

Ends with 0 if every bound is met, with 1 if not. Ctrl-C ends it and all that it has started.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil

from tests import servers
from tests.soak.kills import end_workers
from tests.soak.load import Load, bounded
from tests.soak.run import Outcome, Soak
from tests.soak.table import describe, write_table

MINUTES = 30.0
KEPT = servers.ROOT / "build" / "soak.json"
REDIS = "redis-server"
DISK = "size=768m"
# Webhooks of the load are on this machine.
SETTINGS = {"MARKET_WEBHOOK_PRIVATE": "1"}


def main(arguments: list[str]) -> int:
    # A shell lets what it starts in the background ignore interrupts.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    minutes = float(arguments[0]) if arguments else MINUTES
    try:
        outcome = soak(bounded(60 * minutes))
    except KeyboardInterrupt:
        print("Broken off; everything that was started is stopped.")
        return 130
    print(write_table(outcome))
    told = describe(outcome)
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps(told, indent=1))
    print(f"The same as JSON: {KEPT.relative_to(servers.ROOT)}")
    return 0 if told["is_met"] else 1


def soak(load: Load) -> Outcome:
    """On servers of its own, in a folder of its own; both are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="giza-soak-") as name:
        folder = Path(name)
        say("Starting PostgreSQL, Redis, web and two workers.")
        with (
            servers.running_postgres(folder / "pg") as address,
            servers.running_redis(folder) as socket,
        ):
            database = servers.new_database(address, "giza_soak")
            others = {"PostgreSQL": [_postmaster(folder / "pg")], "Redis": _find_redis()}
            with (
                own_disk(folder / "data"),
                servers.running_lab(folder, database, socket, SETTINGS) as lab,
            ):
                try:
                    return Soak(lab, load, folder, others, say).run()
                finally:
                    end_workers(lab)


@contextlib.contextmanager
def own_disk(folder: Path) -> Iterator[None]:
    """A disk that can be filled without filling the machine's; only root can have one."""
    folder.mkdir()
    if os.geteuid():
        say("Not root: the fault of a full disk will be missing.")
        yield
        return
    subprocess.run(["mount", "-t", "tmpfs", "-o", DISK, "giza-soak", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def say(line: str) -> None:
    print(line, flush=True)


def _postmaster(folder: Path) -> psutil.Process:
    return psutil.Process(int((folder / "postmaster.pid").read_text().splitlines()[0]))


def _find_redis() -> list[psutil.Process]:
    return [row for row in psutil.Process().children() if REDIS in row.name()]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
