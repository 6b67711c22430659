"""A fresh database for one measurement, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests import servers

BENCH_DIR = servers.ROOT / "build" / "bench"


@contextmanager
def fresh_database(vendor: str) -> Iterator[dict[str, str]]:
    """The environment of a Giza with empty tables and static files on SQLite or PostgreSQL."""
    with tempfile.TemporaryDirectory(prefix="giza-bench-") as name:
        folder = Path(name)
        settings = {"SECRET_KEY": servers.SECRET_KEY, "DATA_DIR": str(folder / "data")}
        if vendor == "sqlite":
            yield _migrated(settings)
            return
        with servers.running_postgres(folder / "postgres") as url:
            yield _migrated({**settings, "DATABASE_URL": url})


def _migrated(settings: dict[str, str]) -> dict[str, str]:
    environment = servers.clean_environment(**settings, LOG_LEVEL="ERROR")
    command = [sys.executable, "-m", "deploy.serve", "migrate"]
    subprocess.run(
        command, cwd=servers.ROOT, env=environment, check=True, stdout=subprocess.DEVNULL
    )
    return environment


def run_in(environment: dict[str, str], module: str, *arguments: str) -> Any:
    """Run `python -m module …` there; its last line of output is JSON."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(
        command, cwd=servers.ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def set_up_django() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    import django

    django.setup()
