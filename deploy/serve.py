"""Start Giza: `python -m deploy.serve` for everything on this machine, or one part of it.

python -m deploy.serve                 web, worker, database, demo: what `make run` does
python -m deploy.serve web             the web server alone
python -m deploy.serve worker          one worker alone
python -m deploy.serve migrate         tables and static files, then stop; --demo adds the demo
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from deploy import embedded, entrypoints, env, private
from deploy.processes import die_with


def main(arguments: Sequence[str]) -> int:
    private.keep_private()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    options = parse(arguments)
    if options.parent:
        die_with(options.parent)
    if options.part == "all":
        embedded.fill_environment()
    # Read now, so that a wrong value is one sentence here and not a traceback in a child.
    importlib.import_module(os.environ["DJANGO_SETTINGS_MODULE"])
    if not options.parent:
        # The supervisor has done so already for its children.
        private.repair(env.data_dir())
    return run_part(options)


def run_part(options: argparse.Namespace) -> int:
    if options.part == "web":
        replace_with(entrypoints.web_command(options.socket))
    if options.part == "worker":
        # Celery would have Django check the code, which loads every page for a process without one.
        os.environ["CELERY_SKIP_CHECKS"] = "1"
        replace_with(entrypoints.worker_command())
    if options.part == "migrate":
        from deploy.preparation import prepare

        password = env.text("DEMO_PASSWORD", embedded.DEMO_PASSWORD) if options.demo else None
        prepare(password, demo_is_staff=options.staff)
        return 0
    from deploy.supervisor import supervise

    # The children read these; a wrong one must not come to light only there.
    entrypoints.web_command()
    entrypoints.worker_command()
    return supervise()


def replace_with(command: list[str]) -> NoReturn:
    """Become that command: the same process number, no process in between."""
    sys.stdout.flush()
    # Else each thread has a heap of its own, which grows to the largest page that it made.
    os.environ.setdefault("MALLOC_ARENA_MAX", "2")
    # Where what a killed process leaves is found and removed.
    os.environ.setdefault("TMPDIR", str(env.data_dir() / "tmp"))
    os.execv(command[0], command)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m deploy.serve",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "part", nargs="?", default="all", choices=["all", "web", "worker", "migrate"]
    )
    parser.add_argument("--demo", action="store_true", help="with migrate: load the demo project")
    # What the supervisor tells its children. The demo account is staff where one person runs all.
    parser.add_argument("--staff", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--parent", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--socket", type=int, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def run() -> int:
    try:
        with env.exit_with_sentence():
            return main(sys.argv[1:])
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(run())
