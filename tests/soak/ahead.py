"""`python -m tests.soak.ahead SECONDS`: a worker whose clock is that far ahead."""

from __future__ import annotations

import datetime
import runpy
import sys
import time


def shift_clock(seconds: float) -> None:
    """Every clock of this process that tells the time of day."""
    real_time, shift = time.time, datetime.timedelta(seconds=seconds)
    time.time = lambda: real_time() + seconds

    class Shifted(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:  # type: ignore[override]
            return datetime.datetime.now(tz) + shift

    from django.utils import timezone

    timezone.datetime = Shifted  # type: ignore[attr-defined]


def main(seconds: float) -> None:
    from deploy import entrypoints

    shift_clock(seconds)
    sys.argv = ["celery", *entrypoints.worker_command()[3:]]
    runpy.run_module("celery", run_name="__main__")


if __name__ == "__main__":
    main(float(sys.argv[1]))
