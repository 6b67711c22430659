"""The command lines of the two kinds of process: web server and worker."""

from __future__ import annotations

import os
import sys

from deploy import embedded, env


def web_command(descriptor: int | None = None) -> list[str]:
    """Gunicorn, on a socket that is open already or on HOST and PORT, with our own processes.

    The product is loaded once. Its processes are forked from that, and share the memory: one that
    died is replaced in a moment.
    """
    workers = env.number("WEB_CONCURRENCY", 1, least=1, most=256)
    # Read by the processes themselves; a wrong one must not come to light only there.
    env.number("WEB_THREADS", 8, least=1, most=256)
    address = f"{embedded.bracketed(embedded.host())}:{embedded.port()}"
    return [
        *(sys.executable, "-m", "gunicorn", "deploy.asgi:application"),
        *("--bind", address if descriptor is None else f"fd://{descriptor}"),
        *("--preload", "--worker-class", "deploy.web.worker.Worker"),
        *("--workers", str(workers)),
        *("--timeout", "60", "--graceful-timeout", "8", "--keep-alive", "15"),
        *("--worker-tmp-dir", _memory_folder()),
        *("--log-level", env.text("LOG_LEVEL", "INFO").lower()),
        "--no-control-socket",
    ]


def worker_command() -> list[str]:
    """A Celery worker. Gossip, mingle and heartbeat talk to other workers; ours need not."""
    concurrency = env.number("CELERY_CONCURRENCY", 1, least=1, most=256)
    return [
        *(sys.executable, "-m", "celery", "--quiet", "--app", "deploy.celery", "worker"),
        *("--pool", "prefork", "--concurrency", str(concurrency)),
        *("--loglevel", env.text("LOG_LEVEL", "INFO")),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]


def _memory_folder() -> str:
    """Where gunicorn's workers say that they live: in memory if there is such a folder."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else str(env.data_dir() / "run")
