"""A product that may be killed: its data stays, and another is started on it."""

from __future__ import annotations

import signal
from pathlib import Path

import psutil

from tests.servers import PATIENCE, Product, signal_all

# Jobs whose worker died are soon taken up again.
SETTINGS = {"JOB_LEASE_SECONDS": 2, "JOB_SWEEP_SECONDS": 1}


class Mortal:
    """The product that is running, or was until it was killed."""

    def __init__(self, prepared: Product, folder: Path) -> None:
        self.product = prepared.copy_to(folder, **SETTINGS).start()

    @property
    def base_url(self) -> str:
        return self.product.base_url

    def kill(self) -> None:
        """Kill every process of it at once, as a power cut does."""
        whole = psutil.Process(self.product.part.process.pid)
        processes = [whole, *whole.children(recursive=True)]
        signal_all(processes, signal.SIGKILL)
        self.product.part.process.wait(timeout=PATIENCE)
        psutil.wait_procs(processes[1:], timeout=PATIENCE)

    def start_again(self) -> None:
        """Start it on the same data and port."""
        settings = {**SETTINGS, "PORT": self.product.port}
        self.product = Product.at(self.product.data_dir, **settings).start()

    def kill_worker(self) -> None:
        """Kill Celery and its pool, all at once, as a machine short of memory does."""
        signal_all(self.product.worker(), signal.SIGKILL)
